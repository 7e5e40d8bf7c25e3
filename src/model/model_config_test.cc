// SPDX-License-Identifier: Apache-2.0
#include "model/model_config.h"

#include <gtest/gtest.h>

namespace sibyl::model {
namespace {

TEST(ModelConfig, ReadsWhatItSays) {
  const Result<ModelConfig> config = ParseModelConfig(
      "[model]\nurl = \"http://127.0.0.1:8080/v1\"\nname = \"small\"\ninput_price = 3\n"
      "max_cost = 0.5\nmax_tokens = 100000\nat_once = 2\n",
      "sibyl.toml");
  ASSERT_TRUE(config.ok()) << config.error().message;
  EXPECT_EQ(config->api, "openai");
  EXPECT_EQ(config->name, "small");
  EXPECT_EQ(config->input_price, 3.0);
  EXPECT_EQ(config->max_cost, 0.5);
  EXPECT_EQ(config->max_tokens, 100'000);
  EXPECT_EQ(config->at_once, 2);
}

TEST(ModelConfig, AFileWithoutTheTableNamesNoServer) {
  EXPECT_TRUE(ParseModelConfig("", "sibyl.toml")->url.empty());
}

TEST(ModelConfig, KeysInTheFileAreNotKnown) {
  const Result<ModelConfig> config = ParseModelConfig("[model]\nkey = \"sk-1\"\n", "sibyl.toml");
  ASSERT_TRUE(config.ok());
  ASSERT_EQ(config->findings.size(), 1U);
  EXPECT_EQ(config->findings[0].message.find("sk-1"), std::string::npos);
}

TEST(ModelConfig, MistakesAreToldWithTheirLine) {
  for (const char* line : {"max_cost = -1", "max_cost = nan", "tries = 0", "name = 3",
                           "api = \"other\"", "max_tokens = \"many\""}) {
    const Result<ModelConfig> config =
        ParseModelConfig(std::string("[model]\n") + line + "\n", "sibyl.toml");
    ASSERT_FALSE(config.ok()) << line;
    EXPECT_EQ(config.error().place->file, "sibyl.toml");
  }
}

}  // namespace
}  // namespace sibyl::model
