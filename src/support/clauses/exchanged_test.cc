// SPDX-License-Identifier: Apache-2.0
#include "support/clauses/exchanged.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/grounding.h"

namespace sibyl::support {
namespace {

bool IsExchanged(std::string_view text, std::string_view lines) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  Tokenizer tokenizer;
  const EvidenceText evidence(lines, "", tokenizer);
  return FindExchange(Read(statements->all.front(), evidence, tokenizer), evidence).has_value();
}

constexpr std::string_view kTable =
    "| name | meaning |\n| --- | --- |\n| `peak` | the maximum of all calls |\n"
    "| `total` | the sum of all calls |\n";

TEST(Exchange, OfTwoNames) {
  EXPECT_TRUE(IsExchanged("`peak` is the sum, while `total` is the maximum.", kTable));
  EXPECT_FALSE(IsExchanged("`peak` is the maximum, while `total` is the sum.", kTable));
}

TEST(Exchange, OfTwoNumbers) {
  constexpr std::string_view kLines =
      "trap 'handle_signal SIGINT 130' INT\ntrap 'handle_signal SIGTERM 143' TERM\n";
  EXPECT_TRUE(IsExchanged("It exits with 143 on SIGINT and with 130 on SIGTERM.", kLines));
  EXPECT_FALSE(IsExchanged("It exits with 130 on SIGINT and with 143 on SIGTERM.", kLines));
}

TEST(Exchange, ALineBelongsToTheLineAboveIt) {
  constexpr std::string_view kLines =
      "if backend == \"nccl\":\n    device = cuda;\nelif backend == \"gloo\":\n    device = cpu;\n";
  EXPECT_TRUE(IsExchanged("With `nccl` it runs on the cpu, with `gloo` on cuda.", kLines));
  EXPECT_FALSE(IsExchanged("With `nccl` it runs on cuda, with `gloo` on the cpu.", kLines));
}

TEST(Exchange, NeedsWordsOnBothSides) {
  EXPECT_FALSE(IsExchanged("`peak` is the sum, while `total` is something else.", kTable));
}

TEST(Exchange, NamesAfterBothShareWhatIsSaid) {
  EXPECT_FALSE(
      IsExchanged("It has both the `peak` of the sum and the `total` of the maximum.", kTable));
}

TEST(Exchange, RefusesTheStatement) {
  const auto statements = statement::ReadStatements("`peak` is the sum, `total` is the maximum.");
  Grounder grounder;
  const Grounding grounding = grounder.Judge(statements->all.front(), {.text = kTable});
  EXPECT_EQ(grounding.verdict, statement::Verdict::kContradicted);
  EXPECT_EQ(grounding.message, "the cited lines connect peak and total the other way round");
}

}  // namespace
}  // namespace sibyl::support
