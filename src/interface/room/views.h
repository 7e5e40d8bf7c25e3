// SPDX-License-Identifier: Apache-2.0
// The pages of the reading room that only a server has: searching, asking,
// reading sources, watching runs, checking texts, measurements. Each from the
// answers of operations.
#pragma once

#include <string>
#include <string_view>

#include "base/json.h"
#include "interface/room/page_html.h"
#include "interface/room/text/html.h"

namespace sibyl::interface {

struct SearchForm {
  std::string query;
  std::string source = {};
  std::string language = {};
  std::string mode = {};  ///< "", "cards", "regex"
  std::size_t most = 20;  ///< Results that are shown of each kind.

  /// The address of the same search with so many results.
  std::string Address(const RoomStyle& style, std::size_t count) const;
};

/// Of `search`: what was found in the mode of the form, and for passages also the
/// cards of the same words, which may be null.
struct SearchAnswers {
  const Json& found;
  const Json& cards;
};
/// The hits, cards or matches.
Html SearchPart(const RoomStyle& style, const SearchForm& form, const SearchAnswers& answers);
/// `answer` is null before anything was asked; `sources` from `source list`.
std::string SearchPage(const RoomStyle& style, const SearchForm& form, const Json& sources,
                       const Html& results);

std::string AskPage(const RoomStyle& style, const std::string& question, const Json& answer);

/// From `source list`.
std::string SourcesPage(const RoomStyle& style, const Json& sources);
/// From `source files`.
std::string FolderPage(const RoomStyle& style, const Json& folder);
/// From `source read --plain` and `source outline`, which may be null.
struct SourceAnswers {
  const Json& text;
  const Json& outline;
  const Json* marked = nullptr;  ///< `source read` of the lines that are marked, if some are.
  std::size_t first = 0;         ///< The lines that are marked; 0: none.
  std::size_t last = 0;
  std::string note = {};  ///< Which version of the file it is, if it is not that of the pin.
};
std::string SourcePage(const RoomStyle& style, const SourceAnswers& answers);

/// What the board offers to whoever has the token.
struct BoardActions {
  std::string running_here = {};  ///< The plan whose run was started by this server.
  std::string failure = {};       ///< Why the last one could not be started.
  bool can_start = false;
};
/// From `status --all`, and from `status --run`, with planned against delivered;
/// the parts that are sent again when they change.
Html BoardPart(const RoomStyle& style, const Json& status, const BoardActions& actions);
Html RunPart(const RoomStyle& style, const Json& status, const BoardActions& actions);
/// `run` is the number of the run that the board shows; empty: all.
std::string RunsPage(const RoomStyle& style, const std::string& run, const std::string& board);

/// What was checked; `audit` and `inspect` may be null.
struct CheckAnswers {
  std::string text = {};   ///< What was pasted: it stays in its box.
  const Json& audit;       ///< Of `audit`, with an error in "error".
  const Json& inspection;  ///< Of `inspect`, the same.
  const Json& sources;     ///< Of `source list`, for links to them; may be null.
  std::string kind = {};   ///< "markdown", "artifact"
  std::string gpu = {};
  std::string driver = {};
  std::string name = {};   ///< Of an artifact, where it is known.
  std::string lines = {};  ///< Of an artifact that is text.
};
std::string CheckPage(const RoomStyle& style, const CheckAnswers& answers);

/// From `lab results`.
std::string LabsPage(const RoomStyle& style, const Json& runs);
/// From `lab results RUN`.
std::string LabPage(const RoomStyle& style, const Json& run);
/// From `lab compare`.
std::string LabComparePage(const RoomStyle& style, const Json& compared);

/// "cmake Help/x.rst:8-13" linked to the source browser, with the citation to copy.
Html PlaceLine(const RoomStyle& style, const Json& hit);

}  // namespace sibyl::interface
