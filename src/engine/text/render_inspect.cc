// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "base/strings.h"
#include "base/utf8.h"
#include "engine/text/columns.h"
#include "engine/text/json_field.h"
#include "engine/text/render.h"
#include "engine/text/render_findings.h"
#include "inspect/cuda/verdict.h"

namespace sibyl::engine {
namespace {

// Columns as wide as their widest cell; numbers are right-aligned.
class Table {
 public:
  explicit Table(std::vector<std::string> titles) : rows_{std::move(titles)} {}
  void Add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  std::string Show(std::size_t left_columns) const {
    std::vector<std::size_t> widths(rows_[0].size(), 0);
    for (const std::vector<std::string>& row : rows_) {
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string text;
    for (const std::vector<std::string>& row : rows_) {
      std::string line = " ";
      for (std::size_t i = 0; i < row.size(); ++i) {
        line += ' ';
        line += i < left_columns || i + 1 == row.size() ? PadRight(row[i], widths[i])
                                                        : PadLeft(row[i], widths[i]);
        line += ' ';
      }
      while (line.ends_with(' ')) line.pop_back();
      text += line + '\n';
    }
    return text;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

const Json* FindFact(const Json& artifact, std::string_view inspector, std::string_view key) {
  for (const Json& fact : artifact["facts"]) {
    if (fact.value("inspector", "") == inspector && fact.value("key", "") == key) {
      return &fact["value"];
    }
  }
  return nullptr;
}

// A line of prose that begins at column `first`, wrapped on terminals.
std::string Wrapped(std::string_view text, std::size_t first, const RenderOptions& options) {
  constexpr std::size_t kIndent = 4;
  return Wrap(text, {.columns = options.columns(), .first_indent = first, .indent = kIndent});
}

std::string RenderHead(const Json& artifact, const RenderOptions& options) {
  std::string head = Styled(Text(artifact, "path"), Style::kBold, options.terminal);
  head += fmt::format("  {}, {}", Text(artifact, "kind"), ShownBytes(Number(artifact, "bytes")));
  if (const Json* machine = FindFact(artifact, "elf", "machine")) {
    head += ", " + machine->get<std::string>();
  }
  if (const Json* soname = FindFact(artifact, "elf", "soname")) {
    head += ", SONAME " + Harmless(soname->get<std::string>());
  }
  return head + '\n';
}

std::string RenderImages(const Json& artifact) {
  Table table({"section", "image", "count", "with code", "stored", "unpacked", "packed"});
  for (const Json& image : artifact["images"]) {
    std::vector<std::string> packed;
    for (const Json& name : image["compression"]) packed.push_back(name.get<std::string>());
    std::string last = Join(packed, ", ");
    if (image.contains("ptx_isa")) {
      std::vector<std::string> versions;
      for (const Json& version : image["ptx_isa"]) versions.push_back(version.get<std::string>());
      last += "; PTX " + Join(versions, ", ");
    }
    const std::string role = image.value("role", "");
    if (role == "hidden" || role == "relocatable") last += "; " + role;
    const std::string section = Text(image, "section");
    table.Add({section.empty() ? "-" : section, Text(image, "label"),
               std::to_string(Number(image, "count")),
               image["with_code"].is_number() ? std::to_string(Number(image, "with_code")) : "?",
               ShownBytes(Number(image, "stored_bytes")),
               ShownBytes(Number(image, "unpacked_bytes")), last});
  }
  return table.Show(2);
}

std::string RenderMakers(const Json& artifact, const RenderOptions& options) {
  std::string text;
  if (const Json* origins = FindFact(artifact, "cuda", "toolkits")) {
    std::vector<std::string> parts;
    for (const auto& [version, count] : origins->items()) {
      parts.push_back(fmt::format("{} ({})", Harmless(version), count.get<std::size_t>()));
    }
    if (!parts.empty()) {
      text += "  " + Wrapped("made by CUDA " + Join(parts, ", "), 2, options) + '\n';
    }
  }
  if (const Json* needed = FindFact(artifact, "elf", "needed")) {
    std::vector<std::string> names;
    for (const Json& name : *needed) names.push_back(Harmless(name.get<std::string>()));
    text += "  " + Wrapped("needs " + Join(names, ", "), 2, options) + '\n';
  }
  return text;
}

// For artifacts without device code, the facts themselves are shown.
std::string RenderFacts(const Json& artifact) {
  if (artifact.contains("images") || artifact.value("kind", "") == "elf") return {};
  std::string text;
  for (const Json& fact : artifact["facts"]) {
    const Json& value = fact["value"];
    if (value.is_string() && value.get<std::string>().empty()) continue;
    text += fmt::format("  {:<32} {}\n", Harmless(fact.value("key", "")),
                        Harmless(value.is_string() ? ReplaceInvalidUtf8(value.get<std::string>())
                                                   : FormatJson(value, JsonLayout::kCompact)));
  }
  return text;
}

// Of an image: what it is made of, and what each layer adds.
std::string RenderComponents(const Json& artifact) {
  std::string text;
  if (artifact.contains("components") && !artifact["components"].empty()) {
    Table table({"component", "bytes", "files"});
    for (const Json& component : artifact["components"]) {
      table.Add({Text(component, "name"), ShownBytes(Number(component, "bytes")),
                 std::to_string(component["files"].size())});
    }
    text += table.Show(1);
  }
  if (!artifact.contains("layers")) return text;
  Table table({"layer", "stored", "bytes", "files", "kills", "instruction"});
  for (const Json& layer : artifact["layers"]) {
    table.Add({std::to_string(Number(layer, "number")), ShownBytes(Number(layer, "stored_bytes")),
               ShownBytes(Number(layer, "bytes")), std::to_string(Number(layer, "files")),
               ShownBytes(Number(layer, "kills_bytes")), Shorten(Text(layer, "instruction"), 60)});
  }
  return text + table.Show(0);
}

// A fix is shown with its finding.
std::multimap<std::size_t, const Json*> CorrectionsOfFindings(const Outcome& outcome) {
  std::multimap<std::size_t, const Json*> found;
  for (const Json& artifact : outcome.data["artifacts"]) {
    if (!artifact.contains("corrections")) continue;
    for (const Json& correction : artifact["corrections"]) {
      for (std::size_t i = 0; i < outcome.findings.size(); ++i) {
        const Finding& finding = outcome.findings[i];
        const bool is_its = finding.place.file == Text(artifact, "path") &&
                            finding.code == Text(correction, "code") &&
                            finding.place.line == Number(correction, "finding_line");
        if (!is_its) continue;
        found.emplace(i, &correction);
        break;
      }
    }
  }
  return found;
}

std::string RenderCorrection(const Json& correction, const Finding& finding) {
  const std::size_t line = Number(correction, "line");
  std::string text = line == finding.place.line ? "  suggested fix:\n"
                                                : fmt::format("  suggested fix, line {}:\n", line);
  for (const Json& each : correction["lines"]) {
    text += "    " + Harmless(ReplaceInvalidUtf8(each.get<std::string>())) + '\n';
  }
  return text;
}

std::string RenderVerdicts(const Json& artifact, const RenderOptions& options) {
  std::string text;
  if (artifact.contains("compared")) {
    for (const Json& line : artifact["compared"]) {
      const std::string shown = Harmless(ReplaceInvalidUtf8(line.get<std::string>()));
      text += fmt::format("  {}\n", Wrapped(shown, 2, options));
    }
  }
  if (!artifact.contains("verdicts")) return text;
  for (const Json& verdict : artifact["verdicts"]) {
    const std::string runs = verdict.value("runs", "");
    const Style style = runs == "native"                    ? Style::kGreen
                        : runs == "jit" || runs == "partly" ? Style::kYellow
                        : runs == "no-code"                 ? Style::kDim
                                                            : Style::kRed;
    const std::string gpu = Text(verdict, "gpu");
    const std::string architecture = Text(verdict, "arch");
    const std::string name = gpu == architecture ? gpu : fmt::format("{} ({})", gpu, architecture);
    const std::string runs_shown(inspect::RunsInWords(runs));
    std::string why = Text(verdict, "why");
    if (verdict["error"].is_number()) why += fmt::format(" [error {}]", Number(verdict, "error"));
    const std::size_t begin = DisplayWidth(name) + runs_shown.size() + 6;
    text += fmt::format("  {}: {}: {}\n", name, Styled(runs_shown, style, options.terminal),
                        Wrapped(why, begin, options));
  }
  return text;
}

std::string RenderPrune(const Json& artifact) {
  if (!artifact.contains("prune")) return {};
  const Json& prune = artifact["prune"];
  const std::uint64_t unneeded = Number(prune, "unneeded_bytes");
  const std::uint64_t all = unneeded + Number(prune, "kept_bytes");
  std::string text = fmt::format(
      "  {} of {} of device code ({:.0f} %) is never loaded on these GPUs\n", ShownBytes(unneeded),
      ShownBytes(all),
      all == 0 ? 0.0 : 100.0 * static_cast<double>(unneeded) / static_cast<double>(all));
  if (prune["unneeded"].empty()) return text;
  Table table({"section", "image", "unneeded", "bytes", "kept"});
  for (const Json& group : prune["unneeded"]) {
    table.Add({Text(group, "section"), Text(group, "label"),
               std::to_string(Number(group, "unneeded")),
               ShownBytes(Number(group, "unneeded_bytes")), std::to_string(Number(group, "kept"))});
  }
  return text + table.Show(2);
}

std::string RenderKernels(const Json& artifact, const RenderOptions& options) {
  if (!artifact.contains("kernels")) return {};
  Table table({"arch", "registers", "shared", "stack", "spills", "kernel"});
  const auto shown = [](const Json& value) {
    return value.is_number() ? std::to_string(value.get<std::uint64_t>()) : std::string("?");
  };
  for (const Json& kernel : artifact["kernels"]) {
    const std::uint64_t spills = Number(kernel, "marked_spills");
    table.Add({Text(kernel, "arch"), shown(kernel["registers"]), shown(kernel["shared_bytes"]),
               shown(kernel["stack_bytes"]), spills > 0 ? fmt::format("{}+", spills) : "-",
               Shorten(Text(kernel, "name"), std::max<std::size_t>(options.columns(), 60) - 50)});
  }
  return table.Show(1);
}

std::string RenderComparison(const Json& comparison) {
  std::string text =
      fmt::format("{} -> {}: {} -> {}\n", Text(comparison, "before"), Text(comparison, "after"),
                  ShownBytes(comparison["bytes"][0].get<std::uint64_t>()),
                  ShownBytes(comparison["bytes"][1].get<std::uint64_t>()));
  if (comparison["images"].empty() && comparison["facts"].empty()) {
    return text + "  no difference in device code or dependencies\n";
  }
  Table table({"section", "image", "before", "after", "stored before", "stored after", ""});
  for (const Json& image : comparison["images"]) {
    table.Add({Text(image, "section"), Text(image, "label"),
               std::to_string(image["count"][0].get<std::size_t>()),
               std::to_string(image["count"][1].get<std::size_t>()),
               ShownBytes(image["stored_bytes"][0].get<std::uint64_t>()),
               ShownBytes(image["stored_bytes"][1].get<std::uint64_t>()), ""});
  }
  if (!comparison["images"].empty()) text += table.Show(2);
  for (const Json& fact : comparison["facts"]) {
    const std::string key = fact.value("key", "");
    if (key != "needed" && key != "soname" && key != "toolkits" && key != "architectures") continue;
    text += fmt::format("  {}: {} -> {}\n", key,
                        Harmless(FormatJson(fact["before"], JsonLayout::kCompact)),
                        Harmless(FormatJson(fact["after"], JsonLayout::kCompact)));
  }
  return text;
}

std::string RenderExplanations(const Json& explanations, const RenderOptions& options) {
  std::string text;
  for (const Json& explanation : explanations) {
    const std::string path = Text(explanation, "path");
    text += fmt::format("{}{}\n", path.empty() ? "" : path + ": ", Text(explanation, "about"));
    for (const Json& line : explanation["lines"]) {
      text += fmt::format("  - {}\n", Wrapped(Harmless(line.get<std::string>()), 4, options));
    }
  }
  return text;
}

}  // namespace

Rendered RenderInspect(const Outcome& outcome, const RenderOptions& options) {
  if (outcome.data.contains("gpus")) return RenderKnownGpus(outcome, options);
  Rendered rendered;
  const Json& artifacts = outcome.data["artifacts"];
  if (options.arguments.Has("diff")) {
    // As it is for a pipe; a terminal gets no bytes of a file that could control it.
    std::string& out = options.terminal.is_terminal ? rendered.results : rendered.quoted;
    for (const Json& artifact : artifacts) out += artifact.value("diff", "");
    return rendered;
  }
  for (const Json& artifact : artifacts) {
    if (outcome.data.contains("comparison")) break;
    if (!rendered.results.empty()) rendered.results += '\n';
    rendered.results += RenderHead(artifact, options);
    if (artifact.contains("images")) rendered.results += RenderImages(artifact);
    rendered.results += RenderFacts(artifact);
    rendered.results += RenderComponents(artifact);
    rendered.results += RenderMakers(artifact, options);
    rendered.results += RenderKernels(artifact, options);
    rendered.results += RenderPrune(artifact);
    rendered.results += RenderVerdicts(artifact, options);
  }
  if (outcome.data.contains("comparison")) {
    rendered.results += RenderComparison(outcome.data["comparison"]);
  }
  if (!outcome.findings.empty() && !rendered.results.empty()) rendered.results += '\n';
  const std::multimap<std::size_t, const Json*> corrections = CorrectionsOfFindings(outcome);
  for (std::size_t i = 0; i < outcome.findings.size(); ++i) {
    rendered.results += RenderFinding(outcome.findings[i], options.terminal);
    const auto [begin, end] = corrections.equal_range(i);
    for (auto each = begin; each != end; ++each) {
      rendered.results += RenderCorrection(*each->second, outcome.findings[i]);
    }
  }
  if (outcome.data.contains("explanations")) {
    rendered.results += '\n' + RenderExplanations(outcome.data["explanations"], options);
  }
  const std::size_t seen = Number(outcome.data, "files_seen");
  rendered.talk = fmt::format("sibyl: {} in {}: {}\n", Count(artifacts.size(), "artifact"),
                              Count(seen, "file"), SummariseFindings(outcome.findings));
  return rendered;
}

}  // namespace sibyl::engine
