// SPDX-License-Identifier: Apache-2.0
#include "audit/values/version_claims.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "audit/facts/field_mentions.h"
#include "audit/values/requirements.h"
#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/work.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMostVersions = 50;
using Words = std::vector<std::string>;

bool IsTool(std::string_view lower) {
  constexpr std::array<std::string_view, 14> kTools = {
      "cmake", "python", "gcc",   "g++",   "clang",  "cuda",       "cudnn",
      "nccl",  "ninja",  "numpy", "glibc", "docker", "setuptools", "cutlass"};
  return IsOneOf(lower, kTools);
}

template <std::size_t N>
bool HasAny(const Words& words, const std::array<std::string_view, N>& wanted) {
  return std::ranges::any_of(words, [&](const std::string& word) { return IsOneOf(word, wanted); });
}

class VersionReader {
 public:
  explicit VersionReader(const statement::Statement& statement)
      : statement_(statement), text_view_(statement.text) {}

  std::vector<VersionClaim> Take() {
    for (std::size_t at = 0; at < text_view_.size() && claims_.size() < kMostVersions;) {
      Work::Add(1);
      const bool begins =
          IsDigit(text_view_[at]) &&
          (at == 0 || (!IsNameByte(text_view_[at - 1]) && text_view_[at - 1] != '.') ||
           IsPrefixed(at));
      const std::string_view version = begins ? DottedVersionAt(text_view_, at) : "";
      if (version.empty()) {
        ++at;
        continue;
      }
      Read(at, version);
      last_end_ = at + version.size();
      at = last_end_;
    }
    return std::move(claims_);
  }

 private:
  // v8.5
  bool IsPrefixed(std::size_t at) const {
    return text_view_[at - 1] == 'v' && (at < 2 || !IsNameByte(text_view_[at - 2]));
  }

  void Read(std::size_t at, std::string_view version) {
    if (at > 1 && text_view_[at - 1] == '=' && text_view_[at - 2] == '>') {
      ReadPackage(at, version);
      return;
    }
    const std::size_t first = std::max(last_end_, at > 160 ? at - 160 : 0);
    const Words before = PlainTokens(text_view_.substr(first, at - first));
    const Words behind = PlainTokens(text_view_.substr(at + version.size(), 40));
    if (!ReadSince(at, version, before)) ReadRequirement(at, version, before, behind);
  }

  // typing-extensions>=4.14.0
  void ReadPackage(std::size_t at, std::string_view version) {
    const std::size_t end = at - 2;
    std::size_t begin = end;
    while (begin > 0 && (IsNameByte(text_view_[begin - 1]) || text_view_[begin - 1] == '-'))
      --begin;
    if (end - begin < 2) return;
    claims_.push_back({.tool = std::string(text_view_.substr(begin, end - begin)),
                       .version = std::string(version),
                       .offset = at});
  }

  // The code span that ends last before `at`, and the offset of its end.
  const statement::TextRun* CodeBefore(std::size_t at) const {
    const statement::TextRun* found = nullptr;
    for (const statement::TextRun& run : statement_.runs) {
      if (run.is_code && run.end <= at) found = &run;
    }
    return found;
  }

  static std::string NameOfCode(std::string_view code) {
    constexpr std::string_view kFind = "find_package(";
    if (code.starts_with(kFind) && code.ends_with(")")) {
      return std::string(code.substr(kFind.size(), code.size() - kFind.size() - 1));
    }
    // A generator expression: $<DEVICE_LINK:list>
    if (code.starts_with("$<") && code.ends_with(">")) return std::string(code);
    const bool is_name = code.size() > 2 && std::all_of(code.begin(), code.end(), [](char c) {
                           return IsNameByte(c) || c == '-' || c == ':' || c == '.';
                         });
    return is_name ? std::string(code) : std::string();
  }

