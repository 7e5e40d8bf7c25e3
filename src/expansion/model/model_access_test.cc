// SPDX-License-Identifier: Apache-2.0
#include "expansion/model/model_access.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "expansion/test_web.h"

namespace sibyl::expansion {
namespace {

class ModelAccessTest : public testing::Test {
 protected:
  ModelAccessTest() { Configure(); }

  // Unless a test says otherwise, nobody has agreed to it.
  void Configure(const std::string& more = "", const std::string& url = "http://127.0.0.1:9/v1",
                 const std::string& name = "small") const {
    std::string text = "[model]\n";
    if (!url.empty()) text += "url = \"" + url + "\"\n";
    if (!name.empty()) text += "name = \"" + name + "\"\n";
    expansion_.Write("oracle/sibyl.toml", text + more);
  }
  void Agree() const {
    ASSERT_TRUE(oracle::RecordConsent(Online(), *oracle::OutsideSettings(Online())).ok());
  }
  oracle::Context Online() const {
    oracle::Context context = expansion_.context();
    context.network = Network::kAllowed;
    return context;
  }

  Result<std::unique_ptr<ModelAccess>> Open(const ModelRequest& request = {},
                                            const ModelEnvironment& environment = {}) const {
    return ModelAccess::Open(Online(), request, environment);
  }
  std::unique_ptr<ModelAccess> Opened(const ModelRequest& request = {},
                                      const ModelEnvironment& environment = {}) const {
    auto access = Open(request, environment);
    EXPECT_TRUE(access.ok()) << (access.ok() ? "" : access.error().message);
    return std::move(access).value();
  }
  // Whether a question that costs so much fits the ceilings.
  static bool Affords(ModelAccess& access, std::uint64_t tokens) {
    return access.writer().budget().Reserve({.input = tokens}).ok();
  }

