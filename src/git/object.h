// SPDX-License-Identifier: Apache-2.0
// A git object as the pack reader hands it out, and how a read can end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "git/object_id.h"

namespace sibyl::git {

/// The numbers are those of the pack format.
enum class ObjectType : std::uint8_t { kNone = 0, kCommit = 1, kTree = 2, kBlob = 3, kTag = 4 };

/// "commit", "tree", "blob", "tag": as in the header that is hashed.
std::string_view ObjectTypeName(ObjectType type);

enum class ReadState {
  kRead,
  kMissing,   ///< Not in the store, for example in a partial clone.
  kTooLarge,  ///< Larger than the limit; `size` has its size, if known.
  kCorrupt,   ///< Malformed; `problem` says why.
  kBinary,    ///< Not text, and only text was requested.
};

/// One object's bytes; they belong to the reader and last until its next read.
struct ObjectView {
  ReadState state = ReadState::kMissing;
  ObjectType type = ObjectType::kNone;
  std::uint64_t size = 0;
  std::string_view bytes;
  std::string_view compressed;  ///< Its zlib stream, where it is packed whole.
  std::string_view problem;     ///< A literal.

  bool ok() const { return state == ReadState::kRead; }
};

/// Bytes without the price of zeroing them first, which std::string insists on
/// and which is a tenth of the time of reading a repository.
class ByteBuffer {
 public:
  /// Space for `size` bytes; discards the old content.
  char* Prepare(std::size_t size) {
    if (size > capacity_) {
      data_ = std::make_unique_for_overwrite<char[]>(size);
      capacity_ = size;
    }
    size_ = size;
    return data_.get();
  }

  std::string_view view() const { return {data_.get(), size_}; }
  std::size_t capacity() const { return capacity_; }

 private:
  std::unique_ptr<char[]> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

/// The id of an object with this content.
ObjectId HashObject(ObjectType type, std::string_view bytes);

}  // namespace sibyl::git
