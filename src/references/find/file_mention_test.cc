// SPDX-License-Identifier: Apache-2.0
#include "references/find/file_mention.h"

#include <gtest/gtest.h>

namespace sibyl::references {
namespace {

std::vector<std::string> PathsIn(std::string_view text, const IsKnownFile& is_known = {}) {
  std::vector<std::string> paths;
  for (const FileMention& file : FindFileMentions(text, is_known)) paths.push_back(file.path);
  return paths;
}

TEST(FileMentions, ArePathsAndNamesWithAKnownExtension) {
  EXPECT_EQ(PathsIn("see src/a.rs, b.cc and ./c/d.xyz."),
            (std::vector<std::string>{"src/a.rs", "b.cc", "./c/d.xyz"}));
  EXPECT_EQ(PathsIn("the Makefile"), (std::vector<std::string>{"Makefile"}));
}

TEST(FileMentions, AreNotVersionsHostsOrMembers) {
  EXPECT_TRUE(PathsIn("v0.1, e.g. example.com, self.env and 1.5").empty());
  EXPECT_TRUE(PathsIn("*.rs and {a,b}.rs, .any()").empty());
}

TEST(FileMentions, AreNotInUrls) { EXPECT_TRUE(PathsIn("https://example.org/src/a.rs").empty()); }

TEST(FileMentions, MayBeKnownToTheRepository) {
  const IsKnownFile is_known = [](std::string_view name) { return name == "CHANGELOG"; };
  EXPECT_EQ(PathsIn("in CHANGELOG (L58)", is_known), (std::vector<std::string>{"CHANGELOG"}));
}

}  // namespace
}  // namespace sibyl::references
