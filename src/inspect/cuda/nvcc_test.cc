// SPDX-License-Identifier: Apache-2.0
// Compares with the real compiler, where it is installed: we must find what nvcc was asked for.
// Skipped, with the reason, on other machines.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/process/subprocess.h"
#include "inspect/cuda/code_content.h"
#include "inspect/cuda/code_summary.h"
#include "inspect/cuda/unpack.h"

namespace sibyl::inspect {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKernels = R"(
template <int N> __global__ void stencil(const float* a, float* b) {
  __shared__ float s[N]; s[threadIdx.x % N] = a[threadIdx.x]; __syncthreads();
  b[threadIdx.x] = s[(threadIdx.x + 1) % N];
}
template __global__ void stencil<128>(const float*, float*);
extern "C" __global__ void __launch_bounds__(96) indexed(int* out, int n) {
  int local[100]; for (int i = 0; i < n; i++) local[(i * 7) % 100] = i; out[0] = local[n % 100];
}
)";

class Nvcc : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* place : {"nvcc", "/usr/local/cuda/bin/nvcc"}) {
      if (const auto found = FindProgram(place)) nvcc_ = found->string();
    }
    if (nvcc_.empty()) GTEST_SKIP() << "nvcc is not installed";
    folder_.emplace();
    source_ = folder_->path() / "kernels.cu";
    ASSERT_TRUE(WriteFileAtomically(source_, kKernels).ok());
  }

  Outcome Run(std::vector<std::string> arguments) {
    const Result<Outcome> outcome = RunProgram({.program = nvcc_,
                                                .arguments = std::move(arguments),
                                                .folder = folder_->path(),
                                                .limits = {.time = std::chrono::minutes(4)}});
    EXPECT_TRUE(outcome.ok() && outcome->succeeded()) << (outcome.ok() ? outcome->errors : "");
    return outcome.ok() ? *outcome : Outcome{};
  }

  std::string Compile(std::vector<std::string> flags) {
    const fs::path object = folder_->path() / "out";
    flags.insert(flags.end(), {"-o", object.string(), source_.string()});
    Run(std::move(flags));
    const Result<std::string> bytes = ReadFile(object);
    return bytes.ok() ? *bytes : std::string();
  }

  static std::map<std::string, std::size_t> Labels(const DeviceCode& code) {
    std::map<std::string, std::size_t> labels;
    for (const ImageGroup& group : GroupImages(code)) labels[GroupLabel(group)] += group.count;
    return labels;
  }

  std::string nvcc_;
  fs::path source_;
  std::optional<TemporaryFolder> folder_;
};

using LabelCounts = std::map<std::string, std::size_t>;

TEST_F(Nvcc, EverySuffixIsRead) {
  const DeviceCode code = ReadDeviceCode(
      Compile({"-c", "-gencode", "arch=compute_75,code=[sm_75,compute_75]", "-gencode",
               "arch=compute_90a,code=sm_90a", "-gencode", "arch=compute_100f,code=sm_100f",
               "-gencode", "arch=compute_120,code=sm_120"}));
  EXPECT_EQ(
      Labels(code),
      (LabelCounts{{"compute_75", 1}, {"sm_75", 1}, {"sm_90a", 1}, {"sm_100f", 1}, {"sm_120", 1}}));
  EXPECT_EQ(code.containers.size(), 1U);
  for (const CodeImage& image : code.images) EXPECT_EQ(image.has_code, HasCode::kYes);
}

TEST_F(Nvcc, EveryCompressionModeDecodes) {
  for (const char* mode : {"size", "speed", "balance", "none"}) {
    const std::string bytes =
        Compile({"-c", "-arch=sm_80", std::string("--compress-mode=") + mode});
    const DeviceCode code = ReadDeviceCode(bytes);
    EXPECT_EQ(Labels(code), (LabelCounts{{"compute_80", 1}, {"sm_80", 1}})) << mode;
    Unpacker unpacker;
    for (const CodeImage& image : code.images) {
      const auto unpacked = unpacker.Unpack(PayloadOf(bytes, image), image.compression, 1 << 24);
      EXPECT_TRUE(unpacked.is_sound) << mode;
      EXPECT_GE(unpacked.bytes.size(), 100U) << mode;
      if (image.kind == ImageKind::kPtx) {
        EXPECT_NE(unpacked.bytes.find(".target sm_80"), std::string_view::npos) << mode;
      }
    }
  }
}

TEST_F(Nvcc, RelocatableCodeIsToldFromExecutable) {
  const DeviceCode code = ReadDeviceCode(Compile({"-dc", "-arch=sm_90"}));
  ASSERT_FALSE(code.empty());
  EXPECT_EQ(code.regions[code.images[0].region].role, CodeRole::kRelocatable);
}

