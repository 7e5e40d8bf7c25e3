// SPDX-License-Identifier: Apache-2.0
#include "inspect/cmake/cmake_check.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "inspect/cuda/test_code.h"

namespace sibyl::inspect {
namespace {

namespace fs = std::filesystem;

class CMakeCheck : public testing::Test {
 protected:
  Artifact Check(const std::string& lines, bool in_place = true) {
    std::string text = "# This is the CMakeCache file.\n";
    if (in_place) {
      text += "CMAKE_CACHEFILE_DIR:INTERNAL=" + folder_.path().string() + "\n";
      text += "CMAKE_COMMAND:INTERNAL=/bin/sh\n";
    }
    Artifact artifact{.path = "CMakeCache.txt"};
    CheckCMakeCache(ParseCMakeCache(text + lines), {.folder = folder_.path()}, artifact);
    return artifact;
  }
  static std::vector<std::string> Codes(const Artifact& artifact) {
    std::vector<std::string> codes;
    for (const Finding& finding : artifact.findings) codes.push_back(finding.code);
    return codes;
  }
  fs::path Write(const std::string& name, std::string_view bytes) {
    const fs::path path = folder_.path() / name;
    EXPECT_TRUE(CreateFolders(path.parent_path()).ok());
    EXPECT_TRUE(WriteFileAtomically(path, bytes).ok());
    return path;
  }
  using Found = std::vector<std::string>;
  TemporaryFolder folder_;
};

TEST(CMakeCache, ReadsWhatCMakeWrites) {
  const CMakeCache cache = ParseCMakeCache(
      "# For build in directory: /home/me/build\n//help\nA:BOOL=ON\n\"B:c\":STRING=x=y\n"
      "A-ADVANCED:INTERNAL=1\nC:FILEPATH=C-NOTFOUND\nD:UNINITIALIZED=' 80 '\r\nnonsense\n");
  EXPECT_EQ(cache.build_folder, "/home/me/build");
  ASSERT_EQ(cache.entries.size(), 4U);
  EXPECT_TRUE(cache.IsOn("A"));
  EXPECT_EQ(cache.Value("B:c"), "x=y");
  EXPECT_TRUE(cache.Find("C")->IsNotFound());
  EXPECT_EQ(cache.Value("C"), "");
  EXPECT_EQ(cache.Value("D"), " 80 ");
  EXPECT_EQ(cache.Find("D")->line, 7U);
  EXPECT_EQ(cache.bad_lines, 1U);
}

TEST_F(CMakeCheck, AHeaderWithoutItsLibraryIsAnError) {
  const Artifact artifact =
      Check("CUPTI_INCLUDE_DIR:PATH=/\nCUDA_cupti_LIBRARY:FILEPATH=CUDA_cupti_LIBRARY-NOTFOUND\n");
  ASSERT_EQ(Codes(artifact), Found{"cmake/half-found"});
  EXPECT_EQ(artifact.findings[0].severity, Severity::kError);
  EXPECT_EQ(artifact.findings[0].place.line, 5U);
  EXPECT_NE(artifact.findings[0].message.find("without CUDA activities"), std::string::npos);
}

TEST_F(CMakeCheck, APairThatIsSwitchedOffIsOnlyNoted) {
  const Artifact artifact = Check(
      "NCCL_INCLUDE_DIR:PATH=/\nNCCL_LIBRARY:FILEPATH=NOTFOUND\n"
      "USE_NCCL:BOOL=OFF\n");
  ASSERT_EQ(Codes(artifact), Found{"cmake/half-found"});
  EXPECT_EQ(artifact.findings[0].severity, Severity::kNote);
}

TEST_F(CMakeCheck, AHealthyCacheWithManySearchesThatFailedIsQuiet) {
  std::string lines =
      "CUDAToolkit_CUPTI_INCLUDE_DIR:PATH=/\nCUDA_cupti_LIBRARY:FILEPATH=/bin/sh\n"
      "CMAKE_INSTALL_PREFIX:PATH=/nowhere/yet\n"
      "CUDA_cuda_driver_LIBRARY:FILEPATH=/usr/lib/stubs/libcuda.so\n";
  for (int i = 0; i < 47; ++i) {
    const std::string name = "CUDA_npp" + std::to_string(i) + "_LIBRARY";
    lines += name + ":FILEPATH=" + name + "-NOTFOUND\n";
  }
  // The stub is named but does not exist here, which is reported.
  EXPECT_EQ(Codes(Check(lines)), Found{"cmake/stale-path"});
}

TEST_F(CMakeCheck, DanglingLinksAreToldFromStalePaths) {
  fs::create_symlink("/nowhere/libx.so.1", folder_.path() / "libx.so");
  const Artifact artifact = Check("X_LIB:FILEPATH=" + (folder_.path() / "libx.so").string() +
                                  "\nY_LIB:FILEPATH=/nowhere/liby.so\n");
  EXPECT_EQ(Codes(artifact), (Found{"cmake/dangling-link", "cmake/stale-path"}));
}

TEST_F(CMakeCheck, ACacheFromElsewhereIsNotHeldAgainstThisDisk) {
  const Artifact artifact = Check(
      "CMAKE_CACHEFILE_DIR:INTERNAL=/build/in/a/container\nX_LIB:FILEPATH=/opt/gone.so\n", false);
  EXPECT_EQ(Codes(artifact), Found{"cmake/elsewhere"});
  EXPECT_EQ(artifact.findings[0].severity, Severity::kNote);
}

// A caller who may not read everywhere could otherwise ask which files there are.
TEST_F(CMakeCheck, NamedFilesAreNotLookedAtForACallerWithLimits) {
  Write("toolkit/version.json", R"({"cuda": {"version": "12.6.0"}})");
  const std::string toolkit = (folder_.path() / "toolkit").string();
  const auto found = [&](const std::string& lines) {
    Artifact artifact{.path = "CMakeCache.txt"};
    CheckCMakeCache(ParseCMakeCache(lines), {.folder = folder_.path(), .reads_named_files = false},
                    artifact);
    return Codes(artifact);
  };
  EXPECT_EQ(found("CUDAToolkit_ROOT:PATH=/nowhere\nCMAKE_COMMAND:INTERNAL=/nowhere/cmake\n"),
            Found{});
  EXPECT_EQ(found("CUDAToolkit_ROOT:PATH=" + toolkit +
                  "\nCMAKE_CUDA_COMPILER:FILEPATH=/usr/local/cuda-12.4/bin/nvcc\n"),
            Found{});
}

TEST_F(CMakeCheck, StubsOnARunPathAreAnError) {
  EXPECT_EQ(Codes(Check("CMAKE_INSTALL_RPATH:STRING=/usr/local/cuda/lib64/stubs\n")),
            Found{"cmake/stub-as-driver"});
}

TEST_F(CMakeCheck, VersionsOfCompilerAndHeadersMustAgree) {
  Write("CMakeFiles/3.25.1/CMakeCUDACompiler.cmake",
        "set(CMAKE_CUDA_COMPILER_VERSION \"13.0.88\")\n");
  Write("include/cuda.h", "#define CUDA_VERSION 12080\n");
  const Artifact artifact =
      Check("CUDA_TOOLKIT_INCLUDE:PATH=" + (folder_.path() / "include").string() + "\n");
  ASSERT_EQ(Codes(artifact), Found{"cmake/version-disagreement"});
  EXPECT_NE(artifact.findings[0].message.find("CUDA 13.0"), std::string::npos);
  EXPECT_NE(artifact.findings[0].message.find("CUDA 12.8"), std::string::npos);
}

TEST_F(CMakeCheck, ArchitecturesAskedForMustBeInWhatWasBuilt) {
  Write("lib/libk.so",
        MakeElf({.sections = {
                     {.name = ".nv_fatbin",
                      .content = MakeFatbin(
                          {{.number = 80, .payload = MakeCubin(80, SampleCode::kKernel)}})}}}));
  EXPECT_EQ(Codes(Check("CMAKE_CUDA_ARCHITECTURES:UNINITIALIZED=80-real;90-virtual\n")), Found{});
  const Artifact artifact = Check("CMAKE_CUDA_ARCHITECTURES:UNINITIALIZED=80;90a\n");
  ASSERT_EQ(Codes(artifact), Found{"cmake/architectures"});
  EXPECT_NE(artifact.findings[0].message.find("requests sm_90a"), std::string::npos);
  EXPECT_EQ(Codes(Check("TORCH_CUDA_ARCH_LIST:STRING=8.0+PTX\n"
                        "CMAKE_CUDA_ARCHITECTURES:STRING=OFF\n")),
            Found{});
  EXPECT_EQ(Codes(Check("CMAKE_CUDA_ARCHITECTURES:STRING=native\n")), Found{});
}

TEST_F(CMakeCheck, PyTorchsSwitchesSayWhatTheyMean) {
  const Artifact artifact = Check(
      "CMAKE_PROJECT_NAME:STATIC=Torch\nUSE_CUDA:BOOL=ON\nLIBKINETO_NOCUPTI:BOOL=ON\n"
      "USE_NCCL:BOOL=OFF\nUSE_KINETO:BOOL=ON\n");
  EXPECT_EQ(Codes(artifact), (Found{"torch/switch", "torch/switch"}));
  EXPECT_NE(artifact.findings[0].message.find("without CUPTI"), std::string::npos);
  EXPECT_EQ(Codes(Check("CMAKE_PROJECT_NAME:STATIC=Other\nUSE_CUDA:BOOL=OFF\n")), Found{});
}

TEST_F(CMakeCheck, NeitherPipesNorLinksOutOfTheBuildFolderAreRead) {
  TemporaryFolder outside;
  ASSERT_TRUE(WriteFileAtomically(outside.path() / "CMakeCUDACompiler.cmake",
                                  "set(CMAKE_CUDA_COMPILER_VERSION \"13.0.88\")\n")
                  .ok());
  fs::create_directory(folder_.path() / "CMakeFiles");
  fs::create_directory_symlink(outside.path(), folder_.path() / "CMakeFiles/3.25");
  const fs::path pipe = folder_.path() / "libpipe.so";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const Artifact artifact =
      Check("A:FILEPATH=" + pipe.string() + "\nCMAKE_CXX_COMPILER:FILEPATH=" + pipe.string() +
            "\nCMAKE_CUDA_ARCHITECTURES:STRING=90\n");
  EXPECT_EQ(Codes(artifact), Found{});
  EXPECT_EQ(FindFact(artifact, "cmake", "cuda_compiler_version"), nullptr);
}

TEST_F(CMakeCheck, ToolkitAndCompilerOfTwoReleasesAreAnErrorAlsoInAMovedCache) {
  const Artifact artifact = Check(
      "CMAKE_CUDA_COMPILER:FILEPATH=/usr/local/cuda-12.4/bin/nvcc\n"
      "CUDAToolkit_ROOT:PATH=/usr/local/cuda-13.0\n"
      "CUDAToolkit_BIN_DIR:PATH=/usr/local/cuda-13.0/bin\n",
      false);
  ASSERT_EQ(Codes(artifact), (Found{"cmake/version-disagreement", "cmake/elsewhere"}));
  EXPECT_EQ(artifact.findings[0].message,
            "CMAKE_CUDA_COMPILER is in CUDA 12.4, CUDAToolkit_ROOT, CUDAToolkit_BIN_DIR in CUDA "
            "13.0");
}

}  // namespace
}  // namespace sibyl::inspect
