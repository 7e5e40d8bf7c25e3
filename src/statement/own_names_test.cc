// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

#include "statement/atom.h"

namespace sibyl::statement {
namespace {

OwnNames Collect(std::string_view markdown) {
  const Result<Statements> statements = ReadStatements(markdown);
  EXPECT_TRUE(statements.ok());
  return statements.ok() ? CollectOwnNames(*statements) : OwnNames{};
}

OwnNames InBlock(const std::string& language, const std::string& code) {
  return Collect("```" + language + "\n" + code + "\n```\n");
}

std::string AliasOf(const OwnNames& own, std::string_view alias) {
  const auto found = own.aliases.find(alias);
  return found == own.aliases.end() ? "none" : found->second;
}

TEST(CollectOwnNames, ReadsImportsOfPython) {
  const OwnNames own = InBlock("python",
                               "import torch.nn.functional as F\nimport os\n"
                               "from gadget.cuda import stream as s, event, graph as g\n"
                               "  from .local import thing\n");
  EXPECT_EQ(AliasOf(own, "F"), "torch.nn.functional");
  EXPECT_EQ(AliasOf(own, "os"), "none") << "it goes by its own name";
  EXPECT_EQ(AliasOf(own, "s"), "gadget.cuda.stream");
  EXPECT_EQ(AliasOf(own, "event"), "gadget.cuda.event");
  EXPECT_EQ(AliasOf(own, "g"), "gadget.cuda.graph");
}

TEST(CollectOwnNames, ReadsAliasesOfNamespaces) {
  EXPECT_EQ(AliasOf(InBlock("cpp", "namespace cg = cooperative_groups;"), "cg"),
            "cooperative_groups");
  EXPECT_EQ(AliasOf(InBlock("cpp", "namespace fs = std::filesystem;"), "fs"), "std::filesystem");
}

TEST(CollectOwnNames, WhatOnlyLooksLikeAnImportIsNone) {
  for (const char* line : {"import", "import ", "from x", "from  import ", "import , ,",
                           "namespace = x;", "namespace x =", "import a as "}) {
    const OwnNames own = InBlock("python", line);
    for (const auto& [alias, name] : own.aliases) {
      EXPECT_FALSE(alias.empty()) << line;
      EXPECT_FALSE(name.empty()) << line;
    }
  }
}

TEST(CollectOwnNames, AreFunctionsTypesAndMacros) {
  const OwnNames own = InBlock("cpp",
                               "#define CHECK(x) x\nstruct Queue {};\n"
                               "__global__ void scale(float* a);\nstd::vector<int> make(int);\n"
                               "int* find(char& c);\n");
  for (const char* name : {"CHECK", "Queue", "scale", "make", "find"}) {
    EXPECT_TRUE(own.names.contains(name)) << name;
  }
}

TEST(CollectOwnNames, ACallDeclaresNothing) {
  const OwnNames own = InBlock("cpp", "return launch(1);\nx = call(2);\nf(g(3), h(4));\n");
  for (const char* name : {"launch", "call", "g", "h"}) {
    EXPECT_FALSE(own.names.contains(name)) << name;
  }
}

TEST(CollectOwnNames, AreVariablesOfCMake) {
  const OwnNames own =
      InBlock("cmake", "set(MINE 1)\noption(ALSO_MINE \"x\" ON)\nmessage(${THEIRS})\n");
  EXPECT_TRUE(own.names.contains("MINE"));
  EXPECT_TRUE(own.names.contains("ALSO_MINE"));
  EXPECT_FALSE(own.names.contains("THEIRS"));
}

TEST(CollectOwnNames, ProseMakesNoNames) {
  const OwnNames own = Collect("Write `#define MINE 1` and def go().\n");
  EXPECT_TRUE(own.names.empty());
  EXPECT_TRUE(own.aliases.empty());
}

TEST(CollectOwnNames, AreThoseOfAllBlocksOfTheText) {
  const OwnNames own =
      Collect("```python\ndef one(): pass\n```\n\ntext\n\n```python\ndef two(): pass\n```\n");
  EXPECT_TRUE(own.names.contains("one"));
  EXPECT_TRUE(own.names.contains("two"));
}

TEST(CollectOwnNames, TheFirstAliasStays) {
  EXPECT_EQ(AliasOf(InBlock("python", "import a.b as x\nimport c.d as x\n"), "x"), "a.b");
}

TEST(CollectOwnNames, AnyBlockIsReadWithoutACrash) {
  EXPECT_TRUE(rc::check([] {
    const auto pieces = *rc::gen::container<std::vector<std::string>>(
        rc::gen::element<std::string>("import ", "from ", " as ", ",", "namespace ", "=", "x", ".",
                                      "::", "\n", "(", "\xFF", " ", "#define "));
    std::string code;
    for (const std::string& piece : pieces) code += piece;
    for (const auto& [alias, name] : InBlock("python", code).aliases) {
      RC_ASSERT(!alias.empty());
      RC_ASSERT(!name.empty());
    }
    (void)InBlock("cpp", code);
  }));
}

}  // namespace
}  // namespace sibyl::statement
