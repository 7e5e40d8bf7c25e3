// SPDX-License-Identifier: Apache-2.0
#include "interface/reports/junit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/terminal.h"
#include "base/utf8.h"

namespace sibyl::interface {
namespace {

struct Suite {
  std::string name;
  std::vector<const Finding*> findings = {};
};

// The documents that were checked, in their order, and other places of findings.
std::vector<Suite> SuitesOf(std::string_view operation, const engine::Outcome& outcome) {
  std::vector<Suite> suites;
  std::map<std::string, std::size_t> places;
  const auto suite_of = [&](const std::string& name) -> Suite& {
    const auto [place, is_new] = places.emplace(name, suites.size());
    if (is_new) suites.push_back({.name = name});
    return suites[place->second];
  };
  const auto files = outcome.data.find("files");
  if (files != outcome.data.end() && files->is_array()) {
    for (const Json& file : *files) {
      if (!file.is_object() || !file.contains("file") || !file["file"].is_string()) continue;
      suite_of(file["file"].get<std::string>());
    }
  }
  for (const Finding& finding : outcome.findings) {
    suite_of(finding.place.file.empty() ? std::string(operation) : finding.place.file)
        .findings.push_back(&finding);
  }
  if (suites.empty()) suites.push_back({.name = std::string(operation)});
  return suites;
}

std::string TestCase(std::string_view suite, std::string_view name, std::string_view content) {
  const std::string begin =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\"", EscapeXml(suite), EscapeXml(name));
  if (content.empty()) return begin + "/>\n";
  return fmt::format("{}>\n      {}\n    </testcase>\n", begin, content);
}

std::string ContentOf(const Finding& finding) {
  const Place& place = finding.place;
  std::string where = Harmless(place.file);
  if (place.line > 0) where += fmt::format(":{}", place.line);
  if (place.line > 0 && place.column > 1) where += fmt::format(":{}", place.column);
  // No line begins with foreign text: in a log it could be taken for a command.
  std::string text = fmt::format("{}: {}", where, Harmless(finding.message));
  if (!place.text.empty()) text += fmt::format("\n> {}", Harmless(place.text));
  if (!finding.hint.empty()) text += fmt::format("\nhint: {}", Harmless(finding.hint));
  std::string escaped;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    escaped += EscapeXml(rest.substr(0, end));
    if (end < rest.size()) escaped += '\n';
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  if (finding.severity != Severity::kError) {
    return fmt::format("<system-out>{}: {}</system-out>", SeverityName(finding.severity), escaped);
  }
  return fmt::format("<failure type=\"{}\" message=\"{}\">{}</failure>", EscapeXml(finding.code),
                     EscapeXml(finding.message), escaped);
}

// What was checked, if it is known: messages may contain numbers that change
// without the document.
std::string NameOf(const Finding& finding) {
  std::string subject = finding.message;
  for (const FindingDetail& detail : finding.details) {
    if (detail.name == "text" && !detail.value.empty()) subject = detail.value;
  }
  std::ranges::replace(subject, '\n', ' ');
  return fmt::format("{}: {}", finding.code, subject);
}

struct Written {
  std::string xml;
  std::size_t tests = 0;
  std::size_t failures = 0;
};

Written WriteSuite(const Suite& suite) {
  Written written;
  std::set<std::string> names;
  std::string cases;
  for (const Finding* finding : suite.findings) {
    const std::string name = NameOf(*finding);
    std::string unique = name;
    for (int i = 2; !names.insert(unique).second; ++i) unique = fmt::format("{} ({})", name, i);
    cases += TestCase(suite.name, unique, ContentOf(*finding));
    ++written.tests;
    if (finding->severity == Severity::kError) ++written.failures;
  }
  if (suite.findings.empty()) {
    cases = TestCase(suite.name, "no findings", {});
    written.tests = 1;
  }
  written.xml = fmt::format(
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"0\">\n{}"
      "  </testsuite>\n",
      EscapeXml(suite.name), written.tests, written.failures, cases);
  return written;
}

}  // namespace

std::string EscapeXml(std::string_view text) {
  std::string escaped;
  const std::string harmless = Harmless(text);
  for (std::string_view rest = harmless; !rest.empty();) {
    const Utf8Character next = DecodeUtf8(rest);
    switch (next.code_point) {
      case U'&':
        escaped += "&amp;";
        break;
      case U'<':
        escaped += "&lt;";
        break;
      case U'>':
        escaped += "&gt;";
        break;
      case U'"':
        escaped += "&quot;";
        break;
      case U'\'':
        escaped += "&apos;";
        break;
      case U'\t':
        escaped += "&#9;";
        break;
      case 0xFFFE:
      case 0xFFFF:
        escaped += "\uFFFD";
        break;
      default:
        escaped += rest.substr(0, next.bytes);
    }
    rest.remove_prefix(next.bytes);
  }
  return escaped;
}

std::string OutcomeAsJUnit(std::string_view operation, const engine::Outcome& outcome) {
  Written total;
  for (const Suite& suite : SuitesOf(operation, outcome)) {
    const Written written = WriteSuite(suite);
    total.xml += written.xml;
    total.tests += written.tests;
    total.failures += written.failures;
  }
  // A check that failed without a finding must not be green.
  if (!outcome.holds && total.failures == 0) {
    total.xml += fmt::format(
        "  <testsuite name=\"result\" tests=\"1\" failures=\"1\" errors=\"0\" skipped=\"0\">\n"
        "{}  </testsuite>\n",
        TestCase("result", operation,
                 "<failure type=\"result\" message=\"a check failed\">a check failed</failure>"));
    ++total.tests;
    ++total.failures;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites name=\"sibyl {}\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n{}"
      "</testsuites>\n",
      EscapeXml(operation), total.tests, total.failures, total.xml);
}

}  // namespace sibyl::interface
