// SPDX-License-Identifier: Apache-2.0
#include "audit/owners/member_claim.h"

#include <algorithm>
#include <array>
#include <optional>

#include "audit/owners/member_prose.h"
#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::audit {
namespace {

using statement::Statement;
using statement::StatementKind;

constexpr std::size_t kMaxSpans = 200;

}  // namespace

std::vector<CodeSpan> CodeSpansOf(const Statement& statement) {
  std::vector<CodeSpan> spans;
  for (const statement::TextRun& run : statement.runs) {
    if (!run.is_code || spans.size() >= kMaxSpans) continue;
    CodeSpan span = {.begin = run.begin, .end = run.end};
    const std::string_view code =
        std::string_view(statement.text).substr(run.begin, run.end - run.begin);
    if (code.size() > 1 && code.front() == '.' && IsNameStart(code[1])) {
      span.is_dotted = true;
      ++span.begin;
    }
    const std::string_view named = code.substr(span.is_dotted ? 1 : 0);
    std::size_t end = 0;
    while (end < named.size() &&
           (IsNameByte(named[end]) || named[end] == '.' || named[end] == ':')) {
      ++end;
    }
    while (end > 0 && !IsNameByte(named[end - 1])) --end;
    if (end > 0 && IsNameStart(named.front())) {
      span.name = std::string(named.substr(0, end));
      const std::string_view rest = Trim(named.substr(end));
      span.is_keyword = rest.starts_with('=') && !rest.starts_with("==");
      span.is_whole =
          rest.empty() || rest == "()" || rest == "(...)" || rest == "(…)" || span.is_keyword;
    }
    spans.push_back(std::move(span));
  }
  return spans;
}

