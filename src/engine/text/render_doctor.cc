// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/strings.h"
#include "base/utf8.h"
#include "engine/text/json_field.h"
#include "engine/text/render.h"
#include "engine/text/render_findings.h"

namespace sibyl::engine {
namespace {

std::string Line(std::string_view name, const std::string& value) {
  return fmt::format("{:<12} {}\n", name, value.empty() ? "none" : value);
}

std::string List(const Json& values) {
  std::vector<std::string> texts;
  for (const Json& value : values) texts.push_back(TextOf(value));
  return Join(texts, ", ");
}

std::string RenderPrograms(const Json& programs) {
  std::vector<std::string> there;
  for (const Json& program : programs) {
    if (!program["path"].is_null()) there.push_back(TextOf(program["name"]));
  }
  return Line("programs", Join(there, ", "));
}

std::string RenderMachine(const Json& machine) {
  std::string text;
  for (const Json& toolkit : machine["toolkits"]) {
    text += Line("toolkit", fmt::format("CUDA {} in {}{}{}", TextOf(toolkit["version"]),
                                        TextOf(toolkit["path"]),
                                        toolkit.value("nvcc", false) ? "" : ", without nvcc",
                                        toolkit.value("in_use", false) ? ", in use" : ""));
  }
  if (machine["toolkits"].empty()) text += Line("toolkit", "");
  const std::string nvml = TextOf(machine["driver.nvml"]);
  const std::string kernel = TextOf(machine["driver.kernel"]);
  text += Line("driver", kernel.empty() ? nvml : kernel);
  for (const Json& gpu : machine["gpus"]) {
    text += Line("gpu", fmt::format("{} ({}), {:.0f} GB", TextOf(gpu["name"]), TextOf(gpu["arch"]),
                                    gpu.value("memory_bytes", 0.0) / 1e9));
  }
  for (const Json& library : machine["libcuda"]) {
    text +=
        Line("libcuda", fmt::format("{} ({})", TextOf(library["path"]), TextOf(library["role"])));
  }
  text += Line("nsys", List(machine["nsys"]));
  text += Line("ncu", List(machine["ncu"]));
  text += Line("cuDNN", List(machine["cudnn"]));
  text += Line("NCCL", List(machine["nccl"]));
  for (const Json& torch : machine["torch"]) {
    const std::string cuda = TextOf(torch["cuda"]);
    text +=
        Line("PyTorch", fmt::format("{} ({}) in {}", TextOf(torch["version"]),
                                    cuda.empty() ? "CPU" : "CUDA " + cuda, TextOf(torch["path"])));
  }
  return text;
}

}  // namespace

Rendered RenderDoctor(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered;
  rendered.results = Line("sibyl", TextOf(outcome.data["installation"]["text"]));
  for (const Json& oracle : outcome.data["oracles"]) {
    rendered.results += Line("oracle", fmt::format("{}; to ask it: sibyl -C {} ask QUESTION",
                                                   TextOf(oracle["path"]), TextOf(oracle["name"])));
  }
  rendered.results += RenderPrograms(outcome.data["programs"]);
  rendered.results += RenderMachine(outcome.data["machine"]);
  const Json& cupti = outcome.data["cupti"];
  rendered.results += Line("CUPTI", TextOf(cupti["have"]));
  const bool needed = cupti.value("needed", false);
  rendered.results +=
      fmt::format("\nDo I need CUPTI here? {}: {}.\nDo I have it? {}.\n", needed ? "Yes" : "No",
                  TextOf(cupti["why"]), cupti.value("there", false) ? "Yes" : "No");
  if (!outcome.findings.empty()) rendered.results += '\n';
  for (const Finding& finding : outcome.findings) {
    rendered.results += RenderFinding(finding, options.terminal);
  }
  rendered.talk = fmt::format("sibyl: this machine: {}\n", SummariseFindings(outcome.findings));
  return rendered;
}

}  // namespace sibyl::engine
