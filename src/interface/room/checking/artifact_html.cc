// SPDX-License-Identifier: Apache-2.0
#include "interface/room/checking/artifact_html.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/numbers.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "interface/room/checking/checked_text.h"
#include "interface/room/json_text.h"
#include "interface/room/receipt_html.h"

namespace sibyl::interface {
namespace {

// "cubin.sm_90a" comes after "cubin.sm_35" and before "cubin.sm_100": kind, number, suffix.
std::tuple<std::string_view, std::size_t, std::string_view> OrderOf(std::string_view name) {
  const std::size_t digits = std::min(name.find_first_of("0123456789"), name.size());
  const std::size_t end = std::min(name.find_first_not_of("0123456789", digits), name.size());
  return {name.substr(0, digits),
          ParseNumber<std::size_t>(name.substr(digits, end - digits)).value_or(0),
          name.substr(end)};
}

// Bars for the architectures that an artifact has code for.
void AddChart(const Json& artifact, Html& html) {
  std::vector<std::pair<std::string, double>> bars;
  for (const Json& fact : JsonList(artifact, "facts")) {
    const std::string_view key = JsonText(fact, "key");
    const bool is_count =
        key.ends_with(".count") && (key.starts_with("cubin.") || key.starts_with("ptx."));
    const auto value = fact.find("value");
    if (!is_count || value == fact.end() || !value->is_number()) continue;
    bars.emplace_back(std::string(key.substr(0, key.size() - 6)), value->get<double>());
  }
  if (bars.empty()) return;
  std::stable_sort(bars.begin(), bars.end(), [](const auto& a, const auto& b) {
    return OrderOf(a.first) < OrderOf(b.first);
  });
  double most = 1;
  for (const auto& bar : bars) most = std::max(most, bar.second);
  constexpr int kRow = 24;
  html.Markup(
      "<p class=\"dim\">How many cubins (machine code) and PTX modules it has for each "
      "architecture</p>\n");
  html.Markup("<svg role=\"img\" aria-label=\"architectures\" viewBox=\"0 0 480 ");
  html.Number(bars.size() * kRow).Markup("\" width=\"480\">");
  std::size_t row = 0;
  for (const auto& [name, value] : bars) {
    const std::string y = std::to_string(row * kRow + 16);
    html.Open("text", {{"x", "0"}, {"y", y}, {"font-size", "13"}, {"fill", "currentColor"}});
    html.Text(name).Close("text");
    html.Open("rect", {{"x", "120"},
                       {"y", std::to_string(row * kRow + 4)},
                       {"height", "14"},
                       {"width", std::to_string(static_cast<int>(value / most * 280) + 1)},
                       {"fill", name.starts_with("ptx.") ? "#b8701a" : "#3d7fd0"}});
    html.Close("rect");
    html.Open("text", {{"x", "410"}, {"y", y}, {"font-size", "13"}, {"fill", "currentColor"}});
    html.Text(fmt::format("{:g}", value)).Close("text");
    ++row;
  }
  html.Markup("</svg>\n");
}

struct VerdictText {
  std::string_view kind;  // of the stylesheet
  std::string_view words;
};

VerdictText TextOfRuns(std::string_view runs) {
  if (runs == "native") return {"ok", "runs natively ✓"};
  if (runs == "jit") return {"ok", "runs, compiled by the driver at startup ✓"};
  if (runs == "partly") return {"ok", "runs ✓"};
  if (runs == "not") return {"bad", "does not run ✗"};
  return {"open", "nothing to run"};
}

std::size_t CountErrors(const Json& artifact) {
  const Json& findings = JsonList(artifact, "findings");
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [](const Json& finding) { return JsonText(finding, "severity") == "error"; }));
}

// What fits a GPU does not run if it is wrong in another way: a Dockerfile that cannot be built.
void AddVerdict(const std::string& target, const VerdictText& verdict, std::string_view why,
                const Json& artifact, Html& html) {
  const std::size_t errors = verdict.kind == "ok" ? CountErrors(artifact) : 0;
  const std::string words = errors > 0
                                ? fmt::format("fits, but it has {} ✗", Count(errors, "error"))
                                : std::string(verdict.words);
  html.Open("p", {{"class", std::string(errors > 0 ? "bad" : verdict.kind) + " unknown verdict"}});
  html.Element("strong", {}, fmt::format("{}: {}", target, words));
  html.Text(" ").Text(why).Close("p").Markup("\n");
}

struct FoundAgainst {
  const Json* finding = nullptr;
  bool is_certain = false;
  bool is_undecided = false;
};

