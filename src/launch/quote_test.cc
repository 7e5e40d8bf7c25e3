// SPDX-License-Identifier: Apache-2.0
#include "launch/quote.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/process/subprocess.h"
#include "launch/test_launch.h"
#include "launch/test_yaml.h"

namespace sibyl::launch {
namespace {

std::string SaidByShell(const std::string& word) {
  const Result<Outcome> outcome =
      RunProgram({.program = "sh", .arguments = {"-c", "printf %s " + word}});
  EXPECT_TRUE(outcome.ok() && outcome->succeeded());
  return outcome.ok() ? outcome->output : "";
}

TEST(ShellWord, IsReadByAShellAsItIs) {
  for (const std::string& text :
       {std::string(), std::string("plain"), std::string("-n"), std::string("a b"),
        std::string("'"), std::string("''"), std::string(kHostile), std::string("a\nb\t")}) {
    EXPECT_EQ(SaidByShell(ShellWord(text)), text);
  }
  EXPECT_EQ(ShellWord("a/b-c_d.e"), "a/b-c_d.e");
  EXPECT_EQ(ShellWord("it's"), R"('it'\''s')");
  EXPECT_EQ(ShellLine({"a", "b c"}), "a 'b c'");
}

RC_GTEST_PROP(ShellWord, AnyBytesAreOneWord, (const std::string& text)) {
  // Outside quotes there is nothing but plain characters and escaped quotes.
  const std::string word = ShellWord(text);
  std::string read;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '\\') {
      read += word.at(++i);
    } else if (word[i] == '\'') {
      const std::size_t end = word.find('\'', i + 1);
      RC_ASSERT(end != std::string::npos);
      read += word.substr(i + 1, end - i - 1);
      i = end;
    } else {
      read += word[i];
    }
  }
  RC_ASSERT(read == text);
}

TEST(Yaml, IsInBlockStyleWithJsonTexts) {
  const Json json = {{"kind", "Job"},
                     {"a b", true},
                     {"empty", Json::object()},
                     {"list", Json::array({1, {{"x", "y\n"}, {"z", nullptr}}, Json::array()})}};
  EXPECT_EQ(Yaml(json),
            "kind: \"Job\"\n\"a b\": true\nempty: {}\nlist:\n  - 1\n  - x: \"y\\n\"\n    z: null\n"
            "  - []\n");
}

RC_GTEST_PROP(Yaml, IsReadAsWhatWasWritten, (const std::vector<std::string>& texts)) {
  Json json = {{"first", 1}};
  for (const std::string& bytes : texts) {
    // As valid UTF-8.
    const std::string text = FormatJson(Json(bytes), JsonLayout::kCompact);
    json[text] = Json::array({text, {{"text", text}, {"more", {{"deep", 1}}}}, 2});
  }
  RC_ASSERT(ReadYaml(Yaml(json)) == json);
}

TEST(CheckText, RefusesWhatEndsALineOrControlsATerminal) {
  EXPECT_TRUE(CheckText("it", kHostile).ok());
  for (const std::string& text : {std::string("a\nb"), std::string("a\rb"), std::string("\x1b[2J"),
                                  std::string("a\0b", 3), std::string("\x7f")}) {
    const Status status = CheckText("the plan", text);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.error().kind, ErrorKind::kUsage);
    EXPECT_EQ(status.error().message.find(text), std::string::npos);
  }
}

TEST(CheckWord, AllowsWhatIsListed) {
  EXPECT_TRUE(CheckWord("it", "gpu-2", "-").ok());
  for (const char* text : {"", "-x", "a b", "a;b", "a$b", "a\nb", "a'b"}) {
    EXPECT_FALSE(CheckWord("it", text, "-").ok()) << text;
  }
}

}  // namespace
}  // namespace sibyl::launch
