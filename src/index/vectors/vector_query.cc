// SPDX-License-Identifier: Apache-2.0
#include "index/vectors/vector_query.h"

#include <algorithm>
#include <utility>

#include "index/vectors/word_bag.h"

namespace sibyl::index {
namespace {

constexpr float kContextFactor = 0.5F;
constexpr std::size_t kFewestOfQuery = 2;
std::int32_t Product(const std::int16_t* a, const std::int8_t* b) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < kDimensions; ++i) sum += a[i] * b[i];
  return sum;
}

// Returns how many words it had.
std::size_t AddText(const VectorFile& file, std::string_view text, float factor, Vector& sum) {
  BagWords words(
      [&file](std::string_view word) { return file.FindWord(word).value_or(BagWords::kNone); });
  std::vector<std::uint32_t> numbers;
  words.Append(text, numbers);
  const WordBag bag = BagOf(std::move(numbers));
  for (const CountedWord& counted : bag) file.AddWord(counted.word, factor * counted.count(), sum);
  return bag.size();
}

}  // namespace

std::optional<VectorQuery> VectorQuery::Make(const Query& query,
                                             const std::vector<Searcher::Part>& parts,
                                             const std::vector<bool>& is_searched) {
  VectorQuery made;
  const Index* index = nullptr;
  std::uint64_t row = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const VectorRows* rows = parts[i].index->vectors();
    if (parts[i].index != index) row = rows == nullptr ? 0 : rows->first;
    index = parts[i].index;
    const auto count = static_cast<std::uint32_t>(parts[i].part->segment.passage_count());
    const bool is_ours =
        rows != nullptr && is_searched[i] && (made.file_ == nullptr || made.file_ == rows->file);
    if (is_ours) made.file_ = rows->file;
    made.parts_.push_back({.first = row, .count = is_ours ? count : 0});
    row += count;
  }
  if (made.file_ == nullptr || made.file_->word_count() == 0) return std::nullopt;
  // One word, however many parts it has.
  if (FindWordEdgesPortably(query.text).size() <= 2) return std::nullopt;
  Vector sum{};
  if (AddText(*made.file_, query.text, 1, sum) < kFewestOfQuery) return std::nullopt;
  AddText(*made.file_, query.context, kContextFactor, sum);
  Normalise(sum.data());
  SmallVector small{};
  made.scale_ = MakeSmall(sum.data(), small.data());
  std::copy(small.begin(), small.end(), made.numbers_.begin());
  return made;
}

std::optional<float> VectorQuery::Nearness(std::uint32_t part, std::uint32_t passage) const {
  const PartRows& rows = parts_[part];
  if (passage >= rows.count) return std::nullopt;
  const std::uint64_t row = rows.first + passage;
  // Whole numbers: the same sum with every instruction set.
  const auto product = static_cast<float>(Product(numbers_.data(), file_->row(row)));
  const float nearness = product * scale_ * file_->row_scale(row);
  // Also of a damaged scale.
  return nearness > 0 ? std::min(nearness, 1.0F) : 0;
}

}  // namespace sibyl::index
