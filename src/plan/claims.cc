// SPDX-License-Identifier: Apache-2.0
#include "plan/claims.h"

#include <algorithm>
#include <array>

#include "plan/budget.h"
#include "plan/labels.h"
#include "plan/scan.h"

namespace sibyl::plan {
namespace {

// The words after a number, as far as they can belong to it.
struct Counted {
  std::array<std::string_view, 5> words;
  std::size_t count = 0;

  std::size_t Position(std::string_view noun) const {
    for (std::size_t i = 0; i < count; ++i) {
      if (EqualsIgnoringCase(words[i], noun)) return i;
    }
    return count;
  }
  bool Has(std::string_view word) const { return Position(word) < count; }
};

Counted WordsBehind(std::string_view text) {
  Counted counted;
  while (counted.count < counted.words.size()) {
    std::size_t begin = 0;
    while (begin < text.size() && (IsSpace(text[begin]) || text[begin] == '*')) ++begin;
    std::size_t end = begin;
    while (end < text.size() && IsLetter(text[end])) ++end;
    if (end == begin) break;
    counted.words[counted.count++] = text.substr(begin, end - begin);
    text.remove_prefix(end);
  }
  return counted;
}

std::optional<Claim::Subject> SubjectOf(const Counted& words) {
  constexpr std::size_t kAdjectives = 2;
  for (const auto& [noun, subject] :
       {std::pair{std::string_view("files"), Claim::Subject::kFiles},
        std::pair{std::string_view("runners"), Claim::Subject::kParts},
        std::pair{std::string_view("parts"), Claim::Subject::kParts},
        std::pair{std::string_view("lines"), Claim::Subject::kLines}}) {
    if (words.Position(noun) <= kAdjectives && words.Has(noun)) return subject;
  }
  return std::nullopt;
}

bool IsTotalLabel(std::string_view label) {
  return ContainsIgnoringCase(label, "total") || ContainsIgnoringCase(label, "expected") ||
         ContainsIgnoringCase(label, "estimated") || EqualsIgnoringCase(label, "files") ||
         EqualsIgnoringCase(label, "files to create");
}

bool IsPartsLabel(std::string_view label) {
  static constexpr std::array<std::string_view, 6> kLabels = {
      "runners", "parts", "total parts", "total runners", "number of parts", "strategy"};
  return std::any_of(kLabels.begin(), kLabels.end(),
                     [label](std::string_view known) { return EqualsIgnoringCase(label, known); });
}

// A count about one file, one batch or existing knowledge is not a total.
bool IsPartial(const Counted& words) {
  for (const std::string_view word : {"each", "per", "at", "existing", "influential", "drop",
                                      "drops", "example", "source", "of"}) {
    if (words.Has(word)) return true;
  }
  return false;
}

bool Counts(const Counted& words, Claim::Subject subject, std::string_view label,
            std::string_view before, ClaimPlace place) {
  switch (subject) {
    case Claim::Subject::kParts: {
      const std::string_view lead = Trim(before);
      const bool all = lead.size() >= 3 && EqualsIgnoringCase(lead.substr(lead.size() - 3), "all");
      return all || place == ClaimPlace::kTitle || IsPartsLabel(label) || IsTotalLabel(label);
    }
    case Claim::Subject::kFiles:
      return IsTotalLabel(label) || words.Has("knowledge") || words.Has("total") ||
             ContainsIgnoringCase(before, "across");
    case Claim::Subject::kLines:
      return IsTotalLabel(label) || words.Has("total");
  }
  return false;
}

// "Runners: 6 (one per area)", "**Total PARTs**: 10"
std::optional<Claim> LabelledNumber(const FieldLabel& field, std::size_t line) {
  static constexpr std::array<std::string_view, 5> kFileLabels = {
      "total files", "expected files", "files to create", "estimated files", "total new files"};
  std::string_view text = field.text;
  if (text.starts_with('~')) text.remove_prefix(1);
  const std::optional<Number> number = TakeNumber(text);
  if (!number) return std::nullopt;
  Claim claim{.subject = Claim::Subject::kParts, .value = number->value, .line = line, .text = {}};
  claim.text = std::string(field.label) + ": " + std::string(field.text.substr(0, 80));
  const std::string_view label = field.label;
  if (IsPartsLabel(label) && !EqualsIgnoringCase(label, "strategy")) return claim;
  claim.subject = Claim::Subject::kFiles;
  const bool files =
      std::any_of(kFileLabels.begin(), kFileLabels.end(),
                  [label](std::string_view known) { return EqualsIgnoringCase(label, known); });
  // "Expected files: 10 (about 360 lines each)" but not "Total files: 2-3".
  const bool exact = DashLength(text.substr(number->length)) == 0;
  return files && exact ? std::optional(claim) : std::nullopt;
}

}  // namespace

std::vector<Claim> FindClaims(std::string_view content, std::size_t line, ClaimPlace place) {
  std::vector<Claim> claims;
  if (content.size() > 2000 || content.find_first_of("0123456789") == std::string_view::npos) {
    return claims;
  }
  const std::optional<FieldLabel> field = ReadFieldLabel(content);
  const std::string_view label = field ? field->label : std::string_view();
  if (field) {
    if (std::optional<Claim> claim = LabelledNumber(*field, line)) {
      claims.push_back(std::move(*claim));
      return claims;
    }
  }
  if (place == ClaimPlace::kBody && StartsWithWord(SkipDecoration(content), "batch")) return claims;
  for (std::size_t at = 0; at < content.size();) {
    const bool starts = IsDigit(content[at]) && (at == 0 || !IsNameByte(content[at - 1])) &&
                        (at == 0 || (content[at - 1] != '.' && content[at - 1] != '-'));
    const std::optional<Number> number = starts ? TakeNumber(content.substr(at)) : std::nullopt;
    if (!number) {
      ++at;
      continue;
    }
    const std::string_view before = content.substr(0, at);
    at += number->length;
    const std::string_view after = content.substr(at);
    if (after.starts_with('+') || after.starts_with('-')) continue;
    const Counted words = WordsBehind(after);
    const std::optional<Claim::Subject> subject = SubjectOf(words);
    if (!subject || IsPartial(words) || !Counts(words, *subject, label, before, place)) continue;
    claims.push_back(Claim{.subject = *subject,
                           .value = number->value,
                           .line = line,
                           .text = CleanText(content.substr(0, 120))});
  }
  return claims;
}

std::optional<PartBudgetClaim> FindPartBudgetClaim(std::string_view content, std::size_t line) {
  const std::optional<PartLabel> label = ReadPartLabel(content);
  if (!label || label->through || !label->separated) return std::nullopt;
  const std::string_view title = Trim(label->title);
  const bool leads = title.starts_with('~') || (!title.empty() && IsDigit(title[0]));
  const std::optional<std::size_t> lines =
      leads ? FindLineBudget(title.substr(0, 40)) : std::nullopt;
  if (!lines) return std::nullopt;
  return PartBudgetClaim{.number = label->number, .lines = *lines, .line = line};
}

}  // namespace sibyl::plan
