// SPDX-License-Identifier: Apache-2.0
// Start here: a draft is a writer's page for one part of a plan, before the
// gate has checked it. It contains the whole text of the knowledge file as it
// would be published, and what the text claims to cover, so that the claim can
// be checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::draft {

/// How a section was written; shown in the stamp of the file.
enum class Making : std::uint8_t {
  kExtracted,
  kModelWritten,
  kAgentWritten,
  kMeasured,
  kInspected
};

/// "extracted", "model-written", …
std::string_view MakingName(Making making);

/// Where the oracle or the text covers a point, or why it does not.
struct Coverage {
  std::string point;                 ///< In the plan's words.
  std::optional<std::string> where;  ///< "1.2", or a link to knowledge that exists; nothing: open.
  std::string nearest;               ///< For an open point: the nearest passage, for people.
  bool is_contradicted = false;      ///< The text says that the point is wrong.
};

/// What kept something that was written from the page.
enum class LossKind : std::uint8_t {
  kForm,       ///< It could not be read as a statement about a point.
  kKey,        ///< It cites none of the passages that its writer was shown.
  kWords,      ///< The cited lines do not have its words.
  kGate,       ///< The gate refused it.
  kJudge,      ///< The judge did not confirm it.
  kLines,      ///< The plan gives no more lines.
  kPart,       ///< The whole page failed.
  kCorrected,  ///< Not a loss: its writer put something else in its place.
};

/// "form", "key", "words", "gate", "judge", "lines", "part", "corrected"
std::string_view LossName(LossKind kind);
std::optional<LossKind> ParseLoss(std::string_view name);

/// What a writer wrote and the page does not have.
struct Omission {
  std::string point;   ///< In the plan's words; empty for text that belongs to none.
  std::string text;    ///< One line.
  std::string reason;  ///< For people.
  LossKind kind = LossKind::kGate;
};

struct DraftSection {
  std::string title;
  Making making = Making::kExtracted;
  std::optional<std::size_t> line_budget;  ///< The most lines that the plan gave it.
  std::vector<Coverage> points;
};

/// A source that the text cites, by its pin.
struct UsedSource {
  std::string name;
  std::string pin;  ///< "4f2a91c": as the stamp and the drop show it.
  std::string origin;
  std::size_t citations = 0;
};

struct Draft {
  std::string path;   ///< In the oracle: "cuda/16-cupti.md".
  std::string title;  ///< Without the mark of the heading.
  std::string text;
  std::optional<std::size_t> line_budget;
  std::vector<DraftSection> sections;
  std::vector<UsedSource> sources;       ///< In the order of their names.
  std::vector<std::string> keywords;     ///< For the index pages; best first.
  std::vector<Omission> omissions = {};  ///< For the report; not in the text.
};

/// "extract", "llm" or "agent": the writer, as named in the drop. Any section
/// that was not extracted determines it.
std::string WriterOf(const Draft& draft);

std::size_t PointCount(const Draft& draft);
std::size_t CoveredCount(const Draft& draft);

}  // namespace sibyl::draft
