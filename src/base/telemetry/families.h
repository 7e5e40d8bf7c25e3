// SPDX-License-Identifier: Apache-2.0
// Every metric of the program. docs/operate.md has the same table for people, and
// a test compares them. A name is an interface: alarms and dashboards use it.
#pragma once

#include <array>

#include "base/telemetry/metrics.h"

namespace sibyl {

// Of this process.
inline constexpr MetricFamily kBuildInfo{.name = "sibyl_build_info",
                                         .help = "Always 1; the label has the version",
                                         .kind = MetricKind::kGauge,
                                         .labels = {"version"}};
inline constexpr MetricFamily kResidentBytes{.name = "process_resident_memory_bytes",
                                             .help = "Resident memory of this process",
                                             .kind = MetricKind::kGauge};

// What a server answers.
inline constexpr MetricFamily kHttpRequests{.name = "sibyl_http_requests_total",
                                            .help = "Answered requests by route and status",
                                            .labels = {"route", "code"}};
inline constexpr MetricFamily kHttpSeconds{.name = "sibyl_http_request_seconds",
                                           .help = "Time to answer a request",
                                           .kind = MetricKind::kHistogram,
                                           .labels = {"route"}};
inline constexpr MetricFamily kToolCalls{.name = "sibyl_tool_calls_total",
                                         .help = "Calls of operations by programs and agents",
                                         .labels = {"tool", "failed"}};

// What this process does with its ledger.
inline constexpr MetricFamily kLedgerSeconds{
    .name = "sibyl_ledger_seconds",
    .help =
        "Time of an operation of the ledger, retries included; operation claim is the "
        "latency of claims",
    .kind = MetricKind::kHistogram,
    .labels = {"operation"}};
inline constexpr MetricFamily kLedgerErrors{.name = "sibyl_ledger_errors_total",
                                            .help = "Operations of the ledger that failed",
                                            .labels = {"operation"}};
inline constexpr MetricFamily kLedgerReconnects{
    .name = "sibyl_ledger_connections_lost_total",
    .help = "Connections to the database that were lost while they were used"};
inline constexpr MetricFamily kClaims{
    .name = "sibyl_claims_total",
    .help = "Requests for a part, by result: granted, or none because nothing was free",
    .labels = {"result"}};
inline constexpr MetricFamily kSettled{.name = "sibyl_parts_settled_total",
                                       .help = "Attempts that ended here, by the part's new state",
                                       .labels = {"state"}};
inline constexpr MetricFamily kRefused{
    .name = "sibyl_writes_refused_total",
    .help = "Writes that the ledger refused because the lease was lost"};
inline constexpr MetricFamily kLeaseLosses{
    .name = "sibyl_lease_losses_total",
    .help = "Leases that this process took from others: crashed, or expired without a sign of life",
    .labels = {"reason"}};

// Requests to language models.
inline constexpr MetricFamily kModelRequests{
    .name = "sibyl_model_requests_total",
    .help =
        "Requests to models by HTTP status, or cached, failed, incomplete, cancelled, over_budget",
    .labels = {"model", "status"}};
inline constexpr MetricFamily kModelSeconds{.name = "sibyl_model_request_seconds",
                                            .help = "Time of a request to a model, if it was sent",
                                            .kind = MetricKind::kHistogram,
                                            .labels = {"model"}};
inline constexpr MetricFamily kModelTokens{.name = "sibyl_model_tokens_total",
                                           .help = "Tokens charged, by direction: input, output",
                                           .labels = {"model", "direction"}};
inline constexpr MetricFamily kModelCost{
    .name = "sibyl_model_cost_total",
    .help = "Money spent, in the currency of the prices in sibyl.toml",
    .labels = {"model"}};

// The store that machines share.
inline constexpr MetricFamily kStoreUse{
    .name = "sibyl_store_records_total",
    .help =
        "Sources and indexes: copied from the shared store, made here for it, given to it, "
        "damaged there",
    .labels = {"kind", "result"}};
inline constexpr MetricFamily kStoreUnavailable{
    .name = "sibyl_store_unavailable_total",
    .help = "Operations that found the shared store missing and used the local cache"};

// The whole ledger, as sibyl serve reads it.
inline constexpr MetricFamily kLedgerUp{.name = "sibyl_ledger_up",
                                        .help = "Whether the ledger could be read",
                                        .kind = MetricKind::kGauge};
inline constexpr MetricFamily kOpenRuns{.name = "sibyl_open_runs",
                                        .help = "Runs of this oracle that have not ended",
                                        .kind = MetricKind::kGauge};
inline constexpr MetricFamily kParts{
    .name = "sibyl_parts",
    .help = "Parts of the open runs by state: waiting, running, lost, done, failed, cancelled",
    .kind = MetricKind::kGauge,
    .labels = {"state"}};
inline constexpr MetricFamily kWorkers{.name = "sibyl_workers",
                                       .help = "Processes that work on this oracle, by their role",
                                       .kind = MetricKind::kGauge,
                                       .labels = {"role"}};
inline constexpr MetricFamily kRunTokens{
    .name = "sibyl_run_tokens",
    .help = "Tokens that the open runs have spent or reserved, over all workers",
    .kind = MetricKind::kGauge};
inline constexpr MetricFamily kRunCost{
    .name = "sibyl_run_cost",
    .help = "Money that the open runs have spent or reserved, over all workers",
    .kind = MetricKind::kGauge};

inline constexpr std::array<const MetricFamily*, 24> kMetricFamilies = {
    &kBuildInfo,     &kResidentBytes, &kHttpRequests,     &kHttpSeconds,  &kToolCalls,
    &kLedgerSeconds, &kLedgerErrors,  &kLedgerReconnects, &kClaims,       &kSettled,
    &kRefused,       &kLeaseLosses,   &kModelRequests,    &kModelSeconds, &kModelTokens,
    &kModelCost,     &kStoreUse,      &kStoreUnavailable, &kLedgerUp,     &kOpenRuns,
    &kParts,         &kWorkers,       &kRunTokens,        &kRunCost};

}  // namespace sibyl
