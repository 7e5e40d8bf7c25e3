// SPDX-License-Identifier: Apache-2.0
#include "inspect/machine/diagnosis.h"

#include <gtest/gtest.h>

#include <map>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "inspect/rules.h"

namespace sibyl::inspect {
namespace {

namespace fs = std::filesystem;

class Doctor : public testing::Test {
 protected:
  void Write(const std::string& name, std::string_view bytes = "") {
    const fs::path path = root_.path() / name;
    ASSERT_TRUE(CreateFolders(path.parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(path, bytes).ok());
  }
  void Toolkit13(const std::string& path = "usr/local/cuda-13.0") {
    Write(path + "/include/cuda.h", "#define CUDA_VERSION 13000\n");
    Write(path + "/bin/nvcc");
    Write(path + "/include/cupti.h");
  }
  void Driver(const std::string& version) {
    Write("proc/driver/nvidia/version",
          "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  " + version +
              "  Release Build  (x@)\nGCC version: gcc 15.3.0\n");
  }
  Machine Look() {
    return InspectMachine({.root = root_.path(),
                           .environment = [this](const char* name) -> std::optional<std::string> {
                             const auto found = environment_.find(name);
                             if (found == environment_.end()) return std::nullopt;
                             return found->second;
                           },
                           .nvml = [this] { return nvml_; },
                           .loader_cache = [this] { return loader_cache_; }});
  }
  std::vector<std::string> Codes() {
    std::vector<std::string> codes;
    for (const Finding& finding : Diagnose(Look())) {
      codes.push_back(finding.code);
      bool is_listed = false;
      for (const Rule& rule : MachineRules()) {
        is_listed = is_listed || rule.code == finding.code;
      }
      EXPECT_TRUE(is_listed) << finding.code;
    }
    return codes;
  }
  using Found = std::vector<std::string>;

  TemporaryFolder root_;
  std::map<std::string, std::string> environment_;
  NvmlReport nvml_;
  std::string loader_cache_;
};

TEST_F(Doctor, AMachineWithoutGpuIsNotSick) {
  EXPECT_EQ(Codes(), Found{"machine/no-gpu"});
  EXPECT_FALSE(AnswerCupti(Look()).is_needed);
}

TEST_F(Doctor, SaysWhyNoCudaProgramCanRun) {
  EXPECT_EQ(WhyNoGpu(Look())->code, "machine/no-gpu");
  // A Jetson, and WSL: a device and a library, but no module named nvidia.
  Write("dev/nvhost-gpu");
  Write("usr/lib/aarch64-linux-gnu/libcuda.so.1");
  EXPECT_FALSE(WhyNoGpu(Look()));
  EXPECT_EQ(Codes(), Found{});
}

TEST_F(Doctor, AGpuThatTheDriverShowsIsEnough) {
  nvml_ = {.state = NvmlReport::State::kAnswers, .gpus = {{.name = "NVIDIA H200", .number = 90}}};
  EXPECT_FALSE(WhyNoGpu(Look()));
}

TEST_F(Doctor, TellsThreeKindsOfAbsenceApart) {
  Write("sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n");
  Write("sys/bus/pci/devices/0000:01:00.0/class", "0x030200\n");
  EXPECT_EQ(Codes(), Found{"machine/no-driver"});
  Driver("580.95.05");
  EXPECT_EQ(Codes(), Found{"machine/driver-not-injected"});
  nvml_ = {.state = NvmlReport::State::kMismatch, .error = 18};
  EXPECT_EQ(Codes(), Found{"machine/driver-mismatch"});
}

TEST_F(Doctor, ReadsBothShapesOfTheDriversVersion) {
  Driver("580.159.04");
  EXPECT_EQ(Look().kernel_driver, "580.159.04");
  Write("proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.86  Tue Oct 26 21:55:45 UTC 2021\n");
  EXPECT_EQ(Look().kernel_driver, "470.86");
}

TEST_F(Doctor, AHealthyMachineIsQuietAndHasCupti) {
  Toolkit13();
  Driver("580.95.05");
  Write("usr/local/cuda-13.0/lib64/libcupti.so.13");
  Write("usr/lib/x86_64-linux-gnu/libcuda.so.1");
  Write("dev/nvidia0");
  Write("usr/bin/nsys");
  environment_["PATH"] = "/usr/bin:/usr/local/cuda-13.0/bin";
  nvml_.state = NvmlReport::State::kAnswers;
  EXPECT_EQ(Codes(), Found{});
  const Machine machine = Look();
  ASSERT_NE(machine.InUse(), nullptr);
  EXPECT_EQ(machine.InUse()->version, "13.0");
  const CuptiAnswer answer = AnswerCupti(machine);
  EXPECT_TRUE(answer.is_needed);
  EXPECT_TRUE(answer.is_there);
}

TEST_F(Doctor, AHeaderOfCuptiWithoutItsLibraryIsAnError) {
  Toolkit13();
  environment_["PATH"] = "/usr/local/cuda-13.0/bin";
  EXPECT_EQ(Codes(), (Found{"machine/cupti-half", "machine/no-gpu"}));
  EXPECT_EQ(Diagnose(Look())[0].hint, "sudo apt install cuda-cupti-dev-13-0");
  Write("usr/local/cuda-13.0/include/cuda.h", "#define CUDA_VERSION unknown\n");
  EXPECT_EQ(Diagnose(Look())[0].hint,
            "install the package cuda-cupti-dev of the toolkit's release; for CUDA 13.0 it is "
            "cuda-cupti-dev-13-0");
}

TEST_F(Doctor, PrivateCopiesOfCuptiAreNotTakenForIt) {
  Write("v/bin/python3");
  Write("v/lib/python3.12/site-packages/torch-2.11.0.dist-info/METADATA",
        "Name: torch\nVersion: 2.11.0+cu130\n\n");
  Write("v/lib/python3.12/site-packages/torch/version.py", "cuda: Optional[str] = '13.0'\n");
  Write("v/lib/python3.12/site-packages/triton/backends/nvidia/lib/cupti/libcupti.so.12");
  Write("opt/nvidia/nsight-compute/2025.3.1/host/target-linux-x64/libcupti.so.13.0");
  environment_["PATH"] = "/v/bin";
  EXPECT_EQ(Codes(), (Found{"machine/no-cupti", "machine/no-gpu"}));
  EXPECT_EQ(Diagnose(Look())[0].hint, "pip install 'nvidia-cuda-cupti==13.0.*'");
  Write("v/lib/python3.12/site-packages/nvidia/cu13/lib/libcupti.so.13");
  EXPECT_EQ(Codes(), Found{"machine/no-gpu"});
  EXPECT_EQ(Look().torch.at(0).cuda, "13.0");
}

TEST_F(Doctor, SaysWhichLibcudaTheLoaderTakes) {
  Driver("580.95.05");
  Write("dev/nvidia0");
  Write("usr/local/cuda/compat/libcuda.so.1");
  Write("usr/lib/x86_64-linux-gnu/libcuda.so.1");
  loader_cache_ =
      "\tlibcuda.so.1 (libc6,x86-64) => /usr/local/cuda/compat/libcuda.so.1\n"
      "\tlibcuda.so.1 (libc6,x86-64) => /usr/lib/x86_64-linux-gnu/libcuda.so.1\n";
  EXPECT_EQ(Codes(), Found{"machine/compat-first"});
  Write("stubs/libcuda.so");
  Write("x/stubs/libcuda.so");
  environment_["LD_LIBRARY_PATH"] = "/x/stubs";
  EXPECT_EQ(Codes(), Found{"machine/stub-first"});
}

TEST_F(Doctor, ADriverTooOldForTheToolkitIsAnError) {
  Toolkit13();
  Write("usr/local/cuda-13.0/lib64/libcupti.so.13");
  Driver("535.54.03");
  Write("dev/nvidia0");
  Write("usr/lib/x86_64-linux-gnu/libcuda.so.1");
  Write("usr/bin/ncu");
  environment_["PATH"] = "/usr/bin:/usr/local/cuda-13.0/bin";
  EXPECT_EQ(Codes(), Found{"machine/driver-too-old"});
}

TEST_F(Doctor, CountersForAdministratorsOnlyAreMentionedToOthers) {
  Driver("580.95.05");
  Write("proc/driver/nvidia/params", "RmLogonRC: 1\nRmProfilingAdminOnly: 1\n");
  Write("dev/nvidia0");
  Write("usr/lib/x86_64-linux-gnu/libcuda.so.1");
  EXPECT_EQ(Codes(), Found{"machine/counters-forbidden"});
}

}  // namespace
}  // namespace sibyl::inspect
