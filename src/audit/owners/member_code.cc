// SPDX-License-Identifier: Apache-2.0
// Members in code: part of audit/member_claim.
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "audit/owners/member_claim.h"
#include "base/ascii.h"
#include "base/strings.h"
#include "base/work.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMaxCall = 4'000;    // bytes of one call's arguments
constexpr std::size_t kMaxClaims = 2'000;  // of one block

using statement::CodeLanguage;

bool IsQualifiedByte(char c) { return IsNameByte(c) || c == '.' || c == ':'; }

class CodeReader {
 public:
  CodeReader(std::string_view code, CodeLanguage language, const statement::OwnNames& own)
      : code_(code), language_(language), own_(own) {}

  std::vector<MemberClaim> Run() {
    if (language_ == CodeLanguage::kPython) ReadCalls();
    if (language_ == CodeLanguage::kPython || language_ == CodeLanguage::kCpp) {
      ReadTypes();
      ReadMembers();
    }
    if (claims_.size() > kMaxClaims) claims_.resize(kMaxClaims);
    return std::move(claims_);
  }

  VariableTypes TakeTypes() {
    if (language_ == CodeLanguage::kPython || language_ == CodeLanguage::kCpp) ReadTypes();
    return std::move(types_);
  }

 private:
  // The qualified name that ends at `end`.
  std::string_view NameBefore(std::size_t end) const {
    std::size_t begin = end;
    while (begin > 0 && end - begin < 200 && IsQualifiedByte(code_[begin - 1])) --begin;
    return code_.substr(begin, end - begin);
  }

  // As an import resolves it; empty if the text defines the name, or does not
  // say where it comes from.
  std::string Resolve(std::string_view name) const {
    const std::vector<std::string> parts = SplitQualified(name);
    if (parts.empty() || !IsNameStart(name.front())) return {};
    if (own_.names.contains(parts.front()) || own_.names.contains(parts.back())) return {};
    const auto alias = own_.aliases.find(parts.front());
    if (alias != own_.aliases.end())
      return alias->second + std::string(name.substr(parts.front().size()));
    if (language_ == CodeLanguage::kCpp || parts.size() > 1) return std::string(name);
    // Of an unqualified name in Python only a class tells enough.
    return IsUpper(name.front()) && name.size() > 3 ? std::string(name) : std::string();
  }

  // "f(a, key=1)": keywords of calls.
  void ReadCalls() {
    for (std::size_t open = code_.find('('); open != code_.npos; open = code_.find('(', open + 1)) {
      const std::string_view name = NameBefore(open);
      if (name.size() < 3 || name.starts_with('.') || IsDefinition(open - name.size())) continue;
      // "Name(...)(key=1)" and "x[0].f(key=1)" call something without a name.
      const std::string owner = Resolve(name);
      if (owner.empty() || types_.contains(SplitQualified(name).front())) continue;
      ReadKeywords(owner, open);
    }
  }

  bool IsDefinition(std::size_t name) const {
    std::string_view before = code_.substr(name > 8 ? name - 8 : 0, std::min<std::size_t>(name, 8));
    before = Trim(before.substr(before.rfind('\n') + 1));  // all of it without a line end
    return before.ends_with("def") || before.ends_with("class") || before.ends_with(".") ||
           before.ends_with(")");
  }

  void ReadKeywords(const std::string& owner, std::size_t open) {
    int depth = 0;
    bool at_start = false;
    const std::size_t last = std::min(code_.size(), open + kMaxCall);
    for (std::size_t i = open; i < last && claims_.size() < kMaxClaims; ++i) {
      const char c = code_[i];
      Work::Add(1);
      if (c == '(' || c == '[' || c == '{') {
        at_start = ++depth == 1;
      } else if (c == ')' || c == ']' || c == '}') {
        if (--depth == 0) return;
      } else if (c == ',') {
        at_start = depth == 1;
      } else if (c == '"' || c == '\'') {
        i = std::min(code_.find(c, i + 1), last);
        at_start = false;
      } else if (c == '#') {
        i = std::min(code_.find('\n', i), last);
      } else if (at_start && IsNameStart(c)) {
        std::size_t end = i;
        while (end < last && IsNameByte(code_[end])) ++end;
        std::size_t mark = end;
        while (mark < last && code_[mark] == ' ') ++mark;
        const bool is_keyword = mark < last && code_[mark] == '=' &&
                                (mark + 1 >= code_.size() || code_[mark + 1] != '=');
        if (is_keyword) {
          claims_.push_back({.owner = owner,
                             .member = std::string(code_.substr(i, end - i)),
                             .offset = i,
                             .belonging = Belonging::kKeyword});
        }
        at_start = false;
        i = end - 1;
      } else if (!IsBlank(c)) {
        at_start = false;
      }
    }
  }

  void Declare(std::string_view variable, std::string_view type) {
    const std::string owner = Resolve(type);
    const std::string name(Trim(variable));
    if (name.empty() || !std::all_of(name.begin(), name.end(), IsNameByte)) return;
    const auto known = types_.find(name);
    if (known != types_.end() && known->second != owner) {
      known->second.clear();  // two types
      return;
    }
    types_[name] = owner;
  }

  void ReadTypes() {
    for (const std::string_view line : SplitLines(code_)) {
      if (line.size() > 400) continue;
      if (language_ == CodeLanguage::kPython) {
        ReadPythonLine(line);
      } else {
        ReadCppLine(Trim(line));
      }
    }
  }

