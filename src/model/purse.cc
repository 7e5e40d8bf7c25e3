// SPDX-License-Identifier: Apache-2.0
#include "model/purse.h"

#include <fmt/format.h>

namespace sibyl::model {
namespace {

std::uint64_t BytesOf(const Question& question) {
  std::uint64_t bytes = question.system.size();
  for (const Turn& turn : question.turns) bytes += turn.text.size();
  return bytes;
}

Usage Sum(const Usage& a, const Usage& b) {
  return {.input = a.input + b.input, .output = a.output + b.output};
}

}  // namespace

Usage MostUsage(const Question& question) {
  constexpr std::uint64_t kMarks = 16;  // of each turn
  return {.input = BytesOf(question) + kMarks * (question.turns.size() + 1),
          .output = question.max_output_tokens};
}

Usage LikelyUsage(const Question& question) {
  // Prose has some four bytes a token, code some three.
  constexpr double kBytesPerToken = 3.4;
  return {
      .input = static_cast<std::uint64_t>(static_cast<double>(BytesOf(question)) / kBytesPerToken),
      .output = question.max_output_tokens / 3};
}

double CostOf(const Usage& usage, const Price& price) {
  constexpr double kMillion = 1e6;
  return (static_cast<double>(usage.input) * price.input +
          static_cast<double>(usage.output) * price.output) /
         kMillion;
}

Status Purse::SetAside(const Usage& most) {
  const MutexLock lock(mutex_);
  const Usage all = Sum(Sum(spent_.usage, aside_), most);
  if (ceilings_.tokens && all.input + all.output > *ceilings_.tokens) {
    return Error{
        .kind = ErrorKind::kUnavailable,
        .message = fmt::format("the limit of {} tokens would be exceeded: {} are spent, and the "
                               "next request could take {}",
                               *ceilings_.tokens, spent_.usage.input + spent_.usage.output,
                               most.input + most.output),
        .hint = "raise max_tokens or --max-tokens; answers are cached and not paid for again"};
  }
  if (ceilings_.cost && CostOf(all, price_) > *ceilings_.cost) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = fmt::format("the cost limit of {:.2f} would be exceeded: {:.4f} is "
                                        "spent, and the next request could cost {:.4f}",
                                        *ceilings_.cost, spent_.cost, CostOf(most, price_)),
                 .hint = "raise max_cost or --max-cost; answers are cached and not paid for again"};
  }
  aside_ = Sum(aside_, most);
  return {};
}

void Purse::Settle(const Usage& most, const Usage& cost) {
  const MutexLock lock(mutex_);
  aside_.input -= most.input;
  aside_.output -= most.output;
  spent_.usage = Sum(spent_.usage, cost);
  spent_.cost = CostOf(spent_.usage, price_);
  ++spent_.questions;
}

void Purse::CountRemembered() {
  const MutexLock lock(mutex_);
  ++spent_.remembered;
}

Spent Purse::spent() const {
  const MutexLock lock(mutex_);
  return spent_;
}

}  // namespace sibyl::model
