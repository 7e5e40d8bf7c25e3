// SPDX-License-Identifier: Apache-2.0
#include "model/model_budget.h"

#include <fmt/format.h>

#include <chrono>

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

Status ModelBudget::Reserve(const Usage& most, const Waiting& waiting) {
  SIBYL_TRY(ReserveHere(most, waiting));
  if (shared_ == nullptr) return {};
  Result<std::string> reservation = shared_->Reserve(most, CostOf(most, price_), waiting);
  const MutexLock lock(mutex_);
  if (reservation.ok()) {
    reservations_.emplace(std::pair(most.input, most.output), std::move(reservation).value());
    return {};
  }
  reserved_.input -= most.input;
  reserved_.output -= most.output;
  settled_.NotifyAll();
  return std::move(reservation).error();
}

bool ModelBudget::IsWithin(const Usage& all) const {
  return !(limits_.tokens && all.input + all.output > *limits_.tokens) &&
         !(limits_.cost && CostOf(all, price_) > *limits_.cost);
}

Error ModelBudget::TooMuch(const Usage& most) const {
  const Usage all = Sum(spent_.usage, most);
  if (limits_.tokens && all.input + all.output > *limits_.tokens) {
    return {.kind = ErrorKind::kUnavailable,
            .message = fmt::format("the limit of {} tokens would be exceeded: {} are spent, and "
                                   "the next request could take {}",
                                   *limits_.tokens, spent_.usage.input + spent_.usage.output,
                                   most.input + most.output),
            .hint = "raise max_tokens or --max-tokens; answers are cached and not paid for again"};
  }
  return {.kind = ErrorKind::kUnavailable,
          .message = fmt::format("the cost limit of {:.2f} would be exceeded: {:.4f} is spent, and "
                                 "the next request could cost {:.4f}",
                                 limits_.cost.value_or(0), spent_.cost, CostOf(most, price_)),
          .hint = "raise max_cost or --max-cost; answers are cached and not paid for again"};
}

// A reservation is several times what a request takes: with many requests at once, most of a
// limit may be reserved while little of it is spent.
Status ModelBudget::ReserveHere(const Usage& most, const Waiting& waiting) {
  constexpr std::chrono::milliseconds kBetweenLooks{100};
  bool has_told = false;
  const MutexLock lock(mutex_);
  while (!IsWithin(Sum(Sum(spent_.usage, reserved_), most))) {
    if (!IsWithin(Sum(spent_.usage, most))) return TooMuch(most);
    if (waiting.stop.stop_requested()) {
      return Error{.kind = ErrorKind::kCancelled, .message = "stopped"};
    }
    if (!std::exchange(has_told, true) && waiting.tell) waiting.tell(std::string(kUnderWay));
    settled_.WaitFor(mutex_, kBetweenLooks);
  }
  if (has_told && waiting.tell) waiting.tell("");
  reserved_ = Sum(reserved_, most);
  return {};
}

void ModelBudget::SettleShared(const Usage& most, const Usage& usage) {
  std::string reservation;
  {
    const MutexLock lock(mutex_);
    const auto found = reservations_.find(std::pair(most.input, most.output));
    if (found == reservations_.end()) return;
    reservation = std::move(found->second);
    reservations_.erase(found);
  }
  shared_->Settle(reservation, usage, CostOf(usage, price_));
}

void ModelBudget::Settle(const Usage& most, const Usage& cost) {
  if (shared_ != nullptr) SettleShared(most, cost);
  const MutexLock lock(mutex_);
  reserved_.input -= most.input;
  reserved_.output -= most.output;
  spent_.usage = Sum(spent_.usage, cost);
  spent_.cost = CostOf(spent_.usage, price_);
  ++spent_.questions;
  settled_.NotifyAll();
}

void ModelBudget::CountRemembered() {
  const MutexLock lock(mutex_);
  ++spent_.remembered;
}

Spent ModelBudget::spent() const {
  const MutexLock lock(mutex_);
  return spent_;
}

}  // namespace sibyl::model
