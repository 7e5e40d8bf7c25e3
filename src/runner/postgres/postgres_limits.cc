// SPDX-License-Identifier: Apache-2.0
// Limits of runs over all their workers.
#include "runner/postgres/postgres_ledger.h"

namespace sibyl::runner {
namespace {

#define SIBYL_TOKENS_OF_THE_HOUR                                                    \
  "(SELECT coalesce(sum(tokens), 0) FROM sibyl.spending WHERE run = r.id AND at > " \
  "clock_timestamp() - interval '1 hour')"

}  // namespace

Status PostgresLedger::SetLimits(Connection& connection, std::int64_t run,
                                 const RunLimits& limits) {
  SIBYL_TRY(connection.Run(
      "UPDATE sibyl.run SET server = $2, parts_at_once = $3, tokens_per_hour = $4, tokens = $5, "
      "money_millionths = $6 WHERE id = $1 AND (server, parts_at_once, tokens_per_hour, tokens, "
      "money_millionths) <> ($2, $3, $4, $5, $6)",
      {run, limits.server, limits.parts_at_once, limits.tokens_per_hour, limits.tokens,
       limits.money_millionths}));
  limited_.erase(run);
  return {};
}

// Most runs have no limits, and must not pay for them.
Result<bool> PostgresLedger::IsLimited(Connection& connection, std::int64_t run) {
  constexpr std::chrono::seconds kUntilReadAgain{5};
  const auto now = std::chrono::steady_clock::now();
  const auto known = limited_.find(run);
  if (known != limited_.end() && now - known->second.read < kUntilReadAgain) {
    return known->second.is_limited;
  }
  const Rows rows = SIBYL_TRY(connection.Run(
      "SELECT parts_at_once > 0 OR tokens_per_hour > 0 FROM sibyl.run WHERE id = $1", {run}));
  const bool is_limited = rows.count() == 1 && rows.Bool(0, 0);
  limited_[run] = {.is_limited = is_limited, .read = now};
  return is_limited;
}

namespace {

struct Places {
  bool are_free = false;        ///< On the server, and not for a run that has fewer.
  bool are_affordable = false;  ///< By the tokens of the hour.
};

// A run that has asked in vain a moment ago, and has fewer parts in hand, comes first: an
// oracle with a hundred workers must not keep another from its share of a server. One that
// no longer asks has no workers, and leaves its places to others.
Result<Places> ReadPlaces(Connection& connection, std::int64_t run) {
  const Rows rows = SIBYL_TRY(connection.Run(
      "WITH held AS (SELECT id, asked, EXISTS (SELECT 1 FROM sibyl.job WHERE run = o.id AND state "
      "= 'waiting' AND NOT is_last) AS waits, (SELECT count(*) FROM sibyl.job WHERE run = o.id "
      "AND state = 'running' AND NOT is_last AND expires > clock_timestamp()) AS parts FROM "
      "sibyl.run AS o WHERE state = 'open' AND server = (SELECT server FROM sibyl.run WHERE id = "
      "$1)) "
      "SELECT parts_at_once = 0 OR (parts_at_once > (SELECT sum(parts) FROM held) AND NOT EXISTS "
      "(SELECT 1 FROM held WHERE id <> $1 AND waits AND asked > clock_timestamp() - interval '3 "
      "seconds' AND parts < (SELECT parts FROM held WHERE id = $1))), tokens_per_hour = 0 OR "
      "tokens_per_hour > " SIBYL_TOKENS_OF_THE_HOUR " FROM sibyl.run AS r WHERE id = $1",
      {run}));
  if (rows.count() == 0) return Places();
  return Places{.are_free = rows.Bool(0, 0), .are_affordable = rows.Bool(0, 1)};
}

}  // namespace

// Claims for one server take turns, so that two do not both take the last place.
Result<std::optional<Lease>> PostgresLedger::ClaimWithinLimits(Connection& connection,
                                                               std::int64_t run,
                                                               const Claimant& claimant,
                                                               const std::string& nonce) {
  if (!SIBYL_TRY(IsLimited(connection, run))) {
    return ClaimOther(connection, run, claimant, nonce);
  }
  PostgresTransaction transaction = SIBYL_TRY(PostgresTransaction::Begin(connection));
  SIBYL_TRY(connection.Run(
      "SELECT pg_advisory_xact_lock(hashtextextended('server ' || server, 0)) FROM sibyl.run WHERE "
      "id = $1",
      {run}));
  const Places places = SIBYL_TRY(ReadPlaces(connection, run));
  std::optional<Lease> lease;
  if (places.are_free && places.are_affordable) {
    lease = SIBYL_TRY(ClaimOther(connection, run, claimant, nonce));
  } else if (places.are_affordable) {
    SIBYL_TRY(
        connection.Run("UPDATE sibyl.run SET asked = clock_timestamp() WHERE id = $1 AND asked < "
                       "clock_timestamp() - interval '1 second'",
                       {run}));
  }
  SIBYL_TRY(transaction.Commit());
  return lease;
}

// Under a lock on the run, so that two reservations do not both take the rest. A
// reservation of a worker that died counts as spent when no request takes that long.
Result<Allowance> PostgresLedger::Reserve(std::int64_t run, const std::string& name,
                                          const Spending& most) {
#define SIBYL_SPENT "(settled OR at < clock_timestamp() - interval '15 minutes')"
  constexpr std::string_view kLook =
      "WITH taken AS (SELECT coalesce(sum(tokens), 0) AS tokens, coalesce(sum(money_millionths), "
      "0) AS money, coalesce(sum(tokens) FILTER (WHERE " SIBYL_SPENT
      "), 0) AS spent_tokens, coalesce(sum(money_millionths) FILTER (WHERE " SIBYL_SPENT
      "), 0) AS spent_money FROM sibyl.spending WHERE run = $1) SELECT EXISTS (SELECT 1 FROM "
      "sibyl.spending WHERE name = $2), (r.tokens = 0 OR r.tokens >= $3::bigint + t.tokens) AND "
      "(money_millionths = 0 OR money_millionths >= $4::bigint + t.money), (r.tokens = 0 OR "
      "r.tokens >= $3::bigint + t.spent_tokens) AND (money_millionths = 0 OR money_millionths >= "
      "$4::bigint + t.spent_money), tokens_per_hour = 0 OR tokens_per_hour >= $3::bigint "
      "+ " SIBYL_TOKENS_OF_THE_HOUR
      ", tokens_per_hour > 0 AND tokens_per_hour < $3::bigint FROM sibyl.run AS r, taken AS t "
      "WHERE id = $1";
#undef SIBYL_SPENT
  return session_->Do([&](Connection& connection, Try) -> Result<Allowance> {
    PostgresTransaction transaction = SIBYL_TRY(PostgresTransaction::Begin(connection));
    SIBYL_TRY(connection.Run("SELECT 1 FROM sibyl.run WHERE id = $1 FOR UPDATE", {run}));
    const Rows rows =
        SIBYL_TRY(connection.Run(kLook, {run, name, most.tokens, most.money_millionths}));
    if (rows.count() == 0) return Superseded();
    if (rows.Bool(0, 0)) return Allowance::kReserved;  // by the first try
    if (!rows.Bool(0, 2) || rows.Bool(0, 4)) return Allowance::kNever;
    if (!rows.Bool(0, 1)) return Allowance::kUnderWay;
    if (!rows.Bool(0, 3)) return Allowance::kLater;
    SIBYL_TRY(connection.Run(
        "INSERT INTO sibyl.spending(name, run, tokens, money_millionths) VALUES($1, $2, $3, $4)",
        {name, run, most.tokens, most.money_millionths}));
    SIBYL_TRY(transaction.Commit());
    return Allowance::kReserved;
  });
}

// The oldest of the hour's requests are free first: enough of them when what is newer leaves
// room for the tokens.
Result<std::optional<Throttle>> PostgresLedger::ReadThrottle(Connection& connection,
                                                             std::int64_t run,
                                                             std::int64_t tokens) {
  const Rows rows = SIBYL_TRY(connection.Run(
      "WITH hour AS (SELECT at, tokens, coalesce(sum(tokens) OVER (ORDER BY at DESC, name ROWS "
      "BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS newer FROM sibyl.spending WHERE run = "
      "$1 AND at > clock_timestamp() - interval '1 hour') SELECT tokens_per_hour, (SELECT "
      "coalesce(ceil(extract(epoch FROM min(at) + interval '1 hour' - clock_timestamp())), "
      "3600)::bigint FROM hour WHERE newer + $2::bigint <= tokens_per_hour) FROM sibyl.run AS r "
      "WHERE id = $1 AND tokens_per_hour > 0 AND tokens_per_hour < $2::bigint + (SELECT "
      "coalesce(sum(tokens), 0) FROM hour)",
      {run, tokens}));
  if (rows.count() == 0) return std::optional<Throttle>();
  return std::optional<Throttle>(
      {.tokens_per_hour = rows.Integer(0, 0), .left = std::chrono::seconds(rows.Integer(0, 1))});
}

Result<std::optional<Throttle>> PostgresLedger::ThrottleOf(std::int64_t run, std::int64_t tokens) {
  return session_->Do(
      [&](Connection& connection, Try) { return ReadThrottle(connection, run, tokens); });
}

Status PostgresLedger::Spend(const std::string& name, const Spending& spent) {
  return session_->Do([&](Connection& connection, Try) -> Status {
    SIBYL_TRY(
        connection.Run("UPDATE sibyl.spending SET tokens = $2, money_millionths = $3, settled = "
                       "true WHERE name = $1",
                       {name, spent.tokens, spent.money_millionths}));
    return {};
  });
}

}  // namespace sibyl::runner
