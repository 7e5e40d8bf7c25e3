// SPDX-License-Identifier: Apache-2.0
#include "gate/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/strings.h"
#include "gate/cited/cited_instructions.h"
#include "gate/cited/cited_support.h"
#include "gate/claims/unmarked.h"
#include "gate/draft_markup.h"
#include "gate/own_text.h"
#include "gate/structure.h"

namespace sibyl::gate {
namespace {

Status CheckStore(const Page& page) {
  for (const auto& [label, receipt] : page.receipts) {
    if (receipt.other && receipt.other->verdict == statement::Verdict::kUndecidable) {
      return Error{
          .kind = ErrorKind::kUnavailable,
          .message = fmt::format("verifying {}: {}", page.source.path, receipt.other->message),
          .hint = receipt.other->reason};
    }
    if (receipt.source() == nullptr || receipt.resolution.state != Resolution::State::kNoStore) {
      continue;
    }
    const std::string& source = receipt.resolution.pin->name;
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = fmt::format("verifying {}: {} is missing from the store",
                                        page.source.path, source),
                 .hint = "'sibyl verify --restore' fetches it again"};
  }
  return {};
}

// A share of few statements says little.
bool TooManyUndecided(const SupportCount& count, double most) {
  constexpr std::size_t kFew = 10;
  return count.all() >= kFew &&
         static_cast<double>(count.undecided) > most * static_cast<double>(count.all());
}

}  // namespace

Result<GateResult> Gate::Check(draft::Draft draft, const GateInputs& inputs) {
  const PageChecks checks{
      .resolver = inputs.resolver, .oracle = inputs.oracle, .other = inputs.other, .threads = 1};
  std::vector<PageText> texts;
  texts.push_back({.path = draft.path, .name = draft.path, .text = draft.text});
  Pages pages = ReadPages(std::move(texts), 1);
  const Page& page = *pages.front();
  if (page.problem) return While(fmt::format("verifying {}", draft.path), *page.problem);
  ResolvePages(pages, checks);
  SIBYL_TRY(CheckStore(page));

  std::vector<statement::Judgement> judgements = JudgePage(page, checks);
  for (std::vector<statement::Judgement>& more :
       std::array{JudgeDraft(page.cited(), draft), JudgeInstructions(page.cited()),
                  JudgeOwnText(page.cited()), JudgeDraftMarkup(page.cited()),
                  JudgeUnplanned(page.cited(), draft)}) {
    judgements.insert(judgements.end(), std::make_move_iterator(more.begin()),
                      std::make_move_iterator(more.end()));
  }
  const SupportCount support = CountSupport(judgements);
  if (TooManyUndecided(support, inputs.max_undecided)) {
    judgements.push_back(
        {.verdict = statement::Verdict::kAbsent,
         .code = "support/undecided",
         .kind = "page",
         .text = draft.title,
         .message =
             fmt::format("{} of {} are not decided; at most {:.0f} % may be", support.undecided,
                         Count(support.all(), "statement"), 100 * inputs.max_undecided),
         .reason = "cite the lines that carry each statement, and keep to what they say",
         .place = {.file = draft.path, .line = 1, .column = 1}});
  }
  GateResult result;
  const auto fails = [](const statement::Judgement& judgement) { return judgement.Fails(); };
  std::copy_if(judgements.begin(), judgements.end(), std::back_inserter(result.failures), fails);
  if (!result.failures.empty()) {
    result.refused = std::move(draft);
    return result;
  }
  draft.text = WithSupportInStamp(draft.text, support);
  const auto resolved = static_cast<std::size_t>(std::count_if(
      page.receipts.begin(), page.receipts.end(),
      [](const auto& entry) { return entry.second.uses > 0 && entry.second.Resolves(); }));
  result.verified = Verified(std::move(draft), resolved, std::move(judgements));
  return result;
}

}  // namespace sibyl::gate
