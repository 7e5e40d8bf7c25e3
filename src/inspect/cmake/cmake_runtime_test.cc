// SPDX-License-Identifier: Apache-2.0
#include "inspect/cmake/cmake_runtime.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl::inspect {
namespace {

// The line of the finding; 0 if there is none.
std::size_t MixedAt(const std::string& lines) {
  Artifact artifact{.path = "CMakeCache.txt"};
  CheckCMakeRuntime(ParseCMakeCache(lines), artifact);
  if (artifact.findings.empty()) return 0;
  EXPECT_EQ(artifact.findings.size(), 1U);
  EXPECT_EQ(artifact.findings[0].code, "cmake/cudart-mixed");
  return artifact.findings[0].place.line;
}

// Issue 23: a build with both runtimes was not found.
TEST(CMakeRuntime, TheStaticAndTheSharedOneAreInOneBuild) {
  const std::string is_static = "CMAKE_CUDA_RUNTIME_LIBRARY:STRING=Static\n";
  const std::string is_shared = "CMAKE_CUDA_RUNTIME_LIBRARY:STRING=Shared\n";
  const std::string links = "k_LIB_DEPENDS:STATIC=general;/usr/local/cuda/lib64/libcudart.so;\n";
  EXPECT_EQ(MixedAt(is_static + links), 2U);
  EXPECT_EQ(MixedAt(links + is_static), 1U);
  EXPECT_EQ(MixedAt(is_shared + "CMAKE_EXE_LINKER_FLAGS:STRING=-lcudart_static\n"), 2U);
  EXPECT_EQ(MixedAt(is_shared + "CUDA_USE_STATIC_CUDA_RUNTIME:BOOL=ON\n"), 2U);
  EXPECT_EQ(MixedAt("CUDA_USE_STATIC_CUDA_RUNTIME:BOOL=ON\n"
                    "CMAKE_CUDA_FLAGS:STRING=-O3 -cudart shared\n"),
            2U);
  EXPECT_EQ(MixedAt(is_shared + "CUDA_CUDART_LIBRARY:FILEPATH=/cuda/lib64/libcudart_static.a\n"),
            2U);
}

TEST(CMakeRuntime, ThatBothWereFoundIsNoMistake) {
  const std::string found =
      "CUDA_CUDART:FILEPATH=/cuda/lib64/libcudart.so\n"
      "CUDA_cudart_LIBRARY:FILEPATH=/cuda/lib64/libcudart.so\n"
      "CUDA_cudart_static_LIBRARY:FILEPATH=/cuda/lib64/libcudart_static.a\n";
  EXPECT_EQ(MixedAt(found), 0U);
  EXPECT_EQ(MixedAt(found + "CMAKE_CUDA_RUNTIME_LIBRARY:STRING=Static\n"), 0U);
  EXPECT_EQ(MixedAt(found + "k_LIB_DEPENDS:STATIC=general;/cuda/lib64/libcudart.so;\n"), 0U);
}

}  // namespace
}  // namespace sibyl::inspect
