// SPDX-License-Identifier: Apache-2.0
// Verdicts of earlier runs. A document is answered from here if everything that its
// verdicts depend on is the same: its bytes, the commit, the list of files, the
// content of the cited files, and the rules.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "references/check.h"

namespace sibyl::references {

/// To be raised with every change of the rules that find or judge citations.
inline constexpr int kRulesVersion = 14;

/// Safe to use from several threads.
class KeptVerdicts {
 public:
  /// Reads what is kept for the repository; nothing if the request has no cache, or
  /// compares with something other than the work tree. Files that are damaged or of
  /// another version count as absent. Borrows the request.
  explicit KeptVerdicts(const CheckRequest& request);

  bool is_used() const { return is_used_; }

  /// Fills in the citations of a document; false if it must be judged. They have no
  /// claims.
  bool Answer(CheckedDocument& document) const SIBYL_EXCLUDES(mutex_);

  /// Files that the verdicts of these citations will depend on.
  std::vector<std::string> FilesOfAll(const std::string& path,
                                      const std::vector<Reference>& references) const;

  /// Keeps the verdicts of a document.
  void Keep(const CheckedDocument& document, const std::vector<std::string>& files)
      SIBYL_EXCLUDES(mutex_);

  /// Writes the file if anything is new.
  void Save() const SIBYL_EXCLUDES(mutex_);

 private:
  struct Kept {
    std::string key;
    std::map<std::string, std::string> blobs;  ///< Of the files it depends on.
    std::optional<std::size_t> stamp;          ///< Of the work tree, if it was searched.
    std::vector<CheckedReference> references;
  };
  std::string KeyOf(const CheckedDocument& document) const;
  void Read(std::string_view bytes);

  const CheckRequest& request_;
  bool is_used_ = false;
  std::filesystem::path file_;
  std::string state_;  // hash of what all documents depend on
  mutable Mutex mutex_;
  bool is_changed_ SIBYL_GUARDED_BY(mutex_) = false;
  std::map<std::string, Kept> documents_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::references
