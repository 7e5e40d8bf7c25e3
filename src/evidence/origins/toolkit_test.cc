// SPDX-License-Identifier: Apache-2.0
#include "evidence/origins/toolkit.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/files/temporary_folder.h"

namespace sibyl::evidence {
namespace {

namespace fs = std::filesystem;

class Toolkits : public testing::Test {
 protected:
  fs::path Install(const std::string& name, const std::string& header,
                   const std::string& headers = "include") {
    const fs::path folder = folder_.path() / name;
    fs::create_directories(folder / headers);
    std::ofstream(folder / headers / "cuda.h") << header;
    return folder;
  }

  TemporaryFolder folder_;
};

TEST(ToolkitOrigin, IsANameAndAVersion) {
  EXPECT_EQ(ToolkitOrigin({"cuda", "13.0"}), "toolkit:cuda@13.0");
  EXPECT_EQ(ParseToolkitOrigin("toolkit:cuda@13.0"), (Toolkit{"cuda", "13.0"}));
  EXPECT_EQ(ParseToolkitOrigin("toolkit:cuda"), (Toolkit{"cuda", ""}));
  EXPECT_FALSE(ParseToolkitOrigin("https://example.org"));
  EXPECT_EQ(MistakeOfToolkit({"cuda", "13.0"}), "");
  for (const Toolkit& wrong : {Toolkit{"rocm", "6.0"}, Toolkit{"cuda", ""}, Toolkit{"cuda", "../x"},
                               Toolkit{"cuda", "13."}, Toolkit{"cuda", "latest"}}) {
    EXPECT_NE(MistakeOfToolkit(wrong), "") << ToolkitOrigin(wrong);
  }
}

TEST_F(Toolkits, AreFoundByTheirVersion) {
  const fs::path old = Install("a", "#define CUDA_VERSION 12080\n");
  const fs::path wanted =
      Install("b", "// x\n#define CUDA_VERSION 13000\n", "targets/x86_64-linux/include");
  const auto found = FindToolkit({"cuda", "13.0"}, {folder_.path() / "none", old, wanted});
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->headers, wanted / "targets/x86_64-linux/include");
  EXPECT_EQ(FindToolkit({"cuda", ""}, {old, wanted})->toolkit.version, "12.8");
}

TEST_F(Toolkits, WhatIsInstalledInsteadIsSaid) {
  const fs::path old = Install("a", "#define CUDA_VERSION 12080\n");
  const fs::path broken = Install("b", "#define CUDA_VERSION what\n");
  const auto found = FindToolkit({"cuda", "13.0"}, {old, broken});
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().kind, ErrorKind::kNotFound);
  EXPECT_NE(found.error().hint.find("12.8 in "), std::string::npos) << found.error().hint;
  EXPECT_FALSE(FindToolkit({"cuda", ""}, {broken}).ok());
}

}  // namespace
}  // namespace sibyl::evidence
