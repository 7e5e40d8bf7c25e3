// SPDX-License-Identifier: Apache-2.0
#include "index/vectors/vector_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>

#include "base/hash.h"
#include "base/parallel.h"
#include "index/segment/checksum.h"
#include "index/words/glossary.h"

namespace sibyl::index {
namespace {

constexpr std::array<char, 8> kMagic = {'S', 'I', 'B', 'Y', 'L', 'V', 'E', 'C'};
constexpr std::size_t kLayoutBytes = 40;
constexpr std::size_t kAlignment = 8;

struct Header {
  std::array<char, 8> magic = kMagic;
  std::uint32_t version = kVectorVersion;
  std::uint32_t dimensions = kDimensions;
  std::uint32_t words = 0;
  std::uint32_t sources = 0;
  std::uint64_t rows = 0;
  std::uint64_t word_bytes = 0;
  std::uint32_t glossary_percent = 0;
  std::uint32_t crc = 0;  // of the members before
};
static_assert(sizeof(Header) == 48);

struct SourceRecord {
  std::array<char, kLayoutBytes> layout{};
  std::uint64_t first_row = 0;
  std::uint64_t rows = 0;
};
static_assert(sizeof(SourceRecord) == 56);

// Of the glossary's entries, those whose names are words of the texts.
std::uint32_t GlossaryPercent(const std::vector<std::string>& words) {
  TermForms forms;
  const float share = Glossary::Ours().KnownShare(
      [&words](std::string_view word) {
        return std::binary_search(words.begin(), words.end(), word, std::less<>());
      },
      forms);
  return static_cast<std::uint32_t>(share * 100);
}

std::uint32_t CrcOf(const Header& header) {
  return Crc32c({reinterpret_cast<const char*>(&header), offsetof(Header, crc)});
}

Error Damaged(std::string_view what) {
  return {.kind = ErrorKind::kCorrupt, .message = fmt::format("opening vectors: {}", what)};
}

template <typename Number>
void AppendNumbers(const std::vector<Number>& numbers, std::string& file) {
  file.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
  file.append((kAlignment - file.size() % kAlignment) % kAlignment, '\0');
}

/// Takes one section after the other off the bytes.
class Sections {
 public:
  explicit Sections(std::string_view bytes) : left_(bytes) {}

  bool Take(std::uint64_t count, std::size_t size, std::string_view& section) {
    if (count > left_.size() / size) return false;
    const std::size_t bytes = static_cast<std::size_t>(count) * size;
    const std::size_t with_end = bytes + (kAlignment - bytes % kAlignment) % kAlignment;
    if (with_end > left_.size()) return false;
    section = left_.substr(0, bytes);
    left_.remove_prefix(with_end);
    return true;
  }
  template <typename Number>
  bool Take(std::uint64_t count, std::span<const Number>& numbers) {
    std::string_view section;
    if (!Take(count, sizeof(Number), section)) return false;
    numbers = {reinterpret_cast<const Number*>(section.data()), static_cast<std::size_t>(count)};
    return true;
  }
  bool is_empty() const { return left_.empty(); }

 private:
  std::string_view left_;
};

/// Eight-bit vectors with their scales.
struct SmallVectors {
  std::vector<float> scales;
  std::vector<std::int8_t> numbers;

  explicit SmallVectors(std::size_t count) : scales(count), numbers(count * kDimensions) {}
  void Put(std::size_t place, const Vector& vector) {
    scales[place] = MakeSmall(vector.data(), &numbers[place * kDimensions]);
  }
};

}  // namespace

std::string LayoutOf(const Index& index) {
  std::string segments;
  for (const ManifestSegment& segment : index.manifest().segments) {
    segments += segment.id;
    for (const std::uint32_t dead : segment.dead_documents) segments += fmt::format(" {}", dead);
    segments += '\n';
  }
  return Sha256(segments).substr(0, kLayoutBytes);
}

std::string FormatVectors(const LearnedTexts& texts, const std::vector<Vector>& vectors,
                          const std::vector<VectorSource>& sources) {
  SmallVectors words(vectors.size());
  for (std::size_t i = 0; i < vectors.size(); ++i) words.Put(i, vectors[i]);
  SmallVectors rows(vectors.empty() ? 0 : texts.passages.size());
  ForEachInParallel(rows.scales.size(), {.grain = 1024}, [&](std::size_t i) {
    Vector sum{};
    for (const CountedWord& counted : texts.passages[i]) {
      AddTo(sum.data(), counted.count(), vectors[counted.word].data());
    }
    Normalise(sum.data());
    rows.Put(i, sum);
  });
  std::vector<std::uint32_t> ends;
  std::string word_bytes;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    word_bytes += texts.words[i];
    ends.push_back(static_cast<std::uint32_t>(word_bytes.size()));
  }
  std::vector<SourceRecord> records;
  std::uint64_t first_row = 0;
  for (const VectorSource& source : sources) {
    SourceRecord record{.first_row = first_row, .rows = source.rows};
    source.layout.copy(record.layout.data(), kLayoutBytes);
    records.push_back(record);
    first_row += source.rows;
  }
  if (vectors.empty()) records.clear();
  Header header{.words = static_cast<std::uint32_t>(vectors.size()),
                .sources = static_cast<std::uint32_t>(records.size()),
                .rows = rows.scales.size(),
                .word_bytes = word_bytes.size(),
                .glossary_percent = GlossaryPercent(texts.words)};
  header.crc = CrcOf(header);
  std::string file(reinterpret_cast<const char*>(&header), sizeof(header));
  AppendNumbers(records, file);
  AppendNumbers(ends, file);
  AppendNumbers(words.scales, file);
  AppendNumbers(rows.scales, file);
  AppendNumbers(words.numbers, file);
  AppendNumbers(rows.numbers, file);
  file += word_bytes;
  file.append((kAlignment - file.size() % kAlignment) % kAlignment, '\0');
  return file;
}