// What inspect found out about the GPU and the driver, the worst first.
FoundAgainst FindAgainst(const Json& artifact) {
  FoundAgainst found;
  for (const Json& finding : JsonList(artifact, "findings")) {
    const std::string_view code = JsonText(finding, "code");
    const std::string_view what = code.substr(std::min(code.find('/'), code.size()));
    const bool is_undecided = what == "/driver-not-compared" || what == "/gpu-not-compared";
    const bool is_against = IsOneOf(
        what, std::array<std::string_view, 5>{"/driver-too-old", "/driver-refused",
                                              "/driver-not-gpu", "/cuda-not-gpu", "/arch-not-gpu"});
    const bool is_certain = is_against && JsonText(finding, "severity") == "error";
    if (!is_undecided && !is_against) continue;
    const bool is_worse = found.finding == nullptr || (is_certain && !found.is_certain) ||
                          (is_against && found.is_undecided);
    if (is_worse) found = {&finding, is_certain, is_undecided};
  }
  return found;
}

// What inspect compared of a CMake cache: "B200 (sm_100): CMAKE_CUDA_ARCHITECTURES 80;90 runs on
// it."
std::string ComparedOf(const Json& artifact) {
  std::string text;
  for (const Json& one : JsonList(artifact, "compared")) {
    if (one.is_string()) text += (text.empty() ? "" : "; ") + one.get<std::string>();
  }
  return text.empty() ? text : text + '.';
}

// Why there is no conflict: the CUDA that it brings.
std::string CudaOf(const Json& artifact) {
  const Json& stages = JsonList(artifact, "stages");
  if (stages.empty()) return ComparedOf(artifact);
  const std::string_view cuda = JsonText(stages.back(), "cuda");
  return cuda.empty() ? fmt::format("{} brings no CUDA.", JsonText(stages.back(), "root"))
                      : fmt::format("{} has CUDA {}.", JsonText(stages.back(), "root"), cuda);
}

// A Dockerfile and a CMake cache have no code: they say what will run.
void AddConfiguredVerdict(const Json& artifact, const CheckAnswers& answers, Html& html) {
  if (answers.gpu.empty() && answers.driver.empty()) return;
  const std::string target =
      answers.gpu + (answers.driver.empty()
                         ? ""
                         : (answers.gpu.empty() ? "driver " : " with driver ") + answers.driver);
  const std::string_view kind = JsonText(artifact, "kind");
  const FoundAgainst found = FindAgainst(artifact);
  VerdictText shown{"ok", "no conflict found ✓"};
  std::string why = CudaOf(artifact);
  if (kind != "dockerfile" && kind != "cmake-cache") {
    shown = {"open", "not decided ?"};
    why = "It has no device code that could be compared with them.";
  } else if (found.finding != nullptr) {
    shown = found.is_certain     ? VerdictText{"bad", "does not run ✗"}
            : found.is_undecided ? VerdictText{"open", "not decided ?"}
                                 : VerdictText{"open", "may not run ?"};
    why = JsonText(*found.finding, "message");
    // What is not known of the driver does not change what fits the GPU.
    const std::string compared = found.is_undecided ? ComparedOf(artifact) : std::string();
    if (!compared.empty()) why += ". " + compared;
  }
  AddVerdict(target, shown, why, artifact, html);
}

// `has_text`: the lines of the artifact are shown too.
void AddFinding(const Json& finding, std::size_t number, bool has_text, Html& html) {
  const bool is_error = JsonText(finding, "severity") == "error";
  html.Open("li", {{"id", has_text ? WhyAnchor(number) : std::string()},
                   {"value", std::to_string(number)}});
  html.Element("span", {{"class", is_error ? "pill bad" : "pill open"}}, JsonText(finding, "code"));
  if (const std::uint64_t line = JsonNumber(finding, "line"); line > 0) {
    const std::string words = fmt::format("line {}", line);
    if (has_text) {
      html.Element("a", {{"href", '#' + LineAnchor(line)}}, words).Text(": ");
    } else {
      html.Text(words).Text(": ");
    }
  }
  html.Text(JsonText(finding, "message"));
  if (const auto hint = JsonText(finding, "hint"); !hint.empty()) {
    html.Element("span", {{"class", "near note"}}, hint);
  }
  html.Markup("</li>\n");
}

// "2 errors, 12 warnings and 1 note"
std::string CountsText(const std::vector<const Json*>& findings) {
  std::vector<std::string> counts;
  for (const std::string_view severity : {"error", "warning", "note"}) {
    const auto count = std::count_if(findings.begin(), findings.end(), [&](const Json* finding) {
      return JsonText(*finding, "severity") == severity;
    });
    if (count > 0) counts.push_back(Count(static_cast<std::size_t>(count), severity));
  }
  return fmt::format("{}", fmt::join(counts, ", "));
}

// In the order of the list, and of their numbers: the worst first.
std::vector<const Json*> FindingsOf(const Json& artifact) {
  std::vector<const Json*> findings;
  for (const Json& finding : JsonList(artifact, "findings")) findings.push_back(&finding);
  std::stable_partition(findings.begin(), findings.end(), [](const Json* finding) {
    return JsonText(*finding, "severity") == "error";
  });
  return findings;
}

