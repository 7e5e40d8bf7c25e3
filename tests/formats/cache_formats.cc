// SPDX-License-Identifier: Apache-2.0
// Formats of the object store and the caches. A cache of another version is
// rejected with a message and made again.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/hash.h"
#include "evidence/history/history_file.h"
#include "evidence/pages/page_snapshot.h"
#include "evidence/shared/store_record.h"
#include "formats.h"
#include "index/builder/index_builder.h"
#include "index/manifest.h"
#include "index/memory_source.h"
#include "index/rank/searcher.h"
#include "index/segment/segment.h"
#include "index/segment/segment_writer.h"
#include "index/vectors/vector_file.h"
#include "model/answer_cache.h"

namespace sibyl::formats {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDocument = "The cache of compiled kernels holds 48 KB.\n";

// A manifest and one segment.
void BuildSample(const fs::path& folder) {
  index::MemorySource source;
  git::ObjectId blob;
  blob.bytes[0] = 1;
  source.Add({.path = "docs/cache.md",
              .text = std::string(kDocument),
              .language = "markdown",
              .passages = {{.first_line = 1,
                            .last_line = 1,
                            .begin = 0,
                            .end = static_cast<std::uint32_t>(kDocument.size()),
                            .heading = "Cache",
                            .kind = index::PassageKind::kProse}},
              .blob = blob,
              .cards = {{.kind = cards::CardKind::kTerm,
                         .name_bytes = 5,
                         .value_bytes = 5,
                         .name = 4,
                         .value = 36,
                         .first_line = 1,
                         .last_line = 1}}});
  const auto report = index::BuildIndex(source, {.segment_folder = folder,
                                                 .manifest = folder / "manifest.json",
                                                 .fingerprint = "passages-0",
                                                 .previous = {}});
  ASSERT_TRUE(report.ok()) << report.error().message;
}

fs::path OnlySegment(const fs::path& folder) {
  fs::path found;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().filename() != "manifest.json") found = entry.path();
  }
  return found;
}

void WriteSegment(const fs::path& folder) {
  const TemporaryFolder scratch;
  BuildSample(scratch.path());
  const fs::path segment = OnlySegment(scratch.path());
  WriteFixture(folder / segment.lexically_relative(scratch.path()), ReadFixture(segment));
}

void ReadSegment(const fs::path& folder) {
  const std::string bytes = ReadFixture(OnlySegment(folder));
  const auto segment = index::Segment::FromBytes(bytes);
  ASSERT_TRUE(segment.ok()) << segment.error().message;
  EXPECT_TRUE(segment->Check().ok());
  ASSERT_EQ(segment->document_count(), 1U);
  EXPECT_EQ(segment->path(segment->document(0)), "docs/cache.md");
  EXPECT_EQ(segment->language(segment->document(0)), "markdown");
  EXPECT_EQ(segment->passage_count(), 1U);
  ASSERT_EQ(segment->card_count(), 1U);
  EXPECT_EQ(segment->card_name(segment->card(0)), "cache");
  EXPECT_EQ(segment->card_value(segment->card(0)), "48 KB");
  EXPECT_EQ(segment->document_of_card(0), 0U);

  std::string older = bytes;
  older[offsetof(index::SegmentHeader, version)] = 1;
  const auto refused = index::Segment::FromBytes(older);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kCorrupt);
  EXPECT_NE(refused.error().message.find("version 1"), std::string::npos);
}

// Two commits; the later one moved a file.
evidence::HistoryTables SampleHistory() {
  const git::ObjectId tip = *git::ObjectId::FromHex(std::string(40, 'a'));
  evidence::HistoryRow later;
  std::copy(tip.bytes.begin(), tip.bytes.end(), later.id);
  later.time = 1'800'000'000;
  later.change_count = 2;
  later.weight = 127;
  evidence::HistoryRow first;
  first.time = 1'700'000'000;
  first.first_change = 2;
  first.change_count = 1;
  first.flags = evidence::kRevertCommit;
  first.weight = 51;
  return {.tip = tip,
          .commits = {later, first},
          .changes = {0, 1, 1},
          .moves = {{.commit = 0, .from = 1, .to = 0}},
          .paths = {"docs/cache.md", "old.md"},
          .is_present = {true, false}};
}

