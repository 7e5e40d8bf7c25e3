// SPDX-License-Identifier: Apache-2.0
#include "audit/facts/field_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "audit/facts/field_claims.h"
#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::audit {
namespace {

using field::ArchitectureLife;
using field::CudaVersion;

// The rows of the table that a mention stands for, without variants unless it names one.
std::vector<const ArchitectureLife*> RowsOf(const Mention& mention) {
  std::vector<const ArchitectureLife*> rows;
  if (mention.kind == MentionKind::kGeneration) {
    for (const ArchitectureLife& life : field::Architectures()) {
      const bool is_plain = life.architecture.suffix == 0;
      if (is_plain && life.generation == mention.generation) rows.push_back(&life);
    }
    return rows;
  }
  const field::Architecture architecture =
      mention.product != nullptr ? field::Architecture{.number = mention.product->number}
                                 : mention.architecture;
  const ArchitectureLife* row = field::LifeOf(architecture);
  if (row == nullptr) row = field::LifeOf(architecture.number);
  if (row != nullptr) rows.push_back(row);
  return rows;
}

// What the table has for a claim: whether it agrees, and what it says instead.
struct Answer {
  std::optional<bool> agrees;  ///< Nothing: the table does not decide it.
  std::string truth;           ///< "sm_89"
  std::string receipt;
};

std::string NamesOf(const std::vector<const ArchitectureLife*>& rows) {
  std::vector<std::string> names;
  names.reserve(rows.size());
  for (const ArchitectureLife* row : rows) names.push_back(Format(row->architecture));
  return Join(names, ", ");
}

Answer CompareIdentity(const Mention& subject, const Mention& value) {
  const std::vector<const ArchitectureLife*> rows = RowsOf(subject);
  if (rows.empty()) return {};
  Answer answer{.receipt = subject.product != nullptr ? Show(subject.product->receipts)
                                                      : Show(rows[0]->receipts)};
  if (value.kind == MentionKind::kGeneration) {
    answer.truth = rows[0]->generation;
    answer.agrees = rows[0]->generation == value.generation;
  } else {
    answer.truth = NamesOf(rows);
    answer.agrees = std::ranges::any_of(rows, [&](const ArchitectureLife* row) {
      return row->architecture.number == value.architecture.number;
    });
  }
  const bool is_sure = subject.product == nullptr || subject.product->receipts.is_confirmed;
  if (!*answer.agrees && !is_sure) answer.agrees.reset();
  return answer;
}

// "-arch=sm_80 for the A10" is right too: code for an older minor version runs.
bool Runs(const Mention& subject, const Mention& value) {
  return std::ranges::any_of(RowsOf(subject), [&](const ArchitectureLife* row) {
    return row->architecture.major() == value.architecture.major() &&
           row->architecture.number >= value.architecture.number;
  });
}

// The only toolkit version that all rows have, by a member.
std::optional<CudaVersion> Common(const std::vector<const ArchitectureLife*>& rows,
                                  CudaVersion ArchitectureLife::*member) {
  std::set<CudaVersion> all;
  for (const ArchitectureLife* row : rows) all.insert(row->*member);
  if (all.size() != 1) return std::nullopt;
  return *all.begin();
}

Answer CompareFirst(const Mention& subject, const Mention& value, FieldRelation relation) {
  const std::vector<const ArchitectureLife*> rows = RowsOf(subject);
  if (rows.empty()) return {};
  const ArchitectureLife* first = *std::ranges::min_element(rows, {}, &ArchitectureLife::first);
  Answer answer{.truth = "CUDA " + Format(first->first), .receipt = Show(first->receipts)};
  const bool is_sure = std::ranges::all_of(
      rows, [](const ArchitectureLife* row) { return row->receipts.is_confirmed; });
  const CudaVersion said = value.version;
  if (value.is_major) {
    if (said == first->first) answer.agrees = true;
    if (is_sure && said.major < first->first.major) answer.agrees = false;
    return answer;
  }
  if (said == first->first) {
    answer.agrees = true;
  } else if (is_sure && (said < first->first || (relation != FieldRelation::kMinimum &&
                                                 Common(rows, &ArchitectureLife::first)))) {
    answer.agrees = false;
  }
  // A newer one that the rest of the generation starts with.
  if (answer.agrees == false && relation == FieldRelation::kFirst && rows.size() > 1 &&
      std::ranges::any_of(rows, [&](const auto* row) { return row->first == said; })) {
    answer.agrees.reset();
  }
  return answer;
}

Answer CompareLast(const Mention& subject, const Mention& value, FieldRelation relation) {
  const std::vector<const ArchitectureLife*> rows = RowsOf(subject);
  const std::optional<CudaVersion> last = Common(rows, &ArchitectureLife::last);
  if (rows.empty() || !last) return {};
  Answer answer{.receipt = Show(rows[0]->receipts)};
  if (*last == CudaVersion{}) {
    answer.truth = "still supported";
    answer.agrees = false;
    return answer;
  }
  const auto all = field::Toolkits();
  const auto found = std::ranges::find(all, *last, &field::Toolkit::version);
  if (found == all.end() || found == all.begin()) return {};
  const CudaVersion next = std::prev(found)->version;
  if (relation == FieldRelation::kLast) {
    answer.truth = "CUDA " + Format(*last);
    answer.agrees = value.is_major ? value.version.major == last->major : value.version == *last;
  } else {
    answer.truth = fmt::format("CUDA {} is the last one", Format(*last));
    answer.agrees = value.is_major ? value.version.major == next.major : value.version == next;
  }
  return answer;
}

// The driver that a toolkit brings, and the oldest one that runs its major version, are both
// called the driver that it needs.
Answer CompareDriver(const Mention& subject, const Mention& value) {
  const field::Toolkit* toolkit = field::FindToolkit(subject.version);
  if (toolkit == nullptr || toolkit->floor.empty()) return {};
  const auto floor = field::ParseDriverVersion(toolkit->floor);
  const auto full = field::ParseDriverVersion(toolkit->driver);
  Answer answer{
      .truth = subject.is_major || toolkit->floor == toolkit->driver
                   ? std::string(toolkit->floor)
                   : fmt::format("{}, or {} with all features", toolkit->floor, toolkit->driver),
      .receipt = Show(toolkit->receipts)};
  const auto is_prefix = [&](std::string_view driver) {
    return driver.starts_with(value.driver.text) &&
           (driver.size() == value.driver.text.size() || driver[value.driver.text.size()] == '.');
  };
  const std::uint32_t branch = value.driver.parts[0];
  if (is_prefix(toolkit->floor) || (!subject.is_major && is_prefix(toolkit->driver))) {
    answer.agrees = true;
  } else if (branch < floor->parts[0] || (subject.is_major && branch > floor->parts[0] + 2)) {
    answer.agrees = false;
  } else if (branch != floor->parts[0] && !subject.is_major &&
             (branch < full->parts[0] || branch > full->parts[0] + 2) &&
             toolkit->receipts.is_confirmed) {
    // Drivers for Windows have numbers that are a little higher.
    answer.agrees = branch < floor->parts[0] + 3 ? std::nullopt : std::optional<bool>(false);
  }
  return answer;
}

// Updates of a toolkit bring newer drivers of the same branch.
Answer CompareShipped(const Mention& subject, const Mention& value) {
  const field::Toolkit* toolkit = field::FindToolkit(subject.version);
  if (toolkit == nullptr || subject.is_major || !toolkit->receipts.is_confirmed) return {};
  const auto full = field::ParseDriverVersion(toolkit->driver);
  Answer answer{.truth = std::string(toolkit->driver), .receipt = Show(toolkit->receipts)};
  if (toolkit->driver == value.driver.text || value.driver.parts.size() == 1) {
    answer.agrees = value.driver.parts[0] == full->parts[0];
  } else if (value.driver.parts[0] != full->parts[0]) {
    answer.agrees = false;
  }
  return answer;
}

Answer CompareLastDriver(const Mention& subject, const Mention& value) {
  const std::vector<const ArchitectureLife*> rows = RowsOf(subject);
  if (rows.empty()) return {};
  const std::uint32_t branch = rows[0]->last_driver_branch;
  Answer answer{.truth = branch == 0 ? "still supported" : fmt::format("R{}", branch),
                .receipt = Show(rows[0]->receipts)};
  answer.agrees = branch == value.driver.parts[0];
  return answer;
}

Answer ComparePtx(const Mention& subject, const Mention& value) {
  const field::Toolkit* toolkit = field::FindToolkit(subject.version);
  if (toolkit == nullptr || subject.is_major) return {};
  Answer answer{.truth = "PTX ISA " + Format(toolkit->ptx), .receipt = Show(toolkit->receipts)};
  answer.agrees = toolkit->ptx == value.version;
  if (!*answer.agrees && !toolkit->receipts.is_confirmed) answer.agrees.reset();
  return answer;
}

Answer CompareOne(FieldRelation relation, const Mention& subject, const Mention& value) {
  switch (relation) {
    case FieldRelation::kIs:
      return CompareIdentity(subject, value);
    case FieldRelation::kFirst:
    case FieldRelation::kNeeds:
    case FieldRelation::kMinimum:
      return CompareFirst(subject, value, relation);
    case FieldRelation::kLast:
    case FieldRelation::kDropped:
      return CompareLast(subject, value, relation);
    case FieldRelation::kDriver:
      return CompareDriver(subject, value);
    case FieldRelation::kShips:
      return CompareShipped(subject, value);
    case FieldRelation::kLastDriver:
      return CompareLastDriver(subject, value);
    case FieldRelation::kPtx:
      return ComparePtx(subject, value);
  }
  return {};
}

std::string_view TextOf(std::string_view text, const Mention& mention) {
  return text.substr(mention.value, mention.end - mention.value);
}

class ClaimJudge {
 public:
  ClaimJudge(std::string_view text, std::string_view subject_text, std::vector<JudgedFact>& judged)
      : text_view_(text), subject_view_(subject_text), judged_(judged) {}

