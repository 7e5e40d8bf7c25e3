// SPDX-License-Identifier: Apache-2.0
// The sorted terms of a segment: writing, lookup, and substring search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/segment/segment_format.h"

namespace sibyl::index {

/// Collects terms in byte order, with the bytes of their lists.
class TermDictionaryWriter {
 public:
  struct Entry {
    std::string_view term;
    bool occurs_whole = false;
    std::uint32_t passage_count = 0;
    std::uint32_t list_bytes = 0;  ///< In kPostings, after those of the previous term.
    /// Of a term in a single passage, which has no list.
    std::uint32_t passage = 0;
    std::uint8_t impact = 0;
  };

  void Add(const Entry& entry);

  /// Offsets in `blocks` are relative to this writer's `bytes`.
  std::string bytes;
  std::vector<TermBlockRecord> blocks;
  std::vector<std::uint32_t> groups;      ///< First block of each.
  std::vector<std::uint64_t> signatures;  ///< kSignatureRows bits per group.
  std::uint64_t term_count = 0;
  std::uint64_t list_bytes = 0;

 private:
  void Sign(std::string_view term, std::size_t signed_bytes);

  std::string last_;
  bool last_is_signed_ = false;  // and in the same group
};

/// The dictionary's entry for a term.
struct TermEntry {
  bool occurs_whole = false;
  std::uint32_t passage_count = 0;
  std::uint64_t list_offset = 0;
  std::uint64_t list_bytes = 0;  ///< 0: a single passage, given here.
  std::uint32_t passage = 0;
  std::uint8_t impact = 0;
};

/// The dictionary in mapped memory. Damaged bytes may make terms unfindable, but cannot cause a
/// crash; the segment checks what an entry contains.
class TermDictionary {
 public:
  struct Parts {
    std::string_view bytes;
    std::span<const TermBlockRecord> blocks;
    std::span<const std::uint32_t> groups;
    std::string_view signatures;
  };

  TermDictionary() = default;
  explicit TermDictionary(const Parts& parts)
      : bytes_(parts.bytes),
        blocks_(parts.blocks),
        groups_(parts.groups),
        signatures_(parts.signatures) {}

  std::optional<TermEntry> Find(std::string_view term) const;

  using Visitor = std::function<void(std::string_view term, const TermEntry& entry)>;

  /// Visits terms with this prefix in byte order, at most `limit`.
  void VisitPrefix(std::string_view prefix, std::size_t limit, const Visitor& visit) const;

  /// Visits terms that contain `part` (at least three bytes) and occur as whole words. Reads
  /// only blocks whose signature has all its trigrams.
  void VisitContaining(std::string_view part, const Visitor& visit) const;

 private:
  class BlockReader;
  std::size_t BlockFor(std::string_view term) const;
  std::string_view BlockBytes(std::size_t block) const;

  std::string_view bytes_;
  std::span<const TermBlockRecord> blocks_;
  std::span<const std::uint32_t> groups_;
  std::string_view signatures_;
};

/// Transposes signatures to rows of groups, the layout of kTermSignatures: a search reads few
/// rows and all groups.
std::string TransposeSignatures(std::span<const std::uint64_t> signatures);

/// The row of a trigram in the signatures.
std::size_t TrigramRow(const char* trigram);

}  // namespace sibyl::index
