// SPDX-License-Identifier: Apache-2.0
#include "gate/cited/cited_pages.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/temporary_folder.h"
#include "base/hash.h"
#include "evidence/pages/page_citation.h"
#include "gate/renew.h"

namespace sibyl::gate {
namespace {

constexpr std::string_view kOld = "# A\n\nA fence costs 700 cycles.\n";
constexpr std::string_view kMoved = "# A\n\nNew words.\n\nA fence costs 700 cycles.\n";
constexpr std::string_view kOther = "# A\n\nA fence costs 90 cycles.\n";

class CitedPage : public ::testing::Test {
 protected:
  evidence::PageRecord Store(std::string_view text, const std::string& date) {
    evidence::PageSnapshot page;
    page.record = {.url = "https://x.org/a",
                   .path = "x.org/a.md",
                   .title = "A",
                   .sha256 = Sha256("<p>"),
                   .text_sha256 = Sha256(text),
                   .fetched = date};
    page.body = "<p>";
    page.text = text;
    EXPECT_TRUE(evidence::StorePageSnapshot(store_, page).ok());
    return page.record;
  }

  void Pin(const evidence::PageRecord& page) {
    lock_.Put({.name = "web", .kind = evidence::SourceKind::kPage, .pages = {page}});
  }

  // Of the sentence in kOld.
  evidence::WebCitation Citation() const {
    return {.sha256 = Sha256(kOld),
            .url = "https://x.org/a",
            .accessed = "2026-11-15T00:00:00Z",
            .first_char = 5,
            .end_char = 31};
  }

  OtherAnswer Resolve(const evidence::WebCitation& citation) {
    return CitedPages(lock_, store_).Resolve(citation);
  }

  TemporaryFolder folder_;
  evidence::Store store_{folder_.path()};
  evidence::Lock lock_;
};

TEST_F(CitedPage, IsSupportedByItsCharacters) {
  Pin(Store(kOld, "2026-11-15T00:00:00Z"));
  const OtherAnswer answer = Resolve(Citation());
  EXPECT_EQ(answer.verdict, statement::Verdict::kSupported);
  EXPECT_EQ(answer.text, "A fence costs 700 cycles.\n");
  EXPECT_FALSE(answer.renewed);
}

TEST_F(CitedPage, ThatStillSaysItElsewhereIsSupportedAndCanBeRenewed) {
  Store(kOld, "2026-11-15T00:00:00Z");
  Pin(Store(kMoved, "2026-11-16T00:00:00Z"));
  const OtherAnswer answer = Resolve(Citation());
  EXPECT_EQ(answer.verdict, statement::Verdict::kSupported);
  ASSERT_TRUE(answer.renewed);
  EXPECT_EQ(evidence::CharactersOf(kMoved, answer.renewed->first_char, answer.renewed->end_char),
            "A fence costs 700 cycles.\n");
  const std::string line =
      "[^1]: [A](https://x.org/a#:~:text=A%20fence), accessed 2026-11-15 <!-- " +
      evidence::FormatCitation(Citation()) + " -->\n";
  EXPECT_EQ(RenewDefinition(line, Citation(), *answer.renewed),
            "[^1]: [A](https://x.org/a#:~:text=A%20fence), accessed 2026-11-16 <!-- " +
                evidence::FormatCitation(*answer.renewed) + " -->\n");
}

TEST_F(CitedPage, ThatNoLongerSaysItIsStale) {
  Store(kOld, "2026-11-15T00:00:00Z");
  Pin(Store(kOther, "2026-11-16T00:00:00Z"));
  const OtherAnswer answer = Resolve(Citation());
  EXPECT_EQ(answer.verdict, statement::Verdict::kStale);
  EXPECT_EQ(answer.text, "A fence costs 700 cycles.\n");
}

TEST_F(CitedPage, ThatIsNotPinnedLostOrMadeUpIsNeverSupported) {
  EXPECT_EQ(Resolve(Citation()).verdict, statement::Verdict::kAbsent);
  const evidence::PageRecord page = Store(kOld, "2026-11-15T00:00:00Z");
  Pin(page);
  evidence::WebCitation longer = Citation();
  longer.end_char = 400;
  EXPECT_EQ(Resolve(longer).verdict, statement::Verdict::kAbsent);
  std::filesystem::remove_all(folder_.path() / "pages");
  EXPECT_EQ(Resolve(Citation()).verdict, statement::Verdict::kUndecidable);
}

}  // namespace
}  // namespace sibyl::gate
