// SPDX-License-Identifier: Apache-2.0
// Vectors of words: learned from pairs, written, read, and used by a search.
#include <gtest/gtest.h>

#include <memory>

#include "base/files/files.h"
#include "index/rank/query_terms.h"
#include "index/rank/searcher.h"
#include "index/test_index.h"
#include "index/vectors/learn_vectors.h"
#include "index/vectors/vector_file.h"
#include "index/vectors/vector_query.h"

namespace sibyl::index {
namespace {

// "sleep" occurs only beside "dormant", "wake" only beside "rouse", and so on.
constexpr const char* kEveryday[] = {"sleep", "wake", "count", "merge"};
constexpr const char* kOfCode[] = {"dormant", "rouse", "tally", "unify"};

MemorySource Files(std::size_t count) {
  MemorySource source;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t topic = i % std::size(kEveryday);
    const std::string other = "alpha" + std::to_string(i % 7) + " beta" + std::to_string(i % 11);
    std::string text =
        std::string("// ") + kEveryday[topic] + " a " + other + " gently slowly softly\n";
    text += std::string("int ") + kOfCode[topic] + "(" + other + " gamma delta epsilon);\n";
    const auto end = static_cast<std::uint32_t>(text.size());
    source.Add({.path = "src/" + std::to_string(10000 + i) + ".c",
                .text = std::move(text),
                .language = "c",
                .passages = {{.first_line = 1, .last_line = 2, .begin = 0, .end = end}},
                .blob = BlobOf(i + 1)});
  }
  return source;
}

class VectorsTest : public ::testing::Test {
 protected:
  static LearnedTexts Read(const Index& index) { return ReadLearnedTexts({&index}, {}, {}); }

  // Searches find the bytes through the index.
  static void Attach(const std::string& bytes, const std::filesystem::path& file, Index& index) {
    ASSERT_TRUE(WriteFileAtomically(file, bytes).ok());
    Result<VectorFile> opened = VectorFile::Open(file);
    ASSERT_TRUE(opened.ok()) << opened.error().message;
    const auto first = opened->FirstRow(index);
    ASSERT_TRUE(first);
    index.set_vectors(std::make_shared<const VectorRows>(VectorRows{
        .file = std::make_shared<const VectorFile>(std::move(*opened)), .first = *first}));
  }

