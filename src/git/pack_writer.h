// SPDX-License-Identifier: Apache-2.0
// Writes objects into a new pack: compressed fast, never as deltas, so that
// reading one is a single inflate. git can read it too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "git/inflate.h"
#include "git/object.h"

namespace sibyl::git {

/// An object ready to be written: the costly part, done in any thread.
struct PackedObject {
  ObjectId id;
  std::string bytes;  ///< The entry as stored in the pack.
};

/// Hashes and compresses. `deflater` is the calling thread's own.
PackedObject PackObject(ObjectType type, std::string_view content, Deflater& deflater);

/// Packs an object that is already compressed.
PackedObject PackCompressed(const ObjectId& id, ObjectType type, std::uint64_t size,
                            std::string_view compressed);

/// A pack being written. Thread-safe. Nothing is visible to readers before
/// Finish; an unfinished pack leaves nothing behind.
class PackWriter {
 public:
  /// `objects` is an objects folder; its pack folder must exist.
  static Result<PackWriter> Create(const std::filesystem::path& objects);

  PackWriter(PackWriter&&) noexcept;
  PackWriter& operator=(PackWriter&&) noexcept;
  ~PackWriter();

  /// An id that was already added is skipped.
  Status Add(const PackedObject& object);

  std::size_t count() const;

  /// Writes pack and index to the disk and makes them visible; the pack
  /// before its index, since readers look for the index. An empty pack is
  /// dropped.
  Status Finish();

 private:
  struct State;
  explicit PackWriter(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace sibyl::git
