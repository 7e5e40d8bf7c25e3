// SPDX-License-Identifier: Apache-2.0
#include "audit/number_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include "audit/near_duplicate.h"
#include "base/ascii.h"
#include "base/strings.h"
#include "base/work.h"
#include "statement/atom.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMaxLines = 300;
constexpr std::size_t kMaxNumberPassages = 1500;
constexpr std::size_t kMaxSightings = 400;

// Per statement: each default is searched for in hundreds of places, and no
// line of a source has dozens of subjects.
constexpr std::size_t kMaxDefaults = 100;
constexpr std::size_t kMaxCompanions = 64;
constexpr std::size_t kMaxSubjects = 32;

// Ratios and times are measured, not documented.
bool IsLookedUp(const statement::Number& number) {
  return number.dimension != statement::Dimension::kTimes &&
         number.dimension != statement::Dimension::kPercent &&
         number.dimension != statement::Dimension::kSeconds;
}

// "A100", "TF32", "HBM3e", "NVLink", "PCIe", "sm_90": a word that names one
// particular thing.
bool IsSubject(std::string_view word) {
  if (word.size() < 2 || IsDigit(word[0])) return false;
  const bool has_digit = std::any_of(word.begin(), word.end(), IsDigit);
  const auto capitals = std::count_if(word.begin(), word.end(), IsUpper);
  const bool has_lower = std::any_of(word.begin(), word.end(), IsLower);
  if (word.find('_') != word.npos) return word.size() > 3;
  if (has_digit) return capitals > 0;
  if (!has_lower) return word.size() >= 3;                     // NVLINK, SXM
  return capitals >= 2 || (IsLower(word[0]) && capitals > 0);  // NVLink, cuBLAS
}

bool IsUnitWord(std::string_view word) {
  constexpr std::array<std::string_view, 14> kUnitWords = {
      "TFLOPS", "TFLOPs", "GFLOPS", "PFLOPS", "TOPS", "GBps", "Gbps",
      "GHz",    "MHz",    "TiB",    "GiB",    "MiB",  "KiB",  "TFLOP"};
  return std::find(kUnitWords.begin(), kUnitWords.end(), word) != kUnitWords.end();
}

std::vector<std::string> ContentWords(std::string_view text) {
  constexpr std::array<std::string_view, 12> kEmpty = {"with", "from", "that",  "this",
                                                       "than", "have", "which", "when",
                                                       "into", "each", "also",  "only"};
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    if (!IsUpper(text[at]) && !IsLower(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && IsNameByte(text[end])) ++end;
    std::string word = LowerCase(text.substr(at, end - at));
    if (word.size() >= 4 && std::find(kEmpty.begin(), kEmpty.end(), word) == kEmpty.end()) {
      words.push_back(std::move(word));
    }
    at = end;
  }
  return words;
}

// Whether most words of the source's line are words of the statement, given in
// lower case: then both are about the same property.
bool SaysTheSame(std::string_view line, std::string_view lower) {
  const std::vector<std::string> words = ContentWords(line);
  std::size_t common = 0;
  Work::Add(lower.size());
  for (const std::string& word : words) {
    common += lower.find(std::string_view(word).substr(0, 6)) != lower.npos ? 1 : 0;
  }
  return common >= 2 && common * 5 >= words.size() * 3;
}

// Whole characters only.
std::string_view Shown(std::string_view line) {
  constexpr std::size_t kMost = 120;
  line = Trim(line);
  if (line.size() <= kMost) return line;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(line[end]) & 0xC0U) == 0x80U) --end;
  return line.substr(0, end);
}

constexpr double kTrue = 1e300;
constexpr double kFalse = -1e300;

char CharAt(std::string_view text, std::size_t at) { return at < text.size() ? text[at] : ' '; }

std::string ShowValue(double value) {
  if (value == kTrue) return "True";
  if (value == kFalse) return "False";
  return fmt::format("{}", value);
}

