// SPDX-License-Identifier: Apache-2.0
#include "gate/cited_numbers.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>

#include "base/strings.h"
#include "gate/uncited.h"
#include "statement/number.h"

namespace sibyl::gate {
namespace {

using ReceiptList = std::vector<const Receipt*>;

// What comparing two numbers costs of the budget of bytes.
constexpr std::size_t kNumberLook = 16;

// The numbers in the cited lines.
struct Said {
  const Receipt* receipt = nullptr;
  statement::Number number;
  std::string text;
};

class CitedNumbers {
 public:
  explicit CitedNumbers(const CitedFile& file) : file_(file) {}

  void Judge(const statement::Statement& statement, const statement::Number& number,
             const ReceiptList& own, const ReceiptList& paragraph) {
    statement::Judgement judgement = JudgementAt(file_, statement, number.offset);
    judgement.code = "number/ungrounded";
    judgement.kind = "number";
    judgement.text = Trim(statement.text.substr(number.offset, number.end - number.offset));
    bool was_read = false;
    std::vector<const Said*> rivals;
    for (const ReceiptList* list : {&own, &paragraph}) {
      for (const Receipt* receipt : *list) {
        was_read = was_read || receipt->Span().has_value();
        const std::vector<Said>& numbers = NumbersOf(*receipt);
        if (!budget_.Spend(kNumberLook * (numbers.size() + 1))) break;
        for (const Said& said : numbers) {
          if (statement::SameQuantity(number, said.number)) {
            judgement.verdict = statement::Verdict::kSupported;
            judgement.message = fmt::format("the cited lines say {}", said.text);
            judgement.where = Where(*receipt);
            judgements_.push_back(std::move(judgement));
            return;
          }
          if (list == &own && statement::SameMeasure(number, said.number)) rivals.push_back(&said);
        }
      }
    }
    if (budget_.is_spent()) {
      judgement.message = "not checked: the page cites more than the limit for one page";
    } else if (!was_read) {
      judgement.message = "not checked: the cited source could not be read";
    } else if (rivals.size() == 1) {
      judgement.verdict = statement::Verdict::kContradicted;
      judgement.message =
          fmt::format("the text says {}, the cited lines say {}", judgement.text, rivals[0]->text);
      judgement.nearest = rivals[0]->text;
      judgement.where = Where(*rivals[0]->receipt);
    } else {
      judgement.verdict = statement::Verdict::kAbsent;
      judgement.message = fmt::format("{} is not in the cited lines", judgement.text);
      judgement.where = Where(*own.front());
    }
    judgements_.push_back(std::move(judgement));
  }

  /// Prose contains incidental counts. A fact has one count with its subject: a
  /// text that cites it and counts the same must agree.
  bool IsCountedIn(const statement::Number& number, const ReceiptList& own) {
    for (const Receipt* receipt : own) {
      if (receipt->source() != nullptr) continue;
      const std::vector<Said>& numbers = NumbersOf(*receipt);
      if (!budget_.Spend(kNumberLook * (numbers.size() + 1))) return false;
      for (const Said& said : numbers) {
        if (statement::SameMeasure(number, said.number)) return true;
      }
    }
    return false;
  }

  std::vector<statement::Judgement> Take() { return std::move(judgements_); }

 private:
  static std::string Where(const Receipt& receipt) {
    return receipt.source() != nullptr ? DescribeSource(*receipt.source(), receipt.resolution.pin)
                                       : "[^" + receipt.label + "]";
  }

  const std::vector<Said>& NumbersOf(const Receipt& receipt) {
    const auto [at, is_new] = numbers_.try_emplace(&receipt);
    const auto span = receipt.Span();
    if (!is_new || !span || !budget_.Spend(span->size())) return at->second;
    for (statement::Number& number : statement::ReadNumbers(*span)) {
      std::string text(Trim(span->substr(number.offset, number.end - number.offset)));
      at->second.push_back({.receipt = &receipt, .number = std::move(number), .text = text});
    }
    return at->second;
  }

  const CitedFile& file_;
  std::vector<statement::Judgement> judgements_;
  ReadingBudget budget_;
  std::map<const Receipt*, std::vector<Said>> numbers_;
};

}  // namespace

std::vector<statement::Judgement> JudgeNumbers(const CitedFile& file) {
  CitedNumbers judge(file);
  const std::vector<statement::Statement>& all = file.statements.all;
  const auto receipts = ReceiptsOfStatements(file);
  auto paragraphs = ReceiptsOfParagraphs(file.statements, receipts);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const statement::StatementKind kind = all[i].kind;
    const bool is_quoted =
        kind == statement::StatementKind::kCode || kind == statement::StatementKind::kQuote;
    if (is_quoted || receipts[i].empty()) continue;
    if (ExemptionOf(file.statements, i) != Exemption::kNone) continue;
    for (const statement::Number& number : statement::ReadNumbers(all[i].text)) {
      if (number.dimension == statement::Dimension::kNone &&
          !judge.IsCountedIn(number, receipts[i]))
        continue;
      judge.Judge(all[i], number, receipts[i], paragraphs[all[i].group]);
    }
  }
  return judge.Take();
}

}  // namespace sibyl::gate
