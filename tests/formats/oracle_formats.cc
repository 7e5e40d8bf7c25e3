// SPDX-License-Identifier: Apache-2.0
// Formats of files that are committed with an oracle: settings, pins, pages, facts,
// lab runs, baselines.
#include <gtest/gtest.h>

#include "audit/baseline.h"
#include "base/strings.h"
#include "evidence/citation.h"
#include "evidence/config.h"
#include "evidence/footnote.h"
#include "evidence/lock.h"
#include "formats.h"
#include "inspect/fact_book.h"
#include "lab/run.h"
#include "library/blocks.h"
#include "library/knowledge_page.h"
#include "model/model_config.h"
#include "research/web_config.h"

namespace sibyl::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kCommit = "4f2a91c04f2a91c04f2a91c04f2a91c04f2a91c0";
constexpr std::string_view kTree = "0123456789abcdef0123456789abcdef01234567";
const std::string kDigest(64, 'a');

evidence::SourceSpec GitSpec() {
  return {.name = "gadget",
          .kind = evidence::SourceKind::kGit,
          .origin = "https://git.example.org/gadget.git",
          .ref = "v1.2",
          .filter = {.include = {"docs/**"}, .exclude = {"docs/old/**"}, .max_file_bytes = 4096}};
}

void WriteConfig(const fs::path& folder) {
  const Result<std::string> text = evidence::AppendSource(
      "[web]\nprovider = [\"searxng\"]\nurl = \"https://search.example.org/\"\n\n[model]\nurl = "
      "\"https://model.example.org/v1\"\nname = \"small-1\"\nmax_cost = 2.5\n",
      GitSpec());
  ASSERT_TRUE(text.ok());
  WriteFixture(folder / "sibyl.toml", *text);
}

void ReadConfig(const fs::path& folder) {
  const std::string text = ReadFixture(folder / "sibyl.toml");
  const auto sources = evidence::ParseSourceConfig(text, "sibyl.toml");
  ASSERT_TRUE(sources.ok()) << sources.error().message;
  EXPECT_TRUE(sources->findings.empty());
  ASSERT_EQ(sources->sources.size(), 1U);
  const evidence::SourceSpec& spec = sources->sources.front();
  EXPECT_EQ(spec.name, "gadget");
  EXPECT_EQ(spec.kind, evidence::SourceKind::kGit);
  EXPECT_EQ(spec.origin, "https://git.example.org/gadget.git");
  EXPECT_EQ(spec.ref, "v1.2");
  EXPECT_EQ(spec.filter, GitSpec().filter);
  const auto web = research::ParseWebConfig(text, "sibyl.toml");
  ASSERT_TRUE(web.ok() && web->findings.empty());
  EXPECT_EQ(web->providers, std::vector<std::string>{"searxng"});
  EXPECT_EQ(web->url, "https://search.example.org/");
  const auto model = model::ParseModelConfig(text, "sibyl.toml");
  ASSERT_TRUE(model.ok() && model->findings.empty());
  EXPECT_EQ(model->name, "small-1");
  EXPECT_EQ(model->max_cost, 2.5);
}

evidence::Pin GitPin() {
  return {.name = "gadget",
          .kind = evidence::SourceKind::kGit,
          .origin = "https://git.example.org/gadget.git",
          .ref = "v1.2",
          .commit = git::ObjectId::FromHex(kCommit),
          .tree = git::ObjectId::FromHex(kTree),
          .date = "2026-11-15T00:00:00Z",
          .filter = GitSpec().filter};
}

evidence::Pin PagesPin() {
  return {.name = "web",
          .kind = evidence::SourceKind::kPage,
          .origin = "web",
          .ref = {},
          .commit = {},
          .tree = git::ObjectId::FromHex(kTree),
          .date = "2026-11-15T00:00:00Z",
          .filter = {},
          .pages = {{.url = "https://docs.example.org/a",
                     .final_url = "https://docs.example.org/a.html",
                     .path = "docs.example.org/a.md",
                     .title = "The \"A\" page",
                     .sha256 = kDigest,
                     .text_sha256 = kDigest,
                     .fetched = "2026-11-15T09:05:00Z",
                     .etag = "\"x\"",
                     .last_modified = "Sun, 15 Nov 2026 09:00:00 GMT"}}};
}

evidence::Pin PinWithHistory() {
  evidence::Pin pin = GitPin();
  pin.name = "widget";
  pin.history = 1437;
  return pin;
}

