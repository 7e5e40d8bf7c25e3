// SPDX-License-Identifier: Apache-2.0
#include "oracle/oracle.h"

#include <gtest/gtest.h>

#include "oracle/run_event.h"
#include "oracle/test_context.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

class RequireOracleTest : public OracleTest {
 protected:
  Context Without() const {
    Context context = Here();
    context.oracle.reset();
    return context;
  }
};

TEST_F(RequireOracleTest, ReturnsTheFolder) {
  EXPECT_EQ(*RequireOracle(Here()), oracle());
  EXPECT_EQ(OpenOracle(Here())->path(), oracle());
}

TEST_F(RequireOracleTest, SaysHowToCreateOneWhereThereIsNone) {
  const Result<fs::path> none = RequireOracle(Without());
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::kUsage);
  EXPECT_NE(none.error().hint.find("sibyl init"), std::string::npos);
  EXPECT_FALSE(OpenOracle(Without()).ok());
  EXPECT_FALSE(OpenOwnFolder(Without()).ok());
  EXPECT_FALSE(FindOwnFolder(Without()).ok());
  EXPECT_FALSE(EvidenceAround(Without()).ok());
}

TEST_F(RequireOracleTest, AFolderWithoutASibylTomlIsNamed) {
  fs::remove(oracle() / "sibyl.toml");
  const Result<fs::path> none = RequireOracle(Here());
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(none.error().message, oracle().string() + " is not an oracle: it has no sibyl.toml");
  EXPECT_EQ(none.error().hint, "turn it into one with 'sibyl init " + oracle().string() + "'");
}

TEST_F(RequireOracleTest, AFolderThatIsGoneIsAnError) {
  Context context = Here();
  context.oracle = top() / "gone";
  EXPECT_FALSE(RequireOracle(context).ok());
}

class OwnFolderOfOracle : public OracleTest {};

TEST_F(OwnFolderOfOracle, IsNotMadeByThoseWhoOnlyRead) {
  const Result<std::optional<OwnFolder>> none = FindOwnFolder(Here());
  ASSERT_TRUE(none.ok());
  EXPECT_FALSE(none->has_value());
  EXPECT_FALSE(fs::exists(oracle() / ".sibyl"));
  EXPECT_FALSE(fs::exists(top() / "state")) << "no key either";
}

TEST_F(OwnFolderOfOracle, IsMadeOnceAndFoundAgain) {
  const Result<OwnFolder> made = OpenOwnFolder(Here());
  ASSERT_TRUE(made.ok()) << made.error().message;
  const std::string signature = made->Sign("journal", "text");
  const Result<std::optional<OwnFolder>> found = FindOwnFolder(Here());
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_TRUE((*found)->Verifies("journal", "text", signature));
}

TEST_F(OwnFolderOfOracle, OfAnotherOracleHasOtherSignatures) {
  const std::string signature = OpenOwnFolder(Here())->Sign("journal", "text");
  Write("second/sibyl.toml", "");
  Context second = Here();
  second.oracle = top() / "second";
  EXPECT_FALSE(OpenOwnFolder(second)->Verifies("journal", "text", signature));
}

TEST_F(OwnFolderOfOracle, ThatIsALinkIsRefused) {
  fs::create_directory(top() / "elsewhere");
  fs::create_directory_symlink(top() / "elsewhere", oracle() / ".sibyl");
  EXPECT_EQ(OpenOwnFolder(Here()).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(FindOwnFolder(Here()).error().kind, ErrorKind::kUsage);
  EXPECT_TRUE(fs::is_empty(top() / "elsewhere"));
}

class SurroundingsOfOracle : public OracleTest {};

TEST_F(SurroundingsOfOracle, AreThoseOfTheContext) {
  std::string line;
  Context context = Here();
  context.progress = [&line](std::string_view text) { line = text; };
  const Result<evidence::Surroundings> around = EvidenceAround(context);
  ASSERT_TRUE(around.ok());
  EXPECT_EQ(around->oracle, oracle());
  EXPECT_EQ(around->store.folder(), top() / "store");
  EXPECT_EQ(around->network, Network::kForbidden);
  EXPECT_EQ(FormatDate(around->clock.Now()), "2026-11-15");
  around->progress("indexing");
  EXPECT_EQ(line, "indexing");
}

TEST_F(SurroundingsOfOracle, AdmitOnlyWhatWasAgreedTo) {
  const Result<evidence::Surroundings> around = EvidenceAround(Here());
  ASSERT_TRUE(around.ok());
  Write("oracle/docs/page.md", "");
  Write("notes/page.md", "");
  const auto folder = [](std::string origin) {
    return evidence::SourceSpec{
        .name = "docs", .kind = evidence::SourceKind::kFolder, .origin = std::move(origin)};
  };
  EXPECT_TRUE(around->admit(folder("docs")).ok());
  EXPECT_FALSE(around->admit(folder("../notes")).ok());
}

TEST_F(SurroundingsOfOracle, OutliveTheContext) {
  evidence::Admitter admit;
  {
    const Context context = Here();
    admit = EvidenceAround(context)->admit;
  }
  EXPECT_TRUE(
      admit({.name = "toml", .kind = evidence::SourceKind::kFile, .origin = "sibyl.toml"}).ok());
}

TEST(RunMoment, EachHasItsOwnName) {
  std::vector<std::string_view> names;
  for (int moment = 0; moment <= static_cast<int>(RunMoment::kTick); ++moment) {
    names.push_back(RunMomentName(static_cast<RunMoment>(moment)));
  }
  EXPECT_EQ(names,
            (std::vector<std::string_view>{"begun", "started", "step", "retried", "delivered",
                                           "failed", "released", "publishing", "tick"}));
}

}  // namespace
}  // namespace sibyl::oracle
