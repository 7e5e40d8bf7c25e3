// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/verdict.h"

#include <gtest/gtest.h>

#include "inspect/cuda/code_summary.h"
#include "inspect/cuda/test_code.h"

namespace sibyl::inspect {
namespace {

SampleEntry Cubin(std::uint32_t number, SampleCode code = SampleCode::kKernel,
                  std::uint64_t suffix = 0) {
  return {.number = number, .flags = 0x11 | suffix, .payload = MakeCubin(number, code)};
}
constexpr std::uint64_t kA = 0x100000;
constexpr std::uint64_t kF = 0x200000;

SampleEntry Ptx(std::uint32_t number, std::uint16_t major, std::uint16_t minor) {
  return {.kind = 1, .number = number, .payload = "ptx", .major = major, .minor = minor};
}

DeviceCode CodeOf(const std::vector<std::vector<SampleEntry>>& containers) {
  static std::string bytes;  // the code borrows nothing, but its payloads are read while it is made
  bytes.clear();
  for (const std::vector<SampleEntry>& container : containers) bytes += MakeFatbin(container);
  return ReadDeviceCode(MakeElf({.sections = {{.name = ".nv_fatbin", .content = bytes}}}));
}

GpuVerdict On(const DeviceCode& code, std::string_view gpu, const VerdictOptions& options = {}) {
  return Judge(code, *FindGpu(gpu), options);
}

TEST(Verdict, KnowsTheRulesOfBinaryCompatibility) {
  // cubin, GPU, runs: as measured on an H200 and as documented in NVIDIA's guide.
  EXPECT_TRUE(CubinFits({80, '\0'}, 86));
  EXPECT_FALSE(CubinFits({86, '\0'}, 80));
  EXPECT_FALSE(CubinFits({80, '\0'}, 90));
  EXPECT_TRUE(CubinFits({90, 'a'}, 90));
  EXPECT_FALSE(CubinFits({100, 'a'}, 103));
  EXPECT_TRUE(CubinFits({100, 'f'}, 103));
  EXPECT_FALSE(CubinFits({100, 'f'}, 90));
  EXPECT_FALSE(CubinFits({100, 'f'}, 120));
  EXPECT_TRUE(PtxFits({75, '\0'}, 90));
  EXPECT_TRUE(PtxFits({90, 'a'}, 90));
  EXPECT_FALSE(PtxFits({90, 'a'}, 100));
  EXPECT_FALSE(PtxFits({100, 'f'}, 90));
}

TEST(Verdict, HasANameAndWords) {
  EXPECT_EQ(RunsName(Runs::kJit), "jit");
  EXPECT_EQ(RunsInWords("jit"), "runs, compiled by the driver at startup");
  EXPECT_EQ(RunsInWords(RunsName(Runs::kNot)), "does not run");
}

TEST(Verdict, TakesTheNearestCubinAndCountsWhoTakesWhat) {
  const DeviceCode code = CodeOf({{Cubin(80), Cubin(86)}, {Cubin(80)}, {Cubin(80), Cubin(86)}});
  const GpuVerdict verdict = On(code, "RTX 3090");
  EXPECT_EQ(verdict.runs, Runs::kNative);
  EXPECT_EQ(verdict.taken.at("sm_86"), 2U);
  EXPECT_EQ(verdict.taken.at("sm_80"), 1U);
  EXPECT_EQ(verdict.error, std::nullopt);
}

TEST(Verdict, FallsBackToPtxIfTheDriverKnowsIt) {
  const DeviceCode code = CodeOf({{Cubin(80), Ptx(80, 9, 0)}});
  EXPECT_EQ(On(code, "H200").runs, Runs::kJit);
  EXPECT_EQ(On(code, "H200", {.driver = ParseDriverVersion("580.95.05")}).runs, Runs::kJit);
  const GpuVerdict old = On(code, "H200", {.driver = ParseDriverVersion("575.57.08")});
  EXPECT_EQ(old.runs, Runs::kNot);
  EXPECT_EQ(old.error, 222);
  EXPECT_NE(old.why.find("PTX 9.0, which needs a driver with CUDA 13.0"), std::string::npos);
}

TEST(Verdict, NamesTheErrorThatTheUserWouldSee) {
  const DeviceCode code = CodeOf({{Cubin(100, SampleCode::kKernel, kF)}});
  const GpuVerdict verdict = On(code, "H200");
  EXPECT_EQ(verdict.runs, Runs::kNot);
  EXPECT_EQ(verdict.error, 209);
  const GpuVerdict driver =
      On(code, "B200", {.driver = ParseDriverVersion("570.26"), .runtime_major = 13});
  EXPECT_EQ(driver.error, 35);
}

TEST(Verdict, IgnoresShellsThatTheDeviceLinkerLeaves) {
  const DeviceCode code = CodeOf({{Cubin(90)}, {Cubin(75, SampleCode::kNone)}});
  EXPECT_EQ(On(code, "T4").runs, Runs::kNot);
  EXPECT_EQ(On(code, "H200").runs, Runs::kNative);
  EXPECT_EQ(On(code, "H200").containers, 1U);
}

TEST(Verdict, TakesAnEmptyCubinForTheGpuAsMeantSo) {
  const DeviceCode code =
      CodeOf({{Cubin(90)}, {Cubin(90, SampleCode::kNone), Cubin(120), Ptx(120, 9, 0)}});
  const GpuVerdict verdict = On(code, "H200");
  EXPECT_EQ(verdict.runs, Runs::kNative);
  EXPECT_EQ(verdict.empty, 1U);
}

TEST(Verdict, SaysWhenOnlySomeContainersRun) {
  const DeviceCode code = CodeOf({{Cubin(90)}, {Cubin(120, SampleCode::kKernel, kF)}});
  const GpuVerdict verdict = On(code, "H200");
  EXPECT_EQ(verdict.runs, Runs::kPartly);
  EXPECT_EQ(verdict.none, 1U);
  EXPECT_NE(verdict.why.find("sm_120f"), std::string::npos);
}

TEST(Verdict, KnowsWhichDriversKnowTheGpu) {
  const DeviceCode code = CodeOf({{Cubin(70), Cubin(100)}});
  EXPECT_EQ(On(code, "V100", {.driver = ParseDriverVersion("580.95.05")}).runs, Runs::kNative);
  EXPECT_EQ(On(code, "V100", {.driver = ParseDriverVersion("590.44.01")}).runs, Runs::kNot);
  EXPECT_EQ(On(code, "B200", {.driver = ParseDriverVersion("535.54.03")}).runs, Runs::kNot);
}

TEST(Gpu, IsFoundByNameNumberOrArchitecture) {
  EXPECT_EQ(FindGpu("h200")->number, 90U);
  EXPECT_EQ(FindGpu("NVIDIA GeForce RTX 4090")->number, 89U);
  EXPECT_EQ(FindGpu("Tesla T4")->number, 75U);
  EXPECT_EQ(FindGpu("sm_103")->number, 103U);
  EXPECT_EQ(FindGpu("12.0")->number, 120U);
  EXPECT_FALSE(FindGpu("sm_90a").ok());
  EXPECT_NE(FindGpu("H20O").error().message.find("did you mean"), std::string::npos);
}

TEST(Gpu, ComparesDriversAsFarAsTheyWereSaid) {
  EXPECT_EQ(*CudaOfDriver(*ParseDriverVersion("580.65")), (CudaVersion{13, 0}));
  EXPECT_EQ(*CudaOfDriver(*ParseDriverVersion("580")), (CudaVersion{13, 0}));
  EXPECT_EQ(*CudaOfDriver(*ParseDriverVersion("580.64")), (CudaVersion{12, 9}));
  EXPECT_EQ(*CudaOfDriver(*ParseDriverVersion("R525")), (CudaVersion{12, 0}));
  EXPECT_FALSE(ParseDriverVersion("new").has_value());
}

TEST(Prune, CountsWhatNoGpuOfTheListTakes) {
  const DeviceCode code = CodeOf({{Cubin(80), Cubin(86), Cubin(90), Ptx(90, 9, 0)}, {Cubin(80)}});
  std::vector<GpuTarget> gpus{*FindGpu("A100"), *FindGpu("H100")};
  std::uint64_t unneeded = 0;
  for (const PruneGroup& group : PruneReport(code, gpus)) {
    const bool is_taken = group.label == "sm_80" || group.label == "sm_90";
    EXPECT_EQ(group.unneeded, is_taken ? 0U : 1U) << group.label;
    unneeded += group.unneeded_bytes;
  }
  EXPECT_EQ(unneeded, code.images[1].stored_bytes + code.images[3].stored_bytes);
}

TEST(Prune, KeepsTheCubinThatANewerMinorFallsBackTo) {
  // Dropping sm_80 because no A100 is in the list has broken sm_86 in practice.
  const DeviceCode code = CodeOf({{Cubin(80)}, {Cubin(80), Cubin(86)}});
  const std::vector<GpuTarget> gpus{*FindGpu("A10")};
  for (const PruneGroup& group : PruneReport(code, gpus)) {
    if (group.label == "sm_80") {
      EXPECT_EQ(group.kept, 1U);
      EXPECT_EQ(group.unneeded, 1U);
    }
  }
}

TEST(Compare, ListsOnlyWhatDiffers) {
  const DeviceCode before = CodeOf({{Cubin(80), Cubin(90)}});
  const DeviceCode after = CodeOf({{Cubin(80), Cubin(90, SampleCode::kKernel, kA)}});
  const std::vector<ImageChange> changes = CompareCode(before, after);
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].label, "sm_90");
  EXPECT_EQ(changes[0].count_after, 0U);
  EXPECT_EQ(changes[1].label, "sm_90a");
}

}  // namespace
}  // namespace sibyl::inspect
