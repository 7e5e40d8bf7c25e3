// SPDX-License-Identifier: Apache-2.0
#include "audit/number_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "audit/near_duplicate.h"
#include "base/ascii.h"
#include "base/strings.h"
#include "base/work.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMaxLines = 300;
constexpr std::size_t kMaxNumberPassages = 1500;

// No line of a source has dozens of subjects.
constexpr std::size_t kMaxSubjects = 32;

// Ratios and times are measured, not documented.
bool IsLookedUp(const statement::Number& number) {
  // "70B" is a model, and 70 bytes are nothing that a datasheet has.
  if (number.dimension == statement::Dimension::kBytes && number.value == number.digits)
    return false;
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

std::vector<JudgedNumber> NumberJudge::Judge(const statement::Statement& statement) const {
  std::vector<JudgedNumber> judged;
  if (!statement.IsProse() || statement.kind == statement::StatementKind::kHeading ||
      statement.kind == statement::StatementKind::kColumn) {
    return judged;
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