// The number at the beginning of the text, if it is one and nothing else.
std::optional<double> LeadingNumber(std::string_view text) {
  constexpr std::string_view kBefore = " `:=(*\"'";
  constexpr int kMostWords = 8;
  for (int words = 0; words <= kMostWords; ++words) {
    while (!text.empty() && kBefore.find(text[0]) != text.npos) text.remove_prefix(1);
    const std::size_t left = text.size();
    for (const std::string_view word : {"is ", "to ", "of ", "value ", "are "}) {
      if (!text.starts_with(word)) continue;
      text.remove_prefix(word.size());
      break;
    }
    if (text.size() == left) break;
  }
  // Booleans are not numbers.
  for (const std::string_view word : {"True", "true", "ON"}) {
    if (text.starts_with(word) && !IsNameByte(CharAt(text, word.size()))) return kTrue;
  }
  for (const std::string_view word : {"False", "false", "OFF"}) {
    if (text.starts_with(word) && !IsNameByte(CharAt(text, word.size()))) return kFalse;
  }
  if (text.empty() ||
      !(IsDigit(text[0]) || (text[0] == '-' && text.size() > 1 && IsDigit(text[1])))) {
    return std::nullopt;
  }
  const std::string digits(text.substr(0, 24));
  char* end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  const char next = *end;
  if (IsNameByte(next) && next != 'M' && next != 'm') return std::nullopt;
  if (next == '*' || next == '/' || next == '<') return std::nullopt;  // only part of it
  if (next == '.' && IsDigit(end[1])) return std::nullopt;             // a version
  return value;
}

struct DefaultClaim {
  std::string name;
  double value = 0;
  std::size_t offset = 0;
  std::vector<std::string> companions;  ///< Other names of the statement: whose parameter it is.
};

// "defines `X` as 13000", "`X` is 13000": a macro and its value.
void AddDefined(const statement::Statement& statement, const std::vector<statement::Atom>& atoms,
                std::vector<DefaultClaim>& claims) {
  for (const statement::Atom& atom : atoms) {
    const bool is_macro = atom.kind == statement::AtomKind::kIdentifier && atom.in_code &&
                          std::none_of(atom.text.begin(), atom.text.end(), IsLower);
    if (!is_macro) continue;
    std::string_view behind =
        std::string_view(statement.text)
            .substr(std::min(atom.offset + atom.text.size(), statement.text.size()));
    while (behind.starts_with("`") || behind.starts_with(" ")) behind.remove_prefix(1);
    for (const std::string_view word : {"as ", "is ", "equals ", "to be "}) {
      if (!behind.starts_with(word)) continue;
      const std::optional<double> value = LeadingNumber(behind.substr(word.size()));
      if (value && *value >= 10) {
        claims.push_back({.name = atom.text, .value = *value, .offset = atom.offset});
      }
    }
  }
}

// "`x` defaults to 25", "the default of `x` is 25", "`x` (default: 25)", for the
// word "default" at `word`.
std::optional<DefaultClaim> ClaimAt(const statement::Statement& statement,
                                    const std::vector<statement::Atom>& atoms, std::size_t word) {
  constexpr std::size_t kNear = 40;
  constexpr std::size_t kLongestAtom = 256;
  std::optional<DefaultClaim> claim;
  // Those that start near the word; atoms are in the order of the text.
  const std::size_t first = word > kNear + kLongestAtom ? word - kNear - kLongestAtom : 0;
  auto near = std::lower_bound(
      atoms.begin(), atoms.end(), first,
      [](const statement::Atom& atom, std::size_t at) { return atom.offset < at; });
  for (; near != atoms.end() && near->offset < word + kNear; ++near) {
    const statement::Atom& atom = *near;
    Work::Add(1);
    if (atom.kind != statement::AtomKind::kIdentifier || !atom.in_code || atom.text.size() < 4)
      continue;
    const bool is_before = atom.offset < word && word - atom.offset - atom.text.size() < kNear;
    const bool is_behind = atom.offset > word && atom.offset - word < 24 && !claim;
    if (is_before || is_behind) claim = DefaultClaim{.name = atom.text, .offset = word};
  }
  if (!claim) return std::nullopt;
  std::size_t behind = word + 7;
  if (behind < statement.text.size() && statement.text[behind] == 's') ++behind;
  // The text between "default" and the number may name the parameter.
  const std::string_view rest =
      std::string_view(statement.text).substr(std::min(behind, statement.text.size()));
  const std::size_t name_at = rest.substr(0, 24 + claim->name.size()).find(claim->name);
  if (name_at != rest.npos && name_at < 24) behind += name_at + claim->name.size();
  const std::optional<double> value = LeadingNumber(
      std::string_view(statement.text).substr(std::min(behind, statement.text.size())));
  if (!value) return std::nullopt;
  claim->value = *value;
  return claim;
}

