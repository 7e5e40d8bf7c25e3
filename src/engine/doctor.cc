// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "engine/arguments.h"
#include "engine/inspect_operations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "inspect/machine/diagnosis.h"
#include "inspect/machine/installation.h"
#include "inspect/rules.h"
#include "oracle/context.h"
#include "oracle/installed_folders.h"

namespace sibyl::engine {
namespace {

Json ProgramsAsJson(const std::vector<inspect::OutsideProgram>& programs) {
  Json rows = Json::array();
  for (const inspect::OutsideProgram& program : programs) {
    Json row = {{"name", program.name},
                {"path", nullptr},
                {"needed_for", program.needed_for},
                {"install", program.install}};
    if (!program.path.empty()) row["path"] = program.path;
    rows.push_back(std::move(row));
  }
  return rows;
}

Json OraclesAsJson() {
  Json rows = Json::array();
  for (const oracle::InstalledOracle& oracle :
       oracle::FindInstalledOracles(oracle::ThisProgram())) {
    rows.push_back({{"name", "@" + oracle.name}, {"path", oracle.folder.string()}});
  }
  return rows;
}

Result<Outcome> RunDoctor(const oracle::Context& context, const Arguments& arguments) {
  (void)arguments;
  if (context.progress) context.progress("looking at this machine");
  const inspect::MachineAccess access = inspect::ThisMachine();
  const inspect::Machine machine = inspect::InspectMachine(access);
  const inspect::Installation installation = inspect::ThisInstallation(access);
  const auto programs = inspect::FindOutsidePrograms(access, machine);
  Json facts = Json::object();
  for (const inspect::Fact& fact : inspect::MachineFacts(machine)) facts[fact.key] = fact.value;
  const inspect::CuptiAnswer cupti = inspect::AnswerCupti(machine);
  Outcome outcome;
  outcome.data["installation"] = {{"kind", installation.kind},
                                  {"path", installation.path},
                                  {"text", inspect::DescribeInstallation(installation)}};
  outcome.data["oracles"] = OraclesAsJson();
  outcome.data["programs"] = ProgramsAsJson(programs);
  outcome.data["machine"] = std::move(facts);
  outcome.data["cupti"] = {{"needed", cupti.is_needed},
                           {"there", cupti.is_there},
                           {"why", cupti.why},
                           {"have", cupti.have}};
  outcome.findings = inspect::Diagnose(machine);
  // They are notes, and the least severe come last.
  for (Finding& finding : inspect::DiagnosePrograms(programs)) {
    outcome.findings.push_back(std::move(finding));
  }
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

It also shows how sibyl was installed, with which oracles (`sibyl -C @cuda ask QUESTION` asks one),
and which of the programs that it runs are missing (git, pdftotext, bubblewrap, nvcc, cmake, a C++
compiler), for which operations they are needed, and the command that installs them.

It answers the question: do I need CUPTI here, and do I have it? Copies of CUPTI that are bundled
with Triton or Nsight Compute do not count.

Nothing is imported, and no program is started except `ldconfig -p`; the GPUs are queried through
the driver's own library, if there is one. Exit status 1 means that something is broken.)",
    .effects = {.reads = true},
    .rules = DoctorRules,
    .reports_findings = true,
    .run = RunDoctor,
    .render = RenderDoctor,
};

}  // namespace sibyl::engine
