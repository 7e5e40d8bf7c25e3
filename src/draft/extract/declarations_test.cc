// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/declarations.h"

#include <gtest/gtest.h>

#include "draft/test_passages.h"

namespace sibyl::draft {
namespace {

using Strings = std::vector<std::string>;

class DeclarationsTest : public PassageTest {
 protected:
  // The paths of the passages that declare the name.
  Strings Declaring(std::string_view name) {
    Strings paths;
    for (const index::Hit& hit : DeclarationsOf(name, searcher())) {
      paths.emplace_back(hit.path_view);
    }
    return paths;
  }
};
TEST_F(DeclarationsTest, AreFoundInEveryLanguageOfABuild) {
  const std::pair<const char*, const char*> files[] = {
      {"option.cmake", "option(NAME_OPTION \"x\" ON)\n"},
      {"cached.cmake", "set(NAME_CACHED 1 CACHE STRING \"x\")\n"},
      {"macro.h", "#  define NAME_MACRO 1\n"},
      {"type.h", "struct NameType {\n};\n"},
      {"enum.h", "enum class NameEnum { kA };\n"},
      {"alias.h", "using NameAlias = int;\n"},
      {"def.py", "def name_function(x):\n  pass\n"},
      {"env.py", "x = os.environ.get('NAME_READ')\n"},
      {"item.py", "x = os.environ[\"NAME_ITEM\"]\n"},
      {"env.cc", "auto x = getenv(\"NAME_GETENV\");\n"},
      {"Dockerfile", "FROM a\nARG NAME_ARG=1\n"},
      {"env.sh", "export NAME_EXPORT=1\n"},
      {"function.cmake", "function(name_command x)\nendfunction()\n"}};
  for (const auto& [path, text] : files) Add(path, "", text);
  for (const char* name :
       {"NAME_OPTION", "NAME_CACHED", "NAME_MACRO", "NameType", "NameEnum", "NameAlias",
        "name_function", "NAME_READ", "NAME_ITEM", "NAME_GETENV", "NAME_ARG", "NAME_EXPORT"}) {
    EXPECT_EQ(Declaring(name).size(), 1U) << name;
  }
  EXPECT_EQ(Declaring("NAME_OPTION"), Strings{"option.cmake"});
}

TEST_F(DeclarationsTest, UsesAreNone) {
  Add("a.cmake", "cmake", "if(USE_CACHE)\n  set(USE_CACHE ON)\nendif()\n");
  Add("b.cc", "c++", "#ifdef USE_CACHE\nCall(USE_CACHE);\n#endif\n");
  EXPECT_TRUE(Declaring("USE_CACHE").empty());
}

TEST_F(DeclarationsTest, AnotherNameThatBeginsAlikeIsNone) {
  Add("a.cmake", "cmake", "option(USE_CACHE_SIZE \"x\" ON)\nUSE_CACHE\n");
  EXPECT_TRUE(Declaring("USE_CACHE").empty());
  EXPECT_EQ(Declaring("USE_CACHE_SIZE").size(), 1U);
}

TEST_F(DeclarationsTest, WhatIsNotAnIdentifierIsNotLookedFor) {
  Add("a.h", "c++", "#define .*cache 1\n#define short 1\n#define 1cache00 1\n");
  for (const char* name : {"", ".*cache", "short", "1cache00", "a b c d e", "cache.*", "(cache"}) {
    EXPECT_TRUE(Declaring(name).empty()) << name;
  }
}

TEST_F(DeclarationsTest, ANameThatNothingHasIsNotLookedFor) {
  Add("a.h", "c++", "#define OTHER_NAME 1\n");
  EXPECT_TRUE(Declaring("MISSING_NAME").empty());
}

TEST_F(DeclarationsTest, TestsAndCopiesComeLast) {
  Add("tests/cache_test.cc", "c++", "#define USE_CACHE 3\n");
  Add("third_party/lib/cache.h", "c++", "#define USE_CACHE 2\n");
  Add("src/deep/er/cache.h", "c++", "#define USE_CACHE 4\n");
  Add("src/cache.h", "c++", "#define USE_CACHE 1\n");
  const Strings paths = Declaring("USE_CACHE");
  ASSERT_EQ(paths.size(), 4U);
  EXPECT_EQ(paths[0], "src/cache.h");
  EXPECT_EQ(paths[1], "src/deep/er/cache.h");
}

TEST_F(DeclarationsTest, APassageIsListedOnceAndThereAreFew) {
  for (int i = 0; i < 10; ++i) {
    Add("f" + std::to_string(i) + ".h", "c++",
        "#define USE_CACHE " + std::to_string(i) + "\n#define USE_CACHE 1\n");
  }
  Strings paths = Declaring("USE_CACHE");
  EXPECT_EQ(paths.size(), 6U);
  std::sort(paths.begin(), paths.end());
  EXPECT_EQ(std::unique(paths.begin(), paths.end()), paths.end());
}

TEST_F(DeclarationsTest, AHitHasItsLinesAndItsSource) {
  Add("a.h", "c++", "// The cache.\n#define USE_CACHE 1\n");
  const std::vector<index::Hit> hits = DeclarationsOf("USE_CACHE", searcher());
  ASSERT_EQ(hits.size(), 1U);
  EXPECT_EQ(hits[0].source_view, "gadget");
  EXPECT_EQ(hits[0].language_view, "c++");
  EXPECT_EQ(hits[0].first_line, 1U);
  EXPECT_EQ(hits[0].last_line, 2U);
}

}  // namespace
}  // namespace sibyl::draft
