// SPDX-License-Identifier: Apache-2.0
// Decides whether the code in a file runs on a GPU (natively, after JIT compilation, or not)
// and why. Decided per container, since each translation unit registers its own; shells without
// code are ignored.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "field/field.h"
#include "inspect/cuda/device_code.h"

namespace sibyl::inspect {

enum class Runs : std::uint8_t {
  kNative,  ///< Every container has machine code for it.
  kJit,     ///< Every container runs; some only after compilation from PTX.
  kPartly,  ///< Some containers have no image that runs: by design or by mistake.
  kNot,     ///< Nothing runs.
  kNoCode,  ///< There is no device code.
};

/// "2 units of device code": what a fatbin has for one translation unit. The code calls it a
/// container, a word that people take for one of Docker.
std::string UnitsOfCode(std::size_t count);

std::string_view RunsName(Runs runs);  ///< "native", "jit", "partly", "not", "no-code"
/// "runs natively" for "native"; other names are returned unchanged.
std::string_view RunsInWords(std::string_view name);

struct GpuVerdict {
  field::GpuTarget gpu;
  Runs runs = Runs::kNoCode;
  /// The CUDA error that the program would get: 35, 209 or 222; nullopt if it runs.
  std::optional<int> error;
  std::string why;

  /// Containers with code that the runtime registers.
  std::size_t containers = 0;
  std::size_t native = 0;
  std::size_t jit = 0;
  std::size_t none = 0;
  /// Containers whose cubin for this GPU is empty on purpose: their kernels are for other GPUs.
  /// Not counted in `containers`.
  std::size_t empty = 0;
  /// How many containers use each image: {"sm_86": 114, "sm_80": 79}.
  std::map<std::string, std::size_t> taken;
  /// Containers that the library loads itself, and how many of them fit.
  std::size_t hidden = 0;
  std::size_t hidden_fitting = 0;
  /// Built for another processor than the GPU's machine has.
  bool is_of_other_host = false;
  /// Some containers have no image but PTX that a newer driver would accept.
  bool has_newer_ptx = false;
};

/// What an artifact says about the CUDA that it uses, beside its device code.
struct CudaLink {
  std::uint32_t major = 0;    ///< Of the CUDA runtime; 0 if its libraries do not tell.
  std::string library = {};   ///< "libcudart.so.13", "libcuda.so.1": what tells it; may be empty.
  bool is_own = false;        ///< The artifact is that library or contains it.
  bool calls_driver = false;  ///< It is linked with the driver's own library.
};

struct VerdictOptions {
  std::optional<field::DriverVersion> driver;
  /// Major version of the CUDA runtime the file was built for; 0 if unknown.
  std::uint32_t runtime_major = 0;
  /// The processor that the file was built for, "x86_64"; empty if it is none or unknown.
  std::string machine = {};
  /// The driver matters to what is linked with CUDA although there may be no device code.
  CudaLink link = {};
};

GpuVerdict Judge(const DeviceCode& code, const field::GpuTarget& gpu,
                 const VerdictOptions& options = {});

/// "L4 (sm_89)"; "sm_89" for an architecture.
std::string ShownGpu(const field::GpuTarget& gpu);

/// "CUDA 13.x needs driver 580.65.06 or newer, not 535": whatever the GPU; empty if it is new
/// enough, or the release is not known.
std::string WhyDriverIsTooOld(std::uint32_t runtime_major, const field::DriverVersion& driver);

/// Why a driver cannot use a GPU: it is too old or too new for it; empty if it can.
std::string WhyDriverLacks(const field::GpuTarget& gpu, const field::DriverVersion& driver);

/// What to do about it: "update the driver to 570.26 or newer", "use a driver of branch 580". At
/// least `oldest`, if that is not empty.
std::string DriverRemedy(const field::GpuTarget& gpu, const field::DriverVersion& driver,
                         std::string_view oldest = {});

/// Whether a cubin, or PTX after JIT compilation, runs on a GPU of this number.
bool CubinFits(const field::Architecture& cubin, std::uint32_t gpu);
bool PtxFits(const field::Architecture& ptx, std::uint32_t gpu);

/// The image of a container that the driver selects for a GPU; nullopt if none fits. `isa` is
/// the newest PTX version the driver accepts.
std::optional<std::uint32_t> TakenImage(const DeviceCode& code, const CodeContainer& container,
                                        std::uint32_t gpu,
                                        std::optional<field::CudaVersion> isa = {});

}  // namespace sibyl::inspect