void WriteLock(const fs::path& folder) {
  WriteFixture(folder / "sibyl.lock",
               evidence::FormatLock({.pins = {GitPin(), PagesPin(), PinWithHistory()}}));
}

// A lock without pages and histories is still written as version 1.
void ReadLockFixture(const fs::path& folder) {
  const auto lock = evidence::ParseLock(ReadFixture(folder / "sibyl.lock"));
  ASSERT_TRUE(lock.ok()) << lock.error().message;
  ASSERT_NE(lock->Find("gadget"), nullptr);
  EXPECT_EQ(*lock->Find("gadget"), GitPin());
  if (folder.filename() == "v1") {
    EXPECT_EQ(lock->pins.size(), 1U);
    return;
  }
  ASSERT_NE(lock->Find("web"), nullptr);
  EXPECT_EQ(*lock->Find("web"), PagesPin());
  if (folder.filename() == "v2") return;
  ASSERT_NE(lock->Find("widget"), nullptr);
  EXPECT_EQ(*lock->Find("widget"), PinWithHistory());
}

const evidence::FactCitation kFact = {
    .sha256 = std::string(64, 'b'), .inspector = "cuda", .key = "cubin.sm_90.count"};

void WriteFacts(const fs::path& folder) {
  inspect::FactBook book;
  book.Put(kFact,
           {.value = 12, .kind = "elf", .bytes = 4096, .source = "gadget", .path = "lib.so"});
  WriteFixture(folder / inspect::kFactsFile, book.Format());
}

void ReadFacts(const fs::path& folder) {
  const auto book = inspect::FactBook::Parse(ReadFixture(folder / inspect::kFactsFile));
  ASSERT_TRUE(book.ok()) << book.error().message;
  const inspect::RecordedFact* fact = book->Find(kFact);
  ASSERT_NE(fact, nullptr);
  EXPECT_EQ(*fact,
            (inspect::RecordedFact{
                .value = 12, .kind = "elf", .bytes = 4096, .source = "gadget", .path = "lib.so"}));
}

constexpr std::string_view kLabLine =
    R"({"lab":"copy","variant":"wide","params":{"bytes":64},"metric":"time","value":2.0,"unit":"ms","floor":1.6,"x_floor":1.25,"samples":9,"noise":0.001,"max_rel_err":0,"device":"NVIDIA H200","driver":"580.1","toolkit":"13.0"})";

void WriteLabRun(const fs::path& folder) {
  lab::Run run{.command = "sibyl lab run copy", .time = "2026-11-15 09:05"};
  ASSERT_TRUE(lab::AddLines(kLabLine, run).ok());
  WriteFixture(folder / "run.jsonl", lab::FormatRun(run));
}

void ReadLabRun(const fs::path& folder) {
  const std::string text = ReadFixture(folder / "run.jsonl");
  const auto run = lab::ParseRun(text);
  ASSERT_TRUE(run.ok()) << run.error().message;
  EXPECT_EQ(run->command, "sibyl lab run copy");
  EXPECT_EQ(run->time, "2026-11-15 09:05");
  const lab::Measurement* time = run->Find("wide/bytes=64/time");
  ASSERT_NE(time, nullptr);
  EXPECT_EQ(time->value, 2.0);
  EXPECT_EQ(time->device, "NVIDIA H200");
  // Pages cite a run by this id.
  EXPECT_EQ(lab::RunId(text).size(), 16U);
}

statement::Judgement AcceptedFinding() {
  statement::Judgement judgement;
  judgement.verdict = statement::Verdict::kAbsent;
  judgement.code = "ident/unknown";
  judgement.text = "GADGET_MB";
  judgement.place = {.file = "notes.md", .line = 3, .text = "Set `GADGET_MB` first."};
  return judgement;
}

void WriteBaseline(const fs::path& folder) {
  audit::Baseline baseline;
  baseline.Add(AcceptedFinding(), "notes.md");
  WriteFixture(folder / "baseline.txt", baseline.Format());
}

void ReadBaseline(const fs::path& folder) {
  auto baseline = audit::Baseline::Parse(ReadFixture(folder / "baseline.txt"));
  ASSERT_TRUE(baseline.ok()) << baseline.error().message;
  EXPECT_EQ(baseline->left(), 1U);
  EXPECT_TRUE(baseline->Take(AcceptedFinding(), "notes.md"));
  EXPECT_EQ(baseline->left(), 0U);
}

