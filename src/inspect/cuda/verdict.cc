// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "base/strings.h"

namespace sibyl::inspect {
namespace {

// Error numbers from driver_types.h.
constexpr int kInsufficientDriver = 35;
constexpr int kNoKernelImage = 209;
constexpr int kUnsupportedPtx = 222;

struct RunsWords {
  Runs runs = Runs::kNoCode;
  std::string_view name;
  std::string_view words;
};

constexpr RunsWords kRunsWords[] = {
    {Runs::kNative, "native", "runs natively"},
    {Runs::kJit, "jit", "runs, compiled by the driver at startup"},
    {Runs::kPartly, "partly", "runs"},
    {Runs::kNot, "not", "does not run"},
    {Runs::kNoCode, "no-code", "no device code of its own"},
};

// The integrated GPUs of Jetson and DRIVE. Binary compatibility does not hold between them and
// other GPUs of the same major version; PTX runs on both.
bool IsTegra(std::uint32_t number) {
  constexpr std::uint32_t kTegra[] = {32, 53, 62, 72, 87, 101, 110};
  return std::ranges::find(kTegra, number) != std::end(kTegra);
}

// False for shells that the device linker adds, and for object files without a kernel.
bool HasAnyCode(const DeviceCode& code, const CodeContainer& container) {
  for (std::uint32_t i = 0; i < container.image_count; ++i) {
    if (code.images[container.first_image + i].has_code != HasCode::kNo) return true;
  }
  return false;
}

// A cubin that would be selected if it were not empty: the translation unit was compiled for
// this GPU and has no kernel for it.
bool IsLeftEmpty(const DeviceCode& code, const CodeContainer& container, std::uint32_t gpu) {
  for (std::uint32_t i = 0; i < container.image_count; ++i) {
    const CodeImage& image = code.images[container.first_image + i];
    if (image.kind == ImageKind::kCubin && image.has_code == HasCode::kNo &&
        CubinFits(image.architecture, gpu)) {
      return true;
    }
  }
  return false;
}

// LTO-IR is no code for a GPU: the linker compiles it.
bool IsLinkInput(const DeviceCode& code, const CodeContainer& container) {
  for (std::uint32_t i = 0; i < container.image_count; ++i) {
    if (code.images[container.first_image + i].kind != ImageKind::kLtoIr) return false;
  }
  return container.image_count > 0;
}

bool IsNewer(const CodeImage& ptx, const std::optional<field::CudaVersion>& isa) {
  return isa && field::CudaVersion{ptx.major, ptx.minor} > *isa;
}

// The PTX that a newer driver would accept, or nullptr.
const CodeImage* PtxTooNew(const DeviceCode& code, const CodeContainer& container,
                           std::uint32_t gpu, const std::optional<field::CudaVersion>& isa) {
  for (std::uint32_t i = 0; i < container.image_count; ++i) {
    const CodeImage& image = code.images[container.first_image + i];
    if (image.kind == ImageKind::kPtx && PtxFits(image.architecture, gpu) && IsNewer(image, isa)) {
      return &image;
    }
  }
  return nullptr;
}

// A driver that is too old for the runtime or the GPU, or too new for the GPU, fails before any
// image is selected.
bool DriverRefuses(const VerdictOptions& options, GpuVerdict& verdict) {
  if (!options.driver) return false;
  const field::DriverVersion& driver = *options.driver;
  verdict.why = WhyDriverIsTooOld(options.runtime_major, driver);
  if (!verdict.why.empty()) {
    verdict.error = kInsufficientDriver;
    return true;
  }
  verdict.why = WhyDriverLacks(verdict.gpu, driver);
  return !verdict.why.empty();
}

// Programs and libraries of another processor are not even loaded.
bool HostRefuses(const VerdictOptions& options, GpuVerdict& verdict) {
  const std::string_view host = verdict.gpu.host;
  const bool is_host_code = options.machine == "x86_64" || options.machine == "aarch64";
  if (host.empty() || !is_host_code || options.machine == host) return false;
  verdict.why = fmt::format("it was built for {}, and {} is only in {} machines", options.machine,
                            verdict.gpu.name, host);
  verdict.is_of_other_host = true;
  return true;
}

std::string ArchitectureList(const DeviceCode& code,
                             const std::vector<const CodeContainer*>& among) {
  std::set<field::Architecture> cubins;
  std::set<field::Architecture> ptx;
  for (const CodeContainer* container : among) {
    for (std::uint32_t i = 0; i < container->image_count; ++i) {
      const CodeImage& image = code.images[container->first_image + i];
      if (image.has_code == HasCode::kNo) continue;
      if (image.kind == ImageKind::kCubin) cubins.insert(image.architecture);
      if (image.kind == ImageKind::kPtx) ptx.insert(image.architecture);
    }
  }
  std::vector<std::string> names;
  names.reserve(cubins.size());
  for (const field::Architecture& each : cubins) names.push_back(Format(each));
  // Beside machine code, PTX for newer GPUs says nothing more.
  if (names.empty()) {
    for (const field::Architecture& each : ptx) names.push_back(Format(each, "compute_"));
  }
  return Join(names, ", ");
}

struct Counted {
  std::vector<const CodeContainer*> lacking;  // containers in which nothing fits
  const CodeImage* too_new = nullptr;
  bool has_native_hidden = false;  // one that the library loads itself is machine code
  bool has_link_input = false;     // LTO-IR alone
};

Counted CountContainers(const DeviceCode& code, const std::optional<field::CudaVersion>& isa,
                        GpuVerdict& verdict) {
  Counted counted;
  const bool has_executable = std::ranges::any_of(code.containers, [&](const CodeContainer& c) {
    return code.regions[c.region].role == CodeRole::kExecutable;
  });
  for (const CodeContainer& container : code.containers) {
    if (!HasAnyCode(code, container)) continue;
    if (IsLinkInput(code, container)) {
      counted.has_link_input = true;
      continue;
    }
    const CodeRole role = code.regions[container.region].role;
    if (role == CodeRole::kRelocatable && has_executable) continue;  // inputs, not loaded
    const std::optional<std::uint32_t> taken = TakenImage(code, container, verdict.gpu.number, isa);
    if (role == CodeRole::kHidden) {
      ++verdict.hidden;
      if (!taken) continue;
      ++verdict.hidden_fitting;
      counted.has_native_hidden =
          counted.has_native_hidden || code.images[*taken].kind == ImageKind::kCubin;
      continue;
    }
    if (!taken && IsLeftEmpty(code, container, verdict.gpu.number)) {
      ++verdict.empty;
      continue;
    }
    ++verdict.containers;
    if (!taken) {
      ++verdict.none;
      counted.lacking.push_back(&container);
      const CodeImage* image = PtxTooNew(code, container, verdict.gpu.number, isa);
      if (image != nullptr) counted.too_new = image;
      verdict.has_newer_ptx = counted.too_new != nullptr;
      continue;
    }
    const CodeImage& image = code.images[*taken];
    const bool is_cubin = image.kind == ImageKind::kCubin;
    ++(is_cubin ? verdict.native : verdict.jit);
    ++verdict.taken[is_cubin ? Format(image.architecture) : Format(image.architecture, "compute_")];
  }
  return counted;
}

// "105 of 179 units of device code use sm_86, 72 use sm_80": the most used first.
std::string Taken(const GpuVerdict& verdict) {
  std::vector<std::pair<std::string, std::size_t>> taken(verdict.taken.begin(),
                                                         verdict.taken.end());
  std::ranges::stable_sort(taken, std::greater<>(), [](const auto& each) { return each.second; });
  if (verdict.containers == 1) return fmt::format("it uses {}", taken[0].first);
  std::vector<std::string> parts;
  for (const auto& [name, count] : taken) {
    const std::string among = parts.empty()
                                  ? fmt::format("{} of {}", count, UnitsOfCode(verdict.containers))
                                  : std::to_string(count);
    parts.push_back(fmt::format("{} {} {}", among, count == 1 ? "uses" : "use", name));
  }
  return Join(parts, ", ");
}

// Without device code, the driver decides: "linked with libcudart.so.13: CUDA 13.x needs driver
// 580.65.06 or newer, which 580.82 is".
std::string WithoutCode(const VerdictOptions& options) {
  const CudaLink& link = options.link;
  if (link.major == 0) {
    if (link.calls_driver) {
      return fmt::format("it calls the driver ({}), and does not say which version it needs",
                         link.library);
    }
    if (link.library.empty()) return "it names no CUDA library that it needs";
    return fmt::format("it is linked with {}, which decides: inspect that library", link.library);
  }
  std::string why = link.is_own ? link.library : fmt::format("linked with {}", link.library);
  const std::string_view floor = field::DriverFloor(link.major);
  why += floor.empty() ? fmt::format(" of CUDA {}", link.major)
                       : fmt::format(": CUDA {}.x needs driver {} or newer", link.major, floor);
  if (!floor.empty() && options.driver) why += fmt::format("; {} is enough", options.driver->text);
  return why;
}

void Conclude(const DeviceCode& code, const Counted& counted, const VerdictOptions& options,
              GpuVerdict& verdict) {
  if (verdict.containers == 0) {
    if (verdict.hidden == 0) {
      verdict.why = counted.has_link_input
                        ? "it has LTO-IR, which is compiled for the GPU when it is linked"
                        : WithoutCode(options);
      return;
    }
    verdict.runs = verdict.hidden_fitting == 0 ? Runs::kNot
                   : counted.has_native_hidden ? Runs::kNative
                                               : Runs::kJit;
    verdict.why = fmt::format("the library loads its own code; {} of {} can be used",
                              verdict.hidden_fitting, UnitsOfCode(verdict.hidden));
    if (verdict.hidden_fitting == 0) verdict.error = kNoKernelImage;
    return;
  }
  if (verdict.none == 0) {
    verdict.runs = verdict.jit == 0 ? Runs::kNative : Runs::kJit;
    verdict.why = Taken(verdict);
    return;
  }
  verdict.runs = verdict.none == verdict.containers ? Runs::kNot : Runs::kPartly;
  if (verdict.runs == Runs::kNot) {
    verdict.error = counted.too_new != nullptr ? kUnsupportedPtx : kNoKernelImage;
  }
  verdict.why = fmt::format("{} of {} have no image for sm_{}", verdict.none,
                            UnitsOfCode(verdict.containers), verdict.gpu.number);
  if (verdict.containers == 1) {
    verdict.why = fmt::format("its device code has no image for sm_{}", verdict.gpu.number);
  }
  if (verdict.runs == Runs::kPartly && counted.too_new == nullptr) {
    const std::string others = ArchitectureList(code, counted.lacking);
    verdict.why =
        fmt::format("{}; {} other GPUs{}", Taken(verdict),
                    verdict.none == 1 ? "1 is for" : fmt::format("{} are for", verdict.none),
                    others.empty() ? "" : fmt::format(" ({})", others));
    return;
  }
  if (counted.too_new != nullptr) {
    const field::CudaVersion isa{counted.too_new->major, counted.too_new->minor};
    const std::optional<field::CudaVersion> needs = field::CudaOfPtx(isa);
    const std::string driver = needs ? Format(*needs) : std::string("newer than any known");
    const std::string_view has = verdict.none == 1 ? "has" : "have";
    verdict.why =
        verdict.runs == Runs::kPartly
            ? fmt::format("all but {} of {}, which {} only PTX {} for sm_{}", verdict.none,
                          UnitsOfCode(verdict.containers), has, Format(isa), verdict.gpu.number)
            : fmt::format("{}; {} {} PTX {}", verdict.why, verdict.none == 1 ? "it" : "they", has,
                          Format(isa));
    verdict.why += fmt::format(", which needs a driver with CUDA {}", driver);
  } else if (const std::string has = ArchitectureList(code, counted.lacking); !has.empty()) {
    verdict.why += "; available: " + has;
  }
}

}  // namespace

std::string UnitsOfCode(std::size_t count) {
  return count == 1 ? std::string("1 unit of device code")
                    : fmt::format("{} units of device code", count);
}

std::string_view RunsName(Runs runs) {
  const auto row = std::ranges::find(kRunsWords, runs, &RunsWords::runs);
  return row == std::end(kRunsWords) ? "no-code" : row->name;
}

std::string_view RunsInWords(std::string_view name) {
  const auto row = std::ranges::find(kRunsWords, name, &RunsWords::name);
  return row == std::end(kRunsWords) ? name : row->words;
}

std::string ShownGpu(const field::GpuTarget& gpu) {
  const std::string architecture = fmt::format("sm_{}", gpu.number);
  return gpu.name == architecture ? architecture : fmt::format("{} ({})", gpu.name, architecture);
}

std::string WhyDriverIsTooOld(std::uint32_t runtime_major, const field::DriverVersion& driver) {
  const std::string_view floor = field::DriverFloor(runtime_major);
  if (floor.empty() || Compare(driver, floor) >= 0) return {};
  return fmt::format("CUDA {}.x needs driver {} or newer, not {}", runtime_major, floor,
                     driver.text);
}

std::string WhyDriverLacks(const field::GpuTarget& gpu, const field::DriverVersion& driver) {
  const field::ArchitectureLife* life = field::LifeOf(gpu.number);
  const std::optional<field::CudaVersion> known = field::CudaOfDriver(driver);
  if (life != nullptr && known && *known < life->first) {
    return fmt::format("driver {} (CUDA {}) does not support sm_{}, which was added in CUDA {}",
                       driver.text, Format(*known), life->architecture.number, Format(life->first));
  }
  if (life != nullptr && life->last_driver_branch != 0 &&
      driver.parts[0] > life->last_driver_branch) {
    return fmt::format("driver branch {} was the last to support sm_{}", life->last_driver_branch,
                       life->architecture.number);
  }
  return {};
}

std::string DriverRemedy(const field::GpuTarget& gpu, const field::DriverVersion& driver,
                         std::string_view oldest) {
  const field::ArchitectureLife* life = field::LifeOf(gpu.number);
  if (life == nullptr) return {};
  const field::Toolkit* first = field::FindToolkit(life->first);
  if (first != nullptr && field::Compare(driver, first->driver) < 0) {
    const bool is_later = !oldest.empty() && field::CompareVersions(first->driver, oldest) < 0;
    return fmt::format("update the driver to {} or newer", is_later ? oldest : first->driver);
  }
  if (life->last_driver_branch == 0) return {};
  return fmt::format("use a driver of branch {}", life->last_driver_branch);
}

bool CubinFits(const field::Architecture& cubin, std::uint32_t gpu) {
  if (cubin.number != gpu && (IsTegra(cubin.number) || IsTegra(gpu))) return false;
  if (cubin.suffix == 'a') return cubin.number == gpu;
  return cubin.major() == gpu / 10 && cubin.minor() <= gpu % 10;
}

bool PtxFits(const field::Architecture& ptx, std::uint32_t gpu) {
  if (ptx.suffix == 'a') return ptx.number == gpu;
  if (ptx.suffix == 'f') return ptx.major() == gpu / 10 && ptx.minor() <= gpu % 10;
  return ptx.number <= gpu;
}

std::optional<std::uint32_t> TakenImage(const DeviceCode& code, const CodeContainer& container,
                                        std::uint32_t gpu, std::optional<field::CudaVersion> isa) {
  std::optional<std::uint32_t> cubin;
  std::optional<std::uint32_t> ptx;
  // The nearest architecture wins; among equals the one with the suffix, which was built for
  // exactly this GPU.
  const auto nearer = [&](const std::optional<std::uint32_t>& best, const CodeImage& image) {
    return !best || code.images[*best].architecture < image.architecture;
  };
  for (std::uint32_t i = 0; i < container.image_count; ++i) {
    const std::uint32_t number = container.first_image + i;
    const CodeImage& image = code.images[number];
    if (image.has_code == HasCode::kNo) continue;
    if (image.kind == ImageKind::kCubin && CubinFits(image.architecture, gpu)) {
      if (nearer(cubin, image)) cubin = number;
    }
    if (image.kind == ImageKind::kPtx && PtxFits(image.architecture, gpu) && !IsNewer(image, isa)) {
      if (nearer(ptx, image)) ptx = number;
    }
  }
  return cubin ? cubin : ptx;
}

GpuVerdict Judge(const DeviceCode& code, const field::GpuTarget& gpu,
                 const VerdictOptions& options) {
  GpuVerdict verdict{.gpu = gpu};
  std::optional<field::CudaVersion> isa;
  if (options.driver) {
    if (const auto cuda = field::CudaOfDriver(*options.driver)) isa = field::PtxOfCuda(*cuda);
  }
  const Counted counted = CountContainers(code, isa, verdict);
  const bool needs_cuda = verdict.containers + verdict.hidden > 0 || options.link.major != 0 ||
                          !options.link.library.empty();
  if (needs_cuda && (HostRefuses(options, verdict) || DriverRefuses(options, verdict))) {
    verdict.runs = Runs::kNot;
    // Another driver, or another machine, does not help if no image fits.
    if (verdict.containers > 0 && verdict.none == verdict.containers && !verdict.has_newer_ptx) {
      const std::string other = std::move(verdict.why);
      Conclude(code, counted, options, verdict);
      // What is loaded first is said first.
      verdict.why = verdict.is_of_other_host ? fmt::format("{}; and {}", other, verdict.why)
                                             : fmt::format("{}; and {}", verdict.why, other);
    }
    return verdict;
  }
  Conclude(code, counted, options, verdict);
  const bool is_open = options.driver && options.runtime_major != 0 &&
                       field::DriverFloor(options.runtime_major).empty();
  if (is_open && verdict.runs != Runs::kNot && verdict.runs != Runs::kNoCode) {
    verdict.why += fmt::format(
        "; driver {} was not compared with CUDA {}, which is not in the "
        "table of known releases",
        options.driver->text, options.runtime_major);
  }
  return verdict;
}

}  // namespace sibyl::inspect
