// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/plan/plan_operations.h"
#include "engine/text/render.h"
#include "engine/web_json.h"
#include "evidence/evidence.h"
#include "evidence/pages/pages.h"
#include "expansion/web.h"
#include "expansion/web_research.h"
#include "git/origin.h"
#include "oracle/context.h"
#include "oracle/oracle.h"
#include "oracle/plan_file.h"
#include "plan/plan.h"
#include "research/authority.h"

namespace sibyl::engine {
namespace {

enum class NamedKind { kRepository, kPage };

/// A repository or a page that the plan names, once, with all its lines.
struct Named {
  NamedKind kind = NamedKind::kRepository;
  std::string name;    ///< "NVIDIA/cutlass", or the address of a page.
  std::string origin;  ///< Where it can be had; empty when only a name is given.
  std::vector<std::size_t> lines;
  std::string source;  ///< The pinned source that has it; empty when none.
  std::string trouble;
  bool is_added = false;
};

class NamedThings {
 public:
  void AddRepository(const plan::Text& text) {
    const bool has_owner = text.text.find('/') != std::string::npos;
    Add({.kind = NamedKind::kRepository,
         .name = text.text,
         .origin = has_owner ? "https://github.com/" + text.text : ""},
        text.line);
  }

  // An address of a forge means the repository; the plan reader has listed it as
  // one, and that is enough for it.
  void AddUrl(const plan::Text& text) {
    const Result<net::Url> url = net::ParseUrl(text.text);
    if (!url.ok()) return;
    const std::string repository = research::RepositoryOf(*url);
    if (repository.empty() && url->path.ends_with(".git")) {
      Add({.kind = NamedKind::kRepository, .name = url->Text(), .origin = url->Text()}, text.line);
    } else if (repository.empty()) {
      Add({.kind = NamedKind::kPage, .name = url->Text(), .origin = url->Text()}, text.line);
    } else {
      Add({.kind = NamedKind::kRepository,
           .name = repository,
           .origin = fmt::format("https://{}/{}", url->host, repository)},
          text.line);
    }
  }

  std::vector<Named> things;

 private:
  void Add(Named named, std::size_t line) {
    const std::string key = LowerCase(named.name);
    const auto [place, is_new] = places_.emplace(key, things.size());
    if (is_new) things.push_back(std::move(named));
    std::vector<std::size_t>& lines = things[place->second].lines;
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }

  std::map<std::string, std::size_t> places_;
};

void FindPinned(const evidence::Lock& lock, Named& named) {
  if (named.kind == NamedKind::kPage) {
    if (evidence::FindPage(lock, named.origin) == nullptr) return;
    named.source = expansion::kWebSource;
    for (const evidence::Pin& pin : lock.pins) {
      const evidence::Lock alone{.pins = {pin}};
      if (evidence::FindPage(alone, named.origin) != nullptr) named.source = pin.name;
    }
    return;
  }
  for (const evidence::Pin& pin : lock.pins) {
    if (pin.kind != evidence::SourceKind::kGit) continue;
    const bool is_it = named.origin.empty()
                           ? EqualsIgnoringCase(git::OriginName(pin.origin), named.name)
                           : git::SameOrigin(pin.origin, named.origin);
    if (is_it) named.source = pin.name;
  }
}

std::string HowToAdd(const Named& named) {
  if (named.origin.empty()) return {};
  if (named.kind == NamedKind::kPage) return "sibyl source add " + named.origin;
  constexpr std::string_view kGitHub = "https://github.com/";
  if (named.origin.starts_with(kGitHub)) {
    return "sibyl source add github:" + named.origin.substr(kGitHub.size());
  }
  return "sibyl source add " + named.origin;
}

Json NamedAsJson(const Named& named) {
  Json json = {{"kind", named.kind == NamedKind::kPage ? "page" : "repository"},
               {"name", named.name},
               {"origin", named.origin.empty() ? Json(nullptr) : Json(named.origin)},
               {"lines", named.lines},
               {"pinned", !named.source.empty()},
               {"source", named.source.empty() ? Json(nullptr) : Json(named.source)}};
  if (named.source.empty()) json["add"] = HowToAdd(named);
  if (named.is_added) json["added"] = true;
  if (!named.trouble.empty()) json["trouble"] = named.trouble;
  return json;
}

/// Pins what can be had. A failure is noted, and the next is tried.
class Adder {
 public:
  Adder(const oracle::Context& context, expansion::Web& web, evidence::Surroundings around)
      : context_(context), around_(std::move(around)) {
    around_.fetch_page = web.PageFetcher();
  }

  Status AddAll(std::vector<Named>& things) {
    for (Named& named : things) {
      if (!named.source.empty() || named.kind != NamedKind::kRepository) continue;
      if (named.origin.empty()) {
        named.trouble = "the plan does not name its owner";
        continue;
      }
      if (context_.progress) context_.progress("adding " + named.name);
      SIBYL_TRY(AddRepository(named));
    }
    return AddPages(things);
  }

