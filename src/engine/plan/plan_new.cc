// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/clock.h"
#include "base/files/root.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "engine/plan/plan_operations.h"
#include "engine/text/render.h"
#include "oracle/argument_file.h"
#include "oracle/context.h"
#include "plan/starter.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

/// One more than the highest NN of the NN-title.md in the folder.
int NextFreeNumber(const Root& root, const std::string& folder) {
  int highest = 0;
  const Result<std::vector<RootEntry>> entries = root.List(folder);
  if (!entries.ok()) return 1;
  for (const RootEntry& entry : *entries) {
    const std::string& name = entry.name;
    int number = 0;
    const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool numbered = error == std::errc() && rest != name.data() + name.size() && *rest == '-';
    if (numbered && number < 10'000) highest = std::max(highest, number);
  }
  return highest + 1;
}

Result<Outcome> RunPlanNew(const oracle::Context& context, const Arguments& arguments) {
  const std::string topic(arguments.Text("topic"));
  const std::string slug = plan::SlugOf(topic);
  if (slug.empty()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("naming the plan: '{}' has no letter or digit", topic)};
  }
  // Without an oracle the current folder takes its place: a clone may have links there too.
  oracle::Context around = context;
  around.oracle = context.oracle.value_or(context.working_folder);
  const Root root = SIBYL_TRY(Root::Open(*around.oracle));
  const std::string date = FormatDate(context.clock.WrittenNow());
  const fs::path path = arguments.Has("output")
                            ? fs::path(arguments.Text("output"))
                            : *around.oracle / "_ingest-auto" /
                                  fmt::format("expansion-{}-{}", slug, date) / "ingestion.md";
  const oracle::ArgumentFile file = SIBYL_TRY(oracle::ArgumentFile::ToWrite(around, path.string()));
  const std::string shown = oracle::ShownPath(context, file.path()).string();
  if (file.Exists()) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("writing the plan: {} already exists", shown),
                 .hint = "choose another name with --output, or delete it first"};
  }
  const auto parts = static_cast<int>(arguments.Integer("parts").value_or(1));
  const std::string text = plan::MakeStarter({.topic = topic,
                                              .slug = slug,
                                              .date = date,
                                              .parts = parts,
                                              .first_number = NextFreeNumber(root, slug)});
  SIBYL_TRY(file.Write(text, oracle::Parents::kMade));
  return Outcome{
      .data = {{"file", shown}, {"topic", topic}, {"date", date}, {"part_count", parts}}};
}

constexpr Parameter kPlanNewParameters[] = {
    {.name = "topic",
     .value_name = "TOPIC",
     .help = "the topic of the plan; quote it if it has several words",
     .kind = ParameterKind::kPositional,
     .required = true},
    {.name = "output",
     .short_name = 'o',
     .value_name = "FILE",
     .help = "where to write it [_ingest-auto/expansion-TOPIC-DATE/ingestion.md]",
     .type = ValueType::kPath},
    {.name = "parts",
     .short_name = 'n',
     .value_name = "N",
     .help = "how many parts",
     .type = ValueType::kInteger,
     .default_text = "2",
     .minimum = 1,
     .maximum = 999},
};

}  // namespace

constexpr Operation kPlanNew = {
    .name = "plan new",
    .summary = "write a commented starter plan",
    .description =
        R"(Writes a plan that uses every element of the plan language, with comments that explain each; `sibyl
plan check` then names the parts whose points you have not replaced yet. It goes into a new folder under the oracle's
`_ingest-auto/`, or under the current folder if there is no oracle; `--output` chooses another
place. An existing file is never overwritten.

Knowledge files are numbered from the next free number in the topic's folder.

  sibyl plan new "CUDA graphs" --parts 3)",
    .parameters = kPlanNewParameters,
    .effects = {.reads = true, .writes = true, .changes_oracle = true},
    .run = RunPlanNew,
    .render = RenderPlanNew,
};

}  // namespace sibyl::engine