  TestExpansion expansion_;
};

TEST_F(ModelAccessTest, WithoutAServerOrANameItSaysHowToNameOne) {
  for (const auto& [url, name] :
       {std::pair<std::string, std::string>{"", "small"}, {"http://127.0.0.1:9/v1", ""}}) {
    Configure("", url, name);
    const auto access = Open();
    ASSERT_FALSE(access.ok());
    EXPECT_EQ(access.error().kind, ErrorKind::kUsage);
    EXPECT_NE(access.error().hint.find("[model]"), std::string::npos);
  }
}

TEST_F(ModelAccessTest, AServerThatOnlyTheFileNamesNeedsThePersonsWord) {
  const auto refused = Open();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUnavailable);
  EXPECT_NE(refused.error().hint.find("sibyl trust"), std::string::npos);
  Agree();
  EXPECT_EQ(Opened()->writer().server().model, "small");
}

TEST_F(ModelAccessTest, AnotherAddressIsAnotherAgreement) {
  Agree();
  Configure("", "http://127.0.0.1:10/v1");
  EXPECT_FALSE(Open().ok());
}

TEST_F(ModelAccessTest, TheEnvironmentNamesServerAndModelInsteadOfTheFile) {
  const auto access = Opened({}, {.url = "http://127.0.0.1:8080/v1", .name = "large"});
  EXPECT_EQ(access->writer().server().url.Text(), "http://127.0.0.1:8080/v1");
  EXPECT_EQ(access->writer().server().model, "large");
  Configure("", "", "");
  EXPECT_TRUE(Open({}, {.url = "http://127.0.0.1:8080/v1", .name = "large"}).ok());
}

TEST_F(ModelAccessTest, WithoutTheNetworkOnlyMemoryIsUsedAndNoKeyIsHeld) {
  const auto access = ModelAccess::Open(expansion_.context(), {}, {.key = "secret"});
  ASSERT_TRUE(access.ok()) << "nothing is sent, so nobody need agree";
  EXPECT_EQ((*access)->writer().server().key, "");
  const auto answer = (*access)->writer().Ask({.turns = {{.text = "q"}}}, {});
  EXPECT_EQ(answer.error().kind, ErrorKind::kUnavailable);
}

TEST_F(ModelAccessTest, ARequestMayAskForMemoryAlone) {
  EXPECT_EQ(Opened({.asks_server = false}, {.key = "secret"})->writer().server().key, "");
}

TEST_F(ModelAccessTest, KeysOfTheTwoFirmsGoToTheirOwnHostsOverHttpsAlone) {
  const ModelEnvironment keys{.key = "own", .openai = "o", .anthropic = "a"};
  const auto key_of = [&](const std::string& url) {
    ModelEnvironment environment = keys;
    environment.url = url;
    return Opened({}, environment)->writer().server().key;
  };
  EXPECT_EQ(key_of("https://api.openai.com/v1"), "o");
  EXPECT_EQ(key_of("https://api.anthropic.com/v1"), "a");
  EXPECT_EQ(key_of("http://api.openai.com/v1"), "own");
  EXPECT_EQ(key_of("https://api.openai.com.example/v1"), "own");
  EXPECT_EQ(key_of("https://xapi.anthropic.com/v1"), "own");
}

TEST_F(ModelAccessTest, TheLowerOfTwoCeilingsHolds) {
  Agree();
  Configure("max_tokens = 1000\n");
  EXPECT_TRUE(Affords(*Opened(), 1000));
  EXPECT_FALSE(Affords(*Opened(), 1001));
  EXPECT_FALSE(Affords(*Opened({.max_tokens = 500}), 501));
  EXPECT_TRUE(Affords(*Opened({.max_tokens = 5000}), 1000));
  EXPECT_FALSE(Affords(*Opened({.max_tokens = 5000}), 1001));
  Configure();
  EXPECT_FALSE(Affords(*Opened({.max_tokens = 7}), 8)) << "of the request alone";
  EXPECT_TRUE(Affords(*Opened(), 1'000'000'000)) << "none at all";
}

TEST_F(ModelAccessTest, ACeilingOfMoneyNeedsPrices) {
  Agree();
  const auto refused = Open({.max_cost = 1.0});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
  EXPECT_NE(refused.error().hint.find("input_price"), std::string::npos);
  Configure("input_price = 2\nmax_cost = 4\n");
  EXPECT_EQ(Opened()->price().input, 2.0);
  EXPECT_TRUE(Affords(*Opened(), 2'000'000));
  EXPECT_FALSE(Affords(*Opened(), 2'000'001));
  EXPECT_FALSE(Affords(*Opened({.max_cost = 1}), 500'001));
}

TEST_F(ModelAccessTest, AJudgeIsThereUnlessItIsRefused) {
  Agree();
  const auto same = Opened();
  ASSERT_NE(same->judge(), nullptr);
  EXPECT_EQ(same->judge()->server().model, "small");
  Configure("judge = \"strict\"\n");
  EXPECT_EQ(Opened()->judge()->server().model, "strict");
  EXPECT_EQ(Opened({.is_judged = false})->judge(), nullptr);
}

TEST_F(ModelAccessTest, TheFingerprintHasServerModelAndJudge) {
  Agree();
  const std::string plain = Opened()->Fingerprint();
  EXPECT_EQ(plain, Opened()->Fingerprint());
  EXPECT_NE(plain.find("small"), std::string::npos);
  EXPECT_NE(plain, Opened({.is_judged = false})->Fingerprint());
  EXPECT_NE(plain, Opened({}, {.name = "large"})->Fingerprint());
  EXPECT_NE(plain, Opened({}, {.url = "http://127.0.0.1:10/v1"})->Fingerprint());
  EXPECT_EQ(plain, Opened({.max_tokens = 7})->Fingerprint()) << "a ceiling changes no answer";
  EXPECT_EQ(plain, Opened({}, {.key = "secret"})->Fingerprint());
}

TEST_F(ModelAccessTest, BothProtocolsAreKnown) {
  Agree();
  EXPECT_EQ(Opened()->writer().server().protocol, model::Protocol::kOpenAi);
  Configure("api = \"anthropic\"\n");
  EXPECT_EQ(Opened()->writer().server().protocol, model::Protocol::kAnthropic);
  Configure("api = \"telepathy\"\n");
  EXPECT_EQ(Open().error().kind, ErrorKind::kUsage);
}

TEST_F(ModelAccessTest, AnAddressThatIsNoneIsAnError) {
  EXPECT_FALSE(Open({}, {.url = "not an address", .name = "m"}).ok());
  EXPECT_FALSE(Open({}, {.url = "ftp://example.org/", .name = "m"}).ok());
}

TEST_F(ModelAccessTest, NeedsAnOracle) {
  oracle::Context context = Online();
  context.oracle.reset();
  EXPECT_EQ(ModelAccess::Open(context, {}, {}).error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace sibyl::expansion
