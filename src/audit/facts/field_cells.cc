// SPDX-License-Identifier: Apache-2.0
// Claims of tables: a row about a GPU, an architecture or a toolkit, and a column that says what
// of.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "audit/facts/field_claims.h"
#include "base/one_of.h"
#include "base/strings.h"

namespace sibyl::audit {
namespace {

// A row about a GPU, an architecture or a toolkit, and a column that says what of.

enum class ColumnKind : std::uint8_t { kOther, kArchitecture, kToolkit, kDriver, kPtx };

struct Column {
  ColumnKind kind = ColumnKind::kOther;
  std::optional<FieldRelation> relation;  ///< Of a toolkit to the hardware of the row.
};

template <std::size_t N>
bool HasWord(const std::vector<std::string>& tokens, const std::array<std::string_view, N>& words) {
  return std::ranges::any_of(tokens,
                             [&](const std::string& token) { return IsOneOf(token, words); });
}

Column ReadColumn(std::string_view header) {
  const std::vector<std::string> tokens = PlainTokens(header);
  using Words = std::array<std::string_view, 8>;
  Column column;
  if (HasWord(tokens, Words{"driver", "drivers"})) {
    column.kind = ColumnKind::kDriver;
  } else if (HasWord(tokens, Words{"ptx"})) {
    column.kind = ColumnKind::kPtx;
  } else if (HasWord(tokens, Words{"capability", "cc", "sm", "arch", "architecture", "target",
                                   "generation"})) {
    column.kind = ColumnKind::kArchitecture;
  } else if (HasWord(tokens, Words{"cuda", "toolkit", "ctk"})) {
    column.kind = ColumnKind::kToolkit;
  }
  if (HasWord(tokens, Words{"first", "since", "introduced", "added", "earliest", "oldest"})) {
    column.relation = FieldRelation::kFirst;
  } else if (HasWord(tokens, Words{"min", "minimum", "needs", "required", "requires", "least"})) {
    column.relation = FieldRelation::kMinimum;
  } else if (HasWord(tokens, Words{"last", "until"})) {
    column.relation = FieldRelation::kLast;
  }
  return column;
}

// A bare number is what the column says: "8.9" below "Compute capability".
bool Interpret(Mention& mention, ColumnKind column) {
  if (mention.kind != MentionKind::kBare) return true;
  if (column == ColumnKind::kArchitecture && field::LifeOf(mention.architecture) != nullptr) {
    mention.kind = MentionKind::kArchitecture;
  } else if (column == ColumnKind::kToolkit) {
    mention.kind = MentionKind::kToolkit;
  } else if (column == ColumnKind::kPtx) {
    mention.kind = MentionKind::kPtx;
  }
  return mention.kind != MentionKind::kBare;
}

struct CellMention {
  MentionGroup group;
  bool is_all = false;  ///< The cell has nothing else.
};

std::optional<CellMention> ReadCell(std::string_view text, ColumnKind column) {
  std::vector<MentionGroup> groups = FindMentions(text);
  if (groups.empty()) {
    // "550" below "Driver", "90" below "SM".
    const std::string_view number = Trim(text);
    if (column == ColumnKind::kDriver) {
      if (auto driver = field::ParseDriverVersion(number)) {
        Mention mention{.kind = MentionKind::kDriver, .end = text.size(), .driver = *driver};
        return CellMention{{MentionKind::kDriver, {std::move(mention)}}, true};
      }
    }
    return std::nullopt;
  }
  for (Mention& mention : groups[0].all) {
    if (!Interpret(mention, column)) return std::nullopt;
  }
  groups[0].kind = groups[0].all[0].kind;
  const std::string_view before = Trim(text.substr(0, groups[0].begin()));
  const std::string_view behind = Trim(text.substr(groups[0].end()));
  constexpr std::array<std::string_view, 5> kBrands = {"", "NVIDIA", "GeForce", "Tesla", ">="};
  constexpr std::array<std::string_view, 4> kMore = {"", "+", "or newer", "or later"};
  const bool is_all = groups.size() == 1 && IsOneOf(before, kBrands) && IsOneOf(behind, kMore);
  return CellMention{std::move(groups[0]), is_all};
}

int Rank(MentionKind kind) {
  switch (kind) {
    case MentionKind::kProduct:
      return 0;
    case MentionKind::kGeneration:
      return 1;
    case MentionKind::kArchitecture:
      return 2;
    default:
      return 3;
  }
}

std::string_view HeaderOf(const statement::Statement& cell) {
  return cell.context.empty() ? std::string_view() : std::string_view(cell.context[0]);
}

// What a row is about: its products, else its generation, else its architecture; or its toolkit.
struct RowSubject {
  MentionGroup group;
  std::string_view text;
};

std::optional<RowSubject> SubjectOf(const statement::Statement& cell,
                                    const std::vector<const statement::Statement*>& row,
                                    const MentionGroup& value) {
  const bool is_of_toolkit = value.kind == MentionKind::kDriver || value.kind == MentionKind::kPtx;
  std::optional<RowSubject> subject;
  for (const statement::Statement* other : row) {
    if (other == &cell) continue;
    const Column column = ReadColumn(HeaderOf(*other));
    auto read = ReadCell(other->text, column.kind);
    if (!read || !read->is_all) continue;
    if (is_of_toolkit) {
      if (read->group.kind == MentionKind::kToolkit && read->group.all.size() == 1) {
        return RowSubject{std::move(read->group), other->text};
      }
      continue;
    }
    const int rank = Rank(read->group.kind);
    if (rank >= 3 || rank >= Rank(value.kind)) continue;
    if (!subject || rank < Rank(subject->group.kind)) {
      subject = RowSubject{std::move(read->group), other->text};
    }
  }
  return subject;
}

}  // namespace

std::vector<FieldClaim> ReadCellClaims(const statement::Statement& cell,
                                       const std::vector<const statement::Statement*>& row) {
  const Column column = ReadColumn(HeaderOf(cell));
  if (column.kind == ColumnKind::kOther) return {};
  std::optional<CellMention> value = ReadCell(cell.text, column.kind);
  if (!value) return {};
  FieldClaim claim{.value = value->group, .is_clear = value->is_all};
  switch (value->group.kind) {
    case MentionKind::kArchitecture:
    case MentionKind::kGeneration:
      claim.relation = FieldRelation::kIs;
      if (std::ranges::any_of(value->group.all, &Mention::is_range)) return {};
      break;
    case MentionKind::kToolkit:
      claim.relation = column.relation.value_or(FieldRelation::kFirst);
      claim.is_clear = claim.is_clear && column.relation && value->group.all.size() == 1;
      break;
    case MentionKind::kDriver:
      claim.relation = FieldRelation::kDriver;
      claim.is_clear = claim.is_clear && column.relation == FieldRelation::kMinimum &&
                       LowerCase(HeaderOf(cell)).find("windows") == std::string::npos;
      break;
    case MentionKind::kPtx:
      claim.relation = FieldRelation::kPtx;
      break;
    default:
      return {};
  }
  std::optional<RowSubject> subject = SubjectOf(cell, row, value->group);
  if (!subject || std::ranges::any_of(subject->group.all, &Mention::is_range)) return {};
  claim.subject = std::move(subject->group);
  claim.subject_text = subject->text;
  return {std::move(claim)};
}

}  // namespace sibyl::audit
