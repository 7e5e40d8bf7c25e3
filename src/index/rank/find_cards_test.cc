// SPDX-License-Identifier: Apache-2.0
#include "index/rank/find_cards.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "index/test_index.h"
#include "passages/language.h"
#include "passages/passage.h"

namespace sibyl::index {
namespace {

class FindCardsTest : public testing::Test {
 protected:
  void Add(std::string path, std::string text) {
    MemorySource::File file{.path = std::move(path), .text = std::move(text)};
    file.language = passages::Classify(file.path, file.text).language;
    const passages::LineTable lines(file.text);
    passages::OutlineNotes notes;
    for (const passages::Passage& one : passages::SplitPassages(file.language, lines, notes)) {
      file.passages.push_back({.first_line = one.first_line,
                               .last_line = one.last_line,
                               .begin = one.begin,
                               .end = one.end,
                               .heading = one.label});
    }
    file.cards = cards::SpotCards({file.path, file.language, lines, notes});
    file.blob = BlobOf(++count_);
    source_.Add(std::move(file));
  }

  // "path:first-last name", one per line.
  std::string Find(const CardQuery& query) {
    if (!index_) {
      folder_.Build(source_);
      index_ = std::make_unique<Index>(folder_.Open());
      searcher_ = std::make_unique<Searcher>(std::vector<const Index*>{index_.get()});
    }
    hits_ = FindCards(*searcher_, query);
    std::string all;
    for (const CardHit& hit : hits_) {
      all += std::string(hit.path_view) + ":" + std::to_string(hit.first_line) + "-" +
             std::to_string(hit.last_line) + " " + std::string(hit.name_view) + "\n";
    }
    return all;
  }

  MemorySource source_;
  std::uint32_t count_ = 0;
  TestIndex folder_;
  std::unique_ptr<Index> index_;
  std::unique_ptr<Searcher> searcher_;
  std::vector<CardHit> hits_;
};

TEST_F(FindCardsTest, TheHomeOfANameComesBeforeItsUsers) {
  Add("tests/test_pool.cc", "void poolCopyAsync(int x) {\n}\n");
  Add("examples/pool.cc", "void poolCopyAsync(int x) {\n}\n");
  Add("include/pool.h", "/** Copies. */\nint poolCopyAsync(void *dst);\n");
  Add("src/use.cc", "int main() {\n  return poolCopyAsync(x) + poolCopyAsync(y);\n}\n");
  EXPECT_EQ(Find({.text = "poolCopyAsync"}),
            "include/pool.h:1-2 poolCopyAsync\n"
            "examples/pool.cc:1-1 poolCopyAsync\n"
            "tests/test_pool.cc:1-1 poolCopyAsync\n");
  EXPECT_EQ(hits_[0].match, CardMatch::kName);
  const cards::Card card = ReadCard(*searcher_, hits_[0]);
  EXPECT_EQ(card.documentation, "Copies.");
  EXPECT_EQ(card.signature, "int poolCopyAsync(void *dst)");
  // A search for the name shows it first, too.
  EXPECT_EQ(searcher_->Search({.text = "poolCopyAsync", .context = {}})[0].path_view,
            "include/pool.h");
}

TEST_F(FindCardsTest, ANameHasManySpellings) {
  Add("cli.py", "p.add_argument('--max-model-len', default=4, help='how long')\n");
  for (const std::string text : {"--max-model-len", "max_model_len", "maxModelLen", "max model len",
                                 "what is --max-model-len?"}) {
    EXPECT_EQ(Find({.text = text}), "cli.py:1-1 --max-model-len\n") << text;
  }
  EXPECT_EQ(hits_[0].value_view, "4");
}

TEST_F(FindCardsTest, AnErrorIsFoundByItsNumber) {
  Add("driver_types.h",
      "enum poolError {\n  poolSuccess = 0,\n  poolErrorLaunchFailure = 719,\n  kHex = 0x2D0,\n};\n"
      "#define WIDTH 719\n");
  EXPECT_EQ(Find({.text = "pool runtime error 719", .finds_by_words = false}),
            "driver_types.h:3-3 poolErrorLaunchFailure\n");
  EXPECT_EQ(hits_[0].match, CardMatch::kValue);
  EXPECT_EQ(Find({.text = "error code 720", .finds_by_words = false}), "driver_types.h:4-4 kHex\n");
}

TEST_F(FindCardsTest, QualifiersChooseTheSource) {
  Add("torch/nn/linear.py", "class Linear:\n    '''Affine.'''\n");
  Add("other/linear.py", "class Linear:\n    '''Other.'''\n");
  EXPECT_EQ(Find({.text = "torch.nn.Linear"}),
            "torch/nn/linear.py:1-2 Linear\nother/linear.py:1-2 Linear\n");
}

TEST_F(FindCardsTest, WordsOfTheDocumentationReachACard) {
  Add("docs/env.rst",
      ".. envvar:: POOL_NO_CACHE\n\n   Stops caching compiled kernels on disk.\n\n"
      ".. envvar:: POOL_DEPTH\n\n   How deep.\n");
  EXPECT_EQ(Find({.text = "stop caching compiled kernels on disk"}),
            "docs/env.rst:1-3 POOL_NO_CACHE\n");
  EXPECT_EQ(hits_[0].match, CardMatch::kWords);
  EXPECT_EQ(Find({.text = "no cache"}), "docs/env.rst:1-3 POOL_NO_CACHE\n");
}

TEST_F(FindCardsTest, KindsAndSourcesRestrict) {
  Add("a.h", "#define POOL_X 4\nint pool_x(int y);\n");
  EXPECT_EQ(Find({.text = "pool_x", .kinds = {cards::CardKind::kMacro}}), "a.h:1-1 POOL_X\n");
  EXPECT_EQ(Find({.text = "pool_x", .sources = {"elsewhere"}}), "");
}

TEST_F(FindCardsTest, NothingIsFoundInNothing) {
  Add("a.txt", "text\n");
  EXPECT_EQ(Find({.text = ""}), "");
  EXPECT_EQ(Find({.text = "?? \n"}), "");
  EXPECT_EQ(Find({.text = "no_such_name"}), "");
}

}  // namespace
}  // namespace sibyl::index