Result<VectorFile> VectorFile::Open(const std::filesystem::path& path) {
  VectorFile file;
  file.file_.emplace(SIBYL_TRY(MappedFile::Open(path)));
  SIBYL_TRY(file.Load(file.file_->bytes()));
  return file;
}

Result<VectorFile> VectorFile::FromBytes(std::string_view bytes) {
  VectorFile file;
  SIBYL_TRY(file.Load(bytes));
  return file;
}

Status VectorFile::Load(std::string_view bytes) {
  Header header;
  if (bytes.size() < sizeof(header)) return Damaged("the file is too short");
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != kMagic) return Damaged("this is another kind of file");
  if (header.version != kVectorVersion || header.dimensions != kDimensions) {
    return Damaged(
        fmt::format("the file is of version {}, not {}", header.version, kVectorVersion));
  }
  if (header.crc != CrcOf(header)) return Damaged("the header is damaged");
  glossary_percent_ = header.glossary_percent;
  Sections sections(bytes.substr(sizeof(header)));
  const bool is_whole =
      sections.Take(header.sources, sizeof(SourceRecord), sources_view_) &&
      sections.Take(header.words, word_ends_) && sections.Take(header.words, word_scales_) &&
      sections.Take(header.rows, row_scales_) &&
      sections.Take(header.words, kDimensions, words_view_) &&
      sections.Take(header.rows, kDimensions, rows_view_) &&
      sections.Take(header.word_bytes, 1, word_bytes_view_) && sections.is_empty();
  if (!is_whole) return Damaged("the file has another size than its header says");
  return {};
}

std::optional<std::uint64_t> VectorFile::FirstRow(const Index& index) const {
  const std::string layout = LayoutOf(index);
  std::uint64_t passages = 0;
  for (const Index::Part& part : index.parts()) passages += part.segment.passage_count();
  for (std::size_t at = 0; at < sources_view_.size(); at += sizeof(SourceRecord)) {
    SourceRecord record;
    std::memcpy(&record, sources_view_.data() + at, sizeof(record));
    if (std::string_view(record.layout.data(), kLayoutBytes) != layout) continue;
    if (record.rows != passages || record.first_row > row_count() ||
        record.rows > row_count() - record.first_row) {
      continue;
    }
    return record.first_row;
  }
  return std::nullopt;
}

std::string_view VectorFile::Word(std::size_t number) const {
  const std::size_t begin = number == 0 ? 0 : word_ends_[number - 1];
  const std::size_t end = word_ends_[number];
  if (begin > end || end > word_bytes_view_.size()) return {};
  return word_bytes_view_.substr(begin, end - begin);
}

std::optional<std::uint32_t> VectorFile::FindWord(std::string_view word) const {
  std::size_t begin = 0;
  std::size_t end = word_count();
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    if (Word(middle) < word) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  if (begin == word_count() || Word(begin) != word) return std::nullopt;
  return static_cast<std::uint32_t>(begin);
}

void VectorFile::AddWord(std::uint32_t word, float factor, Vector& sum) const {
  const float scale = word_scales_[word] * factor;
  if (!std::isfinite(scale)) return;
  const auto* const numbers =
      reinterpret_cast<const std::int8_t*>(words_view_.data()) + std::size_t{word} * kDimensions;
  for (std::size_t i = 0; i < kDimensions; ++i) sum[i] += scale * static_cast<float>(numbers[i]);
}

}  // namespace sibyl::index
