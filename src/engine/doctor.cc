// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "engine/arguments.h"
#include "engine/inspect_operations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "inspect/machine/diagnosis.h"
#include "inspect/rules.h"
#include "oracle/context.h"

namespace sibyl::engine {
namespace {

Result<Outcome> RunDoctor(const oracle::Context& context, const Arguments& arguments) {
  (void)arguments;
  if (context.progress) context.progress("looking at this machine");
  const inspect::Machine machine = inspect::InspectMachine(inspect::ThisMachine());
  Json facts = Json::object();
  for (const inspect::Fact& fact : inspect::MachineFacts(machine)) facts[fact.key] = fact.value;
  const inspect::CuptiAnswer cupti = inspect::AnswerCupti(machine);
  Outcome outcome;
  outcome.data["machine"] = std::move(facts);
  outcome.data["cupti"] = {{"needed", cupti.is_needed},
                           {"there", cupti.is_there},
                           {"why", cupti.why},
                           {"have", cupti.have}};
  outcome.findings = inspect::Diagnose(machine);
  outcome.holds = CountFindings(outcome.findings).errors == 0;
  return outcome;
}

std::vector<Rule> DoctorRules() {
  const std::span<const Rule> rules = inspect::MachineRules();
  return {rules.begin(), rules.end()};
}

}  // namespace

constexpr Operation kDoctor = {
    .name = "doctor",
    .summary = "report what this machine has and what is broken",
    .description =
        R"(Reports what CUDA programs find on this machine and what is broken, worst first, each with the
command that fixes it: toolkits and which one is in use, the driver (whether it is not installed,
not loaded, or not passed into the container), GPUs, every libcuda that the loader may find, CUPTI
and its version, nsys and ncu, cuDNN, NCCL, PyTorch, permission for hardware counters.

It answers the question: do I need CUPTI here, and do I have it? Copies of CUPTI that are bundled
with Triton or Nsight Compute do not count.

Nothing is imported, and no program is started except `ldconfig -p`; the GPUs are queried through
the driver's own library, if there is one. Exit status 1 means that something is broken.)",
    .effects = {.reads = true},
    .rules = DoctorRules,
    .answers_sarif = true,
    .run = RunDoctor,
    .render = RenderDoctor,
};

}  // namespace sibyl::engine
