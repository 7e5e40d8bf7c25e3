// SPDX-License-Identifier: Apache-2.0
// Splits a model's answer into units that can pass or fail separately. The
// result is plain: no headings, no links, no HTML, no footnotes by the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::draft {

enum class WrittenKind : std::uint8_t { kSentence, kItem, kQuote, kRow, kCode };

struct ModelUnit {
  WrittenKind kind = WrittenKind::kSentence;
  /// One line of Markdown without citation marks, safe at the start of a line;
  /// for code its lines unchanged.
  std::string text;
  std::string info;                ///< For code: its language; one word.
  std::vector<std::string> marks;  ///< Keys as they were written, "kbcdfghjk:3-5".
  std::size_t group = 0;           ///< Sentences of one paragraph, rows of one table.
  std::size_t id = 0;              ///< Unique among the statements of a page (manuscript.h).
  bool is_bound = false;           ///< It leads in what follows, and has the keys of that.
  std::size_t step = 0;            ///< Its number in a numbered list; zero: it has none.
};

/// Text that cannot be used as a statement, and why.
struct Unused {
  std::string text;
  std::string reason;
};

/// Table rows are without their header: `table_heads[group]` has it.
struct ModelPoint {
  std::vector<ModelUnit> units;
  std::vector<std::vector<std::string>> table_heads;  ///< By group; empty for other groups.
  bool is_contradicted = false;   ///< The model says that the passages show that it is wrong.
  std::vector<std::string> asks;  ///< Lines that it wants to see: "kbcdfghjk:40-120".
  std::vector<Unused> unused = {};
  std::vector<std::string> headings = {};  ///< Its own, and titles behind "=== 2".
  std::string why_silent = {};  ///< Why the model wrote nothing; empty if it found nothing.
};

/// The units of a point that are not among those left out, by their identities.
std::vector<std::size_t> KeptUnits(const ModelPoint& point, const std::set<std::size_t>& left_out);

struct ModelText {
  std::vector<ModelPoint> points;
  std::vector<std::string> stray;              ///< Lines that belong to no point; one line each.
  bool has_points = false;                     ///< It has at least one line that separates points.
  std::optional<std::size_t> last_point = {};  ///< To which its last lines belong.
};

/// The pieces of the answer by point number: the text after a line "=== 2". Slips
/// of form are understood: "**=== 2**", a fence around everything, headings
/// instead of these lines, keys in other brackets.
ModelText ReadModelText(std::string_view answer, std::size_t points);

/// The rest of an answer that was cut in the text of this point, from zero: it may go on
/// without the line of the point, and in a table without its head.
ModelText ReadRest(std::string_view answer, std::size_t point,
                   const std::vector<std::string>& table_head, std::size_t points);

/// Takes away the last statement of an answer that ended at a limit: it may be cut.
std::optional<ModelUnit> TakeLastUnit(ModelText& text);

/// What an answer puts in the place of one failed statement.
struct ModelRepair {
  std::vector<ModelUnit> units;
  std::vector<Unused> unused;
  bool is_dropped = false;  ///< The answer says that it is to be dropped.
};

struct ModelRepairs {
  /// By statement, from zero: absent if the answer does not mention it.
  std::vector<std::optional<ModelRepair>> of;
  ModelText more;                        ///< Points that were written once more.
  std::optional<std::size_t> last = {};  ///< The statement that its last lines correct.
};

/// `failed` are the statements in the order of their numbers; what replaces one has
/// its group, and its kind unless it is code.
ModelRepairs ReadRepairs(std::string_view answer, const std::vector<const ModelUnit*>& failed,
                         std::size_t points);

/// The words "NOT FOUND", with which a model says that the passages do not
/// answer the point; that they show that it is wrong; and the beginning of a
/// line that asks for more lines.
inline constexpr std::string_view kModelNotFound = "NOT FOUND";
inline constexpr std::string_view kModelContradicted = "CONTRADICTED";
inline constexpr std::string_view kModelMore = "MORE";

}  // namespace sibyl::draft