void WriteHistory(const fs::path& folder) {
  WriteFixture(folder / "sample.history", evidence::FormatHistory(SampleHistory()));
}

void ReadHistory(const fs::path& folder) {
  const auto file = evidence::HistoryFile::Open(folder / "sample.history");
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_TRUE(file->Check().ok());
  EXPECT_EQ(file->tip(), SampleHistory().tip);
  ASSERT_EQ(file->commit_count(), 2U);
  EXPECT_EQ(file->commit(0).time, 1'800'000'000);
  EXPECT_EQ(file->commit(1).flags, evidence::kRevertCommit);
  const auto path = file->FindPath("docs/cache.md");
  ASSERT_TRUE(path);
  EXPECT_EQ(file->CommitsOf(*path).size(), 2U);
}

const std::vector<evidence::StoredFile>& StoredFiles() {
  static const auto* const kFiles = new std::vector<evidence::StoredFile>{
      {.name = "pack-1.pack", .sha256 = std::string(64, 'a'), .bytes = 7},
      {.name = "pack-1.idx", .sha256 = std::string(64, 'b'), .bytes = 8}};
  return *kFiles;
}

void WriteSharedStore(const fs::path& folder) {
  WriteFixture(folder / "record.json", evidence::FormatStoreRecord(StoredFiles()));
}

void ReadSharedStore(const fs::path& folder) {
  const auto files = evidence::ParseStoreRecord(ReadFixture(folder / "record.json"));
  ASSERT_TRUE(files.ok()) << files.error().message;
  EXPECT_EQ(*files, StoredFiles());
}

void WriteManifestFixture(const fs::path& folder) {
  const TemporaryFolder scratch;
  BuildSample(scratch.path());
  WriteFixture(folder / "manifest.json", ReadFixture(scratch.path() / "manifest.json"));
}

void ReadManifestFixture(const fs::path& folder) {
  const auto manifest = index::ReadManifest(folder / "manifest.json");
  ASSERT_TRUE(manifest.ok()) << manifest.error().message;
  EXPECT_EQ(manifest->fingerprint, "passages-0");
  ASSERT_EQ(manifest->segments.size(), 1U);
  EXPECT_TRUE(manifest->segments.front().dead_documents.empty());

  const fs::path segments =
      folder.parent_path().parent_path() / "index-segment" / folder.filename();
  const auto opened = index::Index::Open(folder / "manifest.json", segments, "gadget");
  ASSERT_TRUE(opened.ok()) << opened.error().message;
  const index::Searcher searcher({&*opened});
  const auto hits = searcher.Search({.text = "compiled kernels", .context = {}});
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_EQ(hits.front().path_view, "docs/cache.md");
  EXPECT_EQ(searcher.Text(hits.front().passage), kDocument);

  std::string older = ReadFixture(folder / "manifest.json");
  const std::size_t version = older.find("\"version\":");
  ASSERT_NE(version, std::string::npos);
  older[version + 10] = '1';
  const TemporaryFolder scratch;
  WriteFixture(scratch.path() / "manifest.json", older);
  const auto refused = index::ReadManifest(scratch.path() / "manifest.json");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kCorrupt);
  EXPECT_NE(refused.error().message.find("not of version"), std::string::npos);
}

const std::string& AnswerKey() {
  static const auto* const kKey = new std::string(64, '0');
  return *kKey;
}

void WriteAnswer(const fs::path& folder) {
  const model::AnswerCache cache(folder);
  ASSERT_TRUE(cache
                  .Keep(AnswerKey(), {.text = "=== 1\nThe cache holds 48 KB. [1]\n",
                                      .end = model::End::kLength,
                                      .usage = {.input = 900, .output = 12},
                                      .model = "small-1",
                                      .request_id = {}})
                  .ok());
}

void ReadAnswer(const fs::path& folder) {
  const auto answer = model::AnswerCache(folder).Find(AnswerKey());
  ASSERT_TRUE(answer.has_value());
  EXPECT_EQ(answer->text, "=== 1\nThe cache holds 48 KB. [1]\n");
  EXPECT_EQ(answer->end, model::End::kLength);
  EXPECT_EQ(answer->model, "small-1");
  EXPECT_TRUE(answer->is_remembered);

  // Of another version: asked again.
  const TemporaryFolder scratch;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::string other = ReadFixture(entry.path());
    const std::size_t version = other.find("\"version\":");
    ASSERT_NE(version, std::string::npos);
    other[version + 10] = '9';
    WriteFixture(scratch.path() / fs::relative(entry.path(), folder), other);
  }
  EXPECT_FALSE(model::AnswerCache(scratch.path()).Find(AnswerKey()).has_value());
}

