// SPDX-License-Identifier: Apache-2.0
#include "gate/cited/cited_instructions.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>

#include "injection/instruction.h"

namespace sibyl::gate {

std::string CitedInstruction(const Receipt& receipt) {
  if (receipt.other) return receipt.other->instruction;
  if (!receipt.resolution.ok()) return {};
  const auto line =
      injection::InstructionAmong(*receipt.resolution.file, receipt.resolution.span_view);
  return line ? std::string(*line) : std::string();
}

std::vector<statement::Judgement> JudgeInstructions(const CitedFile& file) {
  std::map<const Receipt*, std::string> known;
  for (const auto& [label, receipt] : file.receipts) {
    if (receipt.uses == 0) continue;
    if (std::string line = CitedInstruction(receipt); !line.empty()) {
      known.emplace(&receipt, std::move(line));
    }
  }
  std::vector<statement::Judgement> judgements;
  if (known.empty()) return judgements;
  const auto receipts = ReceiptsOfStatements(file);
  for (std::size_t i = 0; i < receipts.size(); ++i) {
    for (const Receipt* receipt : receipts[i]) {
      const auto found = known.find(receipt);
      if (found == known.end()) continue;
      statement::Judgement judgement = JudgementAt(file, file.statements.all[i], 0);
      judgement.verdict = statement::Verdict::kAbsent;
      judgement.code = "cite/instruction";
      judgement.kind = "citation";
      judgement.text = statement::Excerpt(file.statements.all[i].text);
      judgement.message =
          fmt::format("the cited lines contain a prompt injection (\"{}\") and cannot be cited",
                      statement::Excerpt(found->second));
      judgement.reason =
          "it was recognised by its wording; cite other lines, or remove the statement";
      if (receipt->source() != nullptr) {
        judgement.where = DescribeSource(*receipt->source(), receipt->resolution.pin);
      }
      judgements.push_back(std::move(judgement));
      break;
    }
  }
  return judgements;
}

}  // namespace sibyl::gate
