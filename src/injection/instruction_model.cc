// SPDX-License-Identifier: Apache-2.0
#include "injection/instruction_model.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "injection/instruction_features.h"
#include "injection/instruction_roles.h"

namespace sibyl::injection {
namespace {

struct Weight {
  Feature feature;
  int weight;
};

// Of the same table: kWeights in the order of features, kBias, which every score
// begins with, and kLimit.
#include "injection/instruction_weights.inc"

class Weights {
 public:
  static const Weights& Get() {
    static const Weights weights;
    return weights;
  }

  const FeatureFilter& filter() const { return filter_; }

  int Sum(const std::vector<Feature>& features) const {
    int sum = 0;
    for (const Feature feature : features) {
      std::size_t slot = SlotOf(feature);
      while (slots_[slot].weight != 0 && slots_[slot].feature != feature) {
        slot = (slot + 1) % kSlots;
      }
      sum += slots_[slot].weight;
    }
    return sum;
  }

 private:
  static constexpr std::size_t kSlots = std::bit_ceil(2 * std::size(kWeights));

  Weights() : filter_(Features()), slots_(kSlots) {
    for (const Weight& weight : kWeights) {
      std::size_t slot = SlotOf(weight.feature);
      while (slots_[slot].weight != 0) slot = (slot + 1) % kSlots;
      slots_[slot] = weight;
    }
  }

  // The low bits are not those of a hash.
  static std::size_t SlotOf(Feature feature) { return (feature >> 4U) % kSlots; }

  static std::vector<Feature> Features() {
    std::vector<Feature> features;
    for (const Weight& weight : kWeights) features.push_back(weight.feature);
    return features;
  }

  FeatureFilter filter_;
  std::vector<Weight> slots_;  // a hash table; a weight of zero: free
};

void AddLines(const ParagraphFeatures& read, std::size_t first, std::size_t last,
              std::vector<std::size_t>& lines) {
  for (std::size_t i = first; i <= last; ++i) {
    const SentenceFeatures& sentence = read.sentences[i];
    for (std::size_t line = sentence.first_line; line <= sentence.last_line; ++line) {
      lines.push_back(line);
    }
  }
}

// Nothing is dropped, asked for, said or kept secret, and nobody is addressed.
bool SpeaksToNobody(Roles roles) {
  constexpr Roles kAnything = kDrop | kOrders | kTask | kYou | kYour | kAi | kReply | kReport |
                              kSay | kTell | kUser | kQuiet | kOmit | kFromNowOn | kNoLonger |
                              kActAs | kSecret | kPrompt | kSend | kRead | kMark | kPraise |
                              kReward | kMaker | kAsk | kNote | kBot | kDecode | kStop | kRival |
                              kConfirm | kSystem | kAttack | kRun | kGood | kMay | kPhrase;
  return (roles & kAnything) == 0;
}

// `x = f(a[1:4].sum()) / 1e6`, `if x > 0:`
bool IsCodeLine(std::string_view line) {
  const bool assigns = line.find(" = ") != std::string_view::npos &&
                       line.find_first_of("([") != std::string_view::npos;
  return assigns || (line.starts_with("if ") && line.ends_with(':'));
}

// "``torch.half`` [shell]_  16 bits": a row of a reStructuredText table
bool IsLiteralRow(std::string_view line) { return line.starts_with("``"); }

using Lines = std::vector<std::string_view>;

// Few enough to be looked at again for each window.
template <typename Is>
bool AreAll(const Lines& lines, std::size_t first, std::size_t last, Is is) {
  constexpr std::size_t kFewest = 4;
  constexpr std::size_t kMost = 120;
  if (last >= lines.size() || last < first + kFewest - 1 || last > first + kMost) return false;
  return std::all_of(lines.begin() + static_cast<std::ptrdiff_t>(first),
                     lines.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                     [&](std::string_view line) { return is(Trim(line)); });
}

// Words that add up to an instruction, although the text is none.
bool IsHarmless(const Lines& lines, std::size_t first, std::size_t last, Roles roles) {
  constexpr Roles kAddressed =
      kYou | kYour | kAi | kBot | kOrders | kPrompt | kSecret | kUser | kReply | kDecode | kSystem;
  constexpr Roles kObeyModel = kModel | kObey;
  if (SpeaksToNobody(roles)) {
    // "All accesses must obey the memory model."
    if ((roles & kObeyModel) == kObeyModel) return true;
    if (AreAll(lines, first, last, IsLiteralRow)) return true;
  }
  return (roles & kAddressed) == 0 && AreAll(lines, first, last, IsCodeLine);
}

// The lines of a paragraph, from zero.
std::vector<std::size_t> Judge(std::string_view paragraph) {
  const Weights& weights = Weights::Get();
  const ParagraphFeatures read = ReadFeatures(paragraph, &weights.filter());
  std::vector<int> scores;
  scores.reserve(read.sentences.size());
  for (const SentenceFeatures& sentence : read.sentences) {
    scores.push_back(weights.Sum(sentence.features));
  }
  std::vector<std::size_t> lines = read.hidden_lines;
  Lines split;            // of the paragraph, when they are needed
  std::size_t begin = 0;  // no window begins earlier: it would contain one that was found
  for (std::size_t last = 0; last < scores.size(); ++last) {
    int score = kBias;
    Roles roles = 0;
    for (std::size_t first = last + 1; first > begin && last + 1 - first < kInstructionWindow;) {
      score += scores[--first];
      roles |= read.sentences[first].roles;
      if (score <= kLimit) continue;
      const std::size_t first_line = read.sentences[first].first_line;
      if (split.empty()) split = SplitLines(paragraph);
      if (IsHarmless(split, first_line, read.sentences[last].last_line, roles)) continue;
      AddLines(read, first, last, lines);
      begin = first + 1;
      break;
    }
  }
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

}  // namespace

std::vector<std::size_t> FindInstructionLines(std::string_view text) {
  std::vector<std::size_t> found;
  std::size_t line = 0;
  std::size_t first_line = 0;
  std::size_t begin = 0;  // of the paragraph
  std::size_t at = 0;
  const auto judge = [&](std::size_t end) {
    if (end <= begin) return;
    for (const std::size_t where : Judge(text.substr(begin, end - begin))) {
      found.push_back(first_line + where);
    }
  };
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (Trim(text.substr(at, end - at)).empty()) {
      judge(at);
      begin = end;
      first_line = line + 1;
    }
    at = end;
    ++line;
  }
  judge(text.size());
  return found;
}

}  // namespace sibyl::injection
