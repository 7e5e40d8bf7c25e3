// SPDX-License-Identifier: Apache-2.0
// A file of vectors of any bytes. Its header would be refused for almost every input, so what
// does not say how many words and rows there are is corrected first; the rest is untrusted.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "index/segment/checksum.h"
#include "index/vectors/vector_file.h"

namespace {

using namespace sibyl;

constexpr std::size_t kHeaderBytes = 48;
constexpr std::size_t kCrcAt = 44;

void MendHeader(char* bytes) {
  std::memcpy(bytes, "SIBYLVEC", 8);
  const std::uint32_t version = index::kVectorVersion;
  std::memcpy(bytes + 8, &version, sizeof(version));
  const std::uint32_t dimensions = index::kDimensions;
  std::memcpy(bytes + 12, &dimensions, sizeof(dimensions));
  const std::uint32_t crc = index::Crc32c({bytes, kCrcAt});
  std::memcpy(bytes + kCrcAt, &crc, sizeof(crc));
}

void ReadAll(const index::VectorFile& file, std::string_view word) {
  index::Vector sum{};
  if (const auto number = file.FindWord(word); number && *number >= file.word_count()) std::abort();
  for (std::uint32_t i = 0; i < std::min<std::size_t>(file.word_count(), 4096); ++i) {
    file.AddWord(i, 1, sum);
  }
  index::Normalise(sum.data());
  index::SmallVector small{};
  (void)index::MakeSmall(sum.data(), small.data());
  int numbers = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(file.row_count(), 4096); ++i) {
    numbers += file.row(i)[index::kDimensions - 1];
    if (std::isnan(file.row_scale(i))) ++numbers;
  }
  if (numbers == 1 << 30) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < kHeaderBytes) return 0;
  std::vector<std::uint64_t> words(size / 8 + 1);
  std::memcpy(words.data(), data, size);
  auto* const bytes = reinterpret_cast<char*>(words.data());
  MendHeader(bytes);
  const auto file = index::VectorFile::FromBytes({bytes, size});
  if (file.ok()) ReadAll(*file, "word");
  return 0;
}
