// SPDX-License-Identifier: Apache-2.0
#include "verify/cited_instructions.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>

#include "evidence/instruction.h"

namespace sibyl::verify {
namespace {

std::string InstructionOf(const Receipt& receipt) {
  if (receipt.other) return receipt.other->instruction;
  if (!receipt.resolution.ok()) return {};
  const auto line =
      evidence::InstructionAmong(*receipt.resolution.file, receipt.resolution.span_view);
  return line ? std::string(*line) : std::string();
}

}  // namespace

std::vector<Judgement> JudgeInstructions(const CitedFile& file) {
  std::map<const Receipt*, std::string> known;
  for (const auto& [label, receipt] : file.receipts) {
    if (receipt.uses == 0) continue;
    if (std::string line = InstructionOf(receipt); !line.empty()) {
      known.emplace(&receipt, std::move(line));
    }
  }
  std::vector<Judgement> judgements;
  if (known.empty()) return judgements;
  const auto receipts = ReceiptsOfStatements(file);
  for (std::size_t i = 0; i < receipts.size(); ++i) {
    for (const Receipt* receipt : receipts[i]) {
      const auto found = known.find(receipt);
      if (found == known.end()) continue;
      Judgement judgement = JudgementAt(file, file.statements.all[i], 0);
      judgement.verdict = Verdict::kAbsent;
      judgement.code = "cite/instruction";
      judgement.kind = "citation";
      judgement.text = Excerpt(file.statements.all[i].text);
      judgement.message = fmt::format(
          "the cited lines speak to a language model (\"{}\"): what they ask for is no evidence",
          Excerpt(found->second));
      judgement.reason = "found by their words; cite other lines, or leave it out";
      if (receipt->source() != nullptr) {
        judgement.where = DescribeSource(*receipt->source(), receipt->resolution.pin);
      }
      judgements.push_back(std::move(judgement));
      break;
    }
  }
  return judgements;
}

}  // namespace sibyl::verify
