// SPDX-License-Identifier: Apache-2.0
#include "evidence/shared/store_upkeep.h"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "base/files/copy_file.h"
#include "base/secret.h"

namespace sibyl::evidence {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kDay = std::int64_t{24} * 60 * 60 * 1'000'000'000;
constexpr std::size_t kMostEntries = 4'000'000;

struct FoundRecord {
  fs::path path;
  bool is_source = false;
  std::int64_t modified_ns = 0;
  std::vector<StoredFile> files;  ///< Empty if it is damaged.
  std::string trouble;
};

Result<std::vector<RootEntry>> ListBelow(const Root& root, const fs::path& folder) {
  Walked walked = SIBYL_TRY(root.Walk(folder, {.max_entries = kMostEntries, .max_depth = 3}));
  if (walked.is_cut) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("listing {}: more than {} files",
                                        root.Shown(folder).string(), kMostEntries)};
  }
  return std::move(walked.entries);
}

Result<std::vector<FoundRecord>> ReadRecords(const Root& root) {
  std::vector<FoundRecord> records;
  for (const RootEntry& entry : SIBYL_TRY(ListBelow(root, kStoreRecords))) {
    const std::optional<FileAbout> about = root.About(entry.name);
    if (entry.kind != FileKind::kFile || !about) continue;
    FoundRecord record{.path = entry.name, .modified_ns = about->modified_ns};
    record.is_source = record.path.parent_path().filename() == "sources";
    const Result<std::string> text = root.Read(record.path, {.max_bytes = kMaxRecordBytes});
    if (!text.ok()) {
      // Removed by a collection, or just replaced.
      if (!root.Exists(record.path)) continue;
      record.trouble = text.error().message;
    } else {
      Result<std::vector<StoredFile>> files = ParseStoreRecord(*text);
      if (!files.ok()) {
        record.trouble = files.error().message;
      } else {
        record.files = std::move(files).value();
      }
    }
    records.push_back(std::move(record));
  }
  return records;
}

// The time by the server that keeps the files.
Result<std::int64_t> TimeOfStore(const Root& root) {
  const fs::path probe = fs::path(kStoreStaging) / ("time-" + SIBYL_TRY(RandomHex(8)));
  SIBYL_TRY(root.Write(probe, "\n"));
  const std::optional<FileAbout> about = root.About(probe);
  SIBYL_TRY(root.Remove(probe));
  if (about) return about->modified_ns;
  return Error{.kind = ErrorKind::kUnavailable,
               .message = fmt::format("reading the time of the store {}", root.path().string()),
               .hint = "try again"};
}

Finding Damage(std::string_view code, const Root& root, const fs::path& path, std::string message,
               std::string hint) {
  return {.severity = Severity::kError,
          .code = std::string(code),
          .message = std::move(message),
          .hint = std::move(hint),
          .place = {.file = root.Shown(path).string()}};
}

/// Reads all files once; knows which are whole.
class StoreChecker {
 public:
  StoreChecker(const SharedStore& store, const StoreCheckOptions& options)
      : root_(store.root()), options_(options) {}

  Result<StoreCheck> Run() {
    SIBYL_TRY(CheckFiles());
    for (const FoundRecord& record : SIBYL_TRY(ReadRecords(root_))) {
      SIBYL_TRY(CheckRecord(record));
    }
    return std::move(check_);
  }

 private:
  std::string Hint() const {
    return options_.repair ? "removed; it is stored again when a machine needs it"
                           : "'sibyl store check --repair' removes it; it is stored again when a "
                             "machine needs it";
  }

  Status Remove(const fs::path& path) const {
    return options_.repair ? root_.Remove(path) : Status();
  }

  Status CheckFiles() {
    for (const RootEntry& entry : SIBYL_TRY(ListBelow(root_, kStoreFiles))) {
      const fs::path path = entry.name;
      const Result<HashedFile> read = HashFile(root_.Shown(path), options_.cancelled);
      if (!read.ok() && read.error().kind == ErrorKind::kCancelled) return read.error();
      if (!read.ok() && !root_.Exists(path)) continue;  // collected meanwhile
      if (read.ok() && read->sha256 == path.filename().string()) {
        whole_.insert(read->sha256);
        ++check_.content.files;
        check_.content.bytes += read->bytes;
        continue;
      }
      check_.findings.push_back(Damage(
          "store/damaged", root_, path,
          read.ok() ? "its bytes are not those that its name says" : read.error().message, Hint()));
      SIBYL_TRY(Remove(path));
    }
    return {};
  }

