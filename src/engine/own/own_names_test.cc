// SPDX-License-Identifier: Apache-2.0
#include "engine/own/own_names.h"

#include <gtest/gtest.h>

#include <string>

#include "audit/test_witness.h"

namespace sibyl::engine {
namespace {

statement::Judgement Absent(const std::string& text, const std::string& nearest = "") {
  return {.verdict = statement::Verdict::kAbsent,
          .kind = "identifier",
          .text = text,
          .message = "`" + text + "` does not occur in soch-db",
          .nearest = nearest};
}

class OwnNamesTest : public ::testing::Test {
 protected:
  audit::TestWitness witness_{
      {{.name = "soch-db",
        .files = {{"a.c", "getenv(\"SOCH_DB_PORT_NUMBER\");\nint BYOD_INVALID_FORMAT;\n"}},
        .origin = "https://example.org/ada/vault.git"}}};
  OwnNameRules rules_{*witness_};
};

TEST_F(OwnNamesTest, ANameThatCarriesTheRepositorysNameIsItsOwn) {
  EXPECT_TRUE(rules_.IsOwn("SOCH_DB_PORT"));
  EXPECT_TRUE(rules_.IsOwn("soch_db_open"));
  EXPECT_TRUE(rules_.IsOwn("vault::Open"));
  EXPECT_FALSE(rules_.IsOwn("REDIS_PORT"));
  EXPECT_FALSE(rules_.IsOwn("vaulted_open"));
}

TEST_F(OwnNamesTest, OnlyOwnNamesAndVariantsOfConstantsAreMissed) {
  EXPECT_TRUE(rules_.Excuse(Absent("SOCH_DB_HOST")).empty());
  EXPECT_FALSE(rules_.Excuse(Absent("REDIS_HOST")).empty());
  EXPECT_TRUE(rules_.Excuse(Absent("BYOD_ERR_INVALID_FORMAT", "BYOD_INVALID_FORMAT")).empty());
}

TEST_F(OwnNamesTest, APartOfALongerNameIsNotMissed) {
  EXPECT_FALSE(rules_.Excuse(Absent("SOCH_DB_PORT")).empty());
}

TEST_F(OwnNamesTest, NumbersAndQuotationsAreNotDecidedByOneRepository) {
  statement::Judgement number = Absent("limit = 10");
  number.kind = "number";
  EXPECT_FALSE(rules_.Excuse(number).empty());
}

TEST_F(OwnNamesTest, ADefinitionDecidesTheDefaultThatADocumentGives) {
  statement::Judgement judged = Absent("retries = 5");
  judged.kind = "default";
  judged.verdict = statement::Verdict::kContradicted;
  judged.message = "the definition of `retries` says otherwise: \"retries: int = 3\"";
  judged.reason = "the definition that the text is about has another value";
  EXPECT_TRUE(rules_.Excuse(judged).empty());
  judged.message = "the sources give `retries` the value 3: \"retries: 3\"";
  EXPECT_FALSE(rules_.Excuse(judged).empty()) << "another document may be wrong";
}

}  // namespace
}  // namespace sibyl::engine
