// SPDX-License-Identifier: Apache-2.0
// On which lines of a file a word is, in any of its forms and as a part of names:
// "fetches" is on a line with fetch_next().
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/mutex.h"
#include "references/code_file.h"

namespace sibyl::references {

class WordIndex {
 public:
  explicit WordIndex(const CodeFile& file);

  /// Sorted, from one; empty if the file does not have the word.
  const std::vector<std::size_t>& LinesOf(const std::string& stem) const;

  std::size_t line_count() const { return line_count_; }

 private:
  std::size_t line_count_ = 0;
  std::unordered_map<std::string, std::vector<std::size_t>> lines_;
};

/// Of versions that are asked more than once, by the ids of their content. Safe to
/// use from several threads.
class WordIndexes {
 public:
  std::shared_ptr<const WordIndex> Of(const CodeFile& file, const std::string& blob)
      SIBYL_EXCLUDES(mutex_);

 private:
  Mutex mutex_;
  std::map<std::string, std::shared_ptr<const WordIndex>> indexes_ SIBYL_GUARDED_BY(mutex_);
};

/// The stems of the words of a sentence that say something, each once.
std::vector<std::string> ContentStems(std::string_view prose);

}  // namespace sibyl::references
