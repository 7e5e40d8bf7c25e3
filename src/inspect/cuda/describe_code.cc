// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/describe_code.h"

#include <fmt/format.h>

#include "inspect/cuda/code_summary.h"
#include "inspect/cuda/verdict.h"

namespace sibyl::inspect {
namespace {

void JudgeFor(const InspectOptions& options, Artifact& artifact) {
  const VerdictOptions how{.driver = options.driver, .runtime_major = RuntimeMajor(artifact)};
  for (const GpuTarget& gpu : options.gpus) {
    GpuVerdict verdict = Judge(artifact.code, gpu, how);
    if (verdict.runs == Runs::kNot) {
      artifact.findings.push_back(
          {.severity = Severity::kError,
           .code = "gpu/does-not-run",
           .message = fmt::format(
               "does not run on {}: {}{}", gpu.name, verdict.why,
               verdict.error ? fmt::format(" (error {})", *verdict.error) : std::string()),
           .hint = verdict.error == 209
                       ? fmt::format("build with -gencode arch=compute_{0},code=sm_{0}", gpu.number)
                       : std::string(),
           .place = {.file = artifact.path}});
    }
    // A library may have kernels for other GPUs in separate containers and choose among them,
    // so this alone is not a problem.
    if (verdict.runs == Runs::kPartly) {
      artifact.findings.push_back(
          {.severity = Severity::kNote,
           .code = "gpu/runs-partly",
           .message = fmt::format("runs only partly on {}: {}", gpu.name, verdict.why),
           .hint = "kernels in those containers fail to load (error 209); in a library they may be "
                   "meant for other GPUs",
           .place = {.file = artifact.path}});
    }
    artifact.verdicts.push_back(std::move(verdict));
  }
}

}  // namespace

void DescribeCode(const InspectOptions& options, Artifact& artifact) {
  AddCodeFacts(artifact);
  JudgeFor(options, artifact);
}

}  // namespace sibyl::inspect
