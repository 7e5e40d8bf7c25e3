// SPDX-License-Identifier: Apache-2.0
// What an audit said about documents, kept in the cache: it is the same as long as
// neither the document nor the code has changed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/mutex.h"
#include "statement/verdict.h"

namespace sibyl::engine {

/// Thread-safe. A file that is missing or damaged is an empty memory.
class OwnMemory {
 public:
  /// `folder` has the file; `code` identifies what documents are compared with.
  OwnMemory(std::filesystem::path folder, std::string code);

  /// Without the places' file and text.
  std::optional<std::vector<statement::Judgement>> Find(std::string_view shown,
                                                        std::string_view text) const;
  void Keep(std::string_view shown, std::string_view text,
            const std::vector<statement::Judgement>& judgements) SIBYL_EXCLUDES(mutex_);

  /// Writes the file if something was added; what cannot be written is judged again.
  void Save() SIBYL_EXCLUDES(mutex_);

 private:
  std::string KeyOf(std::string_view shown, std::string_view text) const;

  std::filesystem::path folder_;
  std::string code_;
  Json known_;
  Mutex mutex_;
  std::map<std::string, Json> added_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::engine
