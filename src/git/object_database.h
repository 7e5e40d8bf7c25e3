// SPDX-License-Identifier: Apache-2.0
// Every object of a repository: all its packs, its loose objects, and those of
// the repositories it borrows from (alternates).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/root.h"
#include "base/finding.h"
#include "base/result.h"
#include "git/object_id.h"
#include "git/pack.h"

namespace sibyl::git {

/// Where a packed object starts.
struct ObjectPlace {
  std::uint32_t pack = 0;
  std::uint64_t offset = 0;

  auto operator<=>(const ObjectPlace&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// Immutable once open: share it between threads and give each its own
/// ObjectReader. A pack that cannot be read is a finding, not a failure:
/// objects in other packs can still be cited.
class ObjectDatabase {
 public:
  /// `objects` is a repository's objects folder. `within` is an untrusted
  /// folder that contains it, an oracle: then nothing outside that folder is
  /// read, whatever links and alternates say.
  static Result<ObjectDatabase> Open(const std::filesystem::path& objects,
                                     const std::optional<std::filesystem::path>& within = {});

  /// Over one pack in memory, which must outlive it. For tests and fuzzing.
  static Result<ObjectDatabase> FromMemory(std::string_view index, std::string_view pack);

  ObjectDatabase(ObjectDatabase&&) noexcept;
  ObjectDatabase& operator=(ObjectDatabase&&) noexcept;
  ~ObjectDatabase();

  std::optional<ObjectPlace> Find(const ObjectId& id) const;

  /// In that pack alone: a delta's base is nearly always beside it.
  std::optional<ObjectPlace> FindIn(std::uint32_t pack, const ObjectId& id) const;

  /// In a pack, or loose.
  bool Contains(const ObjectId& id) const;

  const PackData& data(std::uint32_t pack) const;
  const PackIndex& index(std::uint32_t pack) const;
  std::uint32_t pack_count() const;

  /// Folders with loose objects, nearest first.
  const std::vector<Root>& loose_folders() const { return loose_folders_; }

  /// The one packed or loose object whose id starts with these digits (at
  /// least four). kNotFound for none, kUsage for several.
  Result<ObjectId> FindByPrefix(std::string_view digits) const;

  const std::vector<Finding>& findings() const { return findings_; }

 private:
  struct OpenPack;

  ObjectDatabase();
  void AddFolder(const Root& objects, int depth);
  void AddPacks(const Root& objects);
  void AddAlternates(const Root& objects, int depth);
  void Note(const std::filesystem::path& file, std::string message);

  std::vector<std::unique_ptr<OpenPack>> packs_;
  std::vector<Root> loose_folders_;
  std::optional<std::filesystem::path> within_;
  std::vector<Finding> findings_;
};

/// "ab/cdef…": where a loose object is, from the folder of objects.
std::filesystem::path LoosePath(const ObjectId& id);

}  // namespace sibyl::git