  static std::string Bytes(const Index& index, const LearnedTexts& texts, std::size_t threads) {
    return FormatVectors(texts, LearnVectors(texts, {.threads = threads}),
                         {{.layout = LayoutOf(index), .rows = texts.passages.size()}});
  }
};

TEST_F(VectorsTest, AreTheSameWithAnyNumberOfThreadsAndSegments) {
  MemorySource source = Files(1500);
  TestIndex one;
  one.Build(source);
  TestIndex many;
  many.Build(source, {.text_bytes = 4096});
  const Index whole = one.Open();
  const Index split = many.Open();
  const LearnedTexts texts = Read(whole);
  ASSERT_GE(texts.pairs.size(), kFewestPairs);
  EXPECT_EQ(Bytes(whole, texts, 1), Bytes(whole, texts, 3));
  const LearnedTexts others = Read(split);
  EXPECT_EQ(texts.words, others.words);
  EXPECT_EQ(LearnVectors(texts, {.threads = 2}), LearnVectors(others, {.threads = 1}));
}

// Without vectors the first of two equal passages wins.
TEST_F(VectorsTest, RaiseAPassageThatIsNearToTheQuery) {
  MemorySource source = Files(1500);
  const auto add = [&source](const std::string& name, const std::string& text, std::uint32_t blob) {
    source.Add({.path = "src/" + name,
                .text = text,
                .language = "c",
                .passages = {{.first_line = 1,
                              .last_line = 1,
                              .begin = 0,
                              .end = static_cast<std::uint32_t>(text.size())}},
                .blob = BlobOf(blob)});
  };
  add("a.c", "int rouse(walrus);\n", 5000);
  add("b.c", "int unify(walrus);\n", 5001);
  TestIndex built;
  built.Build(source);
  Index index = built.Open();
  const auto first = [&index] {
    const std::vector<Hit> hits = Searcher({&index}).Search({.text = "merge a walrus epsilon"});
    return hits.empty() ? Hit() : hits[0];
  };
  EXPECT_EQ(first().path_view, "src/a.c");
  EXPECT_EQ(first().rank_by_words, 0U);
  const LearnedTexts texts = Read(index);
  Attach(Bytes(index, texts, 2), built.folder() / "vectors", index);
  EXPECT_EQ(first().path_view, "src/b.c");
  EXPECT_GT(first().nearness, 0.2F);
  EXPECT_GT(first().rank_by_words, 0U);
  // A name is looked up, not described.
  for (const Hit& hit : Searcher({&index}).Search({.text = "unify"})) {
    EXPECT_EQ(hit.rank_by_words, 0U);
  }
}

TEST_F(VectorsTest, OfAnotherFieldLeaveTheGlossaryOut) {
  MemorySource source = Files(1500);
  TestIndex built;
  built.Build(source);
  const Index index = built.Open();
  const std::string bytes = Bytes(index, Read(index), 2);
  const Result<VectorFile> file = VectorFile::FromBytes(bytes);
  ASSERT_TRUE(file.ok());
  EXPECT_LT(file->glossary_percent(), 5U);
  const auto size = [](GlossaryUse use) {
    TermForms forms;
    return TermsOf("how do I record the launches once and repeat them every iteration", "", forms,
                   64, use)
        .size();
  };
  EXPECT_LT(size(GlossaryUse::kIsLeftOut), size(GlossaryUse::kExplains));
}

TEST_F(VectorsTest, OfAFewTextsAreNotLearned) {
  MemorySource source = Files(20);
  TestIndex built;
  built.Build(source);
  const Index index = built.Open();
  const LearnedTexts texts = Read(index);
  const std::string bytes = Bytes(index, texts, 1);
  const Result<VectorFile> file = VectorFile::FromBytes(bytes);
  ASSERT_TRUE(file.ok()) << file.error().message;
  EXPECT_EQ(file->word_count(), 0U);
  EXPECT_EQ(file->row_count(), 0U);
  EXPECT_FALSE(file->FirstRow(index));
}

TEST_F(VectorsTest, ADamagedFileIsRefusedOrHarmless) {
  MemorySource source = Files(1500);
  TestIndex built;
  built.Build(source);
  Index index = built.Open();
  const std::string bytes = Bytes(index, Read(index), 2);
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{47}, std::size_t{48}, bytes.size() / 2, bytes.size() - 8}) {
    EXPECT_FALSE(VectorFile::FromBytes(std::string_view(bytes).substr(0, size)).ok()) << size;
  }
  std::string other = bytes;
  other[8] ^= 1;  // the version
  EXPECT_FALSE(VectorFile::FromBytes(other).ok());
  // Everything behind the header and the source: ends of words, scales, numbers.
  std::string wild = bytes;
  for (std::size_t i = 48 + 56; i < wild.size(); i += 3) wild[i] = static_cast<char>(0xFF);
  Attach(wild, built.folder() / "vectors", index);
  const Searcher searcher({&index});
  for (const Hit& hit : searcher.Search({.text = "merge gently alpha1", .limit = 50})) {
    EXPECT_GE(hit.nearness, 0);
    EXPECT_LE(hit.nearness, 1);
  }
}

TEST(WordBag, HasTheStemsOfWordsAndThePartsOfIdentifiers) {
  std::vector<std::string> seen;
  BagWords words([&seen](std::string_view word) {
    seen.emplace_back(word);
    return static_cast<std::uint32_t>(seen.size());
  });
  std::vector<std::uint32_t> numbers;
  words.Append("the locks of cudaGraphLaunch 123456 x locks", numbers);
  EXPECT_EQ(seen, (std::vector<std::string>{"lock", "cuda", "graph", "launch", "cudagraphlaunch"}));
  const WordBag bag = BagOf(numbers);
  ASSERT_EQ(bag.size(), 5U);
  EXPECT_GT(bag[0].count(), bag[1].count()) << "two locks";
}

}  // namespace
}  // namespace sibyl::index