std::vector<DefaultClaim> ReadDefaults(const statement::Statement& statement) {
  std::vector<DefaultClaim> claims;
  std::vector<statement::Atom> atoms = statement::ExtractAtoms(statement);
  std::ranges::stable_sort(atoms, {}, &statement::Atom::offset);
  AddDefined(statement, atoms, claims);
  const std::string lower = LowerCase(statement.text);
  for (std::size_t word = lower.find("default"); word != lower.npos;
       word = lower.find("default", word + 7)) {
    std::optional<DefaultClaim> claim = ClaimAt(statement, atoms, word);
    if (claim) claims.push_back(*std::move(claim));
  }
  const std::string context = statement.context.empty() ? "" : LowerCase(statement.context[0]);
  if (claims.empty() && context.find("default") != context.npos) {  // a cell below "Default"
    const std::optional<double> value = LeadingNumber(statement.text);
    const std::string_view name = Trim(statement.context[1]);
    const bool is_name = name.size() > 3 && std::all_of(name.begin(), name.end(), IsNameByte);
    if (value && is_name) claims.push_back({.name = std::string(name), .value = *value});
  }
  // The owner of the parameter: the other names, except those with their own
  // default.
  std::set<std::string_view> claimed;
  for (const DefaultClaim& claim : claims) claimed.insert(claim.name);
  std::vector<std::string> companions;
  for (const statement::Atom& atom : atoms) {
    Work::Add(1);
    if (claims.empty() || companions.size() >= kMaxCompanions) break;
    if (!atom.in_code || claimed.contains(atom.text) || atom.kind == statement::AtomKind::kFlag)
      continue;
    const std::size_t last = atom.text.find_last_of(".:");
    companions.push_back(last == std::string::npos ? atom.text : atom.text.substr(last + 1));
  }
  for (DefaultClaim& claim : claims) claim.companions = companions;
  return claims;
}

std::optional<GivenValue> ValueGiven(std::string_view line, std::string_view name) {
  const std::size_t at = line.find(name);
  if (at == line.npos) return std::nullopt;
  std::string_view rest = line.substr(at + name.size());
  const std::size_t word = rest.find("efault");
  const std::size_t equals = rest.find('=');
  if (word != rest.npos && word < 80) {
    std::string_view behind = rest.substr(word + 6);
    if (const std::optional<double> value = LeadingNumber(behind)) {
      return GivenValue{.value = *value, .is_definition = true};
    }
  }
  if (Trim(line.substr(0, at)).ends_with("#define")) {
    if (const std::optional<double> value = LeadingNumber(Trim(rest))) {
      return GivenValue{.value = *value, .is_definition = true};
    }
  }
  if (equals == rest.npos || equals > 40 || rest.substr(equals).starts_with("==")) {
    return std::nullopt;
  }
  const std::string_view between = Trim(rest.substr(0, equals));
  const bool is_annotated = between.starts_with(":");
  if (!between.empty() && !is_annotated) return std::nullopt;
  const std::optional<double> value = LeadingNumber(rest.substr(equals + 1));
  if (!value) return std::nullopt;
  const std::string_view before = line.substr(0, at);
  const bool defines = is_annotated || before.find("def ") != before.npos || before.empty();
  return GivenValue{.value = *value, .is_definition = defines};
}

