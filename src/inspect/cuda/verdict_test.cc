// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/verdict.h"

#include <gtest/gtest.h>

#include "inspect/cuda/code_summary.h"
#include "inspect/cuda/describe_code.h"
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
  return Judge(code, *field::FindGpu(gpu), options);
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
  EXPECT_EQ(verdict.why, "2 of 3 units of device code use sm_86, 1 uses sm_80");
}

TEST(Verdict, ContainersForOtherGpusAreInformation) {
  const GpuVerdict verdict = On(CodeOf({{Cubin(80)}, {Cubin(80)}, {Cubin(120)}}), "RTX 4090");
  EXPECT_EQ(RunsInWords(RunsName(verdict.runs)), "runs");
  EXPECT_EQ(verdict.why, "2 of 3 units of device code use sm_80; 1 is for other GPUs (sm_120)");
}

TEST(Verdict, FallsBackToPtxIfTheDriverKnowsIt) {
  const DeviceCode code = CodeOf({{Cubin(80), Ptx(80, 9, 0)}});
  EXPECT_EQ(On(code, "H200").runs, Runs::kJit);
  EXPECT_EQ(On(code, "H200", {.driver = field::ParseDriverVersion("580.95.05")}).runs, Runs::kJit);
  const GpuVerdict old = On(code, "H200", {.driver = field::ParseDriverVersion("575.57.08")});
  EXPECT_EQ(old.runs, Runs::kNot);
  EXPECT_EQ(old.error, 222);
  EXPECT_NE(old.why.find("PTX 9.0, which needs a driver with CUDA 13.0"), std::string::npos);
}

TEST(Verdict, SaysWhichPtxThereIsWhereThereIsNothingElse) {
  EXPECT_EQ(On(CodeOf({{Ptx(90, 8, 0)}}), "L4").why,
            "its device code has no image for sm_89; available: compute_90");
}

TEST(Verdict, NamesTheErrorThatTheUserWouldSee) {
  const DeviceCode code = CodeOf({{Cubin(100, SampleCode::kKernel, kF)}});
  const GpuVerdict verdict = On(code, "H200");
  EXPECT_EQ(verdict.runs, Runs::kNot);
  EXPECT_EQ(verdict.error, 209);
  const GpuVerdict driver =
      On(code, "B200", {.driver = field::ParseDriverVersion("570.26"), .runtime_major = 13});
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
  EXPECT_EQ(On(code, "V100", {.driver = field::ParseDriverVersion("580.95.05")}).runs,
            Runs::kNative);
  EXPECT_EQ(On(code, "V100", {.driver = field::ParseDriverVersion("590.44.01")}).runs, Runs::kNot);
  EXPECT_EQ(On(code, "B200", {.driver = field::ParseDriverVersion("535.54.03")}).runs, Runs::kNot);
}

TEST(Verdict, RefusesTheProgramsOfAnotherProcessor) {
  const DeviceCode code = CodeOf({{Cubin(80), Cubin(100)}});
  const GpuVerdict verdict = On(code, "GB200", {.machine = "x86_64"});
  EXPECT_EQ(verdict.runs, Runs::kNot);
  EXPECT_EQ(verdict.why, "it was built for x86_64, and GB200 is only in aarch64 machines");
  EXPECT_EQ(On(code, "GB200", {.machine = "aarch64"}).runs, Runs::kNative);
  EXPECT_EQ(On(code, "GB200", {.machine = "cuda"}).runs, Runs::kNative);
  EXPECT_EQ(On(code, "B200", {.machine = "x86_64"}).runs, Runs::kNative);
  EXPECT_EQ(On(code, "Orin", {.machine = "x86_64"}).runs, Runs::kNot);
  // Issue 23: a library for another processor was to be built for the GPU.
  EXPECT_TRUE(On(CodeOf({{Cubin(100)}}), "Orin", {.machine = "x86_64"})
                  .why.starts_with("it was built for x86_64, and Jetson Orin is only in aarch64 "
                                   "machines; and its device code has no image for sm_87"));
  // A file without CUDA is not judged.
  EXPECT_EQ(On({}, "Orin", {.machine = "x86_64"}).runs, Runs::kNoCode);
}

