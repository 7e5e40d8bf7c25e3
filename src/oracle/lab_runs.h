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
#include "evidence/citation.h"
#include "gate/receipt.h"
#include "lab/programs.h"
#include "lab/run.h"
#include "oracle/context.h"
#include "oracle/made_here.h"

namespace sibyl::oracle {

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

/// For the gate. Says whose record it is.
gate::OtherResolver ResolverOfLabs(std::filesystem::path oracle, MadeHere made_here);

struct RunFile {
  std::string id;  ///< As the file is named.
  Result<KeptRun> kept;
};

/// The runs that the oracle keeps, by their ids.
std::vector<RunFile> KeptRuns(const Context& context);

}  // namespace sibyl::oracle