// Of the kinds that are text.
bool HasText(const Json& artifact, const CheckAnswers& answers) {
  const std::string_view kind = JsonText(artifact, "kind");
  return (kind == "dockerfile" || kind == "cmake-cache") && !answers.lines.empty();
}

// A finding is about its whole line.
UnderlinedPlaces PlacesOf(const std::vector<const Json*>& findings, std::string_view text) {
  const std::vector<std::string_view> lines = SplitLines(text);
  UnderlinedPlaces places;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const std::uint64_t number = JsonNumber(*findings[i], "line");
    if (number < 1 || number > lines.size()) continue;
    const std::string_view line = lines[number - 1];
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    const bool is_error = JsonText(*findings[i], "severity") == "error";
    places[number].push_back({.begin = begin,
                              .end = line.size(),
                              .number = i + 1,
                              .kind = is_error ? "err" : "unsure",
                              .reason = JsonText(*findings[i], "message")});
  }
  return places;
}

void AddText(const Json& artifact, const CheckAnswers& answers, Html& html) {
  constexpr std::size_t kMostOpen = 400;
  if (!HasText(artifact, answers)) return;
  const std::size_t lines = SplitLines(answers.lines).size();
  html.Markup(lines > kMostOpen ? HtmlLiteral("<details>") : HtmlLiteral("<details open>"));
  html.Markup("<summary>").Text(Count(lines, "line")).Markup("</summary>\n");
  AddCheckedText(answers.lines, PlacesOf(FindingsOf(artifact), answers.lines), html);
  html.Markup("</details>\n");
}

// A long list is folded after the first few.
void AddFindingsOf(const Json& artifact, bool has_text, Html& html) {
  constexpr std::size_t kMostShown = 8;
  std::vector<const Json*> findings = FindingsOf(artifact);
  if (findings.empty()) return;
  html.Element("p", {{"class", "dim"}}, fmt::format("inspect reports {}.", CountsText(findings)));
  // One or two more are not worth a click.
  const std::size_t shown = findings.size() <= kMostShown + 2 ? findings.size() : kMostShown;
  html.Markup("<ol class=\"reasons\">\n");
  for (std::size_t i = 0; i < shown; ++i) AddFinding(*findings[i], i + 1, has_text, html);
  html.Markup("</ol>\n");
  findings.erase(findings.begin(), findings.begin() + static_cast<std::ptrdiff_t>(shown));
  if (findings.empty()) return;
  html.Markup("<details><summary>")
      .Text(fmt::format("{} more: {}", findings.size(), CountsText(findings)));
  html.Markup("</summary><ol class=\"reasons\">\n");
  std::size_t number = shown;
  for (const Json* finding : findings) AddFinding(*finding, ++number, has_text, html);
  html.Markup("</ol></details>\n");
}

void AddFacts(const Json& artifact, Html& html) {
  constexpr std::size_t kMostOpen = 40;
  const Json& facts = JsonList(artifact, "facts");
  if (facts.empty()) return;
  html.Markup(facts.size() > kMostOpen ? HtmlLiteral("<details>") : HtmlLiteral("<details open>"));
  html.Markup("<summary>").Text(Count(facts.size(), "fact"));
  html.Markup(
      "</summary><div class=\"wide\" tabindex=\"0\"><table><tr><th scope=\"col\">fact</th>"
      "<th scope=\"col\">value</th></tr>\n");
  for (const Json& fact : facts) {
    html.Markup("<tr><td><code>").Text(JsonText(fact, "key")).Markup("</code></td><td>");
    html.Add(FactValue(fact)).Markup("</td></tr>\n");
  }
  html.Markup("</table></div></details>\n");
}

}  // namespace

void AddArtifact(const Json& artifact, const CheckAnswers& answers, Html& html) {
  const std::string_view kind = JsonText(artifact, "kind");
  html.Markup("<section><h2>").Text(answers.name.empty() ? kind : std::string_view(answers.name));
  html.Markup(" <span class=\"dim\">");
  if (!answers.name.empty()) html.Text(kind).Text(", ");
  html.Number(JsonNumber(artifact, "bytes")).Markup(" bytes</span></h2>\n");
  for (const Json& verdict : JsonList(artifact, "verdicts")) {
    AddVerdict(fmt::format("{} ({})", JsonText(verdict, "gpu"), JsonText(verdict, "arch")),
               TextOfRuns(JsonText(verdict, "runs")), JsonText(verdict, "why"), artifact, html);
  }
  if (JsonList(artifact, "verdicts").empty()) AddConfiguredVerdict(artifact, answers, html);
  AddChart(artifact, html);
  AddFindingsOf(artifact, HasText(artifact, answers), html);
  AddText(artifact, answers, html);
  AddFacts(artifact, html);
  html.Markup("</section>\n");
}

}  // namespace sibyl::interface