const std::vector<evidence::Citation>& Citations() {
  static const auto* const kCitations = new std::vector<evidence::Citation>{
      evidence::SourceCitation{.blob = *git::ObjectId::FromHex(kTree),
                               .origin = "https://git.example.org/gadget.git",
                               .anchor = evidence::SourceCitation::Anchor::kCommit,
                               .anchor_id = *git::ObjectId::FromHex(kCommit),
                               .path = "docs/a; b.md",
                               .lines = {.first = 3, .last = 4}},
      evidence::WebCitation{.sha256 = kDigest,
                            .url = "https://docs.example.org/a",
                            .accessed = "2026-11-15T09:05:00Z",
                            .first_char = 10,
                            .end_char = 90},
      kFact, evidence::LabCitation{.run = "0123456789abcdef", .metric = "wide/bytes=64/time"}};
  return *kCitations;
}

void WriteCitations(const fs::path& folder) {
  std::string text;
  for (std::size_t i = 0; i < Citations().size(); ++i) {
    text +=
        evidence::FormatFootnote(
            {.id = "p1-" + std::to_string(i + 1), .label = "gadget", .citation = Citations()[i]}) +
        "\n";
  }
  WriteFixture(folder / "footnotes.md", text);
}

void ReadCitations(const fs::path& folder) {
  const std::string text = ReadFixture(folder / "footnotes.md");
  const std::vector<std::string_view> lines = SplitLines(text);
  ASSERT_EQ(lines.size(), Citations().size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const auto footnote = evidence::ParseFootnote(lines[i]);
    ASSERT_TRUE(footnote.ok()) << lines[i];
    EXPECT_EQ(footnote->id, "p1-" + std::to_string(i + 1));
    EXPECT_EQ(footnote->citation, Citations()[i]);
  }
}

constexpr std::string_view kPage = R"(# The cache

> sibyl 0.1.0 · 2026-11-15 · gadget@4f2a91c · 1 of 1 citations hold · 1 of 1 points covered · section 1 extracted

| planned | covered by |
| --- | --- |
| Cache size | [1.1](#11-cache-size) |

## 1. Sizes

### 1.1 Cache size
gadget `cache.md`:

> The cache holds 48 KB.[^p1-1]

## Sources

[^p1-1]: gadget cache.md#L3 <!-- swh:1:cnt:0123456789abcdef0123456789abcdef01234567;origin=https://git.example.org/gadget.git;path=/cache.md;lines=3-3 -->
)";

void WriteKnowledge(const fs::path& folder) {
  WriteFixture(folder / "01-cache.md", kPage);
  WriteFixture(
      folder / "INDEX.md",
      "# Index\n\nMine.\n\n" + library::MakeBlock("index", "- [The cache](01-cache.md)\n"));
}

void ReadKnowledge(const fs::path& folder) {
  const auto page = library::ReadKnowledgePage("01-cache.md", ReadFixture(folder / "01-cache.md"));
  EXPECT_EQ(page.title, "The cache");
  EXPECT_EQ(page.updated, "2026-11-15");
  EXPECT_EQ(page.citations, 1U);
  ASSERT_FALSE(page.sections.empty());
  EXPECT_EQ(page.sections.front().title, "Sizes");
  const std::string index = ReadFixture(folder / "INDEX.md");
  const auto blocks = library::FindBlocks("INDEX.md", index);
  ASSERT_TRUE(blocks.ok()) << blocks.error().message;
  ASSERT_EQ(blocks->size(), 1U);
  const auto& block = blocks->front();
  EXPECT_EQ(block.name, "index");
  EXPECT_EQ(index.substr(block.begin, block.end - block.begin), "- [The cache](01-cache.md)\n");
}

}  // namespace

std::vector<Format> OracleFormats() {
  return {
      {.name = "config", .write = WriteConfig, .read = ReadConfig},
      {.name = "lock",
       .source = "src/evidence/lock.h",
       .constant = "kLockVersion",
       .write = WriteLock,
       .read = ReadLockFixture},
      {.name = "facts",
       .source = "src/inspect/fact_book.cc",
       .constant = "kFirstLine",
       .write = WriteFacts,
       .read = ReadFacts},
      {.name = "lab-run",
       .source = "src/lab/run.cc",
       .constant = "kVersion",
       .write = WriteLabRun,
       .read = ReadLabRun},
      {.name = "baseline",
       .source = "src/audit/baseline.cc",
       .constant = "kHeader",
       .write = WriteBaseline,
       .read = ReadBaseline},
      {.name = "citation", .write = WriteCitations, .read = ReadCitations},
      {.name = "knowledge", .write = WriteKnowledge, .read = ReadKnowledge},
  };
}

}  // namespace sibyl::formats
