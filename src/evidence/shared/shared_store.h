// SPDX-License-Identifier: Apache-2.0
// A folder that several machines share (NFS, Lustre, a persistent volume), with
// the bytes of pinned sources and their indexes: what one machine fetched or
// built, the others copy. Machines never work in it: they copy into their own
// cache and verify, so that nothing is mapped or locked over the network.
//
// Files are named by their sha256 and never change. A record (store_record.h)
// says which files make up one source or one index, and is written after them.
// So any number of machines may write at the same time, and one that dies leaves
// only files that no record names. docs/formats/store.md has the layout.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/root.h"
#include "base/files/shared_claim.h"
#include "base/result.h"
#include "evidence/shared/store_record.h"

namespace sibyl::evidence {

enum class RecordKind { kSource, kIndex };

/// A file of this machine, under the name that other machines give it.
struct GivenFile {
  std::string name;
  std::filesystem::path path;
};

class SharedStore {
 public:
  /// Makes the folder a store. Existing stores are not changed.
  static Status Init(const std::filesystem::path& folder);

  /// kNotFound if the folder does not exist or is not a store, as an empty mount
  /// point; kUsage if the path is relative, kCorrupt for a newer store.
  static Result<SharedStore> Open(const std::filesystem::path& folder);

  const std::filesystem::path& folder() const { return root_.path(); }

  /// Copies the files to the store, then writes the record.
  Status Give(RecordKind kind, std::string_view name, const std::vector<GivenFile>& files,
              const std::function<bool()>& cancelled = {}) const;

  /// Copies the files of a record to where `target` says, in the order in which
  /// they were given; an empty path skips one. false if there is no such record
  /// or one of its files is not in the store. kCorrupt if a file is damaged; no damaged
  /// file is ever copied.
  Result<bool> Bring(RecordKind kind, std::string_view name,
                     const std::function<std::filesystem::path(const std::string&)>& target,
                     const std::function<bool()>& cancelled = {}) const;

  bool Has(RecordKind kind, std::string_view name) const;

  /// For work that only one machine has to do. nullopt once `is_done`.
  Result<std::optional<SharedClaim>> Claim(RecordKind kind, std::string_view name,
                                           const std::function<bool()>& is_done,
                                           const std::function<bool()>& cancelled) const;

  // The layout, for store_upkeep.cc.
  const Root& root() const { return root_; }
  static std::filesystem::path RecordPath(RecordKind kind, std::string_view name);
  static std::filesystem::path FilePath(std::string_view sha256);

 private:
  explicit SharedStore(Root root) : root_(std::move(root)) {}

  Result<std::optional<std::vector<StoredFile>>> ReadRecord(RecordKind kind,
                                                            std::string_view name) const;
  Result<StoredFile> Store(const GivenFile& file, const std::function<bool()>& cancelled) const;

  Root root_;
};

inline constexpr std::string_view kStoreRecords = "records";
inline constexpr std::string_view kStoreFiles = "files";
inline constexpr std::string_view kStoreClaims = "claims";
inline constexpr std::string_view kStoreStaging = "staging";

}  // namespace sibyl::evidence
