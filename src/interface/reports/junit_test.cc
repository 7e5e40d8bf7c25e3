// SPDX-License-Identifier: Apache-2.0
#include "interface/reports/junit.h"

#include <gtest/gtest.h>

#include <optional>

#include "base/strings.h"
#include "base/utf8.h"
#include "interface/reports/test_findings.h"

namespace sibyl::interface {
namespace {

bool IsXmlCharacter(char32_t c) {
  return c == 0x9 || c == 0xA || c == 0xD || (c >= 0x20 && c <= 0xD7FF) ||
         (c >= 0xE000 && c <= 0xFFFD) || (c >= 0x10000 && c <= 0x10FFFF);
}

bool HasOnlyKnownEntities(std::string_view text) {
  for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
    const std::string_view entity = text.substr(at, text.find(';', at) - at + 1);
    if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;" &&
        entity != "&apos;" && entity != "&#9;") {
      return false;
    }
  }
  return true;
}

// The names of the elements in the order in which they begin, or nothing if it is
// not well formed XML as we write it.
std::optional<std::vector<std::string>> Elements(std::string_view xml) {
  for (std::string_view rest = xml; !rest.empty();) {
    const Utf8Character next = DecodeUtf8(rest);
    if (!next.is_valid || !IsXmlCharacter(next.code_point)) return std::nullopt;
    rest.remove_prefix(next.bytes);
  }
  constexpr std::string_view kDeclaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  if (!xml.starts_with(kDeclaration) || !HasOnlyKnownEntities(xml)) return std::nullopt;
  xml.remove_prefix(kDeclaration.size());
  std::vector<std::string> names;
  std::vector<std::string> open;
  for (std::size_t at = xml.find('<'); at != std::string_view::npos; at = xml.find('<', at + 1)) {
    std::size_t end = at + 1;
    for (bool is_quoted = false; end < xml.size() && (is_quoted || xml[end] != '>'); ++end) {
      if (xml[end] == '"') is_quoted = !is_quoted;
      if (xml[end] == '<') return std::nullopt;
    }
    if (end >= xml.size()) return std::nullopt;
    const std::string_view tag = xml.substr(at + 1, end - at - 1);
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return std::nullopt;
      open.pop_back();
      continue;
    }
    names.emplace_back(tag.substr(0, tag.find_first_of(" /")));
    if (!tag.ends_with('/')) open.push_back(names.back());
  }
  if (!open.empty()) return std::nullopt;
  return names;
}

engine::Outcome OutcomeOf(std::vector<Finding> findings, const std::vector<std::string>& files) {
  engine::Outcome outcome;
  outcome.findings = std::move(findings);
  outcome.data["files"] = Json::array();
  for (const std::string& file : files) outcome.data["files"].push_back({{"file", file}});
  for (const Finding& finding : outcome.findings) {
    if (finding.severity == Severity::kError) outcome.holds = false;
  }
  return outcome;
}

TEST(JUnit, HasASuiteForEachDocumentAndATestCaseForEachFinding) {
  const std::string xml = OutcomeAsJUnit(
      "audit", OutcomeOf({PlainFinding(3, "moved"), PlainFinding(4, "odd", Severity::kWarning)},
                         {"docs/a.md", "docs/b.md"}));
  EXPECT_EQ(xml, R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="sibyl audit" tests="3" failures="1" errors="0">
  <testsuite name="docs/a.md" tests="2" failures="1" errors="0" skipped="0">
    <testcase classname="docs/a.md" name="a/one: moved">
      <failure type="a/one" message="moved">docs/a.md:3: moved</failure>
    </testcase>
    <testcase classname="docs/a.md" name="a/one: odd">
      <system-out>warning: docs/a.md:4: odd</system-out>
    </testcase>
  </testsuite>
  <testsuite name="docs/b.md" tests="1" failures="0" errors="0" skipped="0">
    <testcase classname="docs/b.md" name="no findings"/>
  </testsuite>
</testsuites>
)");
  EXPECT_TRUE(Elements(xml).has_value());
}

TEST(JUnit, TellsEqualFindingsApart) {
  const std::string xml =
      OutcomeAsJUnit("audit", OutcomeOf({PlainFinding(3, "moved"), PlainFinding(9, "moved")}, {}));
  EXPECT_TRUE(Contains(xml, "name=\"a/one: moved\""));
  EXPECT_TRUE(Contains(xml, "name=\"a/one: moved (2)\""));
}

TEST(JUnit, IsNeverEmptyAndNeverGreenWhenACheckFailed) {
  engine::Outcome outcome;
  EXPECT_TRUE(Contains(OutcomeAsJUnit("doctor", outcome), "tests=\"1\" failures=\"0\""));
  outcome.holds = false;
  const std::string failed = OutcomeAsJUnit("doctor", outcome);
  EXPECT_TRUE(Contains(failed, "failures=\"1\""));
  EXPECT_TRUE(Elements(failed).has_value());
}

TEST(JUnit, IsWellFormedWhateverADocumentContains) {
  const std::string xml = OutcomeAsJUnit(
      "audit", OutcomeOf({HostileFinding(), HostileFinding(Severity::kWarning)}, {HostileText()}));
  const auto elements = Elements(xml);
  ASSERT_TRUE(elements.has_value()) << xml;
  EXPECT_EQ(*elements, (std::vector<std::string>{"testsuites", "testsuite", "testcase", "testsuite",
                                                 "testcase", "failure", "testcase", "system-out"}));
  for (const std::string_view line : SplitLines(xml)) {
    EXPECT_FALSE(Trim(line).starts_with("::")) << "a runner would take it for a command";
  }
}

TEST(JUnit, EscapesEveryCharacterOrSpellsItOut) {
  for (char32_t c = 0; c < 0x3000; ++c) {
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<a b=\"";
    std::string character;
    AppendUtf8(c, character);
    text += EscapeXml(character) + "\"/>";
    EXPECT_TRUE(Elements(text).has_value()) << static_cast<unsigned>(c);
  }
}

}  // namespace
}  // namespace sibyl::interface
