// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <thread>

#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/context.h"
#include "engine/expand_operations.h"
#include "engine/expansion.h"

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
      int from = 0;
      int to = 0;
      const auto read = [](std::string_view text, int& value) {
        const char* stop = text.data() + text.size();
        return !text.empty() && std::from_chars(text.data(), stop, value).ptr == stop;
      };
      if (!read(first, from) || !read(last, to) || from < 0 || to < from || to > kMostParts) {
        return Error{.kind = ErrorKind::kUsage,
                     .message = "--part " + word + ": not the number of a part",
                     .hint = "--part 3, --part 1,4 or --part 2-5"};
      }
      for (int number = from; number <= to; ++number) numbers.push_back(number);
    }
  }
  return numbers;
}

// Nothing when the offline writer writes.
Result<std::optional<ModelRequest>> ReadModelRequest(const Arguments& arguments) {
  const bool has_ceiling = arguments.Integer("max-tokens") || arguments.Has("max-cost");
  if (arguments.Text("writer") != "llm") {
    if (!has_ceiling && !arguments.Has("judge")) return std::optional<ModelRequest>();
    return Error{.kind = ErrorKind::kUsage,
                 .message = "--judge, --max-tokens and --max-cost are about a model",
                 .hint = "with --writer llm"};
  }
  ModelRequest request{.is_judged = arguments.Has("judge")};
  if (const auto tokens = arguments.Integer("max-tokens")) {
    request.max_tokens = static_cast<std::uint64_t>(*tokens);
  }
  if (arguments.Has("max-cost")) {
    const std::string text(arguments.Text("max-cost"));
    char* end = nullptr;
    request.max_cost = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != '\0' || !std::isfinite(*request.max_cost) ||
        *request.max_cost < 0) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = "--max-cost " + text + ": not an amount",
                   .hint = "--max-cost 0.50"};
    }
  }
  return std::optional<ModelRequest>(request);
}

WebPermission ReadWebPermission(const Arguments& arguments) {
  WebPermission permission{.limits = WebWishesOf(arguments)};
  if (arguments.Has("web")) permission.use = WebPermission::Use::kAllowed;
  return permission;
}

Result<Outcome> RunExpand(const Context& context, const Arguments& arguments) {
  ExpandRequest request{.plan = std::string(arguments.Text("plan")),
                        .max_time = Minutes(arguments, "max-minutes"),
                        .max_part_time = Minutes(arguments, "max-part-minutes")};
  request.numbers = SIBYL_TRY(ReadNumbers(arguments.All("part")));
  request.jobs = static_cast<std::size_t>(
      arguments.Integer("jobs").value_or(std::max(1U, std::thread::hardware_concurrency())));
  if (const auto lines = arguments.Integer("max-lines")) {
    request.max_lines = static_cast<std::size_t>(*lines);
  }
  request.model = SIBYL_TRY(ReadModelRequest(arguments));
  request.web = ReadWebPermission(arguments);
  if (arguments.Has("replace")) request.existing = library::ExistingFile::kReplace;
  if (arguments.Has("no-commit")) request.committing = library::Committing::kLeave;
  if (arguments.Has("restart")) request.journalled = runner::Existing::kRestart;
  if (arguments.Has("dry-run")) return PreviewExpansion(context, request);
  return Expand(context, request);
}

std::vector<Rule> ExpandRules() {
  return {{.code = "expand/no-target", .meaning = "a part that names no file to create"},
          {.code = "expand/target", .meaning = "a file that must not be written, or is there"},
          {.code = "expand/no-part", .meaning = "a part was asked for that the plan does not have"},
          {.code = "expand/finished-earlier", .meaning = "another plan's run was finished first"},
          {.code = "model/unknown-key", .meaning = "unknown key in [model]"},
          {.code = "web/used", .meaning = "what was asked and taken on the web"},
          {.code = "web/provider", .meaning = "a search provider did not answer"},
          {.code = "web/repository", .meaning = "a repository that may be worth pinning"},
          {.code = "web/unknown-key", .meaning = "unknown key in [web]"},
          {.code = kMovedAsideCode,
           .meaning = "a journal or publication that is not ours was moved aside"},
          {.code = "index/rebuilt", .meaning = "an index was damaged or old and was built again"},
          {.code = "source/unsearchable", .meaning = "a pinned source could not be searched"},
          {.code = "publish/not-moved", .meaning = "a finished plan stays where it is, and why"},
          {.code = "publish/no-git", .meaning = "no commit was made: there is no repository"},
          {.code = "publish/ignored", .meaning = "git ignores a file, so it is not in the commit"},
          {.code = "publish/committed-already", .meaning = "there was nothing left to commit"},
          {.code = "publish/uncommitted",
           .meaning = "changes of the user's in an index page are in the commit"},
          {.code = "skill/name", .meaning = "the name of SKILL.md is not what Agent Skills allow"},
          {.code = "skill/description", .meaning = "the description of SKILL.md is too long"},
          {.code = "skill/front-matter", .meaning = "SKILL.md has no front matter"},
          {.code = "skill/field", .meaning = "a field of SKILL.md that Agent Skills do not know"},
          {.code = "skill/compatibility", .meaning = "the compatibility of SKILL.md is too long"},
          {.code = "skill/body", .meaning = "SKILL.md is too long"}};
}

constexpr std::string_view kWriters[] = {"extract", "llm"};

