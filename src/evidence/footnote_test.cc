// SPDX-License-Identifier: Apache-2.0
#include "evidence/footnote.h"

#include <gtest/gtest.h>

#include "base/terminal.h"

namespace sibyl::evidence {
namespace {

SourceCitation Lines() {
  SourceCitation citation;
  citation.blob = *git::ObjectId::FromHex("94954abda49de8615a048f8d2e64b5de848e27a1");
  citation.origin = "https://example.org/gadget";
  citation.anchor = SourceCitation::Anchor::kCommit;
  citation.anchor_id = *git::ObjectId::FromHex("4f2a91c0d5a1302c8b17bb6b3325ee38acab9140");
  citation.path = "CMakeLists.txt";
  citation.lines = {250, 256};
  return citation;
}

TEST(Footnote, ShowsALinkToPeopleAndTheCitationToMachines) {
  EXPECT_EQ(FormatFootnote({"1", "gadget", Lines()}),
            "[^1]: gadget [CMakeLists.txt#L250-L256](https://example.org/gadget/blob/"
            "4f2a91c0d5a1302c8b17bb6b3325ee38acab9140/CMakeLists.txt#L250-L256) <!-- "
            "swh:1:cnt:94954abda49de8615a048f8d2e64b5de848e27a1;origin=https://example.org/gadget;"
            "anchor=swh:1:rev:4f2a91c0d5a1302c8b17bb6b3325ee38acab9140;path=/CMakeLists.txt;"
            "lines=250-256 -->");
}

TEST(Footnote, HasNoControlCharacterOfAPath) {
  SourceCitation odd = Lines();
  odd.path = "a\x1b[2J\u009b31m\x7f\u202e.md";
  odd.origin = "/srv/gadget";
  const std::string line = FormatFootnote({"1", "g\u009bt", odd});
  EXPECT_EQ(Harmless(line), line);
}

TEST(Footnote, ComesBackFromItsLine) {
  SourceCitation odd = Lines();
  odd.path = "a]b\n-->(c).md";
  const std::string digest(64, 'b');
  const Citation citations[] = {
      Lines(), odd, WebCitation{digest, "https://example.org/a(b)", "2026-11-15T00:00:00Z", 1, 9},
      FactCitation{digest, "elf", "version"}, LabCitation{"run-1", "gflops"}};
  for (const Citation& citation : citations) {
    const std::string line = FormatFootnote({"p3-7", "the <b>label</b>\n", citation});
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const Result<Footnote> back = ParseFootnote(line);
    ASSERT_TRUE(back.ok()) << line << ": " << back.error().message;
    EXPECT_EQ(back->id, "p3-7");
    EXPECT_EQ(back->citation, citation);
  }
}

TEST(Footnote, ReadsWhatPeopleWroteAroundTheCitation) {
  const Result<Footnote> note = ParseFootnote(
      "[^k]: see <!-- mine --> there <!--swh:1:cnt:94954abda49de8615a048f8d2e64b5de848e27a1--> ok");
  ASSERT_TRUE(note.ok()) << note.error().message;
  EXPECT_EQ(note->id, "k");
}

TEST(Footnote, SaysWhenALineIsNone) {
  EXPECT_EQ(ParseFootnote("plain text").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(ParseFootnote("[^1]: no comment").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(ParseFootnote("[^1]: <!-- todo -->").error().kind, ErrorKind::kUsage);
  EXPECT_FALSE(FootnoteId("[^a b]: x"));
  EXPECT_FALSE(FootnoteId("[^]: x"));
}

}  // namespace
}  // namespace sibyl::evidence