// "growth_factor (float): …", "``NAME``": the line is about another parameter.
bool BeginsEntry(std::string_view line) {
  line = Trim(line);
  if (line.starts_with("``")) return true;
  std::size_t end = 0;
  while (end < line.size() && IsNameByte(line[end])) ++end;
  if (end < 2) return false;
  const std::string_view rest = line.substr(end);
  return rest.starts_with(" (") || rest.starts_with(":") || rest.starts_with(" :") ||
         rest.starts_with("=") || rest.starts_with(" =");
}

// Tests give parameters whatever values they need.
bool IsTest(std::string_view path) {
  return path.starts_with("test") || path.find("/test") != path.npos;
}

bool Same(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max(1.0, std::abs(a)); }

}  // namespace

std::vector<std::string> SubjectsIn(std::string_view text) {
  std::set<std::string> subjects;
  for (std::size_t at = 0; at < text.size();) {
    if (!IsNameByte(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && IsNameByte(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (IsSubject(word) && !IsUnitWord(word)) subjects.insert(LowerCase(word));
    at = end;
  }
  return {subjects.begin(), subjects.end()};
}

const std::vector<NumberJudge::Line>& NumberJudge::LinesWith(
    const std::vector<std::string>& subjects) const {
  const std::string key = Join(subjects, " ");
  {
    MutexLock lock(mutex_);
    const auto known = lines_.find(key);
    if (known != lines_.end()) return known->second;
  }
  std::vector<Line> lines;
  witness_.VisitLines(subjects, kMaxNumberPassages, [&](const Sighting& sighting) {
    std::vector<statement::Number> numbers = statement::ReadNumbers(sighting.text);
    if (numbers.empty()) return true;
    lines.push_back({.sighting = sighting,
                     .subjects = SubjectsIn(sighting.text),
                     .numbers = std::move(numbers)});
    return lines.size() < kMaxLines;
  });
  MutexLock lock(mutex_);
  return lines_.emplace(key, std::move(lines)).first->second;
}

NumberJudge::About NumberJudge::ReadAbout(const statement::Statement& statement) const {
  std::string words = statement.text;
  for (const std::string& more : statement.context) words += " " + more;
  About about{.subjects = SubjectsIn(words), .words = LowerCase(words)};
  if (about.subjects.empty() || about.subjects.size() > kMaxSubjects) return about;
  about.lines = &LinesWith(about.subjects);
  about.says_the_same.resize(about.lines->size());
  return about;
}

statement::Judgement NumberJudge::JudgeNumber(const statement::Number& number, About& about) const {
  const std::vector<std::string>& subjects = about.subjects;
  if (!IsLookedUp(number))
    return statement::Undecidable("numbers like this are measured, not documented");
  if (subjects.empty())
    return statement::Undecidable("the statement does not name the number's subject");
  if (about.lines == nullptr) {
    return statement::Undecidable(
        fmt::format("the statement names more than {} subjects", kMaxSubjects));
  }
  const Line* conflict = nullptr;
  bool agree = true;
  for (std::size_t i = 0; i < about.lines->size(); ++i) {
    const Line& line = (*about.lines)[i];
    Work::Add(1);
    const statement::Number* only = nullptr;
    std::size_t count = 0;
    for (const statement::Number& other : line.numbers) {
      if (!statement::SameMeasure(number, other)) continue;
      if (statement::SameQuantity(number, other)) {
        return {.verdict = statement::Verdict::kSupported,
                .message = "found with its subject",
                .where = witness_.Show(line.sighting),
                .reason = "one line has the value, the unit and the subject"};
      }
      only = &other;
      ++count;
    }
    // Only a line about exactly this, with one such number, can contradict.
    if (count != 1 || line.subjects != subjects || subjects.size() < 2) continue;
    std::optional<bool>& same = about.says_the_same[i];
    if (!same) same = SaysTheSame(line.sighting.text, about.words);
    if (!*same) continue;
    if (conflict == nullptr) {
      conflict = &line;
    } else {
      const auto first = std::find_if(
          conflict->numbers.begin(), conflict->numbers.end(),
          [&](const statement::Number& other) { return statement::SameMeasure(other, *only); });
      agree = agree && first != conflict->numbers.end() && statement::SameQuantity(*first, *only);
    }
  }
  if (conflict == nullptr || !agree || number.is_about || number.upper != number.value) {
    return statement::Undecidable("no line of the sources has a number with this unit and subject");
  }
  const auto other = std::find_if(conflict->numbers.begin(), conflict->numbers.end(),
                                  [&](const statement::Number& candidate) {
                                    return statement::SameMeasure(candidate, number);
                                  });
  const std::string value =
      conflict->sighting.text.substr(other->offset, other->end - other->offset);
  return {.verdict = statement::Verdict::kContradicted,
          .message = fmt::format("a source says {}: \"{}\"", value, Shown(conflict->sighting.text)),
          .nearest = value,
          .where = witness_.Show(conflict->sighting),
          .reason = "every line with this subject and unit has another value"};
}

// The default in the lines around a name: after it as in a manual, or above it
// as in a header.
std::optional<GivenValue> NumberJudge::DefaultNear(const Sighting& sighting) const {
  constexpr std::size_t kLines = 8;
  std::size_t first_line = 0;
  const std::string passage = witness_.PassageOf(sighting, first_line);
  const std::vector<std::string_view> lines = SplitLines(passage);
  if (sighting.line < first_line || sighting.line - first_line >= lines.size()) return {};
  const std::size_t at = sighting.line - first_line;
  const auto value_in = [&](std::string_view line) -> std::optional<double> {
    const std::size_t word = LowerCase(line).find("default");
    if (word == line.npos) return std::nullopt;
    std::string_view behind = line.substr(word + 7);
    while (behind.starts_with("*") || behind.starts_with(":") || behind.starts_with("s ")) {
      behind.remove_prefix(1);
    }
    return LeadingNumber(behind);
  };
  if (lines[at].find("efault") != std::string_view::npos) return std::nullopt;  // in words
  for (std::size_t i = at + 1; i < std::min(lines.size(), at + 1 + kLines); ++i) {
    if (BeginsEntry(lines[i])) break;
    if (const auto value = value_in(lines[i])) return GivenValue{*value, true};
    if (Trim(lines[i]).ends_with(",") || Trim(lines[i]).ends_with(";")) break;
  }
  for (std::size_t i = at; i-- > 0 && at - i < kLines + 4;) {
    const std::string_view line = Trim(lines[i]);
    if (line.ends_with(",") || line.ends_with(";") || line.empty()) break;
    if (const auto value = value_in(lines[i])) return GivenValue{*value, true};
  }
  return std::nullopt;
}

statement::Judgement NumberJudge::CompareDefault(const std::string& name, double value,
                                                 const std::vector<std::string>& companions) const {
  std::optional<Sighting> agrees;
  std::optional<Sighting> differs;
  std::set<double> defined;
  std::size_t first_line = 0;
  witness_.VisitWord(name, {}, kMaxSightings, [&](const Sighting& sighting) {
    if (IsTest(sighting.path)) return true;
    std::optional<GivenValue> given = ValueGiven(sighting.text, name);
    const bool is_long = name.find('_') != std::string::npos;
    if (!given && is_long) given = DefaultNear(sighting);
    if (!given) return true;
    if (!companions.empty()) {
      // Only if the owner of the parameter is nearby.
      const std::string passage = witness_.PassageOf(sighting, first_line) + sighting.path;
      const bool is_theirs =
          std::any_of(companions.begin(), companions.end(),
                      [&](const auto& other) { return passage.find(other) != std::string::npos; });
      if (!is_theirs) return true;
    }
    if (Same(given->value, value) && !agrees) agrees = sighting;
    if (given->is_definition) {
      defined.insert(given->value);
      if (!differs && !Same(given->value, value)) differs = sighting;
    }
    return true;
  });
  const bool is_defined_so =
      std::any_of(defined.begin(), defined.end(), [&](double other) { return Same(other, value); });
  // A call that passes the value does not show the default.
  if (agrees && (defined.empty() || is_defined_so)) {
    return {.verdict = statement::Verdict::kSupported,
            .message = "found",
            .where = witness_.Show(*agrees),
            .reason = "a source gives the parameter this value"};
  }
  if (!differs) return statement::Undecidable(fmt::format("no source gives `{}` a default", name));
  if (defined.size() > 1)
    return statement::Undecidable("the sources have several parameters with this name");
  return {.verdict = statement::Verdict::kContradicted,
          .message = fmt::format("the sources give `{}` the value {}: \"{}\"", name,
                                 ShowValue(*defined.begin()), Shown(differs->text)),
          .nearest = ShowValue(*defined.begin()),
          .where = witness_.Show(*differs),
          .reason = "every definition of the parameter has this value"};
}

std::vector<JudgedNumber> NumberJudge::Judge(const statement::Statement& statement) const {
  std::vector<JudgedNumber> judged;
  if (!statement.IsProse() || statement.kind == statement::StatementKind::kHeading) return judged;
  std::size_t defaults = 0;
  for (const DefaultClaim& claim : ReadDefaults(statement)) {
    JudgedNumber one = {.offset = claim.offset};
    one.judgement = ++defaults > kMaxDefaults
                        ? statement::Undecidable(
                              fmt::format("the statement has more than {} defaults", kMaxDefaults))
                        : CompareDefault(claim.name, claim.value, claim.companions);
    one.judgement.code = "number/ungrounded";
    one.judgement.kind = "default";
    one.judgement.text = fmt::format("{} = {}", claim.name, ShowValue(claim.value));
    judged.push_back(std::move(one));
  }
  const std::vector<statement::Number> numbers = statement::ReadNumbers(statement.text);
  std::map<std::size_t, const statement::Judgement*> duplicates;
  const std::vector<JudgedNumber> by_duplicate = JudgeByNearDuplicate(statement, witness_);
  for (const JudgedNumber& duplicate : by_duplicate) {
    duplicates.try_emplace(duplicate.offset, &duplicate.judgement);
    const bool has_unit =
        std::ranges::binary_search(numbers, duplicate.offset, {}, &statement::Number::offset);
    if (!has_unit) judged.push_back(duplicate);
  }
  if (numbers.empty()) return judged;
  std::map<std::pair<statement::Dimension, std::string_view>, std::size_t> same_measure;
  const auto measure = [](const statement::Number& number) {
    return std::pair(number.dimension, number.dimension == statement::Dimension::kNone
                                           ? std::string_view(number.noun)
                                           : std::string_view());
  };
  for (const statement::Number& number : numbers) ++same_measure[measure(number)];
  About about = ReadAbout(statement);
  for (const statement::Number& number : numbers) {
    JudgedNumber one = {.judgement = JudgeNumber(number, about), .offset = number.offset};
    if (one.judgement.Fails() && same_measure[measure(number)] > 1) {
      one.judgement = statement::Undecidable("the statement has several numbers with this unit");
    }
    const auto duplicate = duplicates.find(number.offset);
    const bool is_exact = !number.is_about && number.upper == number.value;
    if (one.judgement.verdict == statement::Verdict::kUndecidable &&
        duplicate != duplicates.end() && (is_exact || !duplicate->second->Fails())) {
      one.judgement = *duplicate->second;
    }
    one.judgement.code = "number/ungrounded";
    one.judgement.kind = "number";
    one.judgement.text = statement.text.substr(number.offset, number.end - number.offset);
    judged.push_back(std::move(one));
  }
  return judged;
}

}  // namespace sibyl::audit