  void Judge(const FieldClaim& claim) {
    const std::size_t subjects = claim.subject.all.size();
    const std::size_t values = claim.value.all.size();
    if (subjects > 1 && values > 1) {  // "A100 and H100 are sm_80 and sm_90"
      const bool are_pairs = subjects == values;
      for (std::size_t i = 0; are_pairs && i < values; ++i) {
        Push(claim, claim.subject.all[i], claim.value.all[i], false);
      }
      return;
    }
    for (const Mention& value : claim.value.all) JudgeValue(claim, value);
  }

 private:
  // One of several subjects that the value does not fit makes it wrong.
  void JudgeValue(const FieldClaim& claim, const Mention& value) {
    const Mention* subject = &claim.subject.all[0];
    for (const Mention& one : claim.subject.all) {
      const Answer answer = CompareOne(claim.relation, one, value);
      if (!answer.agrees) return;
      if (!*answer.agrees) {
        subject = &one;
        break;
      }
    }
    // A product with several architectures: one of them may be a fallback.
    const bool is_listed = claim.value.all.size() > 1 && subject->kind == MentionKind::kProduct;
    Push(claim, *subject, value, claim.is_clear && !is_listed);
  }

  void Push(const FieldClaim& claim, const Mention& subject, const Mention& value, bool is_clear) {
    const Answer answer = CompareOne(claim.relation, subject, value);
    if (!answer.agrees || (!*answer.agrees && !is_clear)) return;
    if (!*answer.agrees && claim.is_target && Runs(subject, value)) return;
    const std::string name(TextOf(subject_view_, subject));
    // "A10 8.0" in a list is one piece of text.
    const bool is_adjacent = subject_view_.data() == text_view_.data() &&
                             value.begin == subject.end + 1 && value.begin == value.value &&
                             IsDigit(text_view_[value.begin]);
    const std::size_t first = is_adjacent ? subject.begin : value.value;
    statement::Judgement judgement{.verdict = statement::Verdict::kSupported,
                                   .code = "number/ungrounded",
                                   .kind = "field fact",
                                   .text = std::string(text_view_.substr(first, value.end - first)),
                                   .message = "the table of the field agrees",
                                   .where = answer.receipt,
                                   .reason = "compared with sibyl's table of GPUs and toolkits"};
    if (!*answer.agrees) {
      judgement.verdict = statement::Verdict::kContradicted;
      judgement.nearest = answer.truth;
      judgement.message = fmt::format("the table of the field says {} for {}", answer.truth, name);
    }
    judged_.push_back({.judgement = std::move(judgement), .offset = value.value});
  }

