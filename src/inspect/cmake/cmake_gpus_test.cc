// SPDX-License-Identifier: Apache-2.0
#include "inspect/cmake/cmake_gpus.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "field/field.h"
#include "inspect/cmake/cmake_check.h"

namespace sibyl::inspect {
namespace {

std::string CodesOfCache(std::string_view entries, const char* gpu, std::string_view driver = {}) {
  Artifact artifact{.path = "CMakeCache.txt"};
  InspectOptions options{.gpus = {*field::FindGpu(gpu)}};
  if (!driver.empty()) options.driver = field::ParseDriverVersion(driver);
  CheckCMakeGpus(ParseCMakeCache("# This is the CMakeCache file.\n" + std::string(entries)),
                 options, artifact);
  std::string codes;
  for (const Finding& finding : artifact.findings) {
    codes += finding.code + ":" + std::to_string(finding.place.line) + " ";
  }
  return codes;
}

TEST(CMakeGpus, TheArchitecturesMustHaveCodeForTheGpu) {
  const auto codes = [](std::string_view list, const char* gpu) {
    return CodesOfCache("CMAKE_CUDA_ARCHITECTURES:STRING=" + std::string(list) +
                            "\nCMAKE_CUDA_COMPILER:FILEPATH=/usr/local/cuda-13.0/bin/nvcc\n",
                        gpu, "580");
  };
  EXPECT_EQ(codes("80-real", "L4"), "");
  EXPECT_EQ(codes("80-real", "H100"), "cmake/arch-not-gpu:2 ");
  EXPECT_EQ(codes("80", "H100"), "");  // with PTX
  EXPECT_EQ(codes("80-virtual", "H100"), "");
  EXPECT_EQ(codes("75-real;90a-real", "H100"), "");
  EXPECT_EQ(codes("90", "A100"), "cmake/arch-not-gpu:2 ");
  // What is built depends on the machine or the compiler.
  for (const char* list : {"native", "all-major", ""}) {
    EXPECT_EQ(codes(list, "A100"), "cmake/gpu-not-compared:2 ") << list;
  }
}

// Issue 22: with a driver, and without a known toolkit, it was not said what the architectures fit.
TEST(CMakeGpus, TheArchitecturesAreComparedEvenIfTheToolkitIsUnknown) {
  const auto compared = [](const char* driver) {
    Artifact artifact{.path = "CMakeCache.txt"};
    InspectOptions options{.gpus = {*field::FindGpu("B200")}};
    if (*driver != '\0') options.driver = field::ParseDriverVersion(driver);
    CheckCMakeGpus(
        ParseCMakeCache("# This is the CMakeCache file.\nCMAKE_CUDA_ARCHITECTURES:STRING=80;90\n"),
        options, artifact);
    return artifact.detail["compared"].dump();
  };
  EXPECT_EQ(compared(""), R"(["B200 (sm_100): CMAKE_CUDA_ARCHITECTURES 80;90 runs on it"])");
  EXPECT_EQ(compared("580.65.06"), compared("")) << "the driver is a finding";
}

TEST(CMakeGpus, TheToolkitMustCompileForTheArchitectures) {
  const auto codes = [](const char* list) {
    return CodesOfCache(
        "CMAKE_CUDA_COMPILER:FILEPATH=/usr/local/cuda-13.0/bin/nvcc\n"
        "CMAKE_CUDA_ARCHITECTURES:STRING=" +
            std::string(list) + "\n",
        "L4", "580");
  };
  EXPECT_EQ(codes("70-real;89-real"), "cmake/arch-unsupported:3 ");
  EXPECT_EQ(codes("75;89-real"), "");
}

// Without CMake's own list PyTorch's decides, and flags are compiled too.
TEST(CMakeGpus, ListsOfPyTorchAndFlagsAreRead) {
  const auto codes = [](std::string_view entries, const char* gpu) {
    return CodesOfCache("CMAKE_CUDA_COMPILER:FILEPATH=/usr/local/cuda-12.4/bin/nvcc\n" +
                            std::string(entries) + "\n",
                        gpu);
  };
  EXPECT_EQ(codes("TORCH_CUDA_ARCH_LIST:STRING=8.0", "H100"), "cmake/arch-not-gpu:3 ");
  EXPECT_EQ(codes("TORCH_CUDA_ARCH_LIST:STRING=7.5 8.0+PTX", "H100"), "");
  EXPECT_EQ(codes("TORCH_CUDA_ARCH_LIST:STRING=Hopper", "H100"), "cmake/gpu-not-compared:0 ");
  EXPECT_EQ(codes("TORCH_CUDA_ARCH_LIST:STRING=8.0\nCMAKE_CUDA_ARCHITECTURES:STRING=90", "H100"),
            "");
  EXPECT_EQ(codes("TORCH_CUDA_ARCH_LIST:STRING=8.0\nCMAKE_CUDA_ARCHITECTURES:STRING=OFF", "A100"),
            "");
  EXPECT_EQ(
      codes("CMAKE_CUDA_ARCHITECTURES:STRING=80\nCMAKE_CUDA_FLAGS:STRING=-O3 -arch=sm_35", "A100"),
      "cmake/arch-unsupported:4 ");
  EXPECT_EQ(codes("CMAKE_CUDA_ARCHITECTURES:STRING=80\n"
                  "CUDA_NVCC_FLAGS:STRING=-gencode arch=compute_120,code=[sm_120,compute_120]",
                  "A100"),
            "cmake/arch-unsupported:4 ");
}

TEST(CMakeGpus, AToolkitIsKnownByItsFiles) {
  TemporaryFolder folder;
  const auto toolkit = [&](const char* name, const char* version) {
    std::filesystem::path root = folder.path() / name;
    std::filesystem::create_directories(root / "bin");
    const std::string json = R"({"cuda":{"version":")" + std::string(version) + R"("}})";
    EXPECT_TRUE(WriteFileAtomically(root / "version.json", json).ok());
    return root;
  };
  const std::filesystem::path root = toolkit("cuda", "12.6.3");
  EXPECT_EQ(ToolkitAt(root.string()), (field::CudaVersion{12, 6}));
  EXPECT_EQ(ToolkitAt((root / "bin" / "nvcc").string()), (field::CudaVersion{12, 6}));
  EXPECT_EQ(ToolkitAt("/usr/bin/nvcc"), std::nullopt);
  EXPECT_EQ(ToolkitAt("/usr/local/cuda-12.4/bin/nvcc"), (field::CudaVersion{12, 4}));
  EXPECT_EQ(ToolkitAt((folder.path() / "none").string()), std::nullopt);
}

TEST(CMakeGpus, TheDriverMustBeNewEnoughForTheToolkit) {
  const std::string_view cache = "CMAKE_CUDA_COMPILER:FILEPATH=/usr/local/cuda-13.0/bin/nvcc\n";
  EXPECT_EQ(CodesOfCache(cache, "L4", "535"), "cmake/driver-too-old:2 cmake/gpu-not-compared:0 ");
  EXPECT_EQ(CodesOfCache(cache, "L4", "580.65.06"), "cmake/gpu-not-compared:0 ");
  EXPECT_EQ(CodesOfCache("CMAKE_CUDA_COMPILER:FILEPATH=/usr/bin/nvcc\n", "L4", "535"),
            "cmake/driver-not-compared:2 cmake/gpu-not-compared:0 ")
      << "silence would be taken for new enough";
  EXPECT_EQ(CodesOfCache(cache, "V100", "590.44.01"),
            "cmake/driver-not-gpu:0 cmake/gpu-not-compared:0 ");
}

// Issue 23: minor version compatibility does not cover PTX.
TEST(CMakeGpus, PtxNeedsTheDriverOfItsRelease) {
  const auto codes = [](std::string_view list, const char* driver) {
    return CodesOfCache("CMAKE_CUDA_ARCHITECTURES:STRING=" + std::string(list) +
                            "\nCMAKE_CUDA_COMPILER:FILEPATH=/usr/local/cuda-12.4/bin/nvcc\n",
                        "H100", driver);
  };
  EXPECT_EQ(codes("80-virtual", "535"), "cmake/driver-too-old:2 ");
  EXPECT_EQ(codes("80-virtual", "550.54.14"), "");
  EXPECT_EQ(codes("80-virtual;90-real", "535"), "");
}

// Issue 23: only the GPU that fails was mentioned.
TEST(CMakeGpus, EveryGpuHasItsVerdict) {
  Artifact artifact{.path = "CMakeCache.txt"};
  CheckCMakeGpus(ParseCMakeCache("# This is the CMakeCache file.\n"
                                 "CMAKE_CUDA_ARCHITECTURES:STRING=80-real\n"),
                 {.gpus = {*field::FindGpu("A100"), *field::FindGpu("H100")}}, artifact);
  ASSERT_EQ(artifact.detail["compared"].size(), 2U);
  EXPECT_EQ(artifact.detail["compared"][0],
            "A100 (sm_80): CMAKE_CUDA_ARCHITECTURES 80-real runs on it");
  EXPECT_EQ(artifact.detail["compared"][1], "H100 (sm_90): does not run, see cmake/arch-not-gpu");
}

}  // namespace
}  // namespace sibyl::inspect
