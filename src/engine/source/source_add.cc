// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <system_error>

#include "engine/arguments.h"
#include "engine/evidence_operations.h"
#include "engine/outcome.h"
#include "engine/source/source_json.h"
#include "engine/source/source_pages.h"
#include "engine/text/render.h"
#include "evidence/origins/toolkit.h"
#include "git/origin.h"
#include "oracle/consent.h"
#include "oracle/context.h"
#include "oracle/mirrors.h"
#include "oracle/oracle.h"
#include "oracle/source_admission.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;
using evidence::SourceKind;

// "github:NVIDIA/cutlass@v4.0" is short for a URL and a ref.
struct Origin {
  std::string origin;
  std::string ref;
};

Origin Expand(std::string_view argument) {
  struct Forge {
    std::string_view prefix;
    std::string_view address;
  };
  constexpr Forge kForges[] = {{"github:", "https://github.com/"},
                               {"gitlab:", "https://gitlab.com/"}};
  for (const Forge& forge : kForges) {
    if (!argument.starts_with(forge.prefix)) continue;
    const std::string_view rest = argument.substr(forge.prefix.size());
    const std::size_t at = rest.find('@');
    return {.origin = std::string(forge.address) + std::string(rest.substr(0, at)),
            .ref = at == std::string_view::npos ? std::string() : std::string(rest.substr(at + 1))};
  }
  return {.origin = std::string(argument), .ref = {}};
}

bool IsRepository(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path / ".git", ignored) ||
         (fs::exists(path / "HEAD", ignored) && fs::is_directory(path / "objects", ignored));
}

// An existing path determines the kind; a web address is a page or a repository
// by its form, unless --kind says otherwise.
SourceKind KindOf(const fs::path& path, std::string_view origin) {
  std::error_code ignored;
  if (!git::IsLocalOrigin(origin)) {
    return IsPageAddress(origin) ? SourceKind::kPage : SourceKind::kGit;
  }
  if (fs::is_regular_file(path, ignored)) return SourceKind::kFile;
  return IsRepository(path) ? SourceKind::kGit : SourceKind::kFolder;
}

// Paths on the command line start where the person is; those in sibyl.toml at
// the oracle.
std::string FromOracle(const fs::path& path, const fs::path& oracle) {
  const fs::path relative = path.lexically_relative(oracle);
  const bool inside = !relative.empty() && *relative.begin() != "..";
  return inside ? relative.generic_string() : path.generic_string();
}

// PATH@REF is how one would write it after github:OWNER/NAME@REF.
std::string HintForAbsent(const fs::path& path) {
  const std::string text = path.string();
  const std::size_t at = text.rfind('@');
  std::error_code ignored;
  if (at != std::string::npos && fs::exists(text.substr(0, at), ignored)) {
    return fmt::format(
        "for a repository on this machine, give the commit, tag or branch with --ref {}",
        text.substr(at + 1));
  }
  return "for a remote repository, give a URL or github:OWNER/NAME";
}

// "toolkit:cuda@13.0"; without a version, that of the installed one.
Result<evidence::Toolkit> WantedToolkit(evidence::Toolkit toolkit) {
  if (toolkit.version.empty()) {
    toolkit = SIBYL_TRY(evidence::FindToolkit(toolkit, evidence::ToolkitFolders(toolkit))).toolkit;
  }
  const std::string mistake = evidence::MistakeOfToolkit(toolkit);
  if (mistake.empty()) return toolkit;
  return Error{.kind = ErrorKind::kUsage,
               .message = fmt::format("adding a toolkit: {}", mistake),
               .hint = "for example: sibyl source add toolkit:cuda@13.0"};
}

Result<evidence::SourceSpec> SpecOf(const oracle::Context& context, const Arguments& arguments,
                                    const fs::path& oracle) {
  Origin origin = Expand(arguments.Text("origin"));
  if (git::HasCredentials(origin.origin)) {
    const SourceKind kind = IsPageAddress(origin.origin) ? SourceKind::kPage : SourceKind::kGit;
    return While("adding a source", evidence::SourceCredentialsRefused(origin.origin, kind));
  }
  evidence::SourceSpec spec{.origin = origin.origin, .ref = origin.ref};
  fs::path path;
  const auto toolkit = evidence::ParseToolkitOrigin(spec.origin);
  if (toolkit) spec.origin = evidence::ToolkitOrigin(SIBYL_TRY(WantedToolkit(*toolkit)));
  if (git::IsLocalOrigin(spec.origin)) {
    path = (context.working_folder / git::LocalPath(spec.origin)).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
      return Error{.kind = ErrorKind::kNotFound,
                   .message = fmt::format("adding {}: no such file or folder", spec.origin),
                   .hint = HintForAbsent(path)};
    }
    spec.origin = FromOracle(path, oracle);
  }
  spec.kind = toolkit ? SourceKind::kFolder : KindOf(path, origin.origin);
  if (arguments.Has("kind")) spec.kind = *evidence::ParseSourceKind(arguments.Text("kind"));
  if (arguments.Has("ref")) spec.ref = arguments.Text("ref");
  const bool is_page = spec.kind == SourceKind::kPage;
  if (is_page && !spec.ref.empty()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("adding {}: a page has no ref", spec.origin),
                 .hint = "if it is a repository, add --kind git"};
  }
  if (is_page) spec.urls = {evidence::PageAddress(origin.origin)};
  if (is_page) spec.origin = spec.urls.front();
  const std::string suggested = is_page ? evidence::PageName(spec.origin)
                                : toolkit
                                    ? toolkit->name + "-headers"
                                    : git::OriginName(path.empty() ? origin.origin : path.string());
  spec.name = arguments.Has("name") ? std::string(arguments.Text("name")) : suggested;
  if (!evidence::IsSourceName(spec.name)) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("adding {}: '{}' is not a valid source name", spec.origin,
                                        spec.name),
                 .hint = "choose one with --name: up to 64 letters, digits, '.', '_' and '-'"};
  }
  spec.has_history = arguments.Has("history");
  if (spec.has_history && spec.kind != SourceKind::kGit) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("adding {}: only a repository has a history", spec.origin),
                 .hint = "leave out --history"};
  }
  spec.filter.include = arguments.All("include");
  spec.filter.exclude = arguments.All("exclude");
  if (const auto bytes = arguments.Integer("max-file-bytes")) {
    spec.filter.max_file_bytes = static_cast<std::uint64_t>(*bytes);
  }
  return spec;
}

