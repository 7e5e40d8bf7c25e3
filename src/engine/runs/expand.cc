// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/numbers.h"
#include "base/parallel.h"
#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/expand_operations.h"
#include "engine/expansion_preview.h"
#include "engine/expansion_report.h"
#include "engine/runs/model_request.h"
#include "engine/runs/repeat_command.h"
#include "engine/text/render.h"
#include "engine/web_json.h"
#include "expansion/expansion.h"
#include "oracle/context.h"
#include "oracle/source_index.h"

namespace sibyl::engine {
namespace {

constexpr std::int64_t kMostJobs = 256;

std::optional<std::chrono::milliseconds> Minutes(const Arguments& arguments,
                                                 std::string_view name) {
  const auto minutes = arguments.Integer(name);
  if (!minutes) return std::nullopt;
  return std::chrono::minutes(*minutes);
}

// "3", "1,4", "2-5"
Result<std::vector<int>> ReadNumbers(const std::vector<std::string>& words) {
  constexpr int kMostParts = 10'000;
  std::vector<int> numbers;
  for (const std::string& word : words) {
    for (std::size_t at = 0, end = 0; at <= word.size(); at = end + 1) {
      end = std::min(word.find(',', at), word.size());
      const std::string_view piece = std::string_view(word).substr(at, end - at);
      const std::size_t dash = piece.find('-');
      const std::string_view first = piece.substr(0, dash);
      const std::string_view last = dash == std::string_view::npos ? first : piece.substr(dash + 1);
      const std::optional<int> from = ParseNumber<int>(first);
      const std::optional<int> to = ParseNumber<int>(last);
      if (!from || !to || *from < 0 || *to < *from || *to > kMostParts) {
        return Error{.kind = ErrorKind::kUsage,
                     .message = "--part " + word + ": not a part number",
                     .hint = "for example: --part 3, --part 1,4 or --part 2-5"};
      }
      for (int number = *from; number <= *to; ++number) numbers.push_back(number);
    }
  }
  return numbers;
}

expansion::WebPermission ReadWebPermission(const Arguments& arguments) {
  expansion::WebPermission permission{.limits = WebOptionsOf(arguments)};
  if (arguments.Has("web")) permission.use = expansion::WebPermission::Use::kAllowed;
  return permission;
}

Result<Outcome> RunExpand(const oracle::Context& context, const Arguments& arguments) {
  expansion::ExpandRequest request{.plan = std::string(arguments.Text("plan")),
                                   .max_time = Minutes(arguments, "max-minutes"),
                                   .max_part_time = Minutes(arguments, "max-part-minutes")};
  request.numbers = SIBYL_TRY(ReadNumbers(arguments.All("part")));
  const auto jobs = arguments.Integer("jobs");
  request.jobs = jobs ? static_cast<std::size_t>(*jobs) : MachineThreads();
  if (const auto lines = arguments.Integer("max-lines")) {
    request.max_lines = static_cast<std::size_t>(*lines);
  }
  request.model = SIBYL_TRY(ReadModelRequest(arguments));
  request.web = ReadWebPermission(arguments);
  if (arguments.Has("replace")) request.existing = library::ExistingFile::kReplace;
  request.is_pushed = arguments.Has("push");
  if (request.is_pushed && arguments.Has("no-commit")) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "--push cannot be combined with --no-commit"};
  }
  if (arguments.Has("no-commit")) request.committing = library::Committing::kLeave;
  if (arguments.Has("restart")) request.journalled = runner::Existing::kRestart;
  if (arguments.Has("dry-run")) return PreviewExpansion(context, request);
  request.command = RepeatExpand(context, arguments);
  return ReportOfRun(SIBYL_TRY(expansion::Expand(context, request)), request.command);
}

