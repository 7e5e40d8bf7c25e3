// SPDX-License-Identifier: Apache-2.0
#include "expansion/run_writer.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace sibyl::expansion {
namespace {

struct Known {
  std::string_view name;
  std::string_view options;
  std::string_view shown;
};
constexpr std::array<Known, 3> kWriters = {
    {{.name = kExtractWriter, .options = "", .shown = "the offline writer"},
     {.name = kModelWriter, .options = " --writer llm", .shown = "a model (--writer llm)"},
     {.name = kUnjudgedWriter,
      .options = " --writer llm --no-judge",
      .shown = "a model without a judge (--writer llm --no-judge)"}}};

const Known* Find(std::string_view writer) {
  for (const Known& known : kWriters) {
    if (known.name == writer) return &known;
  }
  return nullptr;
}

bool IsUntouched(const runner::JobRow& row) {
  return row.state == runner::JobState::kWaiting && row.token == 0 && row.payload.empty();
}

}  // namespace

std::string_view WriterOf(const ExpandRequest& request) {
  if (!request.model) return kExtractWriter;
  return request.model->is_judged ? kModelWriter : kUnjudgedWriter;
}

std::string_view WriterOfJob(std::string_view fingerprint) {
  const std::size_t end = fingerprint.find(':');
  if (end == std::string_view::npos) return {};
  const Known* known = Find(fingerprint.substr(0, end));
  return known == nullptr ? std::string_view() : known->name;
}

std::string_view WriterOptions(std::string_view writer) {
  const Known* known = Find(writer);
  return known == nullptr ? std::string_view() : known->options;
}

Status RequireSameWriter(const std::vector<runner::JobRow>& rows, const ExpandRequest& request,
                         std::string_view plan) {
  std::string_view writer;
  std::size_t parts = 0;
  std::size_t written = 0;
  for (const runner::JobRow& row : rows) {
    if (row.is_last) continue;
    ++parts;
    if (row.state == runner::JobState::kDone) ++written;
    const std::string_view one = WriterOfJob(row.fingerprint);
    if (!IsUntouched(row) && !one.empty() && one != WriterOf(request)) writer = one;
  }
  if (writer.empty()) return {};
  return Error{
      .kind = ErrorKind::kUsage,
      .message = fmt::format(
          "{}: a run of this plan is open whose pages {} writes; {} of {} are written and would be "
          "discarded",
          plan, Find(writer)->shown, written, parts),
      .hint = fmt::format("to resume it: {}; to discard it: {}",
                          request.command.With(plan, WriterOptions(writer)),
                          request.command.Restarting(plan))};
}

}  // namespace sibyl::expansion
