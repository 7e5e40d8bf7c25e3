// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/process/this_program.h"
#include "engine/arguments.h"
#include "engine/inspect_operations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "inspect/machine/diagnosis.h"
#include "inspect/machine/installation.h"
#include "inspect/rules.h"
#include "oracle/context.h"
#include "oracle/installed_folders.h"
#include "oracle/lab_programs.h"

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
  for (const oracle::InstalledOracle& oracle : oracle::FindInstalledOracles(ThisProgram())) {
    rows.push_back({{"name", "@" + oracle.name}, {"path", oracle.folder.string()}});
  }
  return rows;
}

// Where the labs are, and how many; null if none are installed.
Json LabsAsJson() {
  const Result<oracle::Labs> labs = oracle::FindLabs();
  if (!labs.ok()) return nullptr;
  Json json = {{"path", nullptr}, {"count", labs->programs.size()}};
  if (labs->sources) {
    json["path"] = labs->sources->folder.string();
    json["count"] = labs->sources->labs.size();
  } else if (!labs->programs.empty()) {
    json["path"] = labs->programs[0].path.parent_path().string();
  }
  return json;
}

// Containers that run as root often have no sudo.
void RemoveSudo(std::vector<Finding>& findings) {
  constexpr std::string_view kSudo = "sudo ";
  for (Finding& finding : findings) {
    for (std::size_t at = 0; (at = finding.hint.find(kSudo, at)) != std::string::npos;) {
      finding.hint.erase(at, kSudo.size());
    }
  }
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
  outcome.data["labs"] = LabsAsJson();
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
  if (access.is_administrator) RemoveSudo(outcome.findings);
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

It also shows how sibyl was installed, where its oracles (`sibyl -C @cuda ask QUESTION` asks one)
and its labs are, and which of the programs that it runs are missing (git, pdftotext, bubblewrap, nvcc, cmake, a C++
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
