// SPDX-License-Identifier: Apache-2.0
#include "inspect/cmake/cmake_settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/files/temporary_folder.h"
#include "inspect/cmake/cmake_check.h"

namespace sibyl::inspect {
namespace {

using Found = std::vector<std::string>;

Found SettingsIn(const std::string& lines) {
  Artifact artifact{.path = "CMakeCache.txt"};
  CheckCMakeSettings(ParseCMakeCache(lines), artifact);
  Found found;
  for (const Finding& finding : artifact.findings) {
    found.push_back(finding.code.substr(6) + ":" + std::to_string(finding.place.line));
  }
  return found;
}

const char kNvcc[] = "CMAKE_CUDA_COMPILER:FILEPATH=/usr/local/cuda-12.4/bin/nvcc\n";

TEST(CMakeSettings, WithoutACompilerNothingIsBuiltForTheGpu) {
  EXPECT_EQ(SettingsIn("CMAKE_CUDA_COMPILER:FILEPATH=CMAKE_CUDA_COMPILER-NOTFOUND\n"),
            Found{"toolkit-missing:1"});
  EXPECT_EQ(SettingsIn("CUDA_npps_LIBRARY:FILEPATH=CUDA_npps_LIBRARY-NOTFOUND\n"), Found{});
}

TEST(CMakeSettings, CudaIsSwitchedOffByMistake) {
  EXPECT_EQ(SettingsIn(std::string(kNvcc) + "GGML_CUDA:BOOL=OFF\n"), Found{"cuda-off:2"});
  EXPECT_EQ(SettingsIn(std::string(kNvcc) + "GGML_CUDA:BOOL=ON\nGGML_CUDA_F16:BOOL=OFF\n"),
            Found{});
  EXPECT_EQ(SettingsIn("WITH_CUDA:BOOL=OFF\n"), Found{});
}

TEST(CMakeSettings, NvccRefusesNewerHostCompilersAndStandards) {
  EXPECT_EQ(SettingsIn(std::string(kNvcc) + "CMAKE_CXX_COMPILER:FILEPATH=/usr/bin/g++-14\n"),
            Found{"host-compiler:2"});
  EXPECT_EQ(SettingsIn(std::string(kNvcc) + "CMAKE_CXX_COMPILER:FILEPATH=/usr/bin/g++-14\n"
                                            "CMAKE_CUDA_HOST_COMPILER:FILEPATH=/usr/bin/g++-12\n"),
            Found{});
  EXPECT_EQ(SettingsIn(std::string(kNvcc) + "CMAKE_CXX_COMPILER:FILEPATH=/usr/bin/c++\n"), Found{});
  EXPECT_EQ(SettingsIn("CMAKE_CUDA_COMPILER:FILEPATH=/usr/local/cuda-11.8/bin/nvcc\n"
                       "CMAKE_CUDA_STANDARD:STRING=20\n"),
            Found{"cuda-standard:2"});
  EXPECT_EQ(SettingsIn(std::string(kNvcc) + "CMAKE_CUDA_STANDARD:STRING=20\n"), Found{});
}

// Issue 23: what every release accepts has a receipt.
TEST(CMakeSettings, AHostCompilerThatTheTableRefusesIsAnError) {
  const auto severity = [](const std::string& lines) {
    Artifact artifact{.path = "CMakeCache.txt"};
    CheckCMakeSettings(ParseCMakeCache(lines), artifact);
    return artifact.findings.empty() ? Severity::kNote : artifact.findings[0].severity;
  };
  const std::string host = "CMAKE_CUDA_HOST_COMPILER:FILEPATH=/usr/bin/g++-14\n";
  EXPECT_EQ(severity(kNvcc + host), Severity::kError);
  EXPECT_EQ(severity(kNvcc + host + "CMAKE_CUDA_FLAGS:STRING=-allow-unsupported-compiler\n"),
            Severity::kNote);
}

TEST(CMakeSettings, CodeThatIsNotOptimised) {
  EXPECT_EQ(SettingsIn(std::string(kNvcc) + "CMAKE_BUILD_TYPE:STRING=\n"), Found{"build-type:2"});
  EXPECT_EQ(SettingsIn(std::string(kNvcc) + "CMAKE_BUILD_TYPE:STRING=Debug\n"),
            Found{"build-type:2"});
  EXPECT_EQ(SettingsIn(std::string(kNvcc) + "CMAKE_BUILD_TYPE:STRING=Release\n"), Found{});
  EXPECT_EQ(SettingsIn("CMAKE_BUILD_TYPE:STRING=Debug\n"), Found{});
  EXPECT_EQ(SettingsIn(std::string(kNvcc) + "CMAKE_CUDA_FLAGS:STRING=-O3 -G\n"),
            Found{"device-debug:2"});
  EXPECT_EQ(SettingsIn(std::string(kNvcc) + "CMAKE_CUDA_FLAGS:STRING=-lineinfo -Xcompiler -Og\n"),
            Found{});
  EXPECT_EQ(SettingsIn(std::string(kNvcc) + "CMAKE_CUDA_ARCHITECTURES:STRING=52\n"),
            Found{"arch-default:2"});
}

TEST(CMakeSettings, LibrariesOfAnotherToolkit) {
  EXPECT_EQ(SettingsIn(std::string(kNvcc) +
                       "CUDA_cublas_LIBRARY:FILEPATH=/usr/local/cuda-11.8/lib64/libcublas.so\n"),
            Found{"version-disagreement:2"});
  EXPECT_EQ(SettingsIn("CMAKE_CUDA_COMPILER:FILEPATH=/usr/bin/nvcc\n"
                       "CUDAToolkit_INCLUDE_DIR:PATH=/usr/local/cuda-12.4/include\n"),
            Found{"version-disagreement:1"});
  // Issue 23: one mistake, and a finding for every library.
  EXPECT_EQ(SettingsIn(std::string(kNvcc) +
                       "CUDA_cublas_LIBRARY:FILEPATH=/usr/local/cuda-13.0/lib64/libcublas.so\n"
                       "CUDA_cufft_LIBRARY:FILEPATH=/usr/local/cuda-13.0/lib64/libcufft.so\n"),
            Found{"version-disagreement:2"});
  EXPECT_EQ(SettingsIn(std::string(kNvcc) +
                       "CUDA_cublas_LIBRARY:FILEPATH=/usr/local/cuda-12.4/lib64/libcublas.so\n"
                       "X_LIBRARY:FILEPATH=/usr/local/cuda/lib64/libx.so\n"),
            Found{});
}

// Of a cache that somebody pasted, this machine's toolkit says nothing.
TEST(CMakeSettings, APastedCacheIsNotJudgedByThisMachine) {
  const TemporaryFolder folder;
  Artifact artifact{.path = "CMakeCache.txt"};
  const CMakeCache cache = ParseCMakeCache(
      "CMAKE_CUDA_COMPILER:FILEPATH=/usr/local/cuda-12.4/bin/nvcc\n"
      "CUDAToolkit_ROOT:PATH=/usr/local/cuda\nX_LIBRARY:FILEPATH=/nowhere/libx.so\n");
  EXPECT_FALSE(IsMadeHere(cache, folder.path()));
  CheckCMakeCache(cache, {.folder = folder.path()}, artifact);
  ASSERT_EQ(artifact.findings.size(), 1U);
  EXPECT_EQ(artifact.findings[0].code, "cmake/elsewhere");
}

}  // namespace
}  // namespace sibyl::inspect
