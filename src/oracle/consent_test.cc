// SPDX-License-Identifier: Apache-2.0
#include "oracle/consent.h"

#include <gtest/gtest.h>

#include "base/json.h"
#include "oracle/lease_monitor.h"
#include "oracle/test_context.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

OutsideSetting ProxySetting() {
  return {.name = "web proxy",
          .value = "http://proxy.lan:3128",
          .target = {},
          .effect = "[web] proxy sends every page request through http://proxy.lan:3128",
          .place = {.file = "sibyl.toml", .line = 7}};
}

class ConsentTest : public OracleTest {
 protected:
  bool IsCovered(const OutsideSetting& setting) const {
    const Result<Consents> consents = Consents::Read(Here());
    EXPECT_TRUE(consents.ok());
    return consents.ok() && consents->Covers(setting);
  }

  fs::path ConsentFile() const {
    for (const auto& entry : fs::directory_iterator(top() / "state/trust")) return entry.path();
    return {};
  }
};

TEST_F(ConsentTest, IsMissingUntilItIsGiven) {
  EXPECT_FALSE(IsCovered(ProxySetting()));
  ASSERT_TRUE(RecordConsent(Here(), {ProxySetting()}).ok());
  EXPECT_TRUE(IsCovered(ProxySetting()));
  EXPECT_TRUE(RequireConsent(Here(), ProxySetting()).ok());
}

TEST_F(ConsentTest, IsForThisNameValueAndTarget) {
  ASSERT_TRUE(RecordConsent(Here(), {ProxySetting()}).ok());
  OutsideSetting other = ProxySetting();
  other.name = "web url";
  EXPECT_FALSE(IsCovered(other));
  other = ProxySetting();
  other.value += "/";
  EXPECT_FALSE(IsCovered(other));
  other = ProxySetting();
  other.target = "/home/ann";
  EXPECT_FALSE(IsCovered(other));
}

TEST_F(ConsentTest, DoesNotDependOnWhereTheSettingIsOrHowItIsShown) {
  ASSERT_TRUE(RecordConsent(Here(), {ProxySetting()}).ok());
  OutsideSetting moved = ProxySetting();
  moved.place.line = 80;
  moved.effect = "other words";
  EXPECT_TRUE(IsCovered(moved));
}

TEST_F(ConsentTest, NoTwoSettingsAreTakenForOne) {
  OutsideSetting one = ProxySetting();
  one.name = "a";
  one.value = "1:b";
  OutsideSetting other = ProxySetting();
  other.name = "a1:";
  other.value = "b";
  ASSERT_TRUE(RecordConsent(Here(), {one}).ok());
  EXPECT_TRUE(IsCovered(one));
  EXPECT_FALSE(IsCovered(other));
}

TEST_F(ConsentTest, AcceptsAPathThatIsNotUtf8) {
  OutsideSetting setting = ProxySetting();
  setting.target = "/home/\xff\xfe";
  ASSERT_TRUE(RecordConsent(Here(), {setting}).ok());
  EXPECT_TRUE(IsCovered(setting));
}

TEST_F(ConsentTest, AddsToWhatWasAgreedBefore) {
  OutsideSetting second = ProxySetting();
  second.value = "http://other.lan";
  ASSERT_TRUE(RecordConsent(Here(), {ProxySetting()}).ok());
  ASSERT_TRUE(RecordConsent(Here(), {second}).ok());
  EXPECT_TRUE(IsCovered(ProxySetting()));
  EXPECT_TRUE(IsCovered(second));
}

TEST_F(ConsentTest, EndsWhenItIsRevoked) {
  ASSERT_TRUE(RecordConsent(Here(), {ProxySetting()}).ok());
  ASSERT_TRUE(RevokeConsent(Here()).ok());
  EXPECT_FALSE(IsCovered(ProxySetting()));
  EXPECT_TRUE(RevokeConsent(Here()).ok()) << "nothing is left to revoke";
}

TEST_F(ConsentTest, IsOfOneOracleAndNotOfItsCopy) {
  ASSERT_TRUE(RecordConsent(Here(), {ProxySetting()}).ok());
  fs::copy(oracle(), top() / "copy", fs::copy_options::recursive);
  Context copy = Here();
  copy.oracle = top() / "copy";
  EXPECT_FALSE(Consents::Read(copy)->Covers(ProxySetting()));
  ASSERT_TRUE(RevokeConsent(copy).ok());
  EXPECT_TRUE(IsCovered(ProxySetting())) << "the other oracle's agreement is not touched";
}

TEST_F(ConsentTest, KnowsTheOracleByAnyPathToIt) {
  ASSERT_TRUE(RecordConsent(Here(), {ProxySetting()}).ok());
  fs::create_directory_symlink(top(), top() / "alias");
  Context alias = Here();
  alias.oracle = top() / "alias/oracle";
  EXPECT_TRUE(Consents::Read(alias)->Covers(ProxySetting()));
}

TEST_F(ConsentTest, AFileThatWasChangedCountsForNothing) {
  ASSERT_TRUE(RecordConsent(Here(), {ProxySetting()}).ok());
  const fs::path file = ConsentFile();
  Result<Json> json = ParseJson(*ReadFile(file));
  ASSERT_TRUE(json.ok());
  (*json)["agreed"].push_back(std::string(64, 'a'));
  ASSERT_TRUE(WriteFileAtomically(file, FormatJson(*json)).ok());
  EXPECT_FALSE(IsCovered(ProxySetting())) << "its signature does not hold";
}