std::vector<Rule> ExpandRules() {
  std::vector<Rule> rules = {
      {.code = "expand/no-target", .meaning = "a part that names no file to create"},
      {.code = "expand/target", .meaning = "a target that is not allowed, or already exists"},
      {.code = "expand/no-part", .meaning = "a requested part is not in the plan"},
      {.code = "expand/finished-earlier",
       .meaning = "the interrupted publication of another plan was completed first"},
      {.code = "model/unknown-key", .meaning = "unknown key in [model]"},
      {.code = "web/used", .meaning = "requests sent and pages used from the web"},
      {.code = "web/provider", .meaning = "a search provider did not answer"},
      {.code = "web/repository", .meaning = "a repository that may be worth pinning"},
      {.code = "web/unknown-key", .meaning = "unknown key in [web]"},
      {.code = kMovedAsideCode,
       .meaning = "a journal or publication made elsewhere was moved aside"},
      {.code = "publish/not-moved", .meaning = "a finished plan was not moved, with the reason"},
      {.code = "publish/no-git", .meaning = "no commit was made: there is no repository"},
      {.code = "publish/ignored", .meaning = "git ignores a file, so it is not in the commit"},
      {.code = "publish/committed-already", .meaning = "there was nothing left to commit"},
      {.code = "publish/elsewhere",
       .meaning = "another process published the run; the working copy does not have the commit"},
      {.code = "publish/behind",
       .meaning = "the commit was pushed, and the working copy could not follow it"},
      {.code = "publish/uncommitted",
       .meaning = "uncommitted changes of yours in an index page are in the commit"},
      {.code = "skill/name", .meaning = "the name in SKILL.md is not a valid skill name"},
      {.code = "skill/description",
       .meaning = "the description in SKILL.md is missing or too long"},
      {.code = "skill/front-matter", .meaning = "SKILL.md has no front matter"},
      {.code = "skill/field",
       .meaning = "a field in SKILL.md that is not in the Agent Skills format"},
      {.code = "skill/compatibility", .meaning = "the compatibility field in SKILL.md is too long"},
      {.code = "skill/body", .meaning = "SKILL.md is too long"}};
  for (const Rule& rule : oracle::SourceIndexRules()) rules.push_back(rule);
  return rules;
}

