// SPDX-License-Identifier: Apache-2.0
#include "research/select.h"

#include <gtest/gtest.h>

#include "research/answer_reader.h"

namespace sibyl::research {
namespace {

net::Url Url(std::string_view text) { return *net::ParseUrl(text); }

std::string_view Speaker(std::string_view text) {
  return AuthorityName(Judge(Url(text)).authority);
}

Found ResultAt(std::string_view url, std::size_t rank, std::string provider = "p") {
  return {.url = Url(url), .title = "t", .provider = std::move(provider), .rank = rank};
}

TEST(Authority, KnowsMakersFromThoseWhoWriteAboutThem) {
  EXPECT_EQ(Speaker("https://docs.nvidia.com/cuda/"), "official");
  EXPECT_EQ(Speaker("https://developer.nvidia.com/blog/x"), "official");
  EXPECT_EQ(Speaker("https://github.com/NVIDIA/cutlass/blob/main/x.h"), "official");
  EXPECT_EQ(Speaker("https://github.com/NVIDIA-fans/x"), "repository");
  EXPECT_EQ(Speaker("https://github.com/someone/cutlass"), "repository");
  EXPECT_EQ(Speaker("https://cmake.org/cmake/help/latest/"), "official");
  EXPECT_EQ(Speaker("https://docs.docker.com/engine/"), "official");
  EXPECT_EQ(Speaker("https://notnvidia.com/"), "unknown");
  EXPECT_EQ(Speaker("https://nvidia.com.evil.example/"), "unknown");
  EXPECT_EQ(Speaker("https://foo.readthedocs.io/en/latest/"), "documentation");
  EXPECT_EQ(Speaker("https://arxiv.org/abs/2205.14135"), "paper");
  EXPECT_EQ(Speaker("https://forums.developer.nvidia.com/t/1"), "forum");
  EXPECT_EQ(Speaker("https://stackoverflow.com/questions/1"), "forum");
  EXPECT_EQ(Speaker("https://medium.com/@x/y"), "blog");
  EXPECT_EQ(Speaker("https://blog.example/x"), "blog");
}

TEST(Authority, FindsRepositories) {
  EXPECT_EQ(RepositoryOf(Url("https://github.com/NVIDIA/cutlass/tree/main")), "NVIDIA/cutlass");
  EXPECT_EQ(RepositoryOf(Url("https://github.com/NVIDIA/cutlass.git")), "NVIDIA/cutlass");
  EXPECT_EQ(RepositoryOf(Url("https://github.com/NVIDIA")), "");
  EXPECT_EQ(RepositoryOf(Url("https://github.com/topics/cuda")), "");
  EXPECT_EQ(RepositoryOf(Url("https://docs.nvidia.com/a/b")), "");
}

TEST(CanonicalUrl, IsOneForOnePage) {
  const std::string page = "https://pytorch.org/docs/x";
  for (const std::string_view other :
       {"https://pytorch.org/docs/x", "http://www.pytorch.org/docs/x/",
        "https://pytorch.org/docs/x/index.html?utm_source=a&gclid=b#section"}) {
    EXPECT_EQ(CanonicalUrl(Url(other)), page) << other;
  }
  EXPECT_NE(CanonicalUrl(Url("https://pytorch.org/docs/x?page=2")), page);
  EXPECT_NE(CanonicalUrl(Url("https://pytorch.org:8080/docs/x")), page);
}

TEST(Merge, MakesOneListInWhichAgreementCounts) {
  const std::vector<Candidate> merged = Merge(
      {{ResultAt("https://a.example/", 1, "p"), ResultAt("https://b.example/", 2, "p")},
       {ResultAt("https://c.example/", 1, "q"), ResultAt("http://www.b.example/?utm_x=1", 2, "q")}},
      {});
  ASSERT_EQ(merged.size(), 3U);
  EXPECT_EQ(merged[0].found.url.host, "b.example");
  EXPECT_EQ(merged[0].providers, (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(merged[1].found.url.host, "a.example");
}

TEST(Select, TakesMakersBeforeBlogsAndFewOfOneHost) {
  std::vector<Found> list;
  std::size_t rank = 0;
  for (const std::string_view url :
       {"https://medium.com/@a/1", "https://x.example/1", "https://x.example/2",
        "https://x.example/3", "https://stackoverflow.com/q/1", "https://docs.nvidia.com/1",
        "https://docs.nvidia.com/2", "https://docs.nvidia.com/3"}) {
    list.push_back(ResultAt(url, ++rank));
  }
  const std::vector<Candidate> chosen = Select(Merge({list}, {}), {.count = 6, .per_host = 2});
  std::vector<std::string> urls;
  for (const Candidate& candidate : chosen) urls.push_back(candidate.found.url.Text());
  EXPECT_EQ(urls,
            (std::vector<std::string>{"https://docs.nvidia.com/1", "https://docs.nvidia.com/2",
                                      "https://docs.nvidia.com/3", "https://x.example/1",
                                      "https://x.example/2", "https://stackoverflow.com/q/1"}));
}

TEST(PageFilter, TakesThePlansWordAsARule) {
  PageFilter filter;
  AddRestriction("Scrape official NVIDIA repos only", filter);
  EXPECT_TRUE(filter.is_official);
  EXPECT_EQ(filter.makers, (std::vector<std::string>{"nvidia"}));
  EXPECT_EQ(filter.WhyNot(Url("https://github.com/NVIDIA/apex")), "");
  EXPECT_EQ(filter.WhyNot(Url("https://docs.nvidia.com/cuda/")), "not a repository");
  EXPECT_EQ(filter.WhyNot(Url("https://github.com/pytorch/pytorch")), "not by nvidia");
  EXPECT_EQ(filter.WhyNot(Url("https://medium.com/x")), "not official");

  const std::vector<Candidate> merged =
      Merge({{ResultAt("https://medium.com/x", 1), ResultAt("https://github.com/NVIDIA/apex", 2)}},
            filter);
  const std::vector<Candidate> chosen = Select(merged, {});
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(chosen[0].found.url.host, "github.com");
}

TEST(PageFilter, UnderstandsSites) {
  PageFilter filter;
  AddRestriction("Search: \"cutlass layouts site:docs.nvidia.com\"", filter);
  EXPECT_EQ(filter.hosts, (std::vector<std::string>{"docs.nvidia.com"}));
  EXPECT_EQ(filter.WhyNot(Url("https://docs.nvidia.com/x")), "");
  EXPECT_NE(filter.WhyNot(Url("https://nvidia.com/x")), "");
  EXPECT_EQ(WithoutSites("cutlass layouts site:docs.nvidia.com"), "cutlass layouts");
}

TEST(PageFilter, DoesNotTakePraiseForARule) {
  for (const std::string_view line :
       {"PyTorch official docs on building from source",
        "Search GitHub: \"x\" (find official repo)", "official docker images (runtime-only)",
        "only the official name of the flag", "Identify gaps: Official build scripts"}) {
    PageFilter filter;
    AddRestriction(line, filter);
    EXPECT_TRUE(filter.IsEmpty()) << line;
  }
  PageFilter filter;
  AddRestriction("Focus on NVIDIA OFFICIAL patterns (no third-party interpretations)", filter);
  EXPECT_TRUE(filter.is_official);
}

TEST(FitsHost, KnowsHostsBelowAndFolders) {
  EXPECT_TRUE(FitsHost(Url("https://docs.nvidia.com/"), "*.nvidia.com"));
  EXPECT_TRUE(FitsHost(Url("https://nvidia.com/"), "*.nvidia.com"));
  EXPECT_TRUE(FitsHost(Url("https://docs.nvidia.com/"), "nvidia.com"));
  EXPECT_FALSE(FitsHost(Url("https://evilnvidia.com/"), "nvidia.com"));
  EXPECT_TRUE(FitsHost(Url("https://github.com/NVIDIA/apex"), "github.com/nvidia"));
  EXPECT_FALSE(FitsHost(Url("https://github.com/other/apex"), "github.com/nvidia"));
}

TEST(TextWithoutMarkup, IsSafeToShow) {
  EXPECT_EQ(TextWithoutMarkup("a <b>bold</b> &lt;T&gt;\n\n x", 100), "a bold <T> x");
  EXPECT_EQ(TextWithoutMarkup("x < y and vector<int>", 100), "x < y and vector");
  EXPECT_EQ(TextWithoutMarkup("\x1b[31mred\xc2\x9b", 100), "[31mred");
  EXPECT_EQ(TextWithoutMarkup("gr\xc3\xbc\xc3\x9f", 5), "gr\xc3\xbc");
  EXPECT_EQ(TextWithoutMarkup("bad \xff bytes", 100), "bad bytes");
}

}  // namespace
}  // namespace sibyl::research