TEST_F(Nvcc, LinkTimeCodeIsListed) {
  const DeviceCode code =
      ReadDeviceCode(Compile({"-dc", "-gencode", "arch=compute_90,code=lto_90"}));
  EXPECT_EQ(Labels(code), (LabelCounts{{"lto_90", 1}}));
}

TEST_F(Nvcc, TheShortFlagForLinkTimeCodeAddsPtx) {
  const DeviceCode code = ReadDeviceCode(Compile({"-dc", "-dlto", "-arch=sm_90"}));
  EXPECT_EQ(Labels(code), (LabelCounts{{"compute_90", 1}, {"lto_90", 1}}));
}

TEST_F(Nvcc, ALinkedProgramHoldsAShellThatDoesNotCount) {
  Run({"-c", "-arch=sm_90", "-o", (folder_->path() / "k.o").string(), source_.string()});
  const fs::path library = folder_->path() / "k.so";
  Run({"-shared", "-o", library.string(), (folder_->path() / "k.o").string()});
  const std::string bytes = *ReadFile(library);
  const DeviceCode code = ReadDeviceCode(bytes);
  EXPECT_EQ(Labels(code)["sm_75"], 1U) << "the device linker's default architecture";
  EXPECT_EQ(Judge(code, *field::FindGpu("H200")).runs, Runs::kNative);
  EXPECT_EQ(Judge(code, *field::FindGpu("T4")).runs, Runs::kNot);
}

// `--quick` once skipped the driver's verdict, because it did not know the toolkit.
TEST_F(Nvcc, AFewCubinsTellTheToolkitWhereNotAllAreDecoded) {
  const DeviceCode all = ReadDeviceCode(Compile({"-c", "-arch=sm_90"}));
  const DeviceCode quick =
      ReadDeviceCode(Compile({"-c", "-arch=sm_90"}), {.depth = CodeDepth::kSections});
  ASSERT_EQ(all.origins.size(), 2U);
  EXPECT_EQ(quick.sampled_origin, all.origins[1]);
  EXPECT_EQ(quick.origins.size(), 1U);
}

TEST_F(Nvcc, KernelsAreWhatPtxasSays) {
  for (const char* arch : {"sm_75", "sm_90", "sm_100a", "sm_120"}) {
    const std::string cubin = Compile({"-cubin", std::string("-arch=") + arch});
    Budget budget(cubin.size());
    std::vector<Kernel> kernels = ReadKernels(cubin, budget);
    ASSERT_EQ(kernels.size(), 2U) << arch;
    std::ranges::sort(kernels, {}, &Kernel::name);
    EXPECT_EQ(kernels[0].name, "indexed");
    EXPECT_EQ(kernels[0].stack_bytes, 400U) << arch;
    EXPECT_EQ(kernels[0].max_threads, 96U) << arch;
    EXPECT_EQ(kernels[0].parameter_bytes, 12U) << arch;
    EXPECT_GT(kernels[0].registers.value_or(0), 4U) << arch;
    EXPECT_EQ(kernels[1].name, "void stencil<128>(float const*, float*)");
    EXPECT_EQ(kernels[1].shared_bytes, 512U) << arch;
    const std::optional<Cubin> about = ReadCubin(cubin);
    ASSERT_TRUE(about.has_value());
    EXPECT_EQ(about->origin.tool, "ptxas");
    EXPECT_TRUE(about->origin.version.find('.') != std::string::npos) << about->origin.version;
    EXPECT_EQ(about->architecture.suffix, std::string_view(arch).ends_with('a') ? 'a' : '\0');
  }
}

// Counts of `cuobjdump --list-elf`, which calls sm_100f sm_100.
TEST_F(Nvcc, CountsAreThoseOfCuobjdump) {
  const auto cuobjdump = FindProgram("cuobjdump");
  if (!cuobjdump) GTEST_SKIP() << "cuobjdump is not installed";
  const fs::path object = folder_->path() / "all.o";
  Run({"-c", "-arch=all-major", "-o", object.string(), source_.string()});
  const Result<Outcome> listed =
      RunProgram({.program = cuobjdump->string(), .arguments = {"--list-elf", object.string()}});
  ASSERT_TRUE(listed.ok());
  LabelCounts theirs;
  for (std::size_t at = 0; (at = listed->output.find(".sm_", at)) != std::string::npos; ++at) {
    const std::size_t end = listed->output.find(".cubin", at);
    ++theirs[listed->output.substr(at + 1, end - at - 1)];
  }
  LabelCounts ours = Labels(ReadDeviceCode(*ReadFile(object)));
  std::erase_if(ours, [](const auto& entry) { return !entry.first.starts_with("sm_"); });
  EXPECT_EQ(ours, theirs);
}

}  // namespace
}  // namespace sibyl::inspect