evidence::PageSnapshot SamplePage() {
  evidence::PageSnapshot page;
  page.body = "<h1 id=\"reset\">Reset</h1><p>A reset takes 3 seconds.</p>";
  page.text = "# Reset\n\nA reset takes 3 seconds.\n";
  page.headers = {{"content-type", "text/html"}};
  page.anchors = {"1 reset"};
  page.record = {.url = "https://docs.example.org/reset",
                 .final_url = "https://docs.example.org/reset.html",
                 .path = "docs.example.org/reset.md",
                 .title = "Reset",
                 .sha256 = Sha256(page.body),
                 .text_sha256 = Sha256(page.text),
                 .fetched = "2026-11-15T09:05:00Z",
                 .etag = "\"x\"",
                 .last_modified = {}};
  return page;
}

void WritePage(const fs::path& folder) {
  WriteFixture(folder / "page.warc.gz", evidence::FormatPageSnapshot(SamplePage()));
}

void ReadPage(const fs::path& folder) {
  const auto pages = evidence::ParsePageSnapshots(ReadFixture(folder / "page.warc.gz"));
  ASSERT_TRUE(pages.ok()) << pages.error().message;
  EXPECT_TRUE(pages->skipped.empty());
  ASSERT_EQ(pages->pages.size(), 1U);
  const evidence::PageSnapshot& page = pages->pages.front();
  EXPECT_EQ(page.record, SamplePage().record);
  EXPECT_EQ(page.text, SamplePage().text);
  EXPECT_EQ(page.body, SamplePage().body);
  EXPECT_EQ(page.anchors, SamplePage().anchors);
  EXPECT_EQ(page.status, 200);
}

// Two words and a passage that has both, the second twice.
void WriteVectors(const fs::path& folder) {
  std::vector<index::Vector> vectors(2);
  vectors[0][0] = 1;
  vectors[1][1] = 1;
  const index::LearnedTexts texts{
      .words = {"launch", "stream"}, .rarity = {3, 4}, .passages = {index::BagOf({0, 1, 1})}};
  WriteFixture(folder / "sample.vectors",
               index::FormatVectors(texts, vectors, {{.layout = std::string(40, 'a'), .rows = 1}}));
}

void ReadVectors(const fs::path& folder) {
  const auto file = index::VectorFile::Open(folder / "sample.vectors");
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->row_count(), 1U);
  EXPECT_EQ(file->FindWord("launch"), 0U);
  ASSERT_EQ(file->FindWord("stream"), 1U);
  index::Vector sum{};
  file->AddWord(1, 1, sum);
  EXPECT_FLOAT_EQ(sum[1], 1);
  EXPECT_EQ(file->row(0)[1], 127) << "the greatest";
}

}  // namespace

std::vector<Format> CacheFormats() {
  return {
      {.name = "history",
       .source = "src/evidence/history/history_file.h",
       .constant = "kHistoryVersion",
       .write = WriteHistory,
       .read = ReadHistory},
      {.name = "vectors",
       .source = "src/index/vectors/vector_file.h",
       .constant = "kVectorVersion",
       .write = WriteVectors,
       .read = ReadVectors},
      {.name = "index-segment",
       .source = "src/index/segment/segment_format.h",
       .constant = "kSegmentVersion",
       .write = WriteSegment,
       .read = ReadSegment},
      {.name = "index-manifest",
       .source = "src/index/manifest.cc",
       .constant = "kVersion",
       .write = WriteManifestFixture,
       .read = ReadManifestFixture},
      {.name = "model-answer",
       .source = "src/model/answer_cache.cc",
       .constant = "kVersion",
       .write = WriteAnswer,
       .read = ReadAnswer},
      {.name = "shared-store",
       .source = "src/evidence/shared/store_record.cc",
       .constant = "kVersion",
       .write = WriteSharedStore,
       .read = ReadSharedStore},
      {.name = "page-snapshot", .write = WritePage, .read = ReadPage},
  };
}

}  // namespace sibyl::formats
