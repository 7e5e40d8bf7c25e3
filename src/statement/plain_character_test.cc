// SPDX-License-Identifier: Apache-2.0
#include "statement/plain_character.h"

#include <gtest/gtest.h>

#include <string>

#include "statement/statement.h"

namespace sibyl::statement {
namespace {

std::string TextOf(std::string_view source) {
  const Statements read = *ReadStatements(source);
  return read.all.empty() ? "" : read.all[0].text;
}

TEST(PlainForm, OfLettersAndDigitsThatLookDifferentIsAscii) {
  for (const auto& [character, plain] : {std::pair{U'４', "4"},
                                         {U'Ａ', "A"},
                                         {U'٣', "3"},
                                         {U'४', "4"},
                                         {U'𝟒', "4"},
                                         {U'①', "1"},
                                         {U'⑳', "20"},
                                         {U'❸', "3"},
                                         {U'Ⅳ', "IV"},
                                         {U'½', "1/2"},
                                         {U'ﬁ', "fi"},
                                         {U'𝐧', "n"}}) {
    EXPECT_EQ(PlainForm(character), plain) << static_cast<unsigned>(character);
  }
}

TEST(PlainForm, OfWhatShowsNothingIsEmpty) {
  for (const char32_t character : {0xADU, 0x200BU, 0x2060U, 0xFEFFU, 0x202EU, 0xE0041U, 0xFE0FU}) {
    EXPECT_EQ(PlainForm(character), "") << static_cast<unsigned>(character);
  }
}

TEST(PlainForm, OfOrdinaryLettersAndMarksIsNothing) {
  for (const char32_t character : {U'a', U'4', U'ü', U'о', U'—', U'“', U'²', U'队'}) {
    EXPECT_EQ(PlainForm(character), std::nullopt) << static_cast<unsigned>(character);
  }
}

TEST(Statements, HaveNumbersInTheirPlainForm) {
  EXPECT_EQ(TextOf("Port 63\u200b80.\n"), "Port 6380.");
  EXPECT_EQ(TextOf("Port ６３８０ or ٦٣.\n"), "Port 6380 or 63.");
  EXPECT_EQ(TextOf("After &#49;&#48; tries.\n"), "After 10 tries.");
  EXPECT_EQ(TextOf("After ³⁴ seconds, m² and 10⁶.\n"), "After 34 seconds, m² and 10⁶.");
}

TEST(Statements, KnowTheSourceOfFoldedCharacters) {
  const std::string source = "Port ６３ is `used` here.\n";
  const Statements read = *ReadStatements(source);
  const Statement& statement = read.all[0];
  const std::size_t used = statement.text.find("used");
  EXPECT_EQ(source.substr(SourceOffset(statement, used), 4), "used");
  EXPECT_TRUE(IsCodeAt(statement, used));
  EXPECT_EQ(source.substr(SourceOffset(statement, statement.text.find("63")), 3), "６");
}

TEST(Statements, OfQuotationsAndCodeStayAsTheyAreWritten) {
  EXPECT_EQ(TextOf("> Port ６３.\n"), "Port ６３.");
  EXPECT_EQ(TextOf("```\n６３\n```\n"), "６３\n");
}

TEST(Statements, HaveFormulasWithoutCommands) {
  EXPECT_EQ(TextOf("$$\\mathrm{regs}_P = \\mathrm{regs}_S / 4$$\n"), "$$regs_P = regs_S / 4$$");
  EXPECT_EQ(TextOf("Holds $MN / (128 \\cdot n)$ values.\n"), "Holds $MN / (128 * n)$ values.");
  EXPECT_EQ(TextOf("Set $HOME and $PATH.\n"), "Set $HOME and $PATH.");
}

}  // namespace
}  // namespace sibyl::statement
