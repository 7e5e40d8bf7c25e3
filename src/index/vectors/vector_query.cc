// SPDX-License-Identifier: Apache-2.0
#include "index/vectors/vector_query.h"

#include <algorithm>
#include <utility>

#include "index/vectors/word_bag.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sibyl::index {
namespace {

constexpr float kContextFactor = 0.5F;
constexpr std::size_t kFewestOfQuery = 2;
// Nearness as a whole number, for keeping the nearest.
constexpr float kSteps = 1 << 20;

std::int32_t ProductPortably(const std::int16_t* a, const std::int8_t* b) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < kDimensions; ++i) sum += a[i] * b[i];
  return sum;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) std::int32_t ProductAvx2(const std::int16_t* a,
                                                         const std::int8_t* b) {
  __m256i sums = _mm256_setzero_si256();
  for (std::size_t i = 0; i < kDimensions; i += 16) {
    const __m256i numbers =
        _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(b + i)));
    const __m256i others = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(a + i));
    sums = _mm256_add_epi32(sums, _mm256_madd_epi16(numbers, others));
  }
  const __m128i halves =
      _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
  const __m128i quarters = _mm_add_epi32(halves, _mm_shuffle_epi32(halves, 0x4E));
  return _mm_cvtsi128_si32(_mm_add_epi32(quarters, _mm_shuffle_epi32(quarters, 0xB1)));
}
#endif

using Product = std::int32_t (*)(const std::int16_t*, const std::int8_t*);

Product FastestProduct() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return ProductAvx2;
#endif
  return ProductPortably;
}

const Product kProduct = FastestProduct();

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

float VectorQuery::NearnessOfRow(std::uint64_t row) const {
  const auto product = static_cast<float>(kProduct(numbers_.data(), file_->row(row)));
  const float nearness = product * scale_ * file_->row_scale(row);
  // Also of a damaged scale.
  return nearness > 0 ? std::min(nearness, 1.0F) : 0;
}

std::optional<float> VectorQuery::Nearness(std::uint32_t part, std::uint32_t passage) const {
  const PartRows& rows = parts_[part];
  if (passage >= rows.count) return std::nullopt;
  return NearnessOfRow(rows.first + passage);
}

std::vector<ScoredPassage> VectorQuery::Nearest(
    std::size_t most, const std::vector<std::vector<std::uint64_t>>& allowed) const {
  TopPassages top(most);
  for (std::uint32_t part = 0; part < parts_.size(); ++part) {
    const std::vector<std::uint64_t>& may = allowed[part];
    for (std::uint32_t i = 0; i < parts_[part].count; ++i) {
      if (!may.empty() && (may[i / 64] >> i % 64 & 1) == 0) continue;
      const auto steps = static_cast<std::uint32_t>(NearnessOfRow(parts_[part].first + i) * kSteps);
      if (steps <= top.threshold()) continue;
      top.Offer({.score = steps, .segment = part, .passage = i});
    }
  }
  std::vector<ScoredPassage> nearest = top.Take();
  for (ScoredPassage& passage : nearest) passage.score = 0;
  return nearest;
}

}  // namespace sibyl::index