TEST(Verdict, JudgesTheDriverOfTheRuntimeItself) {
  const CudaLink link{.major = 13, .library = "libcudart.so.13", .is_own = true};
  const GpuVerdict verdict =
      On({}, "L4", {.driver = field::ParseDriverVersion("535"), .runtime_major = 13, .link = link});
  EXPECT_EQ(verdict.runs, Runs::kNot);
  EXPECT_EQ(verdict.error, 35);
  EXPECT_EQ(
      On({}, "L4", {.driver = field::ParseDriverVersion("580"), .runtime_major = 13, .link = link})
          .runs,
      Runs::kNoCode);
  const auto major_of = [](ElfDynamic dynamic) {
    Artifact artifact;
    artifact.dynamic = std::move(dynamic);
    return FindCudaLink(artifact).major;
  };
  EXPECT_EQ(major_of({.soname = "libcudart.so.13"}), 13U);
  EXPECT_EQ(major_of({.soname = "libx.so", .needed = {"libc.so.6", "libcudart.so.13"}}), 13U);
  EXPECT_EQ(major_of({.soname = "libcufft.so.11"}), 12U);
  EXPECT_EQ(major_of({.needed = {"libcublas.so.12"}}), 12U);
  EXPECT_EQ(major_of({.needed = {"libcupti.so.11.8"}}), 11U);
  EXPECT_EQ(major_of({.needed = {"libcusparse.so.12"}}), 0U);  // of CUDA 12 and 13
  EXPECT_EQ(major_of({.needed = {"libc.so.6"}}), 0U);
}

// Issue 23: a host library was answered with "nothing to run".
TEST(Verdict, SaysWhatALibraryWithoutDeviceCodeNeeds) {
  const auto why = [](std::vector<std::string> needed, const char* driver) {
    Artifact artifact;
    artifact.dynamic.needed = std::move(needed);
    DescribeCode({.gpus = {*field::FindGpu("L4")}, .driver = field::ParseDriverVersion(driver)},
                 artifact);
    return artifact.verdicts.at(0).why;
  };
  EXPECT_EQ(why({"libc10.so", "libcudart.so.13"}, "580.82"),
            "linked with libcudart.so.13: CUDA 13.x needs driver 580.65.06 or newer; 580.82 is "
            "enough");
  EXPECT_EQ(why({"libcudart.so.13"}, "535"), "CUDA 13.x needs driver 580.65.06 or newer, not 535");
  EXPECT_EQ(why({"libcuda.so.1"}, "535"),
            "it calls the driver (libcuda.so.1), and does not say which version it needs");
  EXPECT_EQ(why({"libtorch_cuda.so"}, "535"),
            "it is linked with libtorch_cuda.so, which decides: inspect that library");
  EXPECT_EQ(why({"libc.so.6"}, "535"), "it names no CUDA library that it needs");
  EXPECT_EQ(RunsInWords("no-code"), "no device code of its own");
}

// What is linked with CUDA 13 needs its driver on any GPU.
TEST(Verdict, OfADriverAloneIsThatOfTheCudaRelease) {
  const auto describe = [](const char* driver) {
    Artifact artifact;
    artifact.dynamic.needed = {"libcudart.so.13"};
    DescribeCode({.driver = field::ParseDriverVersion(driver)}, artifact);
    return artifact;
  };
  const Artifact old = describe("535");
  ASSERT_EQ(old.findings.size(), 1U);
  EXPECT_EQ(old.findings[0].message,
            "does not run on any GPU: CUDA 13.x needs driver 580.65.06 or newer, not 535");
  const Artifact enough = describe("580.82");
  EXPECT_TRUE(enough.findings.empty());
  EXPECT_EQ(enough.detail["compared"].size(), 1U);
}

// An update of the driver does not help where there is no image.
TEST(Verdict, NamesTheArchitectureBeforeTheDriver) {
  const DeviceCode code = CodeOf({{Cubin(90)}});
  const GpuVerdict verdict =
      Judge(code, *field::FindGpu("L4"),
            {.driver = field::ParseDriverVersion("535"), .runtime_major = 13});
  EXPECT_EQ(verdict.runs, Runs::kNot);
  EXPECT_EQ(verdict.error, 209);
  EXPECT_EQ(verdict.why,
            "its device code has no image for sm_89; available: sm_90; and CUDA 13.x needs "
            "driver 580.65.06 or newer, not 535");
  EXPECT_EQ(Judge(code, *field::FindGpu("H100"),
                  {.driver = field::ParseDriverVersion("535"), .runtime_major = 13})
                .why,
            "CUDA 13.x needs driver 580.65.06 or newer, not 535");
}

