// SPDX-License-Identifier: Apache-2.0
// Finds the commits in which a citation was written.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "git/object_id.h"
#include "references/kept/git_log.h"
#include "references/reference.h"
#include "references/repository.h"

namespace sibyl::references {

/// A document with its versions, read once for all its citations.
class DocumentVersions {
 public:
  DocumentVersions(const Repository& repository, std::vector<DocumentVersion> versions);

  /// Whether a version of the document cannot be read, as in a partial clone; after
  /// WrittenIn.
  bool has_gaps() const { return has_gaps_; }

  /// The document says that it was written for this commit, or at its date; counts
  /// last.
  void Pin(const git::ObjectId& commit) { pinned_ = commit; }

  /// The commits in which a citation may have been written: where its text first
  /// appears, where its line got its words, and their first parents.
  std::vector<git::ObjectId> WrittenIn(std::string_view document, const Reference& reference);

 private:
  struct Text {
    std::string bytes;
    std::vector<std::size_t> lines;  ///< Sorted hashes of the lines without blanks.
    /// The lines that have numbers, by what else they say.
    std::unordered_multimap<std::size_t, std::string_view> wordings = {};
    /// The lines that have a number, by the number: only those can have a citation.
    std::unordered_map<std::string_view, std::vector<std::string_view>> numbers = {};
  };
  const Text& TextOf(std::size_t version);
  /// A line of the document now, and which of its numbers a citation starts with.
  struct Written {
    std::size_t line = 0;     ///< The hash of the line without blanks.
    std::size_t wording = 0;  ///< The hash without its numbers.
    std::size_t number = 0;   ///< How many numbers the line has before.
  };
  static bool HasCitation(const Text& text, const Reference& reference, const Written& written);
  std::vector<git::ObjectId> FindWritten(std::string_view document, const Reference& reference);

  const Repository& repository_;
  std::vector<DocumentVersion> versions_;  // newest first
  std::vector<std::optional<Text>> texts_;
  std::optional<git::ObjectId> pinned_;
  bool has_gaps_ = false;
  /// What WrittenIn answered, by where the citation and its lines begin.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<git::ObjectId>> known_;
};

}  // namespace sibyl::references
