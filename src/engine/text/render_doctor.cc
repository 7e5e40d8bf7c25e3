// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/strings.h"
#include "base/utf8.h"
#include "engine/text/columns.h"
#include "engine/text/json_field.h"
#include "engine/text/render.h"
#include "engine/text/render_findings.h"

namespace sibyl::engine {
namespace {

// Lines of a name and what is there, wrapped in the second column.
class DoctorLines {
 public:
  explicit DoctorLines(const RenderOptions& options) : columns_(options.columns()) {}

  void Add(std::string_view name, const std::string& value) {
    constexpr std::size_t kIndent = 13;
    text_ += fmt::format("{:<12} {}\n", name,
                         Wrap(Harmless(value.empty() ? "none" : value),
                              {.columns = columns_, .first_indent = kIndent, .indent = kIndent}));
  }
  const std::string& text() const { return text_; }

 private:
  std::size_t columns_;
  std::string text_;
};

std::string List(const Json& values) {
  std::vector<std::string> texts;
  for (const Json& value : values) texts.push_back(TextOf(value));
  return Join(texts, ", ");
}

void AddPrograms(const Json& programs, DoctorLines& table) {
  std::vector<std::string> missing;
  std::vector<std::string> there;
  for (const Json& program : programs) {
    (program["path"].is_null() ? missing : there).push_back(TextOf(program["name"]));
  }
  table.Add("programs", Join(there, ", "));
  if (!missing.empty()) table.Add("missing", Join(missing, ", "));
}

void AddMachine(const Json& machine, DoctorLines& table) {
  for (const Json& toolkit : machine["toolkits"]) {
    table.Add("toolkit",
              fmt::format("CUDA {} in {}{}{}", TextOf(toolkit["version"]), TextOf(toolkit["path"]),
                          toolkit.value("nvcc", false) ? "" : ", without nvcc",
                          toolkit.value("in_use", false) ? ", in use" : ""));
  }
  if (machine["toolkits"].empty()) table.Add("toolkit", "");
  const std::string nvml = TextOf(machine["driver.nvml"]);
  const std::string kernel = TextOf(machine["driver.kernel"]);
  table.Add("driver", kernel.empty() ? nvml : kernel);
  for (const Json& gpu : machine["gpus"]) {
    table.Add("gpu", fmt::format("{} ({}), {:.0f} GB", TextOf(gpu["name"]), TextOf(gpu["arch"]),
                                 gpu.value("memory_bytes", 0.0) / 1e9));
  }
  for (const Json& library : machine["libcuda"]) {
    table.Add("libcuda", fmt::format("{} ({})", TextOf(library["path"]), TextOf(library["role"])));
  }
  table.Add("nsys", List(machine["nsys"]));
  table.Add("ncu", List(machine["ncu"]));
  table.Add("cuDNN", List(machine["cudnn"]));
  table.Add("NCCL", List(machine["nccl"]));
  for (const Json& torch : machine["torch"]) {
    const std::string cuda = TextOf(torch["cuda"]);
    table.Add("PyTorch", fmt::format("{} ({}) in {}", TextOf(torch["version"]),
                                     cuda.empty() ? "CPU" : "CUDA " + cuda, TextOf(torch["path"])));
  }
}

}  // namespace

Rendered RenderDoctor(const Outcome& outcome, const RenderOptions& options) {
  DoctorLines table(options);
  table.Add("sibyl", TextOf(outcome.data["installation"]["text"]));
  for (const Json& oracle : outcome.data["oracles"]) {
    table.Add("oracle", fmt::format("{}; to ask it: sibyl -C {} ask QUESTION",
                                    TextOf(oracle["path"]), TextOf(oracle["name"])));
  }
  if (const Json& labs = outcome.data["labs"]; !labs.is_null()) {
    table.Add("labs", fmt::format("{} in {}; to list them: sibyl lab list", Number(labs, "count"),
                                  TextOf(labs["path"])));
  }
  AddPrograms(outcome.data["programs"], table);
  AddMachine(outcome.data["machine"], table);
  const Json& cupti = outcome.data["cupti"];
  table.Add("CUPTI", TextOf(cupti["have"]));
  const bool needed = cupti.value("needed", false);
  const std::string need =
      fmt::format("Do I need CUPTI here? {}: {}.", needed ? "Yes" : "No", TextOf(cupti["why"]));
  Rendered rendered;
  rendered.results = fmt::format("{}\n{}\nDo I have it? {}.\n", table.text(),
                                 Wrap(need, {.columns = options.columns()}),
                                 cupti.value("there", false) ? "Yes" : "No");
  if (!outcome.findings.empty()) rendered.results += '\n';
  for (const Finding& finding : outcome.findings) {
    rendered.results += RenderFinding(finding, options.terminal);
  }
  rendered.talk = outcome.findings.empty() ? "sibyl: this machine: nothing is missing or broken\n"
                                           : fmt::format("sibyl: this machine: {}\n",
                                                         SummariseFindings(outcome.findings));
  return rendered;
}

}  // namespace sibyl::engine