  // "`X` (since 3.24)", "`X` was added in CMake 3.18, `Y` in CMake 3.20", "`X` (CMake 3.8)"
  bool ReadSince(std::size_t at, std::string_view version, const Words& before) {
    const statement::TextRun* code = CodeBefore(at);
    if (code == nullptr || code->end < last_end_ || at - code->end > 120) return false;
    const Words between = PlainTokens(text_view_.substr(code->end, at - code->end));
    constexpr std::array<std::string_view, 13> kSince = {
        "since",  "added",   "introduced", "starting", "starts", "came", "arrived",
        "exists", "existed", "new",        "appeared", "from",   "newer"};
    constexpr std::array<std::string_view, 8> kNot = {"before",     "not",      "until", "removed",
                                                      "deprecated", "requires", "needs", "default"};
    // "`native` needs 3.24", in a text about CMake
    const bool is_need = between == Words{"needs"} || between == Words{"needs", "at", "least"} ||
                         between == Words{"needs", "cmake"} || between == Words{"need"};
    const bool is_since = is_need || (HasAny(between, kSince) && !HasAny(between, kNot));
    const bool is_named = between == Words{"(", "cmake"};
    const bool goes_on = was_since_ && between.size() <= 3 && !between.empty() &&
                         (between[0] == "in" || between[0] == "since" || between[0] == "with");
    was_since_ = is_since || goes_on;
    if (!is_since && !is_named && !goes_on) return false;
    std::string name = NameOfCode(text_view_.substr(code->begin, code->end - code->begin));
    // "the value `all` of `CUDA_ARCHITECTURES` from 3.23": the value came then.
    if (const statement::TextRun* value = CodeBefore(code->begin)) {
      const Words link = PlainTokens(text_view_.substr(value->end, code->begin - value->end));
      if (link == Words{"of"}) {
        name = NameOfCode(text_view_.substr(value->begin, value->end - value->begin));
      }
    }
    if (name.empty()) return false;
    const std::string product = !before.empty() && IsTool(before.back()) ? before.back() : "";
    claims_.push_back(
        {.tool = product, .name = std::move(name), .version = std::string(version), .offset = at});
    return true;
  }

  // The word as it is before `at`.
  std::string AsWritten(const std::string& lower, std::size_t at) const {
    const std::size_t found = LowerCase(text_view_.substr(0, at)).rfind(lower);
    return found == std::string::npos ? lower : std::string(text_view_.substr(found, lower.size()));
  }

  // "CUDA 12.1+", not "the CUDA 4.0+ interface".
  static bool IsPlus(const Words& behind) {
    return !behind.empty() && behind[0] == "+" &&
           (behind.size() == 1 || !IsLetter(behind[1][0]) || behind[1] == "and");
  }

  // "the `--fp16` flag requires CUDA 9.1": not what the project needs. A file may say it, and a
  // clause with its own subject is not about the code before it.
  bool NamesCode(std::size_t at) const {
    const std::size_t clause = SubjectBefore(text_view_, at).begin;
    return std::ranges::any_of(statement_.runs, [&](const statement::TextRun& run) {
      const std::string_view code = text_view_.substr(run.begin, run.end - run.begin);
      return run.is_code && run.begin >= clause && run.end <= at && code.find('.') == code.npos;
    });
  }

  void ReadRequirement(std::size_t at, std::string_view version, const Words& before,
                       const Words& behind) {
    // The tool is the last one before the version, with few words between.
    std::size_t tool = before.size();
    while (tool > 0 && before.size() - tool < 7 && !IsTool(before[tool - 1])) --tool;
    if (tool == 0 || !IsTool(before[tool - 1])) return;
    --tool;
    const Words between(before.begin() + static_cast<std::ptrdiff_t>(tool) + 1, before.end());
    constexpr std::array<std::string_view, 14> kBetween = {
        "toolkit", "version", "v",       ">=", "at",  "least", "must",
        "be",      "is",      "minimum", "of", "has", "to",    "a"};
    const bool is_linked = std::ranges::all_of(
        between, [&](const std::string& word) { return IsOneOf(word, kBetween); });
    if (!is_linked) return;
    constexpr std::array<std::string_view, 9> kBefore = {
        "needs", "need", "requires", "require", "wants", "want", "asks", "below", "minimum"};
    constexpr std::array<std::string_view, 2> kLeast = {"least", ">="};
    constexpr std::array<std::string_view, 6> kMore = {"newer",  "later",   "above",
                                                       "higher", "greater", "up"};
    const Words lead(before.begin() + static_cast<std::ptrdiff_t>(tool > 4 ? tool - 4 : 0),
                     before.begin() + static_cast<std::ptrdiff_t>(tool));
    // "(CUDA 2.2 or later)" is what something in the sentence needs; what is best is not needed.
    constexpr std::array<std::string_view, 8> kOther = {
        "(", "best", "should", "recommended", "recommend", "if", "when", "flag"};
    if (HasAny(lead, kOther) || NamesCode(at)) return;
    const bool is_more =
        behind.size() > 1 && (behind[0] == "or" || behind[0] == "and") && IsOneOf(behind[1], kMore);
    const bool is_minimum = behind.size() > 2 && behind[0] == "is" && behind[2] == "minimum";
    if (!HasAny(lead, kBefore) && !HasAny(between, kLeast) && !is_more && !is_minimum &&
        !IsPlus(behind) && !GoesOn(lead)) {
      return;
    }
    requirement_end_ = at + version.size();
    claims_.push_back(
        {.tool = AsWritten(before[tool], at), .version = std::string(version), .offset = at});
  }

