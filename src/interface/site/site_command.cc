// SPDX-License-Identifier: Apache-2.0
// `sibyl site`: the reading room as static files.
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "base/strings.h"
#include "base/terminal.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "interface/cli/own_commands.h"
#include "interface/site/site.h"
#include "interface/site/site_folder.h"
#include "oracle/context.h"
#include "oracle/oracle.h"

namespace sibyl::interface {
namespace {

namespace fs = std::filesystem;

using engine::Parameter;
using engine::ParameterKind;
using engine::ValueType;

constexpr std::string_view kExcerpts = "excerpts";
constexpr std::string_view kLinks = "links";
constexpr std::string_view kReceiptChoices[] = {kExcerpts, kLinks};

// A link given as an argument may have come with the files of somebody else.
Result<Root> OpenOut(const oracle::Context& context, std::string_view argument) {
  fs::path folder = (context.working_folder / argument).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  const auto refused = [&](std::string_view why) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("writing a site into {}: {}",
                                        oracle::ShownPath(context, folder).string(), why),
                 .hint = "name a folder; it need not exist"};
  };
  const Result<Root> parent = Root::Open(folder.parent_path());
  const auto about = parent.ok() ? parent->About(folder.filename()) : std::nullopt;
  if (about && about->kind == FileKind::kLink) return refused("it is a symbolic link");
  if (about && about->kind != FileKind::kFolder) return refused("it is not a folder");
  return Root::Create(folder);
}

Result<engine::Outcome> RunSite(const oracle::Context& context,
                                const engine::Arguments& arguments) {
  SIBYL_TRY(oracle::RequireOracle(context));
  const Root out = SIBYL_TRY(OpenOut(context, arguments.Text("out")));
  // Before the pages are made, which may take a while.
  SIBYL_TRY(CheckSiteFolder(out));
  const Site site = SIBYL_TRY(MakeSite(
      context, {.receipts = arguments.Text("receipts") == kLinks ? SiteReceipts::kLinks
                                                                 : SiteReceipts::kExcerpts}));
  const SiteWritten written = SIBYL_TRY(WriteSite(out, site.files));
  engine::Outcome outcome{.data = {{"folder", oracle::ShownPath(context, out.path()).string()},
                                   {"pages", site.pages},
                                   {"receipts", site.receipts},
                                   {"files", written.files},
                                   {"bytes", written.bytes},
                                   {"changed", written.changed},
                                   {"removed", written.removed}}};
  outcome.findings = site.findings;
  return outcome;
}

engine::Rendered RenderSite(const engine::Outcome& outcome, const engine::RenderOptions&) {
  const Json& data = outcome.data;
  const auto number = [&data](const char* name) { return data.value(name, std::size_t{0}); };
  engine::Rendered rendered{.results = Harmless(data.value("folder", "")) + '\n'};
  constexpr std::size_t kKibibyte = 1024;
  rendered.talk = fmt::format(
      "sibyl: {}, {}; {} in {} KiB, {} changed, {} removed\n", Count(number("pages"), "page"),
      Count(number("receipts"), "receipt"), Count(number("files"), "file"),
      (number("bytes") + kKibibyte - 1) / kKibibyte, number("changed"), number("removed"));
  return rendered;
}

constexpr Parameter kSiteParameters[] = {
    {.name = "out",
     .value_name = "OUT",
     .help = "the folder to write: new, empty, or written by `sibyl site` before",
     .kind = ParameterKind::kPositional,
     .type = ValueType::kPath,
     .required = true,
     .people_only = true},
    {.name = "receipts",
     .value_name = "HOW",
     .help = "include the cited lines, or only links to them",
     .type = ValueType::kChoice,
     .choices = kReceiptChoices,
     .default_text = kExcerpts},
};

}  // namespace

constexpr engine::Operation kSite = {
    .name = "site",
    .summary = "write the oracle's pages as a static web site",
    .description =
        R"(Writes the pages that `sibyl serve` shows as files: HTML with relative links, a stylesheet and two
small scripts. They need no server and work from a folder, on GitHub Pages or on any web host.
Search works in the browser, from an index that is written with the pages.

Receipts are included: the cited lines with a link to their place. With `--receipts links` the
lines are left out, for sources that may not be copied.

OUT must be new, empty (but for `.git`), or a folder that `sibyl site` wrote: then files that are no
longer part of the site are removed, and files of other origin are kept. The same oracle gives the
same bytes.

  sibyl site _site
  xdg-open _site/index.html)",
    .parameters = kSiteParameters,
    .effects = {.reads = true, .writes = true},
    .run = RunSite,
    .render = RenderSite,
};

}  // namespace sibyl::interface
