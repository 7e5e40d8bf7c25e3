// SPDX-License-Identifier: Apache-2.0
#include "references/code_file.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl::references {
namespace {

using Kind = DefinitionPlace::Kind;

// The first and last line of the only definition of a name.
LineRange Defined(std::string_view text, std::string_view name) {
  const CodeFile file{std::string(text)};
  const std::vector<DefinitionPlace>& definitions = file.UsesOf(name).definitions;
  EXPECT_EQ(definitions.size(), 1U) << name;
  return definitions.size() == 1 ? definitions[0].lines : LineRange{};
}

TEST(CodeFile, KnowsFunctionsOfManyLanguages) {
  EXPECT_EQ(Defined("pub fn run(\n    a: u8,\n) -> u8 {\n    f(a);\n}\n", "run"),
            (LineRange{1, 5}));
  EXPECT_EQ(Defined("class A:\n    def run(self):\n        x()\n\n        y()\n    z = 1\n", "run"),
            (LineRange{2, 5}));
  EXPECT_EQ(Defined("int Scanner::Run(int a) {\n  return a;\n}\n", "Run"), (LineRange{1, 3}));
  EXPECT_EQ(Defined("func (r *Reader) Next() int {\n\treturn 1\n}\n", "Next"), (LineRange{1, 3}));
  EXPECT_EQ(Defined("export async function load() {\n  go();\n}\n", "load"), (LineRange{1, 3}));
}

TEST(CodeFile, ParametersThatEndWithABraceDoNotEndAFunction) {
  const CodeFile file("Future<Task> make(\n  String a, {\n  int b,\n}) async {\n  one();\n}\n");
  const NameUses& uses = file.UsesOf("make");
  ASSERT_EQ(uses.definitions.size(), 1U);
  EXPECT_EQ(uses.definitions[0].lines.last, 6U);
}

TEST(CodeFile, KnowsTypesConstantsAndMembers) {
  EXPECT_EQ(Defined("struct Point {\n  int x;\n};\n", "Point"), (LineRange{1, 3}));
  EXPECT_EQ(Defined("constexpr int kMost = 4;\n", "kMost"), (LineRange{1, 1}));
  EXPECT_EQ(Defined("#define MOST 4\n", "MOST"), (LineRange{1, 1}));
  EXPECT_EQ(Defined("struct A {\n    pub limit: usize,\n}\n", "limit"), (LineRange{2, 2}));
}

TEST(CodeFile, TakesCallsAndImportsForUses) {
  const CodeFile file("use a::run;\nusing b::run;\n// fn run()\n  run(1);\n  return run(2);\n");
  const NameUses& uses = file.UsesOf("run");
  EXPECT_TRUE(uses.definitions.empty());
  EXPECT_EQ(uses.lines, (std::vector<std::size_t>{1, 2, 3, 4, 5}));
}

TEST(CodeFile, ComparesWholeWords) {
  const CodeFile file("int running;\nint run;\n");
  EXPECT_EQ(file.UsesOf("run").lines, (std::vector<std::size_t>{2}));
}

TEST(CodeFile, FindsALongNameInsideALongerOne) {
  const CodeFile file("fn test_parses_every_name() {}\n");
  EXPECT_EQ(file.UsesOf("parses_every_name").definitions.size(), 1U);
}

TEST(CodeFile, FindsCodeWithoutRegardToBlanks) {
  const CodeFile file("a\nif (x  ==\n    y) {\n");
  EXPECT_EQ(file.LinesWith("if (x == y) {"), (std::vector<std::size_t>{2}));
  EXPECT_TRUE(file.LinesWith("if (x == z)").empty());
}

TEST(CodeFile, ListsFunctionsAndTypesToChooseFrom) {
  const CodeFile file(
      "struct Point {\n  int x = 0;\n};\n\n"
      "int Area(const Point& p) {\n  if (p.x) {\n    return 1;\n  }\n"
      "  const int local = Area(p);\n  return local;\n}\n\n"
      "// int Commented() {\ndef parse(line):\n    return 1\n");
  std::string found;
  for (const NamedDefinition& one : file.Definitions(100)) {
    found += one.name + ":" + std::to_string(one.place.lines.first) + "-" +
             std::to_string(one.place.lines.last) + " ";
  }
  EXPECT_EQ(found, "Point:1-3 Area:5-11 parse:14-15 ");
  EXPECT_EQ(file.Definitions(1).size(), 1U);
}

}  // namespace
}  // namespace sibyl::references
