// SPDX-License-Identifier: Apache-2.0
#include "evidence/config.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/work.h"

namespace sibyl::evidence {
namespace {

constexpr std::string_view kTwo = R"(# our oracle
title = "gpu"

# the library
[[source]]
name = "cutlass"
git = "https://github.com/NVIDIA/cutlass"
ref = "main"
include = ["docs/**", "*.h"]

# notes of ours
[[source]]
name = "notes"
folder = "../notes"
exclude = [
  "drafts",
]
max_file_bytes = 4096

[writer]
kind = "extract"
)";

Error ConfigError(std::string_view text) {
  Result<SourceConfig> config = ParseSourceConfig(text, "sibyl.toml");
  EXPECT_FALSE(config.ok());
  return config.ok() ? Error{} : config.error();
}

TEST(SourceConfigParse, ReadsEveryKey) {
  const Result<SourceConfig> config = ParseSourceConfig(kTwo, "sibyl.toml");
  ASSERT_TRUE(config.ok()) << config.error().message;
  ASSERT_EQ(config->sources.size(), 2u);
  const SourceSpec& git = config->sources[0];
  EXPECT_EQ(git.name, "cutlass");
  EXPECT_EQ(git.kind, SourceKind::kGit);
  EXPECT_EQ(git.origin, "https://github.com/NVIDIA/cutlass");
  EXPECT_EQ(git.ref, "main");
  EXPECT_EQ(git.filter.include, (std::vector<std::string>{"docs/**", "*.h"}));
  EXPECT_EQ(git.filter.max_file_bytes, std::uint64_t{2} << 20);
  EXPECT_EQ(git.line, 5u);
  const SourceSpec& folder = config->sources[1];
  EXPECT_EQ(folder.kind, SourceKind::kFolder);
  EXPECT_EQ(folder.filter.exclude, (std::vector<std::string>{"drafts"}));
  EXPECT_EQ(folder.filter.max_file_bytes, 4096u);
}

TEST(SourceConfigParse, ASourceMayBeKnownByOtherNames) {
  const Result<SourceConfig> config = ParseSourceConfig(
      "[[source]]\nname = \"a\"\nfolder = \"b\"\nknown_as = [\"PyTorch\", \"torch\"]\n",
      "sibyl.toml");
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(config->sources[0].known_as, (std::vector<std::string>{"PyTorch", "torch"}));
  EXPECT_EQ(ConfigError("[[source]]\nname = \"a\"\nfolder = \"b\"\nknown_as = [\"-\"]\n").message,
            "reading the sources: known_as is not a list of names");
}

TEST(SourceConfigParse, IsFineWithoutSources) {
  const Result<SourceConfig> config = ParseSourceConfig("title = 'x'\n", "sibyl.toml");
  ASSERT_TRUE(config.ok());
  EXPECT_TRUE(config->sources.empty());
}

TEST(SourceConfigParse, SaysWhereAndWhatIsWrong) {
  EXPECT_EQ(ConfigError("a = = 1").place->line, 1u);
  EXPECT_NE(ConfigError("[[source]]\nname = 'a'").message.find("without git"), std::string::npos);
  EXPECT_NE(ConfigError("[[source]]\ngit = 'u'").message.find("without a name"), std::string::npos);
  EXPECT_NE(ConfigError("[[source]]\nname='a'\ngit='u'\nfile='v'").message.find("two origins"),
            std::string::npos);
  EXPECT_NE(ConfigError("[[source]]\nname='a b'\ngit='u'").message.find("not a valid source name"),
            std::string::npos);
  EXPECT_NE(ConfigError("[[source]]\nname='a'\nfile='u'\nref='x'").message.find("ref"),
            std::string::npos);
  EXPECT_NE(ConfigError("[source]\nname='a'\nfile='u'").hint.find("two brackets"),
            std::string::npos);
  const Error twice =
      ConfigError("[[source]]\nname='a'\nfile='u'\n[[source]]\nname='a'\nfile='u'\n");
  EXPECT_NE(twice.message.find("two sources named a"), std::string::npos);
  EXPECT_EQ(twice.place->line, 4u);
}

TEST(SourceConfigParse, WarnsOfKeysItDoesNotKnow) {
  const Result<SourceConfig> config =
      ParseSourceConfig("[[source]]\nname='a'\nfile='u'\nexlude=['x']\n", "sibyl.toml");
  ASSERT_TRUE(config.ok());
  ASSERT_EQ(config->findings.size(), 1u);
  EXPECT_EQ(config->findings[0].code, "source/unknown-key");
  EXPECT_EQ(config->findings[0].place.line, 4u);
}

TEST(SourceConfigParse, ReadsOldCredentialsButKeepsThemToTheFile) {
  const auto config = ParseSourceConfig(
      "[[source]]\nname = \"r\"\ngit = \"https://me:s3cret@host/o/r\"\n", "sibyl.toml");
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->sources[0].origin, "https://host/o/r");
  EXPECT_TRUE(config->sources[0].has_credentials);
  ASSERT_EQ(config->findings.size(), 1U);
  EXPECT_EQ(config->findings[0].code, "source/credentials");
  EXPECT_EQ(config->findings[0].place.line, 3U);
  EXPECT_EQ(config->findings[0].message.find("s3cret"), std::string::npos);
}

