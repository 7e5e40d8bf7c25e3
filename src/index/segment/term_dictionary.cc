// SPDX-License-Identifier: Apache-2.0
#include "index/segment/term_dictionary.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "index/mix.h"
#include "index/segment/varint.h"

namespace sibyl::index {
namespace {

constexpr std::size_t kRowWords = kSignatureRows / 64;

std::uint64_t KeyOf(std::string_view term) {
  std::uint64_t key = 0;
  std::memcpy(&key, term.data(), std::min<std::size_t>(8, term.size()));
  return __builtin_bswap64(key);
}

std::size_t SharedPrefix(std::string_view a, std::string_view b) {
  const std::size_t limit = std::min(a.size(), b.size());
  std::size_t shared = 0;
  while (shared < limit && a[shared] == b[shared]) ++shared;
  return shared;
}

}  // namespace

std::size_t TrigramRow(const char* trigram) {
  // Not one copy of three bytes: store forwarding would fail and cost more than all the rest.
  std::uint16_t first = 0;
  std::memcpy(&first, trigram, sizeof(first));
  const std::uint32_t value = first | std::uint32_t{static_cast<unsigned char>(trigram[2])} << 16;
  static_assert(kSignatureRows == 1 << 11);
  return value * 0x9E3779B1U >> (32 - 11);
}

void TermDictionaryWriter::Add(const Entry& entry) {
  std::size_t shared = 0;
  if (term_count++ % kBlockTerms == 0) {
    if (blocks.size() % kGroupBlocks == 0) {
      groups.push_back(static_cast<std::uint32_t>(blocks.size()));
      signatures.resize(signatures.size() + kRowWords);
      last_is_signed_ = false;
    }
    blocks.push_back({.key = KeyOf(entry.term), .postings = list_bytes, .bytes = bytes.size()});
  } else {
    shared = SharedPrefix(last_, entry.term);
  }
  // Trigrams in the part shared with the previous term have been signed already.
  if (entry.occurs_whole) Sign(entry.term, last_is_signed_ ? shared : 0);
  last_is_signed_ = entry.occurs_whole;
  const std::size_t fresh = entry.term.size() - shared;
  char record[2 + 255 + 32];
  record[0] = static_cast<char>(shared);
  record[1] = static_cast<char>(fresh);
  std::memcpy(record + 2, entry.term.data() + shared, fresh);
  char* end = WriteVarint(std::uint64_t{entry.passage_count} << 1 | (entry.occurs_whole ? 1 : 0),
                          record + 2 + fresh);
  if (entry.passage_count == 1) {
    end = WriteVarint(entry.passage, end);
    *end++ = static_cast<char>(entry.impact);
  } else {
    end = WriteVarint(entry.list_bytes, end);
    list_bytes += entry.list_bytes;
  }
  bytes.append(record, end);
  last_.assign(entry.term);
}

std::string TransposeSignatures(std::span<const std::uint64_t> signatures) {
  const std::size_t groups = signatures.size() / kRowWords;
  const std::size_t row_bytes = (groups + 7) / 8;
  std::string rows(row_bytes * kSignatureRows, '\0');
  for (std::size_t group = 0; group < groups; ++group) {
    const auto bit = static_cast<char>(1U << group % 8);
    for (std::size_t word = 0; word < kRowWords; ++word) {
      for (std::uint64_t left = signatures[group * kRowWords + word]; left != 0; left &= left - 1) {
        const std::size_t row = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
        rows[row * row_bytes + group / 8] =
            static_cast<char>(rows[row * row_bytes + group / 8] | bit);
      }
    }
  }
  return rows;
}

void TermDictionaryWriter::Sign(std::string_view term, std::size_t signed_bytes) {
  std::uint64_t* signature = signatures.data() + signatures.size() - kRowWords;
  for (std::size_t i = signed_bytes < 3 ? 0 : signed_bytes - 2; i + 3 <= term.size(); ++i) {
    const std::size_t row = TrigramRow(term.data() + i);
    signature[row / 64] |= std::uint64_t{1} << row % 64;
  }
}

/// Iterates over the terms of one block.
class TermDictionary::BlockReader {
 public:
  BlockReader(std::string_view bytes, std::uint64_t postings)
      : bytes_(bytes), list_offset_(postings) {}

  bool Next() {
    if (seen_++ == kBlockTerms || bytes_.size() < 2) return false;
    const std::size_t shared = static_cast<unsigned char>(bytes_[0]);
    const std::size_t fresh = static_cast<unsigned char>(bytes_[1]);
    if (shared > size_ || shared + fresh > sizeof(term_) || bytes_.size() < 2 + fresh) return false;
    std::memcpy(term_ + shared, bytes_.data() + 2, fresh);
    size_ = shared + fresh;
    bytes_.remove_prefix(2 + fresh);
    return ReadEntry();
  }

