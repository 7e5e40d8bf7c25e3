// SPDX-License-Identifier: Apache-2.0
#include "references/file_tree.h"

#include <gtest/gtest.h>

namespace sibyl::references {
namespace {

using Paths = std::vector<std::string>;

Paths Resolve(std::string_view written, std::string_view document = "docs/a.md",
              std::string_view base = {}) {
  static const PathList paths(Paths{"README.md", "docs/a.md", "docs/b.rs", "src/main.rs",
                                    "src/scan/mod.rs", "src/vm/mod.rs", "pkg/mod/core.py",
                                    "CHANGELOG.md"});
  return ResolvePath(paths,
                     {.written = written, .document = document, .base = base, .name = "repo"});
}

TEST(ResolvePath, FindsExactPathsFirst) {
  EXPECT_EQ(Resolve("src/main.rs"), (Paths{"src/main.rs"}));
  EXPECT_EQ(Resolve("./src/main.rs"), (Paths{"src/main.rs"}));
}

TEST(ResolvePath, FindsPathsFromTheDocument) {
  EXPECT_EQ(Resolve("../src/main.rs"), (Paths{"src/main.rs"}));
  EXPECT_EQ(Resolve("b.rs"), (Paths{"docs/b.rs"}));
}

TEST(ResolvePath, FindsPathsFromANamedFolder) {
  EXPECT_EQ(Resolve("mod.rs", "docs/a.md", "src/scan/"), (Paths{"src/scan/mod.rs"}));
}

TEST(ResolvePath, FoldersMayBeLeftOut) {
  EXPECT_EQ(Resolve("src/.../mod.rs"), Resolve("mod.rs"));
  EXPECT_EQ(Resolve(".../main.rs"), (Paths{"src/main.rs"}));
  EXPECT_TRUE(Resolve("lib/.../main.rs").empty());
}

TEST(ResolvePath, FindsTheEndOfAPath) {
  EXPECT_EQ(Resolve("vm/mod.rs"), (Paths{"src/vm/mod.rs"}));
  EXPECT_EQ(Resolve("main.rs"), (Paths{"src/main.rs"}));
  EXPECT_TRUE(Resolve("ain.rs").empty());
}

TEST(ResolvePath, GivesAllFilesOfAName) { EXPECT_EQ(Resolve("mod.rs").size(), 2U); }

TEST(ResolvePath, FindsModulesAndStems) {
  EXPECT_EQ(Resolve("pkg.mod.core"), (Paths{"pkg/mod/core.py"}));
  EXPECT_EQ(Resolve("CHANGELOG"), (Paths{"CHANGELOG.md"}));
}

TEST(ResolvePath, CutsAbsolutePathsAtTheRepository) {
  EXPECT_EQ(Resolve("/home/me/repo/src/main.rs"), (Paths{"src/main.rs"}));
  EXPECT_EQ(Resolve("/home/me/repo/README.md"), (Paths{"README.md"}));
  EXPECT_TRUE(Resolve("~/other/src/x.rs").empty());
}

TEST(ResolvePath, NeverLeavesTheRepository) {
  EXPECT_EQ(CleanPath("../x"), "");
  EXPECT_EQ(CleanPath("a/../../x"), "");
  EXPECT_EQ(CleanPath("a/./b//../c"), "a/c");
}

}  // namespace
}  // namespace sibyl::references