// Issue 23: LTO-IR was said not to run.
TEST(Verdict, LtoIrIsForTheLinker) {
  const SampleEntry lto{.kind = 8, .number = 90, .payload = "\xed\x43\x4e\x7f"};
  const GpuVerdict verdict = On(CodeOf({{lto}}), "H100");
  EXPECT_EQ(verdict.runs, Runs::kNoCode);
  EXPECT_EQ(verdict.why, "it has LTO-IR, which is compiled for the GPU when it is linked");
  EXPECT_EQ(On(CodeOf({{lto, Cubin(90)}}), "H100").runs, Runs::kNative);
}

TEST(Verdict, TakesPtxThatTheLibraryLoadsItselfAsJit) {
  const auto hidden = [](const SampleEntry& entry) {
    return ReadDeviceCode(
        MakeElf({.sections = {{.name = ".rodata", .content = MakeFatbin({entry})}}}));
  };
  EXPECT_EQ(On(hidden(Ptx(75, 8, 0)), "H200").runs, Runs::kJit);
  EXPECT_EQ(On(hidden(Cubin(90)), "H200").runs, Runs::kNative);
}

TEST(Verdict, SaysWhatToDo) {
  const auto finding = [](const DeviceCode& code, const char* needed, const char* gpu,
                          const char* driver) {
    Artifact artifact;
    artifact.code = code;
    artifact.dynamic.needed = {needed};
    DescribeCode({.gpus = {*field::FindGpu(gpu)}, .driver = field::ParseDriverVersion(driver)},
                 artifact);
    return artifact.findings.empty() ? Finding{} : artifact.findings.back();
  };
  const DeviceCode code = CodeOf({{Cubin(90)}, {Cubin(120)}});
  EXPECT_EQ(finding(code, "libcudart.so.13", "H100", "580").code, "");  // information only
  EXPECT_NE(finding(code, "libcudart.so.13", "H100", "535")
                .hint.find("; on H100, installing cuda-compat-13-0 may be enough"),
            std::string::npos);
  EXPECT_EQ(finding(code, "libcudart.so.13", "V100", "580").hint,
            "CUDA 13 does not compile for sm_70: use a build of CUDA 12.9 or older");
  EXPECT_EQ(
      finding(code, "libcudart.so.13", "V100", "590.44").hint,
      "CUDA 13 does not compile for sm_70: use a build of CUDA 12.9 or older, and use a driver "
      "of branch 580");
  EXPECT_EQ(finding(code, "libcudart.so.12", "V100", "580").hint,
            "build with -gencode arch=compute_70,code=sm_70");
  const DeviceCode some = CodeOf({{Cubin(90)}, {Cubin(80), Ptx(80, 9, 0)}});
  EXPECT_EQ(finding(some, "libcudart.so.12", "H100", "570.26").code, "gpu/runs-partly");
  EXPECT_EQ(finding(some, "libcudart.so.12", "H100", "570.26").message,
            "runs on H100: all but 1 of 2 units of device code, which has only PTX 9.0 for sm_90, "
            "which needs a driver with CUDA 13.0");
  EXPECT_EQ(finding(code, "libcudart.so.13", "5090", "535").hint,
            "update the driver, or use a build for an older CUDA");
}

TEST(Prune, CountsWhatNoGpuOfTheListTakes) {
  const DeviceCode code = CodeOf({{Cubin(80), Cubin(86), Cubin(90), Ptx(90, 9, 0)}, {Cubin(80)}});
  std::vector<field::GpuTarget> gpus{*field::FindGpu("A100"), *field::FindGpu("H100")};
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
  const std::vector<field::GpuTarget> gpus{*field::FindGpu("A10")};
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

// Issue 23: machine code of a desktop GPU does not run on Orin, nor the other way round.
TEST(Verdict, MachineCodeIsNotSharedWithTegra) {
  EXPECT_FALSE(CubinFits({.number = 86}, 87));
  EXPECT_FALSE(CubinFits({.number = 80}, 87));
  EXPECT_FALSE(CubinFits({.number = 87}, 89));
  EXPECT_FALSE(CubinFits({.number = 70}, 72));
  EXPECT_FALSE(CubinFits({.number = 72}, 75));
  EXPECT_TRUE(CubinFits({.number = 87}, 87));
  EXPECT_TRUE(CubinFits({.number = 86}, 89));
  EXPECT_TRUE(PtxFits({.number = 86}, 87));
  EXPECT_TRUE(PtxFits({.number = 87}, 89));
}

}  // namespace
}  // namespace sibyl::inspect
