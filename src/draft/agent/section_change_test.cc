// SPDX-License-Identifier: Apache-2.0
#include "draft/agent/section_change.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sibyl::draft {
namespace {

std::vector<AgentSection> Page() {
  return {{.place = 0,
           .text = "### Order\n\nThe cache is read first.[^a] Then the\ndisk[^b] is read.[^a]\n\n"
                   "| what | size |\n| --- | --- |\n| `block` | 4[^b] |\n\n"
                   "[^a]: notes:a.md:1\n[^b]: notes:b.md:2-3\n"},
          {.place = 1, .text = "It ends.[^c]\n\n[^c]: notes:c.md:4\n"}};
}

std::string Changed(const std::string& old_text, const std::string& new_text,
                    const NewReceipts& receipts = {}) {
  std::vector<AgentSection> sections = Page();
  const auto place =
      ChangeSection(sections, {.old_text = old_text, .new_text = new_text}, receipts);
  return place.ok() ? sections[*place].text : "error: " + place.error().message;
}

std::string WithReceipts(const std::string& body, const std::string& definitions) {
  return body + "\n\n| what | size |\n| --- | --- |\n| `block` | 4[^b] |\n\n" + definitions;
}

constexpr const char* kBoth = "[^a]: notes:a.md:1\n[^b]: notes:b.md:2-3\n";

TEST(ChangeSection, TakesTextAsItIsReadAndKeepsItsMarks) {
  EXPECT_EQ(Changed("The cache is read first.", "By default the cache is read first."),
            WithReceipts("### Order\n\nBy default the cache is read first.[^a] Then the\n"
                         "disk[^b] is read.[^a]",
                         kBoth));
  EXPECT_EQ(Changed("Then the disk is read.", "The disk is read next."),
            WithReceipts("### Order\n\nThe cache is read first.[^a] The disk is read next.[^b][^a]",
                         kBoth));
  EXPECT_EQ(Changed("`block` | 4", "`block` | 8").find("| `block` | 8[^b] |") == std::string::npos,
            false);
}

TEST(ChangeSection, ReplacesMarksByThoseOfTheNewText) {
  EXPECT_EQ(Changed("The cache is read first.", "The cache is read.[^c]"),
            WithReceipts("### Order\n\nThe cache is read.[^c] Then the\ndisk[^b] is read.[^a]",
                         std::string(kBoth) + "[^c]: notes:c.md:4\n"));
  EXPECT_EQ(Changed("It ends.", "It ends early.[^new]", {{"new", "notes:d.md:5"}}),
            "It ends early.[^new]\n\n[^new]: notes:d.md:5\n");
}

TEST(ChangeSection, RemovesASentenceWithItsMarksAndReceipts) {
  EXPECT_EQ(Changed("It ends.", ""), "\n\n");
  EXPECT_EQ(Changed(" Then the disk is read.", ""),
            WithReceipts("### Order\n\nThe cache is read first.[^a] ", kBoth));
}

TEST(ChangeSection, NeedsOneOnlyPlaceAndKnownMarks) {
  EXPECT_EQ(Changed("The cache is read last.", "x"),
            "error: the page does not have the text 'The cache is read last.'");
  EXPECT_EQ(Changed("is read", "x"), "error: the page has the text 'is read' in 2 places");
  EXPECT_EQ(Changed("It ends.", "It ends.[^x]"), "error: the mark [^x] is defined nowhere");
  EXPECT_EQ(Changed("It ends.", "It ends.[^a]", {{"a", "notes:d.md:5"}}),
            "error: the page has a mark [^a] already");
  EXPECT_EQ(Changed("", "x"), "error: the page does not have the text ''");
}

}  // namespace
}  // namespace sibyl::draft
