// SPDX-License-Identifier: Apache-2.0
// Lab runs that an oracle keeps in _labs/<id>.jsonl, and their citations:
// "lab:<id>;metric=<variant>/<params>/<metric>".
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "evidence/citation.h"
#include "gate/receipt.h"
#include "lab/run.h"
#include "oracle/context.h"
#include "oracle/made_here.h"

namespace sibyl::oracle {

inline constexpr std::string_view kLabsFolder = "_labs";

struct KeptRun {
  std::string id;
  lab::Run run;
  /// This user measured it on this machine. The id of a run in a cloned oracle
  /// proves that it was not changed, but not that it was measured.
  bool is_measured_here = false;
};

enum class MeasuredWhere { kHere, kPossiblyElsewhere };

/// Writes it into the oracle and, if it was measured here, remembers that; the same
/// run twice is one file.
Result<KeptRun> KeepRun(const Context& context, lab::Run run, MeasuredWhere where);

/// `name` is an id, the beginning of one, or a file. kCorrupt when the bytes do
/// not have the id that the file is named by.
Result<KeptRun> ReadKeptRun(const Context& context, std::string_view name);

struct ResolvedLab {
  std::string words;  ///< The measurement as text.
  bool is_measured_here = false;
};

/// kNotFound if the run or the metric does not exist.
Result<ResolvedLab> ResolveLab(const std::filesystem::path& oracle, const MadeHere& made_here,
                               const evidence::LabCitation& citation);

/// For the gate. Says whether it was measured here.
gate::OtherResolver ResolverOfLabs(std::filesystem::path oracle, MadeHere made_here);

struct RunFile {
  std::string id;  ///< As the file is named.
  Result<KeptRun> kept;
};

/// The kept runs, by id.
std::vector<RunFile> KeptRuns(const Context& context);

}  // namespace sibyl::oracle