constexpr Parameter kExpandParameters[] = {
    {.name = "plan",
     .value_name = "PLAN",
     .help = "the plan, or its folder",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true},
    {.name = "part",
     .value_name = "N",
     .help = "parts to run, such as 3 or 1,4 or 2-5",
     .repeated = true},
    {.name = "jobs",
     .short_name = 'j',
     .value_name = "N",
     .help = "parts to run in parallel [the number of processors]",
     .type = ValueType::kInteger,
     .minimum = 1,
     .maximum = kMostJobs},
    {.name = "writer",
     .value_name = "WRITER",
     .help = "quote the sources, or have a model write",
     .type = ValueType::kChoice,
     .choices = kWriters,
     .default_text = "extract"},
    kNoJudgeParameter,
    kMaxTokensParameter,
    kMaxCostParameter,
    {.name = "dry-run",
     .short_name = 'n',
     .help = "show parts, requests and cost; write nothing",
     .kind = ParameterKind::kFlag},
    {.name = "web",
     .help = "search the web first, pin usable pages and cite them",
     .kind = ParameterKind::kFlag,
     .people_only = true,
     .uses_network = true},
    {.name = "max-requests",
     .value_name = "N",
     .help = "with --web: maximum requests [500]",
     .type = ValueType::kInteger,
     .minimum = 0,
     .maximum = 1'000'000},
    {.name = "max-mb",
     .value_name = "N",
     .help = "with --web: maximum megabytes [200]",
     .type = ValueType::kInteger,
     .minimum = 0,
     .maximum = 1'000'000},
    {.name = "max-minutes",
     .value_name = "N",
     .help = "after this many minutes publish what is done; the rest stays open",
     .type = ValueType::kInteger,
     .minimum = 1,
     .maximum = 100'000},
    {.name = "max-part-minutes",
     .value_name = "N",
     .help = "an attempt at a part fails after this many minutes",
     .type = ValueType::kInteger,
     .minimum = 1,
     .maximum = 100'000},
    {.name = "max-lines",
     .value_name = "N",
     .help = "maximum lines per file, whatever the plan says",
     .type = ValueType::kInteger,
     .minimum = 20,
     .maximum = 1'000'000},
    {.name = "replace",
     .help = "overwrite existing files; a done part needs --part too",
     .kind = ParameterKind::kFlag},
    {.name = "restart",
     .help = "discard what an interrupted run has written",
     .kind = ParameterKind::kFlag},
    {.name = "no-commit", .help = "publish without committing", .kind = ParameterKind::kFlag},
    {.name = "push",
     .help = "make the commit in a clone and push it to the branch's upstream",
     .kind = ParameterKind::kFlag,
     .people_only = true,
     .uses_network = true},
};

}  // namespace

constexpr Operation kExpand = {
    .name = "expand",
    .summary = "carry out a plan: write, verify, publish, commit",
    .description =
        R"(Runs every open part of a plan, several in parallel: checks what the oracle already covers, gathers
evidence for each point from the pinned sources, writes the knowledge file, and puts it through the
gate. A part for which nothing is found is retried once with broader queries, then marked `[/]` with
the reason. At the end all files are published together in one commit: knowledge files, a summary of
each part (its drop), ticks in the plan, `INDEX.md` and `SKILL.md`. A finished plan moves to
`_ingest-auto/completed/`. Nothing that fails the gate is published.

A ticked part is run if its file is not in this oracle. A plan from outside the oracle is copied to
`_ingest-auto/` first; one elsewhere in the oracle stays where it is, and its drops go to
`_ingest-auto/`. A run can be interrupted: Ctrl-C ends it cleanly (status 130), a kill or a
full disk loses nothing, and the same command resumes it. Several processes may work on one plan. A
run that another writer has begun is not replaced without `--restart`.

With `--writer llm` a model writes, through the OpenAI-compatible or Anthropic server that `[model]`
in `sibyl.toml` names. It says what to search for, chooses among the hits, sees numbered passages
and can cite nothing else. Each section goes through the same gate; statements that fail are sent
back once and then dropped, and a judge, the same model or another, removes those that their lines
do not support. The drop lists everything that was left out, with the reason. `--dry-run` estimates
the cost of all of it, limits are enforced, and answers are cached: a resumed run pays for nothing
twice, and with `--offline` only cached answers are used. Keys come from the environment:
`SIBYL_MODEL_KEY`, or `OPENAI_API_KEY` and `ANTHROPIC_API_KEY` for their own hosts.

With `--web`, or `expand = true` in the `[web]` table of `sibyl.toml`, the queries of the parts are
first sent to search providers (see `sibyl search --web`). Pages by the makers of a product rank
first, and restrictions in the plan ("official NVIDIA repositories only", `site:`) are enforced.
Usable pages become snapshots in the source `web`, pinned in `sibyl.lock`, so a repeated run sends
no request again. The limits apply to the whole run. `--offline` always disables this.

With `--push` the commit is made in a separate clone and pushed to the upstream of the current
branch; then the working copy follows. If the remote has moved meanwhile, the pages are published on
its newest commit, so that index pages do not conflict; if it has a page of that number, another plan
or other pins, nothing is pushed and the conflict is named. Hooks are not run.

With `--json`, progress goes to stderr, one JSON object per line, and the report is the answer. Exit
status 1 means that some part was not delivered.

  sibyl expand --dry-run plans/cupti.md
  sibyl expand plans/cupti.md
  sibyl expand _ingest-auto/expansion-cupti --part 3 --replace)",
    .parameters = kExpandParameters,
    .effects = {.reads = true,
                .writes = true,
                .changes_oracle = true,
                .network = NetworkUse::kAlways},
    .rules = ExpandRules,
    .run = RunExpand,
    .render = RenderExpand,
};

}  // namespace sibyl::engine
