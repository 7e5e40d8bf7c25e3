// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "base/files/own_folder.h"
#include "engine/arguments.h"
#include "engine/expand_operations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "expansion/ledger/plan_worker.h"
#include "oracle/context.h"

namespace sibyl::engine {
namespace {

constexpr std::int64_t kMostWorkerJobs = 256;

Result<Outcome> RunWorker(const oracle::Context& context, const Arguments& arguments) {
  expansion::WorkerRequest request{.plans = arguments.All("plan"),
                                   .until_idle = arguments.Has("until-idle"),
                                   .part_logs = std::string(arguments.Text("part-logs"))};
  if (const auto jobs = arguments.Integer("jobs")) request.jobs = static_cast<std::size_t>(*jobs);
  if (const auto most = arguments.Integer("max-parts")) {
    request.max_parts = static_cast<std::size_t>(*most);
  }
  std::shared_ptr<void> metrics;
  if (arguments.Has("metrics")) {
    if (!context.serve_metrics) {
      return Error{.kind = ErrorKind::kUsage, .message = "--metrics cannot be used here"};
    }
    metrics = SIBYL_TRY(context.serve_metrics(arguments.Text("metrics")));
  }
  expansion::WorkerResult result = SIBYL_TRY(expansion::WorkOnPlans(context, request));
  const runner::ServeReport& report = result.report;
  return Outcome{.data = {{"written", report.done},
                          {"failed", report.failed},
                          {"retried", report.retried},
                          {"released", report.released},
                          {"lost", report.lost}},
                 .findings = std::move(result.findings),
                 .holds = result.is_complete};
}

std::vector<Rule> WorkerRules() {
  return {{.code = "worker/inputs",
           .meaning = "parts that were planned with other inputs than the worker has"},
          {.code = kMovedAsideCode, .meaning = "a journal made elsewhere was moved aside"}};
}

constexpr Parameter kWorkerParameters[] = {
    {.name = "plan",
     .value_name = "PLAN",
     .help = "take parts of this plan only [every open run]",
     .type = ValueType::kPath,
     .repeated = true},
    {.name = "jobs",
     .short_name = 'j',
     .value_name = "N",
     .help = "parts to write in parallel",
     .type = ValueType::kInteger,
     .default_text = "1",
     .minimum = 1,
     .maximum = kMostWorkerJobs},
    {.name = "max-parts",
     .value_name = "N",
     .help = "end after this many parts",
     .type = ValueType::kInteger,
     .minimum = 1,
     .maximum = 1'000'000'000},
    {.name = "until-idle",
     .help = "end when every part of the open runs has an outcome",
     .kind = ParameterKind::kFlag},
    {.name = "part-logs",
     .value_name = "FOLDER",
     .help = "append a log of each part there: who had it when, and how it ended",
     .type = ValueType::kPath,
     .people_only = true},
    {.name = "metrics",
     .value_name = "ADDRESS",
     .help = "serve /metrics for Prometheus, for example on 127.0.0.1:9469",
     .people_only = true},
};

}  // namespace

constexpr Operation kWorker = {
    .name = "worker",
    .summary = "write parts of plans that other machines expand",
    .description =
        R"(Takes waiting parts of the runs that `sibyl expand` has begun, writes them with the writer of the
run, and hands them to the ledger; `sibyl expand` publishes them. Runs take turns: the one with the
fewest parts in hand is next. Any number of workers on any number of machines may share a ledger in
PostgreSQL, named by `SIBYL_LEDGER` or `url` in the `[ledger]` table of your configuration
(docs/formats/ledger.md); without one, workers share the journal of this working copy.

A worker needs the same plan, pages, pins and model settings as the run; parts for which it has
others are reported and skipped. With `--until-idle` it then ends with exit status 1, and with 2 if
it could write no part at all. Otherwise it waits for more work until it is stopped. SIGTERM or Ctrl-C end it
cleanly: parts in hand go back at once, at the latest after 10 seconds, which counts neither as an
attempt nor as a loss. If its machine disappears, they go back when their lease is over, after 30
seconds; a part fails only after 50 such losses, or when it crashed its process five times.

Before it takes a part it has every pinned source: from the shared store if there is one, otherwise
fetched. A source that it may not use (`sibyl trust`) or cannot have ends it with exit status 2. If
the ledger is away for 30 seconds, or a source cannot be fetched at the moment, it ends with exit
status 75: start it again, as what `sibyl launch` starts does.

`sibyl launch` starts workers with Slurm, Kubernetes, ssh or systemd.

With `SIBYL_LOG=json` it writes a line for each part and each request to a model on stderr; docs/operate.md
has the fields, and the metrics.

  sibyl worker --until-idle
  sibyl worker --plan _ingest-auto/expansion-cupti -j 4)",
    .parameters = kWorkerParameters,
    .effects = {.reads = true,
                .writes = true,
                .changes_oracle = true,
                .network = NetworkUse::kAlways},
    .rules = WorkerRules,
    .run = RunWorker,
    .render = RenderWorker,
};

}  // namespace sibyl::engine