  // "needs CUDA 12.1 and cuDNN 9.3", "Requirements: CUDA 12.1, CMake 3.18": what is listed behind a
  // requirement, or behind that word.
  bool GoesOn(const Words& lead) const {
    constexpr std::array<std::string_view, 6> kList = {",", "and", "(", ")", ":", "with"};
    const bool is_list = text_view_.starts_with("Requirements:") ||
                         text_view_.starts_with("Prerequisites:") ||
                         (requirement_end_ != 0 && requirement_end_ == last_end_);
    const bool is_gap =
        std::ranges::all_of(lead, [&](const std::string& word) { return IsOneOf(word, kList); });
    return is_list && (is_gap || text_view_.starts_with("Requirements:") ||
                       text_view_.starts_with("Prerequisites:"));
  }

  const statement::Statement& statement_;
  std::string_view text_view_;
  std::vector<VersionClaim> claims_;
  std::size_t last_end_ = 0;
  std::size_t requirement_end_ = 0;
  bool was_since_ = false;
};

// "CMAKE_CUDA_ARCHITECTURES", "CUDACXX": a name that is no word of a sentence.
bool IsSettingName(std::string_view word) {
  constexpr std::size_t kShortest = 6;
  return word.size() >= kShortest && std::ranges::none_of(word, IsLower) &&
         std::ranges::all_of(word, IsNameByte);
}

// "value `native`", "values `all` and `all-major`"
void AddValues(std::string_view cell, const std::string& tool, std::string_view version,
               std::size_t at, std::vector<VersionClaim>& claims) {
  const std::size_t space = cell.find(' ');
  const std::string_view noun = cell.substr(0, space);
  if (noun != "value" && noun != "values") return;
  std::string word;
  for (const char c : cell.substr(space)) {
    if (IsNameByte(c) || c == '-') {
      word += c;
      continue;
    }
    if (word.size() > 2 && word != "and") {
      claims.push_back({.tool = tool, .name = word, .version = std::string(version), .offset = at});
    }
    word.clear();
  }
}

// A cell below "First CMake", "Added in" or "Since"; its row begins with names.
std::vector<VersionClaim> ReadSinceCell(const statement::Statement& statement) {
  std::vector<VersionClaim> claims;
  if (statement.kind != statement::StatementKind::kCell || statement.context.size() < 2) {
    return claims;
  }
  const Words header = PlainTokens(statement.context[0]);
  constexpr std::array<std::string_view, 5> kSince = {"since", "added", "introduced", "first",
                                                      "available"};
  if (!HasAny(header, kSince)) return claims;
  std::string tool;
  for (const std::string& word : header) {
    if (IsTool(word)) tool = word;
  }
  const std::string_view text = statement.text;
  std::size_t at = text.find_first_not_of(' ');
  constexpr std::string_view kCMake = "CMake ";
  if (at != text.npos && text.substr(at).starts_with(kCMake)) at += kCMake.size();
  const std::string_view version = at < text.size() ? DottedVersionAt(text, at) : "";
  if (version.empty() || !Trim(text.substr(at + version.size())).empty()) return claims;
  std::string word;
  const std::string first = statement.context[1] + " ";
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (IsNameByte(first[i])) {
      word += first[i];
      continue;
    }
    if (IsSettingName(word)) {
      claims.push_back({.tool = tool, .name = word, .version = std::string(version), .offset = at});
    }
    word.clear();
  }
  // "--build --parallel": the last option is the one that is described.
  if (const std::size_t flag = first.rfind("--"); claims.empty() && flag != first.npos) {
    std::size_t end = flag;
    while (end < first.size() && (IsNameByte(first[end]) || first[end] == '-')) ++end;
    if (end > flag + 3) {
      claims.push_back({.tool = tool,
                        .name = first.substr(flag, end - flag),
                        .version = std::string(version),
                        .offset = at});
    }
  }
  if (claims.empty()) AddValues(first, tool, version, at, claims);
  return claims;
}

}  // namespace

ClauseSubject SubjectBefore(std::string_view text, std::size_t at) {
  const std::size_t mark = text.substr(0, at).find_last_of(",;");
  if (mark == text.npos) return {};
  const std::size_t begin = text.find_first_not_of(" \n", mark + 1);
  if (begin == text.npos || begin >= at || !IsUpper(text[begin])) return {};
  std::size_t end = begin;
  while (end < at && (IsNameByte(text[end]) || text[end] == '-')) ++end;
  const Words words = PlainTokens(text.substr(end, at - end));
  constexpr std::array<std::string_view, 5> kVerbs = {"needs", "requires", "wants", "asks", "need"};
  const bool is_subject = !words.empty() && IsOneOf(words[0], kVerbs);
  if (!is_subject || IsTool(LowerCase(text.substr(begin, end - begin)))) return {};
  return {.name = std::string(text.substr(begin, end - begin)), .begin = begin};
}

std::vector<VersionClaim> ReadVersionClaims(const statement::Statement& statement) {
  if (std::vector<VersionClaim> claims = ReadSinceCell(statement); !claims.empty()) return claims;
  return VersionReader(statement).Take();
}

}  // namespace sibyl::audit
