// SPDX-License-Identifier: Apache-2.0
// What a run may spend on models. Before a question is asked, the most that it
// can cost is set aside; when that is more than what is left, it is not asked.
// So a ceiling holds whatever the model does, with any number of threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "base/result.h"
#include "model/question.h"

namespace sibyl::model {

/// For a million tokens, in whatever currency the ceiling is.
struct Price {
  double input = 0;
  double output = 0;
};

struct Ceilings {
  std::optional<std::uint64_t> tokens;  ///< Input and output together.
  std::optional<double> cost;           ///< Says nothing without prices.
};

struct Spent {
  std::uint64_t questions = 0;   ///< Asked of a server, each try counted.
  std::uint64_t remembered = 0;  ///< Answered from the cache.
  Usage usage;
  double cost = 0;
};

/// No tokenizer that models use makes more tokens than bytes; beside the text
/// stand some marks of the conversation.
Usage MostUsage(const Question& question);
/// What a question will probably take.
Usage LikelyUsage(const Question& question);

double CostOf(const Usage& usage, const Price& price);

/// Thread-safe.
class Purse {
 public:
  Purse(const Ceilings& ceilings, const Price& price) : ceilings_(ceilings), price_(price) {}
  Purse(const Purse&) = delete;
  Purse& operator=(const Purse&) = delete;

  /// kUnavailable when it could cost more than is left; nothing is set aside then.
  Status SetAside(const Usage& most);
  /// Gives back what was set aside and takes what it cost.
  void Settle(const Usage& most, const Usage& cost);
  void CountRemembered();

  Spent spent() const;

 private:
  Ceilings ceilings_;
  Price price_;
  mutable Mutex mutex_;
  Spent spent_ SIBYL_GUARDED_BY(mutex_);
  Usage aside_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::model