  std::string_view text_view_;
  std::string_view subject_view_;
  std::vector<JudgedFact>& judged_;
};

}  // namespace

std::vector<JudgedFact> JudgeFieldFacts(const statement::Statements& statements,
                                        std::size_t number) {
  const statement::Statement& statement = statements.all[number];
  std::vector<JudgedFact> judged;
  if (!statement.IsProse() || statement.kind == statement::StatementKind::kColumn) return judged;
  for (const FieldClaim& claim : ReadFieldClaims(statement.text)) {
    ClaimJudge(statement.text, statement.text, judged).Judge(claim);
  }
  if (statement.kind != statement::StatementKind::kCell) return judged;
  constexpr std::size_t kMostCells = 64;
  std::vector<const statement::Statement*> row;
  const auto is_same_row = [&](std::size_t i) {
    return statements.all[i].kind == statement::StatementKind::kCell &&
           statements.all[i].group == statement.group;
  };
  std::size_t first = number;
  while (first > 0 && number - first < kMostCells && is_same_row(first - 1)) --first;
  for (std::size_t i = first; i < statements.all.size() && row.size() < kMostCells; ++i) {
    if (!is_same_row(i)) break;
    row.push_back(&statements.all[i]);
  }
  for (const FieldClaim& claim : ReadCellClaims(statement, row)) {
    ClaimJudge(statement.text, claim.subject_text, judged).Judge(claim);
  }
  return judged;
}

}  // namespace sibyl::audit