  std::string_view term() const { return {term_, size_}; }
  const TermEntry& entry() const { return entry_; }

 private:
  bool ReadEntry() {
    std::uint64_t count = 0;
    std::uint64_t value = 0;
    if (!ReadVarint(bytes_, count) || !ReadVarint(bytes_, value)) return false;
    entry_ = {.occurs_whole = (count & 1) != 0,
              .passage_count = static_cast<std::uint32_t>(count >> 1)};
    if (entry_.passage_count == 1) {
      if (bytes_.empty()) return false;
      entry_.passage = static_cast<std::uint32_t>(value);
      entry_.impact = static_cast<std::uint8_t>(bytes_[0]);
      bytes_.remove_prefix(1);
    } else {
      entry_.list_offset = list_offset_;
      entry_.list_bytes = value;
      list_offset_ += value;
    }
    return true;
  }

  std::string_view bytes_;
  std::uint64_t list_offset_;
  std::size_t seen_ = 0;
  std::size_t size_ = 0;
  TermEntry entry_;
  char term_[256];
};

std::string_view TermDictionary::BlockBytes(std::size_t block) const {
  const std::uint64_t begin = blocks_[block].bytes;
  const std::uint64_t end = block + 1 < blocks_.size() ? blocks_[block + 1].bytes : bytes_.size();
  if (begin > end || end > bytes_.size()) return {};
  return bytes_.substr(begin, end - begin);
}

// The last block whose first term is not greater; 0 if there is none.
std::size_t TermDictionary::BlockFor(std::string_view term) const {
  const std::uint64_t key = KeyOf(term);
  const auto first_term_exceeds = [&](const TermBlockRecord& record) {
    if (record.key != key) return record.key > key;
    BlockReader reader(BlockBytes(static_cast<std::size_t>(&record - blocks_.data())), 0);
    return reader.Next() && reader.term() > term;
  };
  std::size_t low = 0;
  std::size_t high = blocks_.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (first_term_exceeds(blocks_[middle])) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low == 0 ? 0 : low - 1;
}

std::optional<TermEntry> TermDictionary::Find(std::string_view term) const {
  if (blocks_.empty() || term.empty()) return std::nullopt;
  const std::size_t block = BlockFor(term);
  BlockReader reader(BlockBytes(block), blocks_[block].postings);
  while (reader.Next()) {
    if (reader.term() == term) return reader.entry();
    if (reader.term() > term) break;
  }
  return std::nullopt;
}

void TermDictionary::VisitPrefix(std::string_view prefix, std::size_t limit,
                                 const Visitor& visit) const {
  if (blocks_.empty()) return;
  for (std::size_t block = BlockFor(prefix); block < blocks_.size(); ++block) {
    BlockReader reader(BlockBytes(block), blocks_[block].postings);
    while (reader.Next()) {
      if (reader.term().substr(0, prefix.size()) == prefix) {
        if (limit-- == 0) return;
        visit(reader.term(), reader.entry());
      } else if (reader.term() > prefix) {
        return;
      }
    }
  }
}

void TermDictionary::VisitContaining(std::string_view part, const Visitor& visit) const {
  const std::size_t row_bytes = (groups_.size() + 7) / 8;
  if (part.size() < 3 || signatures_.size() < row_bytes * kSignatureRows) return;
  std::vector<unsigned char> may(row_bytes, 0xFF);
  for (std::size_t i = 0; i + 3 <= part.size(); ++i) {
    const char* row = signatures_.data() + TrigramRow(part.data() + i) * row_bytes;
    for (std::size_t byte = 0; byte < row_bytes; ++byte) {
      may[byte] = static_cast<unsigned char>(may[byte] & static_cast<unsigned char>(row[byte]));
    }
  }
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    if ((may[group / 8] >> group % 8 & 1) == 0) continue;
    const std::size_t next = group + 1 < groups_.size() ? groups_[group + 1] : blocks_.size();
    const std::size_t end = std::min(blocks_.size(), next);
    for (std::size_t block = groups_[group]; block < end; ++block) {
      BlockReader reader(BlockBytes(block), blocks_[block].postings);
      while (reader.Next()) {
        if (reader.entry().occurs_whole && reader.term().find(part) != std::string_view::npos) {
          visit(reader.term(), reader.entry());
        }
      }
    }
  }
}

}  // namespace sibyl::index
