// SPDX-License-Identifier: Apache-2.0
#include "engine/lab/lab_plot.h"

#include "lab/plot.h"
#include "oracle/lab_runs.h"

namespace sibyl::engine {

Result<std::string> PlotBeside(const oracle::Context& context, std::string_view run,
                               std::string_view beside) {
  const oracle::KeptRun own = SIBYL_TRY(oracle::ReadKeptRun(context, run));
  const oracle::KeptRun other = SIBYL_TRY(oracle::ReadKeptRun(context, beside));
  return lab::PlotRun(own.run, {.beside = &other.run});
}

}  // namespace sibyl::engine
