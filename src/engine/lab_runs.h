// SPDX-License-Identifier: Apache-2.0
// Runs of labs as an oracle keeps them, in _labs/<id>.jsonl, and as pages cite
// them: "lab:<id>;metric=<variant>/<params>/<metric>".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "engine/context.h"
#include "engine/made_here.h"
#include "evidence/citation.h"
#include "lab/programs.h"
#include "lab/run.h"
#include "verify/receipt.h"

namespace sibyl::engine {

inline constexpr std::string_view kLabsFolder = "_labs";

/// The lab programs in SIBYL_LABS, or else those beside the program that is
/// running, and nowhere else. kNotFound with the way to build them.
Result<std::vector<lab::Program>> LabPrograms();

struct KeptRun {
  std::string id;
  lab::Run run;
  /// This user measured it on this machine. A run in a cloned oracle is what
  /// somebody wrote there: its id shows that it was not changed since, not that
  /// anybody measured it.
  bool is_measured_here = false;
};

/// Writes it into the oracle and remembers that it was measured here; the same
/// run twice is one file.
Result<KeptRun> KeepRun(const Context& context, lab::Run run);

/// `name` is an id, the beginning of one, or a file. kCorrupt when the bytes do
/// not have the id that the file is named by.
Result<KeptRun> ReadKeptRun(const Context& context, std::string_view name);

struct ResolvedLab {
  std::string words;  ///< What the citation says.
  bool is_measured_here = false;
};

/// kNotFound when the run or the metric is not kept.
Result<ResolvedLab> ResolveLab(const std::filesystem::path& oracle, const MadeHere& made_here,
                               const evidence::LabCitation& citation);

/// For the gate: lab citations, and everything else asked of `next`. Says whose
/// record it is.
verify::OtherResolver ResolverOfLabs(std::filesystem::path oracle, MadeHere made_here,
                                     verify::OtherResolver next);

/// A measurement as answers show it; with its citation when the run is kept.
Json MeasurementAsJson(const lab::Measurement& measurement, std::string_view run_id);

/// All of a run.
Json RunAsJson(const KeptRun& kept);

/// The runs that the oracle keeps, in short, by their ids.
Json KeptRuns(const Context& context);

}  // namespace sibyl::engine
