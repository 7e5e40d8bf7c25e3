// SPDX-License-Identifier: Apache-2.0
#include "gate/resolver.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gate/test_book.h"
#include "gate/tree_paths.h"

namespace sibyl::gate {
namespace {

using evidence::SourceCitation;
using State = Resolution::State;

SourceCitation CitationOf(const TestBook& book, std::string_view target) {
  const auto cited = evidence::MakeCitation(target, book.around());
  EXPECT_TRUE(cited.ok()) << (cited.ok() ? "" : cited.error().message);
  return cited.ok() ? cited->citation : SourceCitation{};
}

const TestBook& Shelf() {
  static const TestBook* const kShelf = new TestBook();
  return *kShelf;
}
SourceCitation Readme() { return CitationOf(Shelf(), "README.md:3"); }

Resolution ResolveOne(const SourceCitation& citation) {
  static const CitationResolver* const kResolver = new CitationResolver(Shelf().Resolver());
  return kResolver->Resolve({citation}).at(0);
}

git::ObjectId OtherId() { return *git::ObjectId::FromHex(std::string(40, 'a')); }

TEST(Resolver, GivesTheCitedLinesOfTheFile) {
  const Resolution found = ResolveOne(Readme());
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found.span_view, "The profiler is optional.\n");
  EXPECT_EQ(*found.file, "# Gadget\n\nThe profiler is optional.\n");
  EXPECT_EQ(found.file_lines, 3U);
  EXPECT_FALSE(found.is_stale);
  ASSERT_NE(found.pin, nullptr);
  EXPECT_EQ(found.pin->name, "gadget");
}

TEST(Resolver, GivesTheWholeFileWhereNoLinesAreNamed) {
  SourceCitation citation = Readme();
  citation.lines = {};
  EXPECT_EQ(ResolveOne(citation).span_view, "# Gadget\n\nThe profiler is optional.\n");
}

TEST(Resolver, RefusesLinesThatTheFileDoesNotHave) {
  for (const auto& [first, last] :
       {std::pair<std::size_t, std::size_t>{3, 4}, {4, 4}, {3, 2}, {1, 1'000'000'000}}) {
    SourceCitation citation = Readme();
    citation.lines = {first, last};
    const Resolution found = ResolveOne(citation);
    EXPECT_EQ(found.state, State::kBadLines) << first << "-" << last;
    EXPECT_EQ(found.file_lines, 3U);
    EXPECT_FALSE(found.ok());
  }
}

TEST(Resolver, RefusesABlobThatTheSourceDoesNotHave) {
  SourceCitation citation = Readme();
  citation.blob = OtherId();
  EXPECT_EQ(ResolveOne(citation).state, State::kNoBlob);
}

TEST(Resolver, RefusesWhatNobodyPinned) {
  SourceCitation citation = Readme();
  citation.blob = OtherId();
  citation.origin = "https://example.org/elsewhere.git";
  EXPECT_EQ(ResolveOne(citation).state, State::kUnpinned);
  EXPECT_EQ(ResolveOne(citation).pin, nullptr);
}

TEST(Resolver, TheHashDecidesAndNotTheAddress) {
  SourceCitation citation = Readme();
  citation.origin = "https://example.org/moved.git";
  EXPECT_TRUE(ResolveOne(citation).ok()) << "another pin holds the same bytes";
}

TEST(Resolver, APathMustHoldTheBytesInTheCommitThatIsNamed) {
  SourceCitation other = Readme();
  other.path = "cmake/Profiler.cmake";
  EXPECT_EQ(ResolveOne(other).state, State::kOtherBytes);
  SourceCitation none = Readme();
  none.path = "nowhere.md";
  EXPECT_EQ(ResolveOne(none).state, State::kNoPath);
  SourceCitation folder = Readme();
  folder.path = "cmake";
  EXPECT_EQ(ResolveOne(folder).state, State::kNoPath) << "a folder is no file";
}

TEST(Resolver, ACommitThatTheStoreDoesNotHaveSaysNothing) {
  SourceCitation citation = Readme();
  citation.anchor_id = OtherId();
  EXPECT_TRUE(ResolveOne(citation).ok());
}

TEST(Resolver, ATreeIsNoFile) {
  SourceCitation citation = Readme();
  const CitationResolver resolver = Shelf().Resolver();
  citation.blob = *resolver.lock().pins.at(0).tree;
  EXPECT_EQ(resolver.Resolve({citation}).at(0).state, State::kNoBlob);
}

TEST(Resolver, AnswersInTheOrderOfTheQuestions) {
  SourceCitation bad = Readme();
  bad.blob = OtherId();
  const CitationResolver resolver = Shelf().Resolver();
  const SourceCitation kinds[] = {bad, Readme(), CitationOf(Shelf(), "cmake/Profiler.cmake:3")};
  std::vector<SourceCitation> many;
  for (std::size_t i = 0; i < 300; ++i) many.push_back(kinds[i % 3]);
  const std::vector<Resolution> answers = resolver.Resolve(many);
  ASSERT_EQ(answers.size(), many.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    EXPECT_EQ(answers[i].ok(), i % 3 != 0) << i;
  }
  EXPECT_EQ(answers[1].file, answers[4].file) << "one blob is read once";
  EXPECT_TRUE(resolver.Resolve({}).empty());
}

TEST(Resolver, AFileBeyondTheLimitIsTooLarge) {
  const CitationResolver resolver = CitationResolver::Open(*evidence::ReadLock(Shelf().around()),
                                                           Shelf().around(), {.max_file_bytes = 4});
  EXPECT_EQ(resolver.Resolve({Readme()}).at(0).state, State::kTooLarge);
}

TEST(Resolver, APinThatMovedMakesWhatChangedStale) {
  const TestBook book;
  const SourceCitation kept = CitationOf(book, "README.md:3");
  const SourceCitation changed = CitationOf(book, "cmake/Profiler.cmake:1");
  book.git().Write("cmake/Profiler.cmake", "# Another file\n");
  book.git().Commit();
  ASSERT_TRUE(evidence::SyncSource("gadget", book.around()).ok());
  const CitationResolver resolver = book.Resolver();
  const std::vector<Resolution> answers = resolver.Resolve({kept, changed});
  EXPECT_TRUE(answers[0].ok());
  EXPECT_FALSE(answers[0].is_stale) << "the same bytes at the same path";
  EXPECT_TRUE(answers[1].ok()) << "the old bytes are still here";
  EXPECT_TRUE(answers[1].is_stale);
}

TEST(Resolver, WithoutTheStoreNothingCanBeSaid) {
  const TestBook book;
  const SourceCitation citation = CitationOf(book, "README.md:3");
  std::filesystem::remove_all(book.around().store.folder());
  const CitationResolver resolver = book.Resolver();
  EXPECT_EQ(resolver.Resolve({citation}).at(0).state, State::kNoStore);
  EXPECT_EQ(resolver.ObjectsOf(resolver.lock().pins.at(0)), nullptr);
}

TEST(Resolver, FindsThePinOfAnOriginAlsoInAnotherSpelling) {
  evidence::Lock lock;
  lock.Put({.name = "gadget",
            .kind = evidence::SourceKind::kGit,
            .origin = "https://example.org/ada/gadget.git"});
  const CitationResolver resolver = CitationResolver::Open(lock, Shelf().around());
  ASSERT_NE(resolver.PinOf("https://example.org/ada/gadget.git"), nullptr);
  EXPECT_NE(resolver.PinOf("https://example.org/ada/gadget"), nullptr);
  EXPECT_EQ(resolver.PinOf("https://example.org/ada/gizmo"), nullptr);
  EXPECT_EQ(resolver.PinOf(""), nullptr);
}

TEST(TreePathsTest, LeadToTheBlobsOfFiles) {
  const CitationResolver resolver = Shelf().Resolver();
  const evidence::Pin& pin = resolver.lock().pins.at(0);
  TreePaths paths(*resolver.ObjectsOf(pin));
  EXPECT_EQ(paths.TreeOf(*pin.commit), pin.tree);
  EXPECT_EQ(paths.TreeOf(*pin.tree), pin.tree) << "a tree is its own";
  EXPECT_EQ(paths.TreeOf(OtherId()), std::nullopt);
  EXPECT_EQ(paths.Find(*pin.tree, "README.md"), Readme().blob);
  EXPECT_EQ(paths.Find(*pin.tree, "README.md"), Readme().blob) << "asked again";
  EXPECT_TRUE(paths.Find(*pin.tree, "cmake/Profiler.cmake").has_value());
}

TEST(TreePathsTest, LeadNowhereForWhatIsNoFile) {
  const CitationResolver resolver = Shelf().Resolver();
  const evidence::Pin& pin = resolver.lock().pins.at(0);
  TreePaths paths(*resolver.ObjectsOf(pin));
  for (const char* path : {"", "cmake", "cmake/", "/README.md", "README.md/x", "none/x.md", "..",
                           "cmake/../README.md"}) {
    EXPECT_EQ(paths.Find(*pin.tree, path), std::nullopt) << path;
  }
  EXPECT_EQ(paths.Find(OtherId(), "README.md"), std::nullopt);
}

}  // namespace
}  // namespace sibyl::gate