// A source that collects pages takes one more; any other name is a new source.
Result<bool> IsCollector(const evidence::SourceSpec& spec, const evidence::Surroundings& around) {
  const evidence::SourceList list = SIBYL_TRY(evidence::ListSources(around));
  for (const evidence::SourceState& state : list.sources) {
    if (state.spec.name == spec.name) {
      return state.spec.kind == SourceKind::kPage && state.spec.urls.empty();
    }
  }
  return false;
}

Result<Outcome> AddToCollector(const evidence::SourceSpec& spec,
                               const evidence::Surroundings& around) {
  evidence::PagesChange change =
      SIBYL_TRY(evidence::AddPages(spec.urls, {.source = spec.name}, around));
  Outcome outcome{.findings = evidence::FindingsOfPages(change.pages, evidence::kConfigFile)};
  outcome.holds = outcome.findings.empty();
  outcome.data = ChangeAsJson({.pin = std::move(change.pin),
                               .before = std::move(change.before),
                               .pages = std::move(change.pages)});
  return outcome;
}

// Adding a source as a person is an agreement, recorded when it is added.
// Agents and servers can add only what needs no agreement, or has one.
Result<std::vector<oracle::OutsideSetting>> TakeConsent(const oracle::Context& context,
                                                        const evidence::SourceSpec& spec,
                                                        evidence::Surroundings& around) {
  if (!oracle::MayAgree(context)) return std::vector<oracle::OutsideSetting>();
  around.admit = oracle::MakeAdmitter(context, oracle::Consent::kGivenNow);
  return oracle::OutsideSettingsOf(context, spec);
}

Result<std::unique_ptr<expansion::Web>> ReachPage(const oracle::Context& context,
                                                  const evidence::SourceSpec& spec,
                                                  const std::vector<oracle::OutsideSetting>& agreed,
                                                  evidence::Surroundings& around) {
  expansion::WebOptions options;
  if (!agreed.empty()) {
    const net::Url url = SIBYL_TRY(net::ParseUrl(spec.urls.front()));
    options.allow.push_back(fmt::format("{}:{}", url.host, url.PortNumber()));
  }
  return ReachWeb(context, around, options);
}

// The copy that --mirror names, absolute; empty without it.
Result<std::string> TakeMirror(const oracle::Context& context, const evidence::SourceSpec& spec,
                               const Arguments& arguments, evidence::Surroundings& around) {
  if (!arguments.Has("mirror")) return std::string();
  if (spec.kind != SourceKind::kGit || git::IsLocalOrigin(spec.origin)) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("adding {}: only a remote repository has a mirror", spec.origin),
        .hint = "give its URL or github:OWNER/NAME, and its copy with --mirror"};
  }
  std::string place(arguments.Text("mirror"));
  if (git::HasCredentials(place)) return git::CredentialsRefused(place);
  if (git::IsLocalOrigin(place)) {
    place = (context.working_folder / git::LocalPath(place)).lexically_normal().string();
  }
  around.mirror_of = [origin = spec.origin, place](const std::string& asked) {
    return Result<std::string>(asked == origin ? place : std::string());
  };
  return place;
}

