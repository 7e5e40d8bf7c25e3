// SPDX-License-Identifier: Apache-2.0
#include "statement/atom.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

namespace sibyl::statement {
namespace {

std::vector<Atom> AtomsOf(std::string_view markdown) {
  std::vector<Atom> atoms;
  const Result<Statements> statements = ReadStatements(markdown);
  if (!statements.ok()) return atoms;
  for (const Statement& statement : statements->all) {
    for (Atom& atom : ExtractAtoms(statement)) atoms.push_back(std::move(atom));
  }
  return atoms;
}

const Atom* Find(const std::vector<Atom>& atoms, std::string_view text) {
  const auto found =
      std::find_if(atoms.begin(), atoms.end(), [&](const Atom& atom) { return atom.text == text; });
  return found == atoms.end() ? nullptr : &*found;
}

TEST(Atoms, InProseAreNamesThatLookLikeCode) {
  const std::vector<Atom> atoms =
      AtomsOf("Set TORCH_CUDA_ARCH_LIST and call cudaMalloc or at::native::add; see `Foo`.\n");
  EXPECT_NE(Find(atoms, "TORCH_CUDA_ARCH_LIST"), nullptr);
  EXPECT_NE(Find(atoms, "cudaMalloc"), nullptr);
  ASSERT_NE(Find(atoms, "at::native::add"), nullptr);
  EXPECT_EQ(Find(atoms, "at::native::add")->kind, AtomKind::kQualified);
  EXPECT_NE(Find(atoms, "Foo"), nullptr);
  EXPECT_EQ(atoms.size(), 4U);
}

TEST(Atoms, KnowHowTheyAreUsed) {
  const std::vector<Atom> atoms = AtomsOf(
      "```bash\nexport USE_A=1\ncmake -DUSE_B=ON \\\n  --fresh ..\nUSE_C=0 python setup.py\n```\n"
      "```cmake\nset(USE_D ON)\nfoo_call(x)\n```\n`USE_E=OFF`\n");
  EXPECT_EQ(Find(atoms, "USE_A")->use, AtomUse::kEnvironment);
  EXPECT_EQ(Find(atoms, "USE_B")->use, AtomUse::kSetting);
  EXPECT_EQ(Find(atoms, "USE_B")->tool, "cmake");
  EXPECT_EQ(Find(atoms, "--fresh")->tool, "cmake");
  EXPECT_EQ(Find(atoms, "USE_C")->use, AtomUse::kEnvironment);
  EXPECT_EQ(Find(atoms, "USE_D")->use, AtomUse::kDefinition);
  EXPECT_EQ(Find(atoms, "foo_call")->use, AtomUse::kCall);
  ASSERT_NE(Find(atoms, "USE_E"), nullptr);
}

TEST(Atoms, TakeThePathNotItsPieces) {
  const std::vector<Atom> atoms = AtomsOf(
      "From `torch/csrc/Module.cpp` and cmake/public/cuda.cmake, not /usr/lib/x.so or "
      "https://a.org/b/c.py; `setup.py`.\n");
  EXPECT_EQ(Find(atoms, "torch/csrc/Module.cpp")->kind, AtomKind::kPath);
  EXPECT_EQ(Find(atoms, "cmake/public/cuda.cmake")->kind, AtomKind::kPath);
  EXPECT_EQ(Find(atoms, "setup.py")->kind, AtomKind::kPath);
  EXPECT_EQ(atoms.size(), 3U);
}

TEST(Atoms, NameTheToolOfAFlagThroughPythonAndContinuedLines) {
  const std::vector<Atom> atoms = AtomsOf(
      "```sh\npython -m torch.distributed.run --nnodes 2 train.py\nnvcc a.cu \\\n  "
      "-gencode arch=compute_90,code=sm_90\n```\n");
  EXPECT_EQ(Find(atoms, "--nnodes")->tool, "torch.distributed.run");
  EXPECT_EQ(Find(atoms, "-gencode")->tool, "nvcc");
}

TEST(Atoms, ListWhatAnInstallerIsAskedFor) {
  const std::vector<Atom> atoms =
      AtomsOf("```sh\napt-get install -y cuda-cupti-12-4 libcupti-dev && rm -r x\n```\n");
  EXPECT_EQ(Find(atoms, "cuda-cupti-12-4")->kind, AtomKind::kPackage);
  EXPECT_EQ(Find(atoms, "libcupti-dev")->tool, "apt");
}

TEST(OwnNames, AreWhatTheCodeOfATextMakes) {
  const Result<Statements> statements = ReadStatements(
      "```cpp\n#define CUDA_CHECK(x) x\nnamespace cg = cooperative_groups;\n"
      "__global__ void scale(float* a);\n```\n"
      "```python\nimport torch.nn.functional as F\nfrom torch import nn\ndef go(): pass\n```\n");
  const OwnNames own = CollectOwnNames(*statements);
  EXPECT_TRUE(own.names.contains("CUDA_CHECK"));
  EXPECT_TRUE(own.names.contains("scale"));
  EXPECT_TRUE(own.names.contains("go"));
  EXPECT_EQ(own.aliases.at("F"), "torch.nn.functional");
  EXPECT_EQ(own.aliases.at("nn"), "torch.nn");
  EXPECT_EQ(own.aliases.at("cg"), "cooperative_groups");
}

TEST(Atoms, StandWhereTheySayWhateverTheBytes) {
  EXPECT_TRUE(rc::check("text at the offset is the atom", [](const std::string& text) {
    for (const std::string& markdown : {text, "```sh\n" + text + "\n```\n", "`" + text + "`"}) {
      const Result<Statements> statements = ReadStatements(markdown);
      RC_PRE(statements.ok());
      for (const Statement& statement : statements->all) {
        for (const Atom& atom : ExtractAtoms(statement)) {
          RC_ASSERT(statement.text.substr(atom.offset, atom.text.size()) == atom.text);
        }
      }
    }
  }));
}

}  // namespace
}  // namespace sibyl::statement
