// SPDX-License-Identifier: Apache-2.0
#include "gate/claims/claim_scopes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/strings.h"

namespace sibyl::gate {
namespace {

// Cited bytes that are read for the texts of one page; a hostile page cites long
// files in every section.
constexpr std::size_t kMostBytes = std::size_t{8} << 20;

// Neighbours that are looked at.
constexpr std::size_t kNear = 32;

bool IsQuoted(const statement::Statement& statement) {
  return statement.kind == statement::StatementKind::kCode ||
         statement.kind == statement::StatementKind::kQuote;
}

// "Value (seconds)", "Timeout in ms": a unit of time or size; empty: none.
std::string UnitOfHeader(std::string_view header) {
  std::size_t begin = header.find('(');
  if (begin == std::string_view::npos) {
    constexpr std::string_view kIn = " in ";
    begin = header.rfind(kIn);
    if (begin == std::string_view::npos) return {};
    begin += kIn.size() - 1;
  }
  std::string_view word = Trim(header.substr(begin + 1));
  word = word.substr(0, word.find_first_of(" ),;"));
  const std::optional<statement::Unit> unit = statement::UnitAt(word, 0);
  const bool is_measure = unit && unit->name.size() == word.size() &&
                          (unit->dimension == statement::Dimension::kSeconds ||
                           unit->dimension == statement::Dimension::kBytes);
  return is_measure ? std::string(word) : std::string();
}

}  // namespace

ClaimScopes::ClaimScopes(const CitedFile& file)
    : file_(file),
      receipts_(ReceiptsOfStatements(file)),
      cited_(file.statements.headings.size()),
      bytes_left_(kMostBytes) {
  const auto& headings = file.statements.headings;
  for (std::size_t i = 0; i < receipts_.size(); ++i) {
    if (receipts_[i].empty()) continue;
    std::uint32_t heading = file.statements.all[i].heading;
    cited_[heading].push_back(i);
    while (heading != 0) {
      heading = headings[heading].parent;
      cited_[heading].push_back(i);
      Work::Add(1);
    }
  }
}

std::optional<ClaimTexts> ClaimScopes::TextsOf(const std::vector<std::size_t>& statements) {
  ClaimTexts texts;
  std::set<const Receipt*> seen;
  bool was_read = statements.empty();
  for (const std::size_t i : statements) {
    const statement::Statement& statement = file_.statements.all[i];
    for (const Receipt* receipt : receipts_[i]) {
      Work::Add(1);
      if (!seen.insert(receipt).second) continue;
      const auto span = receipt->Span();
      if (!span) continue;
      was_read = true;
      if (span->size() + receipt->context.size() > bytes_left_) return std::nullopt;
      bytes_left_ -= span->size() + receipt->context.size();
      texts.lines.append(*span).append("\n");
      texts.context.append(receipt->context).append("\n");
      if (receipt->source() != nullptr) texts.context.append(receipt->source()->path).append("\n");
      if (receipt->resolution.pin != nullptr) {
        texts.context.append(receipt->resolution.pin->name).append("\n");
      }
    }
    if (IsQuoted(statement) || statement.citations.empty()) continue;
    if (statement.text.size() > bytes_left_) return std::nullopt;
    bytes_left_ -= statement.text.size();
    texts.statements.append(statement.text).append("\n");
  }
  if (!was_read) return std::nullopt;
  return texts;
}

const ClaimGround* ClaimScopes::Section(std::uint32_t heading) {
  const auto [at, is_new] = sections_.try_emplace(heading);
  if (is_new) {
    if (std::optional<ClaimTexts> texts = TextsOf(cited_[heading])) {
      at->second.emplace(*std::move(texts), tokenizer_);
    }
  }
  return at->second ? &*at->second : nullptr;
}

const ClaimGround* ClaimScopes::Row(std::size_t cell) {
  const auto& all = file_.statements.all;
  if (row_group_ != all[cell].group) {
    row_group_ = all[cell].group;
    row_.reset();
    std::vector<std::size_t> cells;
    std::size_t first = cell;
    while (first > 0 && all[first - 1].group == row_group_) --first;
    std::size_t header = first;
    for (std::size_t i = first; i < all.size() && all[i].group == row_group_; ++i) {
      cells.push_back(i);
    }
    while (header > 0 && first - header < kNear &&
           all[header - 1].kind == statement::StatementKind::kCell) {
      --header;
    }
    while (header > 0 && all[header - 1].kind == statement::StatementKind::kColumn) {
      cells.push_back(--header);
    }
    if (std::optional<ClaimTexts> texts = TextsOf(cells)) {
      row_.emplace(*std::move(texts), tokenizer_);
    }
  }
  return row_ ? &*row_ : nullptr;
}

const ClaimGround* ClaimScopes::Cited(std::size_t index) {
  if (own_index_ != index) {
    own_index_ = index;
    own_.reset();
    if (std::optional<ClaimTexts> texts = TextsOf({index})) {
      texts->statements.clear();
      own_.emplace(*std::move(texts), tokenizer_);
    }
  }
  return own_ ? &*own_ : nullptr;
}

bool ClaimScopes::IsSupported(const statement::Statement& statement,
                              const std::vector<std::size_t>& by, Carrying carrying) {
  constexpr double kMostly = 0.7;
  constexpr double kNeighbour = 0.53;
  constexpr double kNearlyAll = 0.85;  // then a new verb is another word for the same
  std::optional<ClaimTexts> texts = TextsOf(by);
  if (!texts || texts->lines.empty()) return false;
  // Only the lines: the statement before it may be as wrong.
  texts->statements.clear();
  const support::Grounding grounding =
      grounder_.Judge(statement, {.text = texts->lines, .context = texts->context});
  const bool is_near = carrying == Carrying::kNeighbour;
  const double coverage = grounding.measures.coverage;
  if (grounding.verdict != statement::Verdict::kSupported ||
      coverage < (is_near ? kNeighbour : kMostly)) {
    return false;
  }
  if (is_near && !statement.is_clause && coverage >= kNearlyAll) return true;
  const ClaimGround ground(*std::move(texts), tokenizer_);
  return ClaimBeyond(statement, ground, is_near ? ClaimRule::kCaption : ClaimRule::kAssertion,
                     tokenizer_)
      .empty();
}

bool ClaimScopes::IsCarriedBy(std::size_t index, const statement::Statement& part) {
  const std::optional<ClaimTexts> texts = TextsOf({index});
  if (!texts || texts->lines.empty()) return true;  // not known
  return grounder_.Judge(part, {.text = texts->lines, .context = texts->context}).verdict ==
         statement::Verdict::kSupported;
}

bool ClaimScopes::IsSaidBy(const std::vector<std::size_t>& cited,
                           const statement::Statement& text) {
  for (std::size_t i = 0; i < std::min(cited.size(), kNear); ++i) {
    const statement::Statement& said = file_.statements.all[cited[i]];
    const bool is_repeated =
        said.IsProse() && !said.citations.empty() && Repeats(text, said, tokenizer_);
    if (is_repeated || IsSupported(text, {cited[i]})) return true;
  }
  return cited.empty();
}

bool ClaimScopes::IsSaidIn(std::uint32_t heading, const statement::Statement& text) {
  return IsSaidBy(cited_[heading], text);
}

bool ClaimScopes::IsSaidInRow(std::size_t cell) {
  const auto& all = file_.statements.all;
  std::vector<std::size_t> cells;
  std::size_t first = cell;
  while (first > 0 && cell - first < kNear && all[first - 1].group == all[cell].group) --first;
  for (std::size_t i = first; i < all.size() && i < cell + kNear && all[i].group == all[cell].group;
       ++i) {
    if (i != cell) cells.push_back(i);
  }
  return IsSaidBy(cells, all[cell]);
}

std::string ClaimScopes::OtherUnitOfCell(std::size_t cell) {
  const statement::Statement& text = file_.statements.all[cell];
  constexpr std::size_t kLongest = 24;
  const std::string_view number = Trim(text.text);
  if (text.context.empty() || number.empty() || number.size() > kLongest ||
      number.find_first_not_of("0123456789.,") != std::string_view::npos) {
    return {};
  }
  const std::string unit = UnitOfHeader(text.context[0]);
  if (unit.empty()) return {};
  const std::optional<ClaimTexts> texts = TextsOf({cell});
  if (!texts || texts->lines.empty()) return {};
  statement::Statement value;
  value.text = fmt::format("{} {}", number, unit);
  const support::Grounding grounding =
      grounder_.Judge(value, support::CitedLines{.text = texts->lines, .context = texts->context});
  const bool is_other = grounding.rule == "number" || grounding.rule == "other number";
  return is_other ? fmt::format("{} is not in the cited lines", value.text) : std::string();
}

bool ClaimScopes::IsRefuted(std::uint32_t heading, const statement::Statement& text) {
  const ClaimGround* ground = Section(heading);
  if (ground == nullptr || ground->texts().lines.empty()) return false;
  const std::size_t bytes = ground->texts().lines.size();
  if (bytes > bytes_left_) return false;
  bytes_left_ -= bytes;
  const support::Grounding grounding =
      grounder_.Judge(text, {.text = ground->texts().lines,
                             .context = ground->texts().context + ground->texts().statements});
  constexpr double kTelling = 5;  // "It works in two steps:" has less
  return grounding.measures.content >= kTelling &&
         (grounding.verdict == statement::Verdict::kAbsent ||
          grounding.verdict == statement::Verdict::kContradicted);
}

}  // namespace sibyl::gate
