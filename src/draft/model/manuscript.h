// SPDX-License-Identifier: Apache-2.0
// Everything that a model wrote for a page, and what became of it. A statement that
// comes in here is on the page in the end, or among the losses with its text and the
// reason; there is no third place.
#pragma once

#include <compare>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "draft/draft.h"
#include "draft/extract/gather.h"
#include "draft/model/model_text.h"

namespace sibyl::draft {

/// Why a statement is not on the page.
struct Refusal {
  LossKind kind = LossKind::kForm;
  std::string reason;
};

/// Where a statement is among the points.
struct UnitPlace {
  std::size_t section = 0;
  std::size_t point = 0;
  std::size_t unit = 0;
};

/// Where the head of a table is: its rows are the units of this group.
struct HeadPlace {
  std::size_t section = 0;
  std::size_t point = 0;
  std::size_t group = 0;
  auto operator<=>(const HeadPlace&) const = default;  // NOLINT: clang-tidy 14 sees a 0
};

class Manuscript {
 public:
  /// The points as they were gathered. Once, first.
  void Begin(const Gathered& gathered);

  /// Takes an answer about a section: statements to its points, everything else to the
  /// losses.
  void Keep(std::size_t section, ModelText text);
  /// The same for what goes on where an answer ended: repeated statements are passed
  /// over.
  void KeepRest(std::size_t section, ModelText text);

  /// Puts a correction in the place of a statement, or takes it away: then false.
  bool Replace(const UnitPlace& place, std::optional<ModelRepair> by, const Refusal& why);
  /// Puts a correction in the place of the head of a table; false if it does not have its
  /// columns.
  bool ReplaceHead(const HeadPlace& place, std::optional<ModelRepair> by, const Refusal& why);
  /// Adds a line by the program after a statement.
  void AddOwn(const UnitPlace& place, std::string text);
  void Refuse(const UnitPlace& place, Refusal why);
  /// A loss that never was a statement of a point.
  void Note(std::size_t section, std::optional<std::size_t> point, std::string text, Refusal why);
  void NoteOfPage(std::string text, Refusal why);
  /// Says why nothing was written about a point.
  void ExplainSilence(std::size_t section, std::size_t point, std::string why) {
    points_[section][point].why_silent = std::move(why);
  }

  const std::vector<std::vector<ModelPoint>>& points() const { return points_; }
  ModelPoint& PointOf(const UnitPlace& place) { return points_[place.section][place.point]; }
  std::vector<ModelPoint>& PointsOf(std::size_t section) { return points_[section]; }
  const ModelPoint& PointOf(const UnitPlace& place) const {
    return points_[place.section][place.point];
  }
  const ModelUnit& UnitAt(const UnitPlace& place) const { return PointOf(place).units[place.unit]; }
  /// The point in the plan's words.
  const std::string& TitleAt(const UnitPlace& place) const {
    return titles_[place.section].points[place.point];
  }

  /// The head of a table as a statement with the keys of its rows that are kept, and the
  /// first of these rows.
  struct Head {
    ModelUnit unit;
    std::string first_row;
  };
  Head HeadAt(const HeadPlace& place) const;

  /// Identities of the statements that are not to be written.
  const std::set<std::size_t>& refused() const { return refused_; }

  bool IsOwn(const UnitPlace& place) const { return records_[UnitAt(place).id].is_own; }

  /// Calls it for each statement that was not refused, in the order of the page, with
  /// all of its point and its place among them. It may refuse.
  using Take = std::function<void(const UnitPlace& place, const std::vector<std::size_t>& kept,
                                  std::size_t at)>;
  void ForEachKept(const Take& take) const;

  /// Whether it refers to the statement before it ("It", "These", "The latter"), which
  /// was written and is not among those of `shown`.
  bool IsOrphan(const UnitPlace& place, const std::set<std::size_t>& shown) const;

  /// The statement before it on the page, or the head of its table.
  std::string Before(const UnitPlace& place) const;

  /// What was written and is not on the page: all statements but those of `shown`, and
  /// the notes, in the order of the page. `otherwise` is the reason of those that
  /// nothing refused.
  std::vector<Omission> Losses(const std::set<std::size_t>& shown, const Refusal& otherwise) const;

 private:
  struct Titles {
    std::string section;
    std::vector<std::string> points;
    std::vector<bool> is_covered;
  };
  // Of a statement, by its identity, or of a note.
  struct Record {
    std::size_t section = 0;
    std::size_t point = 0;  // one beyond the last: of none
    std::string text;
    std::optional<Refusal> refusal;
    bool is_own = false;  // a line of the program
  };

  enum class Repeats : std::uint8_t { kAreKept, kArePassedOver };
  void TakeText(std::size_t section, ModelText text, Repeats repeats);
  void TakePoint(std::size_t section, std::size_t point, ModelPoint added, Repeats repeats);
  std::size_t Open(std::size_t section, std::size_t point, std::string text);
  void Close(std::size_t id, Refusal why);
  std::vector<Omission> LostHeads(const ModelPoint& point, const std::set<std::size_t>& shown,
                                  const Refusal& otherwise) const;

  std::vector<Titles> titles_;
  std::vector<std::vector<ModelPoint>> points_;
  std::vector<Record> records_;
  std::set<std::size_t> refused_;
};

/// Whether a sentence or an item cannot be read without the one before it.
bool RefersBack(std::string_view text);

/// Whether a heading in an answer repeats what the plan calls a section or a point.
bool IsTitleOf(std::string_view heading, std::string_view title);

}  // namespace sibyl::draft