namespace {

// With classes that are not in code font, but cannot be words: "FusedNovoGrad accepts `x`".
std::vector<CodeSpan> WithPlainClasses(const Statement& statement) {
  constexpr std::size_t kShortest = 8;
  std::vector<CodeSpan> spans = CodeSpansOf(statement);
  const std::string_view text = statement.text;
  for (std::size_t at = 0; at < text.size() && spans.size() < kMaxSpans;) {
    std::size_t end = at;
    while (end < text.size() && IsNameByte(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    const auto capitals = std::count_if(word.begin(), word.end(), IsUpper);
    const bool is_class = word.size() >= kShortest && capitals > 1 && IsUpper(word[0]) &&
                          std::any_of(word.begin(), word.end(), IsLower);
    if (is_class && !statement::IsCodeAt(statement, at)) {
      spans.push_back({.begin = at, .end = end, .name = std::string(word), .is_whole = true});
    }
    at = std::max(end, at + 1);
  }
  std::ranges::stable_sort(spans, {}, &CodeSpan::begin);
  return spans;
}

}  // namespace

MemberClaims::MemberClaims(const statement::Statements& statements, const statement::OwnNames& own)
    : statements_(statements), own_(own) {
  std::size_t lead = statements.all.size();
  for (std::size_t i = 0; i < statements.all.size(); ++i) {
    const Statement& here = statements.all[i];
    if (here.kind == StatementKind::kHeading) lead = statements.all.size();
    leads_.push_back(lead);
    if (here.kind == StatementKind::kSentence) lead = i;
    if (here.kind == StatementKind::kCode) {
      AddVariableTypes(here.text, statement::LanguageOf(here), own, types_);
      continue;
    }
    for (const CodeSpan& span : CodeSpansOf(here)) {
      const std::size_t point = span.name.find('.');
      if (point == std::string::npos || used_.size() >= kMaxSpans) continue;
      used_[span.name.substr(0, point)].insert(span.name.substr(point + 1));
    }
  }
}

// "`scaler.unscale_()`" where a block declares the variable, or the paragraph names one class that
// it is called after: `GradScaler`.
std::vector<MemberClaim> MemberClaims::OfVariables(std::size_t number) const {
  constexpr std::size_t kShortest = 5;
  std::vector<MemberClaim> claims;
  const Statement& here = statements_.all[number];
  for (const CodeSpan& span : CodeSpansOf(here)) {
    const std::size_t point = span.name.find('.');
    if (point == std::string::npos || span.name.find('.', point + 1) != std::string::npos) continue;
    const std::string variable = span.name.substr(0, point);
    if (own_.aliases.contains(variable) || !std::ranges::none_of(variable, IsUpper)) continue;
    MemberClaim claim = {.member = span.name.substr(point + 1),
                         .offset = span.begin,
                         .belonging = Belonging::kMember,
                         .needs_record = true};
    const auto type = types_.find(variable);
    if (type != types_.end()) {
      claim.owner = type->second;
    } else if (variable.size() >= kShortest && !own_.names.contains(variable)) {
      claim.owner = ClassNear(number, variable);
      for (const std::string& other : used_.find(variable)->second) {
        if (other != claim.member) claim.beside.push_back(other);
      }
      if (claim.beside.empty()) continue;
    }
    if (!claim.owner.empty()) claims.push_back(std::move(claim));
  }
  return claims;
}

// "`a=1`, `b=2`, `c=3`" below the heading of a class, or in a sentence that begins with one.
std::vector<MemberClaim> MemberClaims::OfKeywords(std::size_t number) const {
  constexpr std::size_t kLeast = 3;
  const std::vector<CodeSpan> spans = CodeSpansOf(statements_.all[number]);
  std::vector<std::string> names;
  std::string owner;
  for (const CodeSpan& span : spans) {
    if (span.is_keyword && IsPlainName(span.name)) names.push_back(span.name);
    const bool is_class = span.name.find_first_of(".:") != std::string::npos ||
                          std::any_of(span.name.begin(), span.name.end(), IsUpper);
    if (owner.empty() && !span.is_keyword && span.is_whole && is_class) owner = span.name;
  }
  if (owner.empty()) owner = OwnerAbove(number);
  std::vector<MemberClaim> claims;
  if (names.size() < kLeast || owner.empty()) return claims;
  for (const CodeSpan& span : spans) {
    if (!span.is_keyword || !IsPlainName(span.name)) continue;
    claims.push_back({.owner = owner,
                      .member = span.name,
                      .offset = span.begin,
                      .belonging = Belonging::kKeyword,
                      .beside = names});
    std::erase(claims.back().beside, span.name);
  }
  return claims;
}

std::string MemberClaims::ClassNear(std::size_t number, std::string_view variable) const {
  std::string found;
  for (std::size_t i = number + 1;
       i-- > 0 && statements_.all[i].heading == statements_.all[number].heading;) {
    if (number - i > 8) break;
    for (const CodeSpan& span : CodeSpansOf(statements_.all[i])) {
      const std::vector<std::string> parts = SplitQualified(span.name);
      if (parts.empty() || !IsUpper(parts.back().front())) continue;
      if (!LowerCase(parts.back()).ends_with(variable) || span.name == found) continue;
      if (!found.empty() && SplitQualified(found).back() != parts.back()) return {};
      if (found.size() < span.name.size()) found = span.name;
    }
  }
  return found;
}

std::string MemberClaims::OwnerAbove(std::size_t number) const {
  const Statement& here = statements_.all[number];
  std::vector<std::string> owners;
  if (leads_[number] < statements_.all.size()) {
    const Statement& lead = statements_.all[leads_[number]];
    if (lead.heading == here.heading && Trim(lead.text).ends_with(':')) {
      for (const CodeSpan& span : CodeSpansOf(lead)) {
        if (MayBeOwner(span.name)) owners.push_back(span.name);
      }
    }
  }
  if (owners.empty()) {
    const std::string_view heading = statements_.headings[here.heading].text;
    for (std::size_t at = 0; at < heading.size();) {
      std::size_t end = at;
      while (end < heading.size() &&
             (IsNameByte(heading[end]) || heading[end] == '.' || heading[end] == ':')) {
        ++end;
      }
      std::string_view word = heading.substr(at, end - at);
      while (!word.empty() && !IsNameByte(word.back())) word.remove_suffix(1);
      const bool is_code =
          word.find_first_of("._:") != word.npos ||
          std::any_of(word.begin() + (word.empty() ? 0 : 1), word.end(), IsUpper) ||
          heading.substr(end).starts_with("()");
      if (word.size() > 3 && is_code && IsNameStart(word.front())) owners.emplace_back(word);
      at = end + 1;
    }
  }
  return owners.size() == 1 ? owners.front() : std::string();
}

// "| `cudaMemPoolTrimTo` | parameter `minBytesToKeep` |": the row's first cell
// is the owner.
std::vector<MemberClaim> MemberClaims::InRow(const Statement& cell) {
  std::vector<MemberClaim> claims;
  const std::vector<CodeSpan> spans = CodeSpansOf(cell);
  if (cell.context.size() < 2 || spans.empty() || !MayBeOwner(cell.context[1])) return claims;
  if (!std::all_of(cell.context[1].begin(), cell.context[1].end(), [](char c) {
        return IsNameByte(c) || c == '.' || c == ':' || c == '(' || c == ')';
      })) {
    return claims;
  }
  const std::string_view text = cell.text;
  const std::vector<std::string> words = WordsBetween(text.substr(0, spans.front().begin));
  const std::optional<Belonging> role =
      words.size() == 1 ? RoleOf(words.front()) : std::optional<Belonging>();
  if (!role) return claims;
  const std::string owner = cell.context[1].substr(0, cell.context[1].find('('));
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (i > 0 && !IsListGap(text.substr(spans[i - 1].end, spans[i].begin - spans[i - 1].end)))
      break;
    if (!spans[i].is_whole || !IsPlainName(spans[i].name)) continue;
    claims.push_back(
        {.owner = owner, .member = spans[i].name, .offset = spans[i].begin, .belonging = *role});
  }
  return claims;
}

std::vector<MemberClaim> MemberClaims::InTable(std::size_t number) const {
  const Statement& cell = statements_.all[number];
  if (cell.context.empty()) return {};
  std::vector<MemberClaim> row = InRow(cell);
  if (!row.empty()) return row;
  std::optional<Belonging> role;
  for (const std::string& word : WordsBetween(cell.context.front())) {
    if (!role) role = RoleOf(word);
  }
  if (!role || *role == Belonging::kAny) return {};
  const std::vector<std::string> header = WordsBetween(cell.context.front());
  if (header.size() > 2 || header.front() == "value" || header.front() == "values" ||
      header.front() == "option" || header.front() == "options") {
    return {};
  }
  // "| CMake option |": the options of a program or a project, not of a definition.
  static constexpr std::array<std::string_view, 9> kOptions = {"option", "options",  "flag",
                                                               "flags",  "variable", "variables",
                                                               "switch", "setting",  "settings"};
  if (header.size() == 2 && IsOneOf(header.back(), kOptions)) return {};
  const std::vector<CodeSpan> spans = CodeSpansOf(cell);
  if (spans.empty() || spans.front().begin != 0) return {};
  std::string owner = OwnerAbove(number);
  // "| GradScaler argument |"
  const std::string_view title = cell.context.front();
  const std::string_view first = title.substr(0, title.find(' '));
  const bool has_capitals = first.size() > 4 && IsUpper(first.front()) &&
                            std::count_if(first.begin(), first.end(), IsUpper) > 1;
  if (header.size() == 2 && (has_capitals || first.find_first_of("._") != first.npos)) {
    owner = std::string(first);
  }
  std::vector<MemberClaim> claims;
  if (owner.empty()) return claims;
  for (const CodeSpan& span : spans) {
    if (!span.is_whole || !IsPlainName(span.name)) continue;
    claims.push_back(
        {.owner = owner, .member = span.name, .offset = span.begin, .belonging = *role});
  }
  return claims;
}

std::vector<MemberClaim> MemberClaims::InList(std::size_t number) const {
  const Statement& item = statements_.all[number];
  const std::vector<CodeSpan> spans = CodeSpansOf(item);
  if (spans.empty() || spans.front().begin != 0 || !spans.front().is_whole) return {};
  if (!IsPlainName(spans.front().name) || leads_[number] >= statements_.all.size()) return {};
  const Statement& lead = statements_.all[leads_[number]];
  if (lead.heading != item.heading || !Trim(lead.text).ends_with(':')) return {};
  std::optional<Belonging> role;
  for (const std::string& word : WordsBetween(lead.text)) {
    if (Denies(word)) return {};
    if (!role && word != "value" && word != "values" && word != "option" && word != "options") {
      role = RoleOf(word);
    }
  }
  const std::string owner = OwnerAbove(number);
  if (!role || owner.empty()) return {};
  return {{.owner = owner,
           .member = spans.front().name,
           .offset = spans.front().begin,
           .belonging = *role}};
}

std::vector<MemberClaim> MemberClaims::Of(std::size_t number) const {
  const Statement& statement = statements_.all[number];
  std::vector<MemberClaim> claims;
  if (statement.kind == StatementKind::kCode) {
    return ReadCodeClaims(statement.text, statement::LanguageOf(statement), own_);
  }
  claims = ReadProseClaims(statement.text, WithPlainClasses(statement));
  for (MemberClaim& claim : OfVariables(number)) claims.push_back(std::move(claim));
  for (MemberClaim& claim : OfKeywords(number)) claims.push_back(std::move(claim));
  if (statement.kind == StatementKind::kCell) {
    for (MemberClaim& claim : InTable(number)) claims.push_back(std::move(claim));
  }
  if (statement.kind == StatementKind::kItem) {
    for (MemberClaim& claim : InList(number)) claims.push_back(std::move(claim));
  }
  for (const CodeSpan& span : CodeSpansOf(statement)) {
    const std::string_view code =
        std::string_view(statement.text).substr(span.begin, span.end - span.begin);
    if (span.name.empty() || code.find('(') == code.npos) continue;
    for (MemberClaim& claim : ReadCodeClaims(code, statement::CodeLanguage::kPython, own_)) {
      claim.offset += span.begin;
      claims.push_back(std::move(claim));
    }
  }
  for (MemberClaim& claim : claims) {
    const std::vector<std::string> parts = SplitQualified(claim.owner);
    const auto alias = parts.empty() ? own_.aliases.end() : own_.aliases.find(parts.front());
    if (alias != own_.aliases.end() && !own_.names.contains(parts.front())) {
      claim.owner = alias->second + claim.owner.substr(parts.front().size());
    }
  }
  return claims;
}

}  // namespace sibyl::audit