  // "x = Owner(", "with Owner(…) as x:"
  void ReadPythonLine(std::string_view line) {
    const std::string_view code = Trim(line);
    std::size_t end = 0;
    while (end < code.size() && IsNameByte(code[end])) ++end;
    const std::string_view rest = Trim(code.substr(end));
    if (rest.starts_with("=") && !rest.starts_with("==")) {
      const std::string_view value = Trim(rest.substr(1));
      const std::size_t open = value.find('(');
      const bool is_call =
          open != value.npos &&
          std::all_of(value.begin(), value.begin() + static_cast<std::ptrdiff_t>(open),
                      IsQualifiedByte);
      // A chain of calls gives something else.
      const bool is_chain = value.find(").") != value.npos || value.find(")(") != value.npos;
      Declare(code.substr(0, end),
              is_call && !is_chain ? value.substr(0, open) : std::string_view{});
    }
    const std::size_t as = code.rfind(" as ");
    if (code.ends_with(':') && as != code.npos) {
      const std::string_view variable = Trim(code.substr(as + 4, code.size() - as - 5));
      // The call may be spread over lines: look back for its "with".
      const auto line_end = static_cast<std::size_t>(code.data() - code_.data());
      const std::size_t with = code_.rfind("with ", line_end + as);
      if (with == code_.npos || line_end + as - with > kMaxCall) return;
      const std::string_view value = code_.substr(with + 5);
      const std::size_t open = value.find('(');
      if (open != value.npos && open < 200) Declare(variable, value.substr(0, open));
    }
  }

  // "Type name;", "Type name = …", "Type name{", "const Type* name"
  void ReadCppLine(std::string_view code) {
    for (const std::string_view word : {"const ", "static ", "struct ", "constexpr "}) {
      if (code.starts_with(word)) code = Trim(code.substr(word.size()));
    }
    std::size_t end = 0;
    while (end < code.size() && IsQualifiedByte(code[end])) ++end;
    const std::string_view type = code.substr(0, end);
    std::string_view rest = code.substr(end);
    if (type.size() < 4 || rest.empty() || type == "return" || type == "auto") return;
    if (rest.front() != ' ' && rest.front() != '*' && rest.front() != '&') return;
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == '*' || rest.front() == '&')) {
      rest.remove_prefix(1);
    }
    std::size_t name = 0;
    while (name < rest.size() && IsNameByte(rest[name])) ++name;
    const std::string_view after = Trim(rest.substr(name));
    if (name == 0 || after.empty()) return;
    if (after.front() == ';' || after.front() == '=' || after.front() == '{') {
      Declare(rest.substr(0, name), type);
    }
  }

  // "variable.member", "variable->member"
  void ReadMembers() {
    for (std::size_t at = 0; at < code_.size() && claims_.size() < kMaxClaims;) {
      if (!IsNameStart(code_[at])) {
        at += IsNameByte(code_[at]) ? NameLength(at) : 1;
        continue;
      }
      const std::size_t length = NameLength(at);
      const bool is_free =
          at == 0 || (code_[at - 1] != '.' && code_[at - 1] != '>' && code_[at - 1] != ':');
      const auto type = is_free ? types_.find(code_.substr(at, length)) : types_.end();
      at += length;
      if (type == types_.end() || type->second.empty()) continue;
      const std::size_t mark = code_.substr(at).starts_with("->") ? 2 : 1;
      if (at + mark >= code_.size() || (mark == 1 && code_[at] != '.')) continue;
      if (!IsNameStart(code_[at + mark])) continue;
      const std::size_t member = at + mark;
      claims_.push_back({.owner = type->second,
                         .member = std::string(code_.substr(member, NameLength(member))),
                         .offset = member,
                         .belonging = Belonging::kMember,
                         .needs_record = true});
      const std::size_t next = member + NameLength(member);
      // "prop.allocFlags.x": of a structure inside, whose fields are in the same definition.
      if (language_ != CodeLanguage::kCpp || next + 1 >= code_.size() || code_[next] != '.' ||
          !IsNameStart(code_[next + 1])) {
        continue;
      }
      MemberClaim inner = claims_.back();
      inner.member = std::string(code_.substr(next + 1, NameLength(next + 1)));
      inner.offset = next + 1;
      inner.beside = {claims_.back().member};
      inner.only_if_unseen = true;
      claims_.push_back(std::move(inner));
    }
  }

  std::size_t NameLength(std::size_t at) const {
    std::size_t end = at;
    while (end < code_.size() && IsNameByte(code_[end])) ++end;
    return end - at;
  }

  std::string_view code_;
  CodeLanguage language_;
  const statement::OwnNames& own_;
  VariableTypes types_;
  std::vector<MemberClaim> claims_;
};

}  // namespace

std::vector<MemberClaim> ReadCodeClaims(std::string_view code, CodeLanguage language,
                                        const statement::OwnNames& own) {
  return CodeReader(code, language, own).Run();
}

void AddVariableTypes(std::string_view code, CodeLanguage language, const statement::OwnNames& own,
                      VariableTypes& types) {
  for (auto& [variable, type] : CodeReader(code, language, own).TakeTypes()) {
    const auto [at, is_new] = types.emplace(variable, type);
    if (!is_new && at->second != type) at->second.clear();
  }
}

}  // namespace sibyl::audit
