// SPDX-License-Identifier: Apache-2.0
// The budget of a run for models. Before each request its maximum cost is
// reserved; if that exceeds what is left, the request is not sent; if only because of
// other requests that are under way, it waits until they are settled. So the
// limits hold whatever the model does, with any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "base/mutex.h"
#include "base/result.h"
#include "model/question.h"

namespace sibyl::model {

/// Per million tokens, in the currency of the limit.
struct Price {
  double input = 0;
  double output = 0;
};

struct SpendingLimits {
  std::optional<std::uint64_t> tokens;  ///< Input and output together.
  std::optional<double> cost;           ///< Has no effect without prices.
};

struct Spent {
  std::uint64_t questions = 0;   ///< Requests sent to a server, retries included.
  std::uint64_t remembered = 0;  ///< Answered from the cache.
  Usage usage;
  double cost = 0;
};

/// No tokenizer in use makes more tokens than bytes; a few tokens of framing
/// are added per turn.
Usage MostUsage(const Question& question);
/// The likely usage of a request.
Usage LikelyUsage(const Question& question);

double CostOf(const Usage& usage, const Price& price);

/// What a request waits for that other requests may leave nothing for.
inline constexpr std::string_view kUnderWay =
    "waiting for requests that are under way, which may take the rest of the limit";

/// A request that waits for a limit.
struct Waiting {
  std::stop_token stop = {};
  /// What it waits for, when that is new; empty when it goes on. May be empty itself.
  std::function<void(const std::string& what)> tell = {};
};

/// A budget that several processes share. Thread-safe.
class SharedBudget {
 public:
  virtual ~SharedBudget() = default;
  /// The name of the reservation. May wait until there is room again; kUnavailable
  /// when there will be none.
  virtual Result<std::string> Reserve(const Usage& most, double cost, const Waiting& waiting) = 0;
  /// Replaces a reservation by what was spent.
  virtual void Settle(const std::string& reservation, const Usage& usage, double cost) = 0;
};

/// Thread-safe.
class ModelBudget {
 public:
  ModelBudget(const SpendingLimits& limits, const Price& price) : limits_(limits), price_(price) {}
  ModelBudget(const ModelBudget&) = delete;
  ModelBudget& operator=(const ModelBudget&) = delete;

  /// From now on requests must also be within this one. Borrowed; before the first
  /// request.
  void Share(SharedBudget& shared) { shared_ = &shared; }

  /// kUnavailable when it could cost more than is left; nothing is reserved then. While other
  /// requests are under way that may leave enough, it waits for them.
  Status Reserve(const Usage& most, const Waiting& waiting = {}) SIBYL_EXCLUDES(mutex_);
  /// Releases the reservation and records the actual cost.
  void Settle(const Usage& most, const Usage& cost);
  void CountRemembered();

  Spent spent() const;
  const Price& price() const { return price_; }

 private:
  SpendingLimits limits_;
  Status ReserveHere(const Usage& most, const Waiting& waiting) SIBYL_EXCLUDES(mutex_);
  /// Whether the limits allow that much altogether.
  bool IsWithin(const Usage& all) const;
  Error TooMuch(const Usage& most) const SIBYL_REQUIRES(mutex_);
  void SettleShared(const Usage& most, const Usage& usage);

  Price price_;
  SharedBudget* shared_ = nullptr;
  mutable Mutex mutex_;
  Condition settled_;
  Spent spent_ SIBYL_GUARDED_BY(mutex_);
  Usage reserved_ SIBYL_GUARDED_BY(mutex_);
  // Of the shared budget; those of equal requests are interchangeable.
  std::multimap<std::pair<std::uint64_t, std::uint64_t>, std::string> reservations_
      SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::model