Result<Outcome> RunSourceAdd(const oracle::Context& context, const Arguments& arguments) {
  evidence::Surroundings around = SIBYL_TRY(oracle::EvidenceAround(context));
  const evidence::SourceSpec spec = SIBYL_TRY(SpecOf(context, arguments, around.oracle));
  const std::string mirror = SIBYL_TRY(TakeMirror(context, spec, arguments, around));
  const std::vector<oracle::OutsideSetting> agreed = SIBYL_TRY(TakeConsent(context, spec, around));
  std::unique_ptr<expansion::Web> web;
  if (spec.kind == SourceKind::kPage) {
    web = SIBYL_TRY(ReachPage(context, spec, agreed, around));
    if (SIBYL_TRY(IsCollector(spec, around))) {
      Outcome outcome = SIBYL_TRY(AddToCollector(spec, around));
      SIBYL_TRY(oracle::RecordConsent(context, agreed));
      return outcome;
    }
  }
  evidence::SourceChange change = SIBYL_TRY(evidence::AddSource(spec, around));
  SIBYL_TRY(oracle::RecordConsent(context, agreed));
  if (!mirror.empty()) SIBYL_TRY(oracle::RecordMirror(context, spec.origin, mirror));
  Outcome outcome{.data = ChangeAsJson(change), .findings = std::move(change.findings)};
  return outcome;
}

constexpr std::string_view kKinds[] = {"git", "folder", "file", "page"};

constexpr Parameter kSourceAddParameters[] = {
    {.name = "origin",
     .value_name = "ORIGIN",
     .help = "a git URL, github:OWNER/NAME[@REF] (or gitlab:), a page, a folder, a file, or "
             "toolkit:cuda@VERSION",
     .kind = ParameterKind::kPositional,
     .required = true},
    {.name = "name",
     .short_name = 'n',
     .value_name = "NAME",
     .help = "the name of the source [the last part of its origin]"},
    {.name = "ref",
     .short_name = 'r',
     .value_name = "REF",
     .help = "the branch, tag or commit to pin [the origin's HEAD]"},
    {.name = "kind",
     .value_name = "KIND",
     .help = "the kind of origin, if it is ambiguous",
     .type = ValueType::kChoice,
     .choices = kKinds},
    {.name = "mirror",
     .value_name = "PATH",
     .help = "take the bytes of a repository from this copy, a path or a URL",
     .people_only = true},
    {.name = "history",
     .help = "fetch its commits too, without their files: search then reads their messages",
     .kind = ParameterKind::kFlag},
    {.name = "include",
     .short_name = 'i',
     .value_name = "GLOB",
     .help = "include only paths that match",
     .repeated = true},
    {.name = "exclude",
     .short_name = 'x',
     .value_name = "GLOB",
     .help = "exclude paths that match",
     .repeated = true},
    {.name = "max-file-bytes",
     .value_name = "N",
     .help = "exclude larger files [2097152]",
     .type = ValueType::kInteger,
     .minimum = 1,
     .maximum = std::int64_t{1} << 30},
};

}  // namespace

constexpr Operation kSourceAdd = {
    .name = "source add",
    .summary = "pin a repository, page, folder or file",
    .description =
        R"(Fetches a source into the object store, pins it, and adds it to `sibyl.toml` and `sibyl.lock`. If
any step fails, nothing is written.

A git source is fetched at its ref and pinned to the commit; no work tree is created. A folder or a
file is stored as it is now and pinned by its content. The store is `$XDG_CACHE_HOME/sibyl`; it can
be deleted at any time and is filled again from the origins.

With `--mirror`, and for every origin in the `[mirrors]` table of your `~/.config/sibyl/config.toml`,
the bytes come from a copy that you keep; pins, citations and links name the origin, and nothing in
the oracle names the copy. `--mirror` adds a row to that table.

With `--history`, the commits that lead to the pinned one are fetched too, without the files of
earlier commits. A file is then also found by what people wrote when they changed it; `search
--explain` shows what that did. Later syncs fetch only what is new. For a source that is there
already, write `history = true` into its table in `sibyl.toml`, and sync.

`toolkit:cuda@13.0` pins the headers of an installed CUDA toolkit by their content. They are found
through CUDA_HOME, CUDA_PATH and the usual folders, so that anyone with the same toolkit can verify.

An http or https address is treated as a page, unless it ends in `.git` or is OWNER/NAME on a forge;
`--kind` overrides this. A page is fetched as robots.txt and the `[web]` table allow, converted to
text without menus and footers, and stored unchanged beside that text. An error page, a login, a
consent wall or an empty shell is refused with the reason. If `--name` is a source that collects
pages (`page = []`), the page is added to it.

Adding a folder outside the oracle, a repository on this machine or over ssh, or a private address
also agrees to it, for this source only (see `sibyl trust`). A URL that contains a user name or
password is refused; git's credential helpers, `~/.netrc` and ssh are used instead.

  sibyl source add github:NVIDIA/cutlass@v4.0.0
  sibyl source add https://docs.nvidia.com/cuda/parallel-thread-execution/index.html
  sibyl source add ../notes --name notes --exclude 'drafts/**'
  sibyl source add github:NVIDIA/cutlass --mirror /srv/git/cutlass
  sibyl source add github:NVIDIA/cutlass --history
  sibyl source add toolkit:cuda@13.0)",
    .parameters = kSourceAddParameters,
    .effects = {.reads = true,
                .writes = true,
                .changes_oracle = true,
                .network = NetworkUse::kAlways},
    .run = RunSourceAdd,
    .render = RenderSourceAdd,
};

}  // namespace sibyl::engine
