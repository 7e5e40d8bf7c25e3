// SPDX-License-Identifier: Apache-2.0
#include "support/numbers/connected.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "support/grounding.h"

namespace sibyl::support {
namespace {

std::string OtherOf(std::string_view text, std::string_view lines) {
  const auto statements = statement::ReadStatements(text);
  EXPECT_TRUE(statements.ok() && !statements->all.empty()) << text;
  Tokenizer tokenizer;
  const EvidenceText evidence(lines, "", tokenizer);
  const LineSentences sentences(lines, evidence.tokens());
  const auto other =
      FindOtherNumber(Read(statements->all.front(), evidence, tokenizer), evidence, sentences);
  return other ? other->there : "";
}

TEST(ConnectedNumbers, TheWordsAroundItTellWhichDefinitionIsMeant) {
  constexpr std::string_view kLines =
      "// how often to wait for the plugin validation pod\n"
      "podWaitRetries = 60\n"
      "// how often to wait for the node\n"
      "nodeWaitRetries = 30\n";
  EXPECT_EQ(
      OtherOf("While it waits for the plugin validation pod, it allows thirty retries.", kLines),
      "60");
  EXPECT_EQ(
      OtherOf("While it waits for the plugin validation pod, it allows sixty retries.", kLines),
      "");
}

TEST(ConnectedNumbers, ANameThatIsDefinedTwiceHasBoth) {
  constexpr std::string_view kLines =
      "#if ARCH == 750\n#define MAX_THREADS (1024)\n#else\n#define MAX_THREADS (2048)\n#endif\n";
  EXPECT_EQ(OtherOf("`MAX_THREADS` is 2048 for an architecture other than 750.", kLines), "");
}

TEST(ConnectedNumbers, OfOneFamilyOfNames) {
  constexpr std::string_view kLines =
      "enum LogLevel {\n  LOG_WARNING = 2,\n  LOG_INFO = 3,\n  LOG_DEBUG = 4\n};\n";
  EXPECT_EQ(OtherOf("Level 3 stands for debug messages.", kLines), "4");
  EXPECT_EQ(OtherOf("Level 4 stands for debug messages.", kLines), "");
  EXPECT_EQ(OtherOf("Level 3 has info messages and no debug ones.", kLines), "");
  EXPECT_EQ(OtherOf("One graph with `n_repeat` calls is replayed 10 times.",
                    "n_repeat = 1000\nn_retries = 10\n"),
            "");
}

}  // namespace
}  // namespace sibyl::support
