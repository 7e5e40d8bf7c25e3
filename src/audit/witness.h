// SPDX-License-Identifier: Apache-2.0
// Looks things up in the pinned sources: where does exactly this word occur,
// which names start with this prefix, does this file exist. Each answer has a
// location.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/source_names.h"
#include "base/mutex.h"
#include "index/rank/searcher.h"

namespace sibyl::audit {

/// A source as answers name it.
struct WitnessSource {
  std::string name;                        ///< That of its index.
  std::string pin;                         ///< "03676b0"
  std::string origin;                      ///< Its repository's name is an alias.
  std::vector<std::string> known_as = {};  ///< More names, from sibyl.toml.
};

struct Sighting {
  std::size_t source = 0;  ///< Into Witness::sources().
  std::string path;
  std::size_t line = 0;
  std::string text;  ///< The line, without its end.
  index::PassageRef passage = {};
};

/// Borrows the searcher. Thread-safe; results are cached.
class Witness {
 public:
  Witness(const index::Searcher& searcher, std::vector<WitnessSource> sources);
  ~Witness();

  const std::vector<WitnessSource>& sources() const { return sources_; }

  /// All names by which a text may refer to the source; read at the first call.
  const std::vector<SourceName>& NamesOf(std::size_t source) const;
  bool IsKnownAs(std::size_t source, std::string_view name) const;

  /// Where exactly this whole word occurs; only in the given source, if there
  /// is one.
  std::optional<Sighting> FindWord(std::string_view word,
                                   std::optional<std::size_t> source = {}) const;

  /// All such places, up to `limit`, until `visit` returns false.
  using Visitor = std::function<bool(const Sighting&)>;
  void VisitWord(std::string_view word, std::optional<std::size_t> source, std::size_t limit,
                 const Visitor& visit) const;

  /// Where the text occurs within a passage, with word boundaries at its ends.
  std::optional<Sighting> FindText(std::string_view text,
                                   std::optional<std::size_t> source = {}) const;

  /// Lines that have all of the words (given in lower case), ignoring case,
  /// until `visit` returns false. Visits at most so many passages of each
  /// segment; false if there are more.
  bool VisitLines(const std::vector<std::string>& lower_words, std::size_t max_passages,
                  const Visitor& visit) const;

  /// How many passages have the word, ignoring case.
  std::size_t CountPassages(std::string_view lower_word,
                            std::optional<std::size_t> source = {}) const;

  /// The best place to read about a name: where it is defined or documented.
  std::optional<Sighting> BestPlace(std::string_view name,
                                    std::optional<std::size_t> source = {}) const;

  struct Found {
    std::string where;
    std::string text;
  };
  /// The passages that answer a question best.
  std::vector<Found> Search(std::string_view question, std::size_t limit) const;

  /// Whole words of a source, in lower case, that start with `prefix` (lower
  /// case); in byte order, up to `limit`.
  std::vector<std::string> NamesWithPrefix(std::size_t source, std::string_view prefix,
                                           std::size_t limit) const;

  /// Whole words of a source, in lower case, that contain `part` (lower case,
  /// three bytes or more).
  std::vector<std::string> NamesContaining(std::size_t source, std::string_view part,
                                           std::size_t limit) const;

  /// A word of a source as it is written there.
  struct Spelled {
    std::string word;
    Sighting sighting;
  };
  std::optional<Spelled> FindSpelling(std::string_view lower_word, std::size_t source) const;

  /// The passage of a sighting, and its first line.
  std::string PassageOf(const Sighting& sighting, std::size_t& first_line) const;

  struct File {
    std::size_t source = 0;
    std::string path;
    std::uint32_t part = 0;  ///< Of the searcher.
    std::uint32_t document = 0;
  };
  struct Folder {
    std::size_t source = 0;
    std::string path;
  };
  /// Files whose path is `path` or ends with "/" + `path`.
  std::vector<File> FindFiles(std::string_view path) const;
  /// Whether a source has files in the folder, a path from its root.
  bool HasFolder(std::size_t source, std::string_view folder) const;
  bool HasFile(std::size_t source, std::string_view path) const;
  /// Folders of a source whose last component is `name`.
  std::vector<std::string> FindFolders(std::size_t source, std::string_view name) const;
  /// The names of the files right in the folder.
  std::vector<std::string> FilesIn(std::size_t source, std::string_view folder) const;
  std::vector<std::string> FilesAtRoot(std::size_t source) const;
  /// The names of the folders right in the folder; "" is the root.
  std::vector<std::string> FoldersIn(std::size_t source, std::string_view folder) const;

  std::string ReadText(const File& file) const;

  /// "cmake@03676b0 Help/variable/X.rst:12"
  std::string Show(const Sighting& sighting) const;
  std::string Show(const File& file) const;
  std::string ShowSource(std::size_t source) const;

 private:
  struct Paths;
  const Paths& paths() const;
  Sighting MakeSighting(std::uint32_t part, std::uint32_t passage, std::string_view text,
                        std::size_t at) const;

  const index::Searcher& searcher_;
  std::vector<WitnessSource> sources_;
  std::vector<std::size_t> source_of_part_;
  mutable Mutex mutex_;
  mutable std::unique_ptr<Paths> paths_ SIBYL_GUARDED_BY(mutex_);
  mutable std::map<std::string, std::optional<Sighting>, std::less<>> words_
      SIBYL_GUARDED_BY(mutex_);
  mutable std::once_flag names_once_;
  mutable std::vector<std::vector<SourceName>> names_;  // of each source
};

}  // namespace sibyl::audit
