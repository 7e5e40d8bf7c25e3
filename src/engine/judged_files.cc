// SPDX-License-Identifier: Apache-2.0
#include "engine/judged_files.h"

#include <fmt/format.h>

#include <utility>

#include "engine/argument_file.h"
#include "engine/judgement_json.h"
#include "verify/baseline.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kMaxBaselineBytes = std::size_t{64} << 20;

Result<verify::Baseline> ReadBaseline(const Context& context, std::string_view argument) {
  const ArgumentFile file = SIBYL_TRY(ArgumentFile::Find(context, argument));
  const std::string text = SIBYL_TRY(file.Read({.max_bytes = kMaxBaselineBytes}));
  Result<verify::Baseline> baseline = verify::Baseline::Parse(text);
  if (baseline.ok()) return baseline;
  Error error = std::move(baseline).error();
  if (error.place) error.place->file = argument;
  return error;
}

}  // namespace

Result<Accepted> ApplyBaseline(const Context& context, const Arguments& arguments,
                               std::vector<JudgedFile>& files) {
  Accepted accepted;
  if (arguments.Has("write-baseline")) {
    verify::Baseline made;
    for (JudgedFile& file : files) {
      std::erase_if(file.judgements, [&](const verify::Judgement& judgement) {
        if (!judgement.Fails()) return false;
        made.Add(judgement, file.path);
        ++accepted.accepted;
        return true;
      });
    }
    const ArgumentFile file =
        SIBYL_TRY(ArgumentFile::ToWrite(context, arguments.Text("write-baseline")));
    SIBYL_TRY(file.Write(made.Format()));
    return accepted;
  }
  if (!arguments.Has("baseline")) return accepted;
  verify::Baseline known = SIBYL_TRY(ReadBaseline(context, arguments.Text("baseline")));
  for (JudgedFile& file : files) {
    accepted.accepted += std::erase_if(file.judgements, [&](const verify::Judgement& judgement) {
      return judgement.Fails() && known.Take(judgement, file.path);
    });
  }
  accepted.mended = known.left();
  return accepted;
}

Outcome ReportJudged(const std::vector<JudgedFile>& files, const Accepted& accepted,
                     const Arguments& arguments) {
  const bool all = arguments.Has("all");
  const Reasons reasons = arguments.Has("explain") ? Reasons::kGiven : Reasons::kLeftOut;
  Outcome outcome;
  Json listed = Json::array();
  verify::VerdictCounts total;
  std::size_t citations = 0;
  for (const JudgedFile& file : files) {
    const verify::VerdictCounts counts = verify::CountVerdicts(file.judgements);
    total = Sum(total, counts);
    citations += file.citations;
    listed.push_back(
        {{"file", file.name}, {"citations", file.citations}, {"counts", CountsAsJson(counts)}});
    for (const verify::Judgement& judgement : file.judgements) {
      if (judgement.Fails()) outcome.holds = false;
      if (all || judgement.Fails()) outcome.findings.push_back(FindingOf(judgement, reasons));
    }
  }
  outcome.data = {{"files", std::move(listed)},
                  {"citations", citations},
                  {"counts", CountsAsJson(total)},
                  {"accepted", accepted.accepted},
                  {"mended", accepted.mended}};
  return outcome;
}

}  // namespace sibyl::engine