  Status CheckRecord(const FoundRecord& record) {
    std::string trouble = record.trouble;
    for (const StoredFile& file : record.files) {
      if (whole_.contains(file.sha256)) continue;
      // It may have been given after the files were read.
      const Result<HashedFile> read = HashFile(root_.Shown(SharedStore::FilePath(file.sha256)));
      if (read.ok() && read->sha256 == file.sha256) continue;
      trouble = fmt::format("{} is missing or damaged", file.name);
    }
    if (trouble.empty()) {
      ++(record.is_source ? check_.content.sources : check_.content.indexes);
      return {};
    }
    check_.findings.push_back(Damage("store/incomplete", root_, record.path, trouble, Hint()));
    return Remove(record.path);
  }

  const Root& root_;
  const StoreCheckOptions& options_;
  std::set<std::string> whole_;
  StoreCheck check_;
};

/// Removes what is old.
class Collector {
 public:
  Collector(const SharedStore& store, const CollectOptions& options, std::int64_t now_ns)
      : root_(store.root()), options_(options), now_ns_(now_ns) {}

  Result<Collected> Run() {
    SIBYL_TRY(Records());
    SIBYL_TRY(Files());
    SIBYL_TRY(Leftovers(kStoreStaging));
    SIBYL_TRY(Leftovers(kStoreClaims));
    return collected_;
  }

 private:
  Status Remove(const fs::path& path) const {
    return options_.dry_run ? Status() : root_.Remove(path);
  }

  Status Records() {
    for (const FoundRecord& record : SIBYL_TRY(ReadRecords(root_))) {
      if (now_ns_ - record.modified_ns > options_.days * kDay) {
        ++collected_.records;
        SIBYL_TRY(Remove(record.path));
        continue;
      }
      ++(record.is_source ? collected_.kept.sources : collected_.kept.indexes);
      for (const StoredFile& file : record.files) used_.insert(file.sha256);
    }
    return {};
  }

  Status Files() {
    for (const RootEntry& entry : SIBYL_TRY(ListBelow(root_, kStoreFiles))) {
      const std::optional<FileAbout> about = root_.About(entry.name);
      if (!about) continue;
      const std::string hash = fs::path(entry.name).filename().string();
      if (used_.contains(hash) || now_ns_ - about->modified_ns <= kDay) {
        ++collected_.kept.files;
        collected_.kept.bytes += about->bytes;
        continue;
      }
      ++collected_.files;
      collected_.bytes += about->bytes;
      SIBYL_TRY(Remove(entry.name));
    }
    return {};
  }

  Status Leftovers(std::string_view folder) {
    for (const RootEntry& entry : SIBYL_TRY(ListBelow(root_, folder))) {
      const std::optional<FileAbout> about = root_.About(entry.name);
      if (!about || now_ns_ - about->modified_ns <= kDay) continue;
      ++collected_.files;
      collected_.bytes += about->bytes;
      SIBYL_TRY(Remove(entry.name));
    }
    return {};
  }

  const Root& root_;
  const CollectOptions& options_;
  std::int64_t now_ns_;
  std::set<std::string> used_;  // by the records that are kept
  Collected collected_;
};

}  // namespace

Result<StoreCheck> CheckStore(const SharedStore& store, const StoreCheckOptions& options) {
  return StoreChecker(store, options).Run();
}

Result<Collected> CollectStore(const SharedStore& store, const CollectOptions& options) {
  const std::int64_t now_ns = SIBYL_TRY(TimeOfStore(store.root()));
  return Collector(store, options, now_ns).Run();
}

std::vector<Rule> StoreRules() {
  return {{.code = "store/damaged",
           .meaning = "a file of the shared store has other bytes than its name says"},
          {.code = "store/incomplete", .meaning = "a record of the shared store cannot be used"}};
}

}  // namespace sibyl::evidence
