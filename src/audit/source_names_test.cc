// SPDX-License-Identifier: Apache-2.0
#include "audit/source_names.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

using List = std::vector<std::string>;

TEST(SourceNames, AReadmeNamesItsProjectInItsTitle) {
  EXPECT_EQ(NamesInReadme("# CUDA Samples\n\ntext\n"), List{"CUDA Samples"});
  EXPECT_EQ(NamesInReadme("CMake\n*****\n"), List{"CMake"});
  EXPECT_EQ(NamesInReadme("# Overview\n\n# CUTLASS 4.7.0\n"), (List{"Overview", "CUTLASS"}));
  EXPECT_EQ(NamesInReadme("![PyTorch Logo](x.png)\n\nPyTorch is a package\n").front(), "PyTorch");
  EXPECT_EQ(NamesInReadme("# NVIDIA Deep Learning Examples for Tensor Cores\n"),
            List{"Deep Learning Examples"});
}

TEST(SourceNames, BuildFilesNameTheProjectAndItsPackage) {
  EXPECT_EQ(NamesInCMake("cmake_minimum_required(VERSION 3.27)\nproject(Torch CXX C)\n"),
            List{"Torch"});
  EXPECT_EQ(NamesInCMake("project(${name})\n"), List{});
  EXPECT_EQ(NamesInSetup("Extension(name=\"amp_C\")\nsetup(\n  name=\"apex\",\n)\n"), List{"apex"});
  EXPECT_EQ(NamesInSetup("setup(name=NAME)\n"), List{});
  EXPECT_EQ(NamesInToml("[build-system]\nname = \"no\"\n[project]\nname = \"torch\"\n"),
            List{"torch"});
  EXPECT_EQ(NamesInToml("[package]\nname = \"ripgrep\"\n"), List{"ripgrep"});
  EXPECT_EQ(NamesInPackageJson("{\"name\": \"@scope/tool\"}"), List{"tool"});
}

TEST(SourceNames, AForkIsKnownByTheNameOfItsRepository) {
  EXPECT_EQ(NamesInOrigin("https://github.com/ROCm/pytorch.git"), List{"pytorch"});
  EXPECT_EQ(NamesInOrigin("git@github.com:NVIDIA/apex"), List{"apex"});
}

TEST(SourceNames, ASourceIsKnownWhateverItsLocalNameIs) {
  const TestWitness sources({{.name = "src-a",
                              .files = {{"README.md", "# PyTorch\n"},
                                        {"CMakeLists.txt", "project(Torch)\n"},
                                        {"pyproject.toml", "[project]\nname = \"torch\"\n"},
                                        {"functorch/__init__.py", "x = 1\n"},
                                        {"tools/__init__.py", "x = 1\n"}},
                              .origin = "https://example.org/ROCm/pytorch",
                              .known_as = {"the framework"}}});
  for (const char* name : {"PyTorch", "torch", "functorch", "src-a", "The Framework"}) {
    EXPECT_TRUE((*sources).IsKnownAs(0, name)) << name;
  }
  EXPECT_FALSE((*sources).IsKnownAs(0, "tools")) << "every project has tools";
}

TEST(SourceNames, APackagesNameCountsAsAWholeWordOnly) {
  const FoldedText text("Start it with torchrun, as Transformer Engine does");
  EXPECT_FALSE(text.Names({.folded = "torch"}));
  EXPECT_TRUE(text.Names({.folded = "transformerengine"}));
  EXPECT_TRUE(FoldedText("see torch.compile").Names({.folded = "torch"}));
  EXPECT_TRUE(FoldedText("the PyTorch2 build").Names({.folded = "pytorch", .is_project = true}));
  EXPECT_FALSE(FoldedText("abc").Names({.folded = "abc", .is_project = true})) << "too short";
}

}  // namespace
}  // namespace sibyl::audit
