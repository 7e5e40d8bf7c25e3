// SPDX-License-Identifier: Apache-2.0
#include "engine/text/audit_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "base/terminal.h"
#include "base/utf8.h"

namespace sibyl::engine {
namespace {

constexpr std::size_t kMaxSummaryBytes = 60'000;
constexpr std::size_t kMaxFindingColumns = 400;  // of a text in a finding

using CountColumn = std::pair<std::string_view, std::string_view>;  // heading, member

std::string CountsTable(std::string_view first, const Json& counts,
                        const std::vector<CountColumn>& columns) {
  std::string headings = fmt::format("| {} |", first);
  std::string rule = "| ---: |";
  std::string values;
  std::size_t total = 0;
  for (const auto& [heading, member] : columns) {
    const std::size_t count = counts.value(std::string(member), std::size_t{0});
    headings += fmt::format(" {} |", heading);
    rule += " ---: |";
    values += fmt::format(" {} |", count);
    total += count;
  }
  if (total == 0) return {};
  return fmt::format("{}\n{}\n| {} |{}\n\n", headings, rule, total, values);
}

std::string CountTables(const Json& data) {
  std::string tables = CountsTable("code citations", data["code_counts"],
                                   {{"hold", "holds"},
                                    {"drifted", "drifted"},
                                    {"wrong", "wrong"},
                                    {"missing", "missing"},
                                    {"out of range", "out-of-range"},
                                    {"undecided", "undecided"}});
  if (!data.contains("repository")) {
    tables += CountsTable("all checks", data["counts"],
                          {{"seen in the sources", "supported"},
                           {"contradicted", "contradicted"},
                           {"absent", "absent"},
                           {"stale", "stale"},
                           {"not checked", "undecidable"}});
  }
  return tables;
}

struct DocumentFindings {
  std::string file;
  std::vector<const Finding*> findings = {};
  std::size_t errors = 0;
};

std::vector<DocumentFindings> WorstFirst(const std::vector<Finding>& findings) {
  std::vector<DocumentFindings> documents;
  std::map<std::string, std::size_t> places;
  for (const Finding& finding : findings) {
    const auto [place, is_new] = places.emplace(finding.place.file, documents.size());
    if (is_new) documents.push_back({.file = finding.place.file});
    DocumentFindings& document = documents[place->second];
    document.findings.push_back(&finding);
    if (finding.severity == Severity::kError) ++document.errors;
  }
  std::ranges::stable_sort(documents, std::greater(), &DocumentFindings::errors);
  return documents;
}

std::string FindingItem(const Finding& finding) {
  const std::string line =
      finding.place.line > 0 ? fmt::format("line {}: ", finding.place.line) : std::string();
  const std::string_view mark = finding.severity == Severity::kError     ? ""
                                : finding.severity == Severity::kWarning ? "warning: "
                                                                         : "note: ";
  std::string item = fmt::format("- {}{}{}: ", line, mark, finding.code);
  for (const FindingDetail& detail : finding.details) {
    const bool is_new = detail.name == "text" && !detail.value.empty() &&
                        finding.message.find(detail.value) == std::string::npos;
    if (is_new) item += fmt::format("{}: ", CodeSpan(detail.value));
  }
  item += CodeSpan(finding.message);
  if (!finding.hint.empty()) item += fmt::format("; {}", CodeSpan(finding.hint));
  return item + '\n';
}

std::string SummaryTitle(const Outcome& outcome, const std::vector<DocumentFindings>& documents) {
  std::size_t errors = 0;
  std::size_t affected = 0;
  for (const DocumentFindings& document : documents) {
    errors += document.errors;
    if (document.errors > 0) ++affected;
  }
  const std::string checked = Count(outcome.data["files"].size(), "document");
  if (errors == 0) return fmt::format("## sibyl audit: no failures in {}\n\n", checked);
  return fmt::format("## sibyl audit: {} in {} of {}\n\n", Count(errors, "failure"), affected,
                     checked);
}

}  // namespace

std::string CodeSpan(std::string_view text) {
  std::string shown = Harmless(text);
  std::ranges::replace(shown, '\t', ' ');
  shown = ElideMiddle(shown, kMaxFindingColumns);
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : shown) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  if (shown.empty()) return "(empty)";
  const std::string fence(longest + 1, '`');
  // Blanks at both ends are removed again by whoever reads Markdown.
  const bool is_padded = shown.front() == '`' || shown.back() == '`' || shown.front() == ' ';
  return is_padded ? fmt::format("{0} {1} {0}", fence, shown)
                   : fmt::format("{0}{1}{0}", fence, shown);
}

std::string SummariseAuditInMarkdown(const Outcome& outcome) {
  const std::vector<DocumentFindings> documents = WorstFirst(outcome.findings);
  std::string text = SummaryTitle(outcome, documents) + CountTables(outcome.data);
  std::size_t left_out = 0;
  for (const DocumentFindings& document : documents) {
    std::string heading = fmt::format(
        "### {}: {}\n\n", document.file.empty() ? "no document" : CodeSpan(document.file),
        document.errors > 0 ? Count(document.errors, "failure")
                            : Count(document.findings.size(), "finding"));
    bool has_heading = false;
    for (const Finding* finding : document.findings) {
      const std::string item = FindingItem(*finding);
      const std::size_t needed = item.size() + (has_heading ? 0 : heading.size());
      if (left_out > 0 || text.size() + needed > kMaxSummaryBytes) {
        ++left_out;
        continue;
      }
      if (!has_heading) text += heading;
      has_heading = true;
      text += item;
    }
    if (has_heading) text += '\n';
  }
  if (left_out > 0) text += fmt::format("{} not shown.\n\n", Count(left_out, "more finding"));
  const std::size_t correctable = outcome.data.value("correctable", std::size_t{0});
  if (correctable > 0 && outcome.data.value("corrected", std::size_t{0}) == 0) {
    text += fmt::format("`sibyl audit --fix` corrects {}.\n", Count(correctable, "code citation"));
  }
  while (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace sibyl::engine
