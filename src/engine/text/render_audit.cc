// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/hyperlink.h"
#include "base/strings.h"
#include "engine/text/audit_badge.h"
#include "engine/text/audit_markdown.h"
#include "engine/text/render.h"
#include "engine/text/render_findings.h"

namespace sibyl::engine {
namespace {

bool IsCodeCitation(const Finding& finding) {
  return std::any_of(finding.details.begin(), finding.details.end(), [](const auto& detail) {
    return detail.name == "kind" && detail.value == "code-citation";
  });
}

std::string Detail(const Finding& finding, std::string_view name) {
  for (const FindingDetail& detail : finding.details) {
    if (detail.name == name) return detail.value;
  }
  return {};
}

/// The code citations of one document.
struct Document {
  std::string file;
  std::vector<const Finding*> findings;
  std::size_t errors = 0;
};

std::vector<Document> DocumentsOf(const std::vector<Finding>& findings) {
  std::vector<Document> documents;
  std::map<std::string, std::size_t> places;
  for (const Finding& finding : findings) {
    if (!IsCodeCitation(finding)) continue;
    const auto [place, is_new] = places.emplace(finding.place.file, documents.size());
    if (is_new) documents.push_back({.file = finding.place.file});
    Document& document = documents[place->second];
    document.findings.push_back(&finding);
    if (finding.severity == Severity::kError) ++document.errors;
  }
  std::stable_sort(documents.begin(), documents.end(),
                   [](const Document& a, const Document& b) { return a.errors > b.errors; });
  return documents;
}

/// File, line and text of the citations whose suggestion is certain.
using CertainCitations = std::set<std::tuple<std::string, std::size_t, std::string>>;

CertainCitations CertainOf(const Json& data) {
  CertainCitations certain;
  for (const Json& entry : data["code_citations"]) {
    if (!entry.value("certain", false)) continue;
    certain.emplace(entry["file"], entry["line"], entry["text"]);
  }
  return certain;
}

std::string RenderCitation(const Finding& finding, const CertainCitations& certain,
                           const Terminal& terminal) {
  const bool fails = finding.severity == Severity::kError;
  const std::size_t slash = finding.code.find('/');
  std::string status = finding.code.substr(slash == std::string::npos ? 0 : slash + 1);
  if (status == "supported") status = "holds";
  if (status == "undecidable") status = "undecided";
  const std::string number = std::to_string(finding.place.line);
  std::string line = fmt::format(
      "  {}: {}: {}", LinkedFile(number, finding.place.file, finding.place.line, terminal),
      Styled(status, fails ? Style::kRed : Style::kDim, terminal), Harmless(finding.message));
  if (const std::string now = Detail(finding, "nearest"); !now.empty()) {
    const bool is_certain =
        certain.contains({finding.place.file, finding.place.line, Detail(finding, "text")});
    line += fmt::format("; {} {}", is_certain ? "now" : "perhaps", Harmless(now));
  }
  return line + "\n";
}

// Documents with the most failures come first.
std::string RenderCodeCitations(const Outcome& outcome, const Terminal& terminal) {
  std::string text;
  const CertainCitations certain = CertainOf(outcome.data);
  for (const Document& document : DocumentsOf(outcome.findings)) {
    text +=
        fmt::format("{}\n", Styled(LinkedFile(Harmless(document.file), document.file, 0, terminal),
                                   Style::kBold, terminal));
    for (const Finding* finding : document.findings) {
      text += RenderCitation(*finding, certain, terminal);
    }
  }
  return text;
}

std::string SummariseCodeCitations(const Json& data) {
  const Json& counts = data["code_counts"];
  std::size_t total = 0;
  for (const auto& count : counts) total += count.get<std::size_t>();
  const auto corrected = data["corrected"].get<std::size_t>();
  if (total == 0 && corrected == 0) return {};
  std::string text =
      fmt::format("{}: {} hold, {} drifted, {} wrong, {} missing, {} out of range, {} undecided\n",
                  Count(total, "code citation"), counts["holds"].get<std::size_t>(),
                  counts["drifted"].get<std::size_t>(), counts["wrong"].get<std::size_t>(),
                  counts["missing"].get<std::size_t>(), counts["out-of-range"].get<std::size_t>(),
                  counts["undecided"].get<std::size_t>());
  if (const auto past = data["in_records"].get<std::size_t>(); past > 0) {
    text += fmt::format(
        "{} of these in changelogs, logs, archives and dated documents, which record a past "
        "state: no failures\n",
        past);
  }
  if (corrected > 0) text += fmt::format("{} corrected\n", Count(corrected, "code citation"));
  const auto correctable = data["correctable"].get<std::size_t>();
  if (correctable > 0 && corrected == 0) {
    text +=
        fmt::format("{} can be fixed with 'sibyl audit --fix' (preview: --diff)\n", correctable);
  }
  return text;
}

}  // namespace

Rendered RenderAudit(const Outcome& outcome, const RenderOptions& options) {
  Rendered rendered;
  if (options.arguments.Has("badge")) {
    rendered.results = DrawAuditBadge(outcome);
    return rendered;
  }
  if (options.arguments.Has("markdown")) {
    rendered.results = SummariseAuditInMarkdown(outcome);
    return rendered;
  }
  if (outcome.data.contains("diff")) {
    rendered.quoted = outcome.data["diff"].get<std::string>();
    return rendered;
  }
  for (const Finding& finding : outcome.findings) {
    if (IsCodeCitation(finding)) continue;
    rendered.results += RenderFinding(finding, options.terminal);
  }
  rendered.results += RenderCodeCitations(outcome, options.terminal);
  rendered.results += SummariseCodeCitations(outcome.data);
  const auto accepted = outcome.data["accepted"].get<std::size_t>();
  if (accepted > 0 && outcome.data.contains("repository")) {
    rendered.results += fmt::format("{} accepted in the baseline\n", Count(accepted, "failure"));
  }
  // Nothing but code citations was checked.
  if (outcome.data.contains("repository")) {
    rendered.talk =
        fmt::format("sibyl: {} checked\n", Count(outcome.data["files"].size(), "document"));
    return rendered;
  }
  const Json& counts = outcome.data["counts"];
  rendered.talk =
      fmt::format("sibyl: {}: {} contradicted, {} absent; {} seen in the sources, {} not checked\n",
                  Count(outcome.data["files"].size(), "file"),
                  counts["contradicted"].get<std::size_t>(), counts["absent"].get<std::size_t>(),
                  counts["supported"].get<std::size_t>(), counts["undecidable"].get<std::size_t>());
  return rendered;
}

}  // namespace sibyl::engine