TEST_F(ConsentTest, AFileInAnotherFormCountsForNothing) {
  ASSERT_TRUE(RecordConsent(Here(), {ProxySetting()}).ok());
  for (const char* text : {"", "[]", "{}", "{\"agreed\":7,\"signature\":\"\"}",
                           "{\"agreed\":[],\"signature\":7}", "\xff", "{\"agreed\":[]}"}) {
    ASSERT_TRUE(WriteFileAtomically(ConsentFile(), text).ok());
    EXPECT_FALSE(IsCovered(ProxySetting())) << text;
  }
  ASSERT_TRUE(RecordConsent(Here(), {ProxySetting()}).ok());
  EXPECT_TRUE(IsCovered(ProxySetting())) << "a new agreement replaces it";
}

TEST_F(ConsentTest, AFileOfAnotherOracleCountsForNothing) {
  ASSERT_TRUE(RecordConsent(Here(), {ProxySetting()}).ok());
  const std::string text = *ReadFile(ConsentFile());
  Write("second/sibyl.toml", "");
  Context second = Here();
  second.oracle = top() / "second";
  OutsideSetting other = ProxySetting();
  other.value = "http://second.lan";
  ASSERT_TRUE(RecordConsent(second, {other}).ok());
  for (const auto& entry : fs::directory_iterator(top() / "state/trust")) {
    ASSERT_TRUE(WriteFileAtomically(entry.path(), text).ok());
  }
  EXPECT_FALSE(Consents::Read(second)->Covers(ProxySetting()));
}

TEST_F(ConsentTest, ReadingMakesNoKey) {
  EXPECT_FALSE(IsCovered(ProxySetting()));
  EXPECT_FALSE(RequireConsent(Here(), ProxySetting()).ok());
  EXPECT_FALSE(fs::exists(top() / "state"));
}

TEST_F(ConsentTest, RecordingNothingWritesNothing) {
  EXPECT_TRUE(RecordConsent(Here(), {}).ok());
  EXPECT_FALSE(fs::exists(top() / "state"));
}

TEST_F(ConsentTest, IsNotNeededForWhatTheUsersEnvironmentSays) {
  OutsideSetting setting = ProxySetting();
  setting.is_from_environment = true;
  EXPECT_TRUE(RequireConsent(Here(), setting).ok());
  EXPECT_TRUE(IsCovered(setting));
}

TEST_F(ConsentTest, CannotBeGivenToWhatIsRefused) {
  OutsideSetting setting = ProxySetting();
  setting.is_refused = true;
  setting.is_from_environment = true;
  ASSERT_TRUE(RecordConsent(Here(), {setting}).ok());
  EXPECT_FALSE(IsCovered(setting));
  const Status refused = RequireConsent(Here(), setting);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, setting.effect);
  EXPECT_EQ(refused.error().hint, "") << "there is no way to agree to it";
}

TEST_F(ConsentTest, IsAskedForWithTheEffectThePlaceAndTheCommand) {
  const Status status = RequireConsent(Here(), ProxySetting());
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().kind, ErrorKind::kUnavailable) << "the other sources are still used";
  EXPECT_EQ(status.error().message, ProxySetting().effect + ", and you have not agreed to that");
  EXPECT_NE(status.error().hint.find("sibyl trust"), std::string::npos);
  ASSERT_TRUE(status.error().place.has_value());
  EXPECT_EQ(status.error().place->line, 7U);
}

TEST_F(ConsentTest, OfSeveralSettingsTheFirstMissingOneIsNamed) {
  OutsideSetting second = ProxySetting();
  second.value = "second";
  second.effect = "second";
  ASSERT_TRUE(RecordConsent(Here(), {ProxySetting()}).ok());
  const Status status = RequireConsent(Here(), std::vector{ProxySetting(), second});
  ASSERT_FALSE(status.ok());
  EXPECT_TRUE(status.error().message.starts_with("second, ")) << status.error().message;
  EXPECT_TRUE(RequireConsent(Here(), std::vector<OutsideSetting>()).ok());
}

TEST_F(ConsentTest, OnlyAPersonGivesOrRevokesIt) {
  LeaseMonitor monitor;
  Context served = Here();
  served.lease_monitor = &monitor;
  ASSERT_TRUE(RecordConsent(Here(), {ProxySetting()}).ok());
  for (const Context& context : {Agent(), served}) {
    EXPECT_FALSE(MayAgree(context));
    EXPECT_EQ(RecordConsent(context, {ProxySetting()}).error().kind, ErrorKind::kUsage);
    EXPECT_EQ(RevokeConsent(context).error().kind, ErrorKind::kUsage);
    EXPECT_TRUE(RequireConsent(context, ProxySetting()).ok()) << "a person's agreement counts";
  }
  EXPECT_TRUE(MayAgree(Here()));
}

TEST_F(ConsentTest, TellsAnAgentThatAPersonIsNeeded) {
  const Status status = RequireConsent(Agent(), ProxySetting());
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().hint, "a person can agree to it with 'sibyl trust' in this oracle");
}

TEST_F(ConsentTest, NeedsAnOracle) {
  Context context = Here();
  context.oracle.reset();
  EXPECT_EQ(Consents::Read(context).error().kind, ErrorKind::kUsage);
  EXPECT_EQ(RecordConsent(context, {ProxySetting()}).error().kind, ErrorKind::kUsage);
  EXPECT_FALSE(RequireConsent(context, ProxySetting()).ok());
}

}  // namespace
}  // namespace sibyl::oracle
