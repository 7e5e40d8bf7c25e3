// SPDX-License-Identifier: Apache-2.0
#include "statement/atom.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

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

bool HasPath(const std::vector<Atom>& atoms) {
  return std::any_of(atoms.begin(), atoms.end(),
                     [](const Atom& atom) { return atom.kind == AtomKind::kPath; });
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

TEST(Atoms, HaveANameForEachKind) {
  EXPECT_EQ(AtomKindName(AtomKind::kIdentifier), "identifier");
  EXPECT_EQ(AtomKindName(AtomKind::kQualified), "qualified name");
  EXPECT_EQ(AtomKindName(AtomKind::kFlag), "flag");
  EXPECT_EQ(AtomKindName(AtomKind::kPath), "path");
  EXPECT_EQ(AtomKindName(AtomKind::kPackage), "package");
}

TEST(Atoms, OfPlainWordsAreNone) {
  for (const char* text : {"", "\n", "Plain words, nothing more.\n", "A_ is short and IO too.\n",
                           "See https://example.org/a_b/cudaMalloc and git@host:a/b.git.\n"}) {
    EXPECT_TRUE(AtomsOf(text).empty()) << text;
  }
}

TEST(Atoms, InCodeFontAreAnyName) {
  const std::vector<Atom> atoms = AtomsOf("Use `queue`, not queue.\n");
  ASSERT_EQ(atoms.size(), 1U);
  EXPECT_TRUE(atoms[0].in_code);
  EXPECT_FALSE(atoms[0].is_comment);
}

TEST(Atoms, KnowWhetherTheyAreInAComment) {
  const std::vector<Atom> atoms =
      AtomsOf("```cpp\n// cudaFree() is not called\ncudaMalloc(&p);\n```\n");
  ASSERT_NE(Find(atoms, "cudaFree"), nullptr);
  EXPECT_TRUE(Find(atoms, "cudaFree")->is_comment);
  EXPECT_FALSE(Find(atoms, "cudaMalloc")->is_comment);
}

TEST(Atoms, AVariableThatIsCalledOneOfTheEnvironmentIs) {
  EXPECT_EQ(Find(AtomsOf("Set the environment variable GADGET_LEVEL.\n"), "GADGET_LEVEL")->use,
            AtomUse::kEnvironment);
  EXPECT_EQ(Find(AtomsOf("Set the variable GADGET_LEVEL.\n"), "GADGET_LEVEL")->use,
            AtomUse::kMention);
}

TEST(Atoms, FlagsHaveThreeLettersOrMore) {
  const std::vector<Atom> atoms =
      AtomsOf("```sh\nnvcc -O3 -arch=sm_90 --use_fast_math -lineinfo- x-flag\n```\n");
  EXPECT_EQ(Find(atoms, "-O3"), nullptr);
  ASSERT_NE(Find(atoms, "-arch"), nullptr);
  EXPECT_EQ(Find(atoms, "-arch")->kind, AtomKind::kFlag);
  EXPECT_EQ(Find(atoms, "--use_fast_math")->tool, "nvcc");
  EXPECT_NE(Find(atoms, "-lineinfo"), nullptr) << "without the hyphen at its end";
  EXPECT_EQ(Find(atoms, "-flag"), nullptr) << "part of a word";
}

TEST(Atoms, FlagsInPlainProseAreNone) {
  EXPECT_TRUE(AtomsOf("Pass --use_fast_math to it.\n").empty());
  EXPECT_FALSE(AtomsOf("Pass `--use_fast_math` to it.\n").empty());
}

TEST(Atoms, PathsOfTheReadersMachineAreNone) {
  for (const char* text : {"`/usr/lib/libx.so`\n", "`~/notes/a.md`\n", "`${HOME}/a/b.md`\n"}) {
    EXPECT_FALSE(HasPath(AtomsOf(text))) << text;
  }
}

TEST(Atoms, FoldersArePathsInCodeFont) {
  const std::vector<Atom> atoms = AtomsOf("Look into `torch/csrc/` or `torch/`.\n");
  ASSERT_NE(Find(atoms, "torch/csrc/"), nullptr);
  EXPECT_EQ(Find(atoms, "torch/csrc/")->kind, AtomKind::kPath);
  EXPECT_EQ(Find(atoms, "torch/"), nullptr);
}

TEST(Atoms, AMemberOfAnObjectIsNoFile) {
  EXPECT_FALSE(HasPath(AtomsOf("`x.h` and `self.queue.py` and `queue.py()`\n")));
  EXPECT_TRUE(HasPath(AtomsOf("`cupti.h`\n")));
}

TEST(Atoms, BeyondALengthAreData) {
  const std::string long_name = "GADGET_" + std::string(300, 'A');
  EXPECT_TRUE(AtomsOf("`" + long_name + "`\n").empty());
  EXPECT_FALSE(HasPath(AtomsOf("`" + std::string(300, 'a') + "/b.py`\n")));
}

TEST(Atoms, PackagesEndWithTheCommand) {
  const std::vector<Atom> atoms =
      AtomsOf("```sh\npip3 install -U torch==2.1 numpy -r requirements.txt; echo done\n```\n");
  ASSERT_NE(Find(atoms, "torch"), nullptr);
  EXPECT_EQ(Find(atoms, "torch")->tool, "pip");
  EXPECT_NE(Find(atoms, "numpy"), nullptr);
  for (const Atom& atom : atoms) {
    EXPECT_FALSE(atom.kind == AtomKind::kPackage &&
                 (atom.text == "echo" || atom.text == "requirements.txt"))
        << atom.text;
  }
}

TEST(LanguageOf, IsReadFromTheInfoString) {
  const auto language = [](std::string info) {
    Statement statement;
    statement.kind = StatementKind::kCode;
    statement.info = std::move(info);
    return LanguageOf(statement);
  };
  EXPECT_EQ(language("bash"), CodeLanguage::kShell);
  EXPECT_EQ(language(" Console "), CodeLanguage::kShell);
  EXPECT_EQ(language("cmake"), CodeLanguage::kCMake);
  EXPECT_EQ(language("py"), CodeLanguage::kPython);
  EXPECT_EQ(language("C++ title=x"), CodeLanguage::kCpp);
  EXPECT_EQ(language("cuda{1,2}"), CodeLanguage::kCpp);
  EXPECT_EQ(language("Dockerfile"), CodeLanguage::kDockerfile);
  EXPECT_EQ(language("rust"), CodeLanguage::kOther);
  EXPECT_EQ(language(""), CodeLanguage::kNone);
  Statement prose;
  prose.info = "bash";
  EXPECT_EQ(LanguageOf(prose), CodeLanguage::kNone) << "not a block";
}

TEST(Atoms, APieceOfCodeThatIsAPathIsOneThing) {
  const auto atoms = AtomsOf("See `Samples/0_Introduction/vectorAdd` and `.ci/docker/build.sh`.\n");
  ASSERT_NE(Find(atoms, "Samples/0_Introduction/vectorAdd"), nullptr);
  EXPECT_EQ(Find(atoms, "Samples/0_Introduction/vectorAdd")->kind, AtomKind::kPath);
  ASSERT_NE(Find(atoms, ".ci/docker/build.sh"), nullptr);
}

TEST(Atoms, AnImageWithItsTagIsOneThing) {
  const auto atoms = AtomsOf("Start from `nvidia/cuda:99.9.0-runtime`.\n");
  ASSERT_NE(Find(atoms, "nvidia/cuda:99.9.0-runtime"), nullptr);
  EXPECT_EQ(Find(atoms, "nvidia/cuda:99.9.0-runtime")->kind, AtomKind::kPackage);
  EXPECT_EQ(atoms.size(), 1U);
}

TEST(Atoms, AFlagInProseHasTheProgramOfItsOwnPieceOfCode) {
  const auto atoms = AtomsOf("There is `--preset`, and `cmake --fresh`.\n");
  EXPECT_EQ(Find(atoms, "--preset")->tool, "");
  EXPECT_EQ(Find(atoms, "--fresh")->tool, "cmake");
}

TEST(Atoms, WhatFollowsALaunchedScriptIsTheScripts) {
  const auto atoms = AtomsOf("`torchrun --nnodes=2 train.py --epochs 3`\n");
  EXPECT_EQ(Find(atoms, "--nnodes")->tool, "torchrun");
  EXPECT_EQ(Find(atoms, "--epochs")->tool, "train.py");
}

}  // namespace
}  // namespace sibyl::statement