constexpr Parameter kExpandParameters[] = {
    {.name = "plan",
     .value_name = "PLAN",
     .help = "the plan, or its folder",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true},
    {.name = "part",
     .value_name = "N",
     .help = "these parts only: 3, 1,4 or 2-5",
     .repeated = true},
    {.name = "jobs",
     .short_name = 'j',
     .value_name = "N",
     .help = "parts at a time [as many as there are processors]",
     .type = ValueType::kInteger,
     .minimum = 1,
     .maximum = kMostJobs},
    {.name = "writer",
     .value_name = "WRITER",
     .help = "who writes: extract quotes the sources, llm asks a model",
     .type = ValueType::kChoice,
     .choices = kWriters,
     .default_text = "extract"},
    {.name = "judge",
     .help = "a second question per statement; only what it confirms stays",
     .kind = ParameterKind::kFlag},
    {.name = "max-tokens",
     .value_name = "N",
     .help = "ask models for no more than this in all",
     .type = ValueType::kInteger,
     .minimum = 0,
     .maximum = 1'000'000'000'000},
    {.name = "max-cost",
     .value_name = "AMOUNT",
     .help = "spend no more than this, by the prices in sibyl.toml"},
    {.name = "dry-run",
     .short_name = 'n',
     .help = "show what would be run, asked and paid; write nothing",
     .kind = ParameterKind::kFlag},
    {.name = "web",
     .help = "look on the web first, pin what is good, and cite it",
     .kind = ParameterKind::kFlag,
     .people_only = true,
     .uses_network = true},
    {.name = "max-requests",
     .value_name = "N",
     .help = "with --web: no more requests than this [500]",
     .type = ValueType::kInteger,
     .minimum = 0,
     .maximum = 1'000'000},
    {.name = "max-mb",
     .value_name = "N",
     .help = "with --web: no more megabytes than this [200]",
     .type = ValueType::kInteger,
     .minimum = 0,
     .maximum = 1'000'000},
    {.name = "max-minutes",
     .value_name = "N",
     .help = "publish what there is after so long; the rest stays open",
     .type = ValueType::kInteger,
     .minimum = 1,
     .maximum = 100'000},
    {.name = "max-part-minutes",
     .value_name = "N",
     .help = "an attempt at a part fails after so long",
     .type = ValueType::kInteger,
     .minimum = 1,
     .maximum = 100'000},
    {.name = "max-lines",
     .value_name = "N",
     .help = "no file longer than this, whatever the plan says",
     .type = ValueType::kInteger,
     .minimum = 20,
     .maximum = 1'000'000},
    {.name = "replace",
     .help = "write over files that are there; a done part needs --part too",
     .kind = ParameterKind::kFlag},
    {.name = "restart",
     .help = "forget what an interrupted run has written already",
     .kind = ParameterKind::kFlag},
    {.name = "no-commit",
     .help = "publish, and leave the commit to you",
     .kind = ParameterKind::kFlag},
};

}  // namespace

constexpr Operation kExpand = {
    .name = "expand",
    .summary = "carry out a plan: write, verify, publish, commit",
    .description =
        R"(Runs every open part of a plan, several at a time: looks what the oracle knows already, gathers
evidence for each point from the pinned sources, writes the knowledge file, and holds it to the gate.
A part for which nothing is found is tried once more with broader queries, then marked `[/]` with the
reason. At the end all files are published together: knowledge files, drops, ticks in the plan,
`INDEX.md` and `SKILL.md`, one commit; a plan that is done moves to `_ingest-auto/completed/`.
Nothing is published that did not pass the gate.

A part that is ticked is run when its file is not in this oracle. A plan from elsewhere is copied to
`_ingest-auto/` first. Parts can be interrupted: Ctrl-C ends cleanly (status 130), a kill or a full
disk loses nothing, and the same command goes on. Several processes may work on one plan.

With `--writer llm` a model writes, over an OpenAI-compatible or an Anthropic server that `[model]` in
`sibyl.toml` names. It is shown numbered passages and can cite nothing else; each section goes through
the same gate, what does not hold goes back once and is then left out. `--dry-run` says what it would
cost, ceilings hold, and answers are remembered: a run that goes on pays nothing twice, and with
`--offline` only what is remembered is used. Keys come from the environment: `SIBYL_MODEL_KEY`, or
`OPENAI_API_KEY` and `ANTHROPIC_API_KEY` for their own hosts.

With `--web`, or `expand = true` in the `[web]` table of `sibyl.toml`, the parts' queries are put to
search providers first (see `sibyl search --web`), pages of those who make a thing before all others,
and what the plan says of it ("official NVIDIA repositories only", `site:`) is a rule. Pages that are
good become snapshots in the source `web`, pinned in `sibyl.lock`: repeated, the run asks nothing
again. The limits hold for all of it together. `--offline` forbids it for sure.

With `--json`, what happens is told on stderr, one JSON object a line, and the report is the answer.
Exit status 1 means that some part was not delivered.

  sibyl expand --dry-run plans/cupti.md
  sibyl expand plans/cupti.md
  sibyl expand _ingest-auto/expansion-cupti --part 3 --replace)",
    .parameters = kExpandParameters,
    .effects = {.reads = true, .writes = true, .network = NetworkUse::kAlways},
    .rules = ExpandRules,
    .run = RunExpand,
};

}  // namespace sibyl::engine
