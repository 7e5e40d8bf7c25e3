// SPDX-License-Identifier: Apache-2.0
// Decides whether a code citation still holds, and where its lines are now.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "references/citation_status.h"
#include "references/decide_status.h"
#include "references/kept/document_versions.h"
#include "references/kept/git_log.h"
#include "references/past/line_map.h"
#include "references/past/past_lines.h"
#include "references/place/suggest.h"
#include "references/reference.h"
#include "references/repository.h"
#include "references/tree_index.h"
#include "references/word_index.h"

namespace sibyl::references {

struct Judged {
  CitationStatus status = CitationStatus::kUndecided;
  Target target;                     ///< With the path in the repository, if it is known.
  std::optional<Target> suggestion;  ///< Where it is now.
  bool is_certain = false;           ///< The suggestion may be written without being read.
  std::string symbol;                ///< The name that decided; may be empty.
  std::string commit;                ///< In which the citation was written; may be empty.
  std::string reason;                ///< One sentence for people.
  /// Whether the lines had what is claimed when the citation was written; nothing if
  /// there is nothing to compare.
  std::optional<bool> held_then;
  bool depends_on_tree = false;  ///< All files of the repository were searched.
};

/// Files that do not exist but are of this repository.
struct AbsentFiles {
  const LostFiles& lost;
  std::set<std::string, std::less<>> ignored;  ///< Paths that git ignores.
};

/// What was found out about versions of files, for all citations.
struct ComparedVersions {
  LineMaps maps;
  WordIndexes words;
};

/// "src/.rs" of src/a.rs; empty for a file without a folder or an extension.
std::string KindOfPlace(std::string_view path);

class Judge {
 public:
  /// All are borrowed. `absent` may be null: then a file that does not exist is
  /// taken for one of another project.
  Judge(const Repository& repository, const TreeIndex& index, ComparedVersions& versions,
        const AbsentFiles* absent)
      : repository_(repository), index_(index), compared_(versions), absent_(absent) {}

  /// Nothing: the file is not of this repository.
  std::optional<Judged> Decide(const CitingDocument& document, const Reference& reference) const;

  /// A file's path, and those that it had before.
  std::vector<std::string> NamesOf(const std::string& path) const;

 private:
  /// Of several files of a name, the only one when the citation was written; empty
  /// if there is none.
  std::string OnlyFileThen(const CitingDocument& document, const Reference& reference) const;
  /// Of several files of a name, those whose lines had what is claimed.
  std::vector<std::string> HoldingThen(const std::vector<std::string>& candidates,
                                       const CitingDocument& document,
                                       const Reference& reference) const;
  /// Whether a link to another owner's repository is to this one.
  bool IsForkOf(const Reference& reference) const;
  /// Whether the path was that of a file when the citation was written, and only its end is
  /// that of a file now.
  bool HasMovedAway(const std::string& file, const CitingDocument& document,
                    const Reference& reference) const;
  Judged DecideMoved(const std::string& file, const CitingDocument& document,
                     const Reference& reference) const;
  /// Whether the file has the symbol of `parse_header:30`, now or when it was written.
  bool HasSymbol(const std::string& file, const CitingDocument& document,
                 const Reference& reference) const;
  /// Whether a file that is only guessed has what is claimed, now or when it was written.
  bool IsConfirmed(const std::string& file, const CitingDocument& document,
                   const Reference& reference) const;
  /// The file that a name without folders meant when it was written, if it does not exist
  /// any more; empty otherwise.
  std::string LostFileMeant(const std::vector<std::string>& candidates,
                            const CitingDocument& document, const Reference& reference) const;
  /// "`sender.Tick()` (line 20)": in the only file that defines what is called.
  std::optional<Judged> DecideByCall(const CitingDocument& document,
                                     const Reference& reference) const;
  /// In the only file that defines it; nothing if there is none.
  std::optional<Judged> DecideBySymbol(const CitingDocument& document,
                                       const Reference& reference) const;
  std::optional<Judged> DecidePermalink(const Reference& reference) const;
  std::optional<Judged> DecideMissing(const CitingDocument& document,
                                      const Reference& reference) const;
  /// For a file that the history does not have: whether it is of this repository.
  bool DecideUnknown(const CitingDocument& document, const Reference& reference,
                     Judged& judged) const;
  /// Whether the name beside the citation is nowhere in the repository, and nothing
  /// else of the sentence is in the lines.
  bool IsInvented(const Reference& reference, const SeenIn& now, const TreeFile& file,
                  const PastLines* then) const;
  struct Renamed {
    const std::string& before;
    const std::string& now;
  };
  /// Where the cited lines are in a file that was renamed; whole if it is not known.
  LineRange FollowRenamed(const Renamed& file, const CitingDocument& document,
                          const Reference& reference) const;
  /// A citation of a file that exists.
  struct CitedFile {
    const std::string& file;
    const Reference& reference;
    const TreeFile& now;
    const Sighting& sighting;
    const PastLines* then;  ///< May be null.
  };
  /// Where the lines are now, if the citation fails; decides it by earlier versions
  /// if it is open.
  void SuggestPlace(const CitedFile& cited, Judged& judged) const;
  /// By the claim, the lines now and the lines when it was written.
  void DecideByLines(const Reference& reference, const TreeFile& now, const Sighting& sighting,
                     const PastLines* then, Judged& judged) const;
  Judged DecideInFile(const std::string& file, const CitingDocument& document,
                      const Reference& reference) const;
  bool FailedWhenWritten(const std::string& file, const CitingDocument& document,
                         const Reference& reference) const;
  /// Whether the document or the file cannot be read as they were when the citation
  /// was written: objects are missing.
  bool IsHistoryMissing(const std::string& file, const CitingDocument& document,
                        const Reference& reference) const;
  /// How many lines the file had when the citation was written, if those were too
  /// few; otherwise zero.
  std::size_t MostLinesThen(const std::string& file, const CitingDocument& document,
                            const Reference& reference) const;
  /// Where nothing is said about a citation: the version in which the lines had
  /// words of the section, if they are elsewhere now.
  std::optional<PastLines> FindBySection(const std::string& file, const CitingDocument& document,
                                         const Reference& reference) const;
  CitationStatus AskWords(const Reference& reference, const TreeFile& now, const PastLines* then,
                          const NamesSaid& names) const;

  const Repository& repository_;
  const TreeIndex& index_;
  ComparedVersions& compared_;
  const AbsentFiles* absent_;
};

}  // namespace sibyl::references