TEST(SourceConfigParse, KeepsThePasswordOfAPageToTheFileToo) {
  const auto config = ParseSourceConfig(
      "[[source]]\nname = \"p\"\npage = [\"https://h/a\", \"https://u:s3cret@h/b\"]\n",
      "sibyl.toml");
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->sources[0].urls[1], "https://h/b");
  EXPECT_TRUE(config->sources[0].has_credentials);
  ASSERT_EQ(config->findings.size(), 1U);
  EXPECT_EQ(config->findings[0].code, "source/credentials");
  EXPECT_EQ(config->findings[0].hint.find("git"), std::string::npos) << config->findings[0].hint;
}

TEST(SourceConfigParse, ABadAddressOfAPageIsAMistakeOfThatSource) {
  const auto config = ParseSourceConfig(
      "[[source]]\nname = \"p\"\npage = \"gopher://h\"\n[[source]]\nname = \"q\"\n"
      "page = \"https://h\"\n",
      "sibyl.toml");
  ASSERT_TRUE(config.ok()) << config.error().message;
  ASSERT_EQ(config->sources.size(), 2U);
  EXPECT_NE(config->sources[0].mistake, "");
  EXPECT_EQ(config->sources[1].mistake, "");
  ASSERT_EQ(config->findings.size(), 1U);
  EXPECT_EQ(config->findings[0].code, "source/address");
  EXPECT_EQ(config->findings[0].place.line, 3U);
}

TEST(SourceConfigEdit, AddsAtTheEndAndTakesAwayAgain) {
  const SourceSpec spec{.name = "tool",
                        .kind = SourceKind::kGit,
                        .origin = "https://example.org/\"odd\"",
                        .ref = "v1",
                        .filter = {.include = {"*.md"}, .exclude = {"a\\b"}, .max_file_bytes = 7}};
  const Result<std::string> added = AppendSource(kTwo, spec);
  ASSERT_TRUE(added.ok()) << added.error().message;
  EXPECT_TRUE(added->starts_with(kTwo));
  const Result<SourceConfig> config = ParseSourceConfig(*added, "sibyl.toml");
  ASSERT_TRUE(config.ok());
  EXPECT_EQ(config->sources.back().origin, spec.origin);
  EXPECT_EQ(config->sources.back().filter, spec.filter);
  const Result<std::string> removed = RemoveSource(*added, "tool");
  ASSERT_TRUE(removed.ok()) << removed.error().message;
  EXPECT_EQ(*removed, kTwo);
  EXPECT_FALSE(AppendSource(*added, spec).ok());
}

TEST(SourceConfigEdit, RemovesOneTableAndKeepsPeoplesWords) {
  const Result<std::string> removed = RemoveSource(kTwo, "cutlass");
  ASSERT_TRUE(removed.ok()) << removed.error().message;
  EXPECT_EQ(removed->find("cutlass"), std::string::npos);
  for (const std::string_view kept :
       {"# our oracle", "# the library", "# notes of ours", "[writer]", "  \"drafts\",\n"}) {
    EXPECT_NE(removed->find(kept), std::string::npos) << kept;
  }
  EXPECT_EQ(RemoveSource(kTwo, "nobody").error().kind, ErrorKind::kNotFound);
}

TEST(SourceConfigEdit, LeavesWhatItCannotCutToAPerson) {
  const Result<std::string> removed =
      RemoveSource("source = [{name='a', file='x'}, {name='b', file='y'}]\n", "a");
  ASSERT_FALSE(removed.ok());
  EXPECT_NE(removed.error().hint.find("by hand"), std::string::npos);
}

TEST(SourceConfigEdit, WorksOnAFileWithoutALastNewline) {
  const SourceSpec spec{.name = "a", .kind = SourceKind::kFile, .origin = "x"};
  const Result<std::string> added = AppendSource("title = 'x'", spec);
  ASSERT_TRUE(added.ok());
  EXPECT_EQ(*added, "title = 'x'\n\n[[source]]\nname = \"a\"\nfile = \"x\"\n");
  EXPECT_EQ(*AppendSource("", spec), "[[source]]\nname = \"a\"\nfile = \"x\"\n");
}

TEST(SourceConfigFile, ReadsPagesOneManyAndNone) {
  const Result<SourceConfig> config = ParseSourceConfig(
      "[[source]]\nname = \"a\"\npage = \"https://x.org/a\"\n[[source]]\nname = \"b\"\n"
      "url = [\"https://x.org/a\", \"http://x.org/b\"]\n[[source]]\nname = \"web\"\npage = []\n",
      "sibyl.toml");
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(config->sources[0].origin, "https://x.org/a");
  EXPECT_EQ(config->sources[1].urls.size(), 2u);
  EXPECT_EQ(config->sources[1].origin, "pages:b");
  EXPECT_TRUE(config->sources[2].urls.empty());
  for (const SourceSpec& spec : config->sources) {
    const Result<std::string> text = AppendSource("", spec);
    ASSERT_TRUE(text.ok()) << text.error().message;
    EXPECT_EQ(ParseSourceConfig(*text, "f")->sources[0].urls, spec.urls);
  }
}

std::uint64_t StepsToRead(std::size_t sources) {
  std::string text;
  for (std::size_t i = 0; i < sources; ++i) {
    text += fmt::format("[[source]]\nname = \"s{}\"\nfolder = \"f\"\n", i);
  }
  const std::uint64_t before = Work::Done();
  const Result<SourceConfig> config = ParseSourceConfig(text, "sibyl.toml");
  EXPECT_TRUE(config.ok());
  EXPECT_EQ(config->sources.size(), sources);
  return Work::Done() - before;
}

TEST(SourceConfigFile, IsReadInProportionToItsSources) {
  EXPECT_LE(StepsToRead(1000), 1000U);
  EXPECT_LE(StepsToRead(2000), 2000U);
}

}  // namespace
}  // namespace sibyl::evidence
