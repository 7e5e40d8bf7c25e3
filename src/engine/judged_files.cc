// SPDX-License-Identifier: Apache-2.0
#include "engine/judged_files.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "audit/baseline.h"
#include "engine/judgement_json.h"
#include "gate/cited/cited_support.h"
#include "oracle/argument_file.h"
#include "statement/judgement_finding.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kMaxBaselineBytes = std::size_t{64} << 20;

Result<audit::Baseline> ReadBaseline(const oracle::ArgumentFile& file, std::string_view argument) {
  const std::string text = SIBYL_TRY(file.Read({.max_bytes = kMaxBaselineBytes}));
  Result<audit::Baseline> baseline = audit::Baseline::Parse(text);
  if (baseline.ok()) return baseline;
  Error error = std::move(baseline).error();
  if (error.place) error.place->file = argument;
  return error;
}

// The key of a file of the oracle is its path there, of others their path relative
// to the baseline, so that it does not depend on the working folder.
std::string KeyOf(const JudgedFile& file, const oracle::ArgumentFile& baseline) {
  const std::filesystem::path path(file.path);
  if (path.is_relative()) return file.path;
  return path.lexically_normal()
      .lexically_relative(baseline.path().lexically_normal().parent_path())
      .generic_string();
}

}  // namespace

Result<Accepted> ApplyBaseline(const oracle::Context& context, const Arguments& arguments,
                               std::vector<JudgedFile>& files) {
  Accepted accepted;
  if (arguments.Has("write-baseline")) {
    const oracle::ArgumentFile written =
        SIBYL_TRY(oracle::ArgumentFile::ToWrite(context, arguments.Text("write-baseline")));
    audit::Baseline made;
    for (JudgedFile& file : files) {
      const std::string key = KeyOf(file, written);
      std::erase_if(file.judgements, [&](const statement::Judgement& judgement) {
        if (!judgement.Fails()) return false;
        made.Add(judgement, key);
        ++accepted.accepted;
        return true;
      });
    }
    SIBYL_TRY(written.Write(made.Format()));
    return accepted;
  }
  if (!arguments.Has("baseline")) return accepted;
  const oracle::ArgumentFile read =
      SIBYL_TRY(oracle::ArgumentFile::Find(context, arguments.Text("baseline")));
  audit::Baseline known = SIBYL_TRY(ReadBaseline(read, arguments.Text("baseline")));
  for (JudgedFile& file : files) {
    const std::string key = KeyOf(file, read);
    accepted.accepted += std::erase_if(file.judgements, [&](const statement::Judgement& judgement) {
      if (!judgement.Fails()) return false;
      // Older baselines contain the name instead of the key.
      return known.Take(judgement, key) || (key != file.name && known.Take(judgement, file.name));
    });
  }
  accepted.mended = known.left();
  return accepted;
}

Outcome ReportJudged(const std::vector<JudgedFile>& files, const Accepted& accepted,
                     const Arguments& arguments) {
  const bool all = arguments.Has("all");
  const statement::Reasons reasons =
      arguments.Has("explain") ? statement::Reasons::kGiven : statement::Reasons::kLeftOut;
  Outcome outcome;
  Json listed = Json::array();
  statement::VerdictCounts total;
  gate::SupportCount support;
  std::size_t citations = 0;
  for (const JudgedFile& file : files) {
    const statement::VerdictCounts counts = statement::CountVerdicts(file.judgements);
    total += counts;
    support += gate::CountSupport(file.judgements);
    citations += file.citations;
    listed.push_back(
        {{"file", file.name}, {"citations", file.citations}, {"counts", CountsAsJson(counts)}});
    for (const statement::Judgement& judgement : file.judgements) {
      if (judgement.Fails()) outcome.holds = false;
      if (all || judgement.Fails())
        outcome.findings.push_back(statement::FindingOf(judgement, reasons));
    }
  }
  outcome.data = {{"files", std::move(listed)},
                  {"citations", citations},
                  {"counts", CountsAsJson(total)},
                  {"statements",
                   {{"grounded", support.grounded},
                    {"undecided", support.undecided},
                    {"refused", support.refused}}},
                  {"accepted", accepted.accepted},
                  {"mended", accepted.mended}};
  return outcome;
}

}  // namespace sibyl::engine