 private:
  Status AddRepository(Named& named) {
    evidence::SourceSpec spec{.name = git::OriginName(named.origin),
                              .kind = evidence::SourceKind::kGit,
                              .origin = named.origin};
    const evidence::SourceList list = SIBYL_TRY(evidence::ListSources(around_));
    const auto is_taken = [&](const std::string& name) {
      return std::any_of(
          list.sources.begin(), list.sources.end(),
          [&](const evidence::SourceState& state) { return state.spec.name == name; });
    };
    if (is_taken(spec.name)) {
      spec.name = named.name;
      std::replace(spec.name.begin(), spec.name.end(), '/', '-');
    }
    const Result<evidence::SourceChange> change = evidence::AddSource(spec, around_);
    if (change.ok()) {
      named.source = spec.name;
      named.is_added = true;
      return {};
    }
    if (change.error().kind == ErrorKind::kCancelled) return change.error();
    named.trouble = change.error().message;
    return {};
  }

  Status AddPages(std::vector<Named>& things) {
    std::vector<std::string> urls;
    std::vector<Named*> pages;
    for (Named& named : things) {
      if (named.kind != NamedKind::kPage || !named.source.empty()) continue;
      urls.push_back(named.origin);
      pages.push_back(&named);
    }
    if (urls.empty()) return {};
    const evidence::PagesChange change = SIBYL_TRY(
        evidence::AddPages(urls, {.source = std::string(expansion::kWebSource)}, around_));
    for (std::size_t i = 0; i < change.pages.size() && i < pages.size(); ++i) {
      if (change.pages[i].IsPinned()) {
        pages[i]->source = change.pin.name;
        pages[i]->is_added = true;
      } else {
        pages[i]->trouble = change.pages[i].reason;
      }
    }
    return {};
  }

  const oracle::Context& context_;
  evidence::Surroundings around_;
};

std::vector<Finding> TroublesOf(const std::vector<Named>& things, const std::string& file) {
  std::vector<Finding> findings;
  for (const Named& named : things) {
    if (named.trouble.empty()) continue;
    findings.push_back({.severity = Severity::kError,
                        .code = "source/unreachable",
                        .message = fmt::format("{} was not pinned: {}", named.name, named.trouble),
                        .hint = HowToAdd(named),
                        .place = {.file = file, .line = named.lines.front()}});
  }
  return findings;
}

Result<Outcome> RunPlanSources(const oracle::Context& context, const Arguments& arguments) {
  const oracle::PlanFile file = SIBYL_TRY(oracle::ReadPlan(context, arguments.Text("plan")));
  const plan::LoadedPlan loaded = plan::Parse(file.name, file.text);
  NamedThings named;
  for (const plan::Part& part : loaded.plan.parts) {
    for (const plan::Text& repository : part.repositories) named.AddRepository(repository);
    for (const plan::Text& url : part.urls) named.AddUrl(url);
  }
  const evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::Lock lock = SIBYL_TRY(evidence::ReadLock(around));
  for (Named& thing : named.things) FindPinned(lock, thing);
  Outcome outcome{.data = {{"file", file.name}, {"sources", Json::array()}}};
  if (arguments.Has("add")) {
    const std::unique_ptr<expansion::Web> web =
        SIBYL_TRY(expansion::Web::Open(context, WebOptionsOf(arguments)));
    SIBYL_TRY(Adder(context, *web, around).AddAll(named.things));
    outcome.findings = TroublesOf(named.things, file.name);
    outcome.holds = outcome.findings.empty();
    outcome.data["spent"] = SpentAsJson(web->spent());
  }
  for (const Named& thing : named.things) outcome.data["sources"].push_back(NamedAsJson(thing));
  return outcome;
}

std::vector<Rule> PlanSourcesRules() {
  return {{.code = "source/unreachable",
           .meaning = "a repository or page that the plan names could not be pinned"}};
}

constexpr Parameter kPlanSourcesParameters[] = {
    {.name = "plan",
     .value_name = "PLAN",
     .help = "the plan, or a folder with an ingestion.md",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true},
    {.name = "add",
     .short_name = 'a',
     .help = "pin those that are available; failures are reported",
     .kind = ParameterKind::kFlag,
     .people_only = true,
     .uses_network = true},
    {.name = "max-requests",
     .value_name = "N",
     .help = "maximum page requests [500]",
     .type = ValueType::kInteger,
     .minimum = 0,
     .maximum = 1'000'000},
    {.name = "max-mb",
     .value_name = "N",
     .help = "maximum megabytes of pages [200]",
     .type = ValueType::kInteger,
     .minimum = 0,
     .maximum = 1'000'000},
    {.name = "max-minutes",
     .value_name = "N",
     .help = "maximum minutes for pages [30]",
     .type = ValueType::kInteger,
     .minimum = 0,
     .maximum = 100'000},
};

}  // namespace

constexpr Operation kPlanSources = {
    .name = "plan sources",
    .summary = "list the repositories and pages that a plan names",
    .description =
        R"(Lists every repository and every page that a plan names, with the lines that name it, whether it is
pinned, and the command that pins it. A name without an owner counts as pinned if any pinned
repository has that name.

With `--add`, pins those that are available: each repository as its own source, pages in the source
`web`. Failures are reported and make the exit status 1, but do not stop the others; run it again to
retry them. Pages are fetched politely (robots.txt, a pause between requests) and within a budget
set in `[web]` of `sibyl.toml` or by the options.

  sibyl plan sources plans/cuda.md
  sibyl plan sources --add plans/cuda.md)",
    .parameters = kPlanSourcesParameters,
    .effects = {.reads = true,
                .writes = true,
                .changes_oracle = true,
                .network = NetworkUse::kOnRequest},
    .rules = PlanSourcesRules,
    .run = RunPlanSources,
    .render = RenderPlanSources,
};

}  // namespace sibyl::engine
