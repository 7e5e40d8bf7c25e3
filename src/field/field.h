// SPDX-License-Identifier: Apache-2.0
// Start here: one table of the field, for inspect and audit: the architectures of GPUs and the
// toolkits that compile for them, the drivers and PTX versions of toolkits, the products, formats
// of numbers, abbreviations, options of nvcc, tags of images. The data are src/field/tables/*.txt,
// which the build embeds; each row names where it was read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "field/architecture.h"

namespace sibyl::field {

struct CudaVersion {
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  auto operator<=>(const CudaVersion&) const = default;  // NOLINT: clang-tidy 14 sees a 0
};

/// "13.0" from "13.0.88"; nullopt without two numbers.
std::optional<CudaVersion> ParseCudaVersion(std::string_view text);
std::string Format(const CudaVersion& version);

/// Where a row was read. Rows without a public document are not confirmed: good enough to inspect a
/// binary with, but not to contradict somebody's notes.
struct Receipt {
  std::string_view id;
  std::string_view document;  ///< "developer.nvidia.com/cuda-gpus"
  std::string_view says;
  std::string_view read;  ///< 2026-11-17
};

struct ReceiptList {
  std::vector<const Receipt*> all;
  bool is_confirmed = true;
};

/// "developer.nvidia.com/cuda-gpus (read 2026-11-17)"
std::string Show(const ReceiptList& receipts);

struct ArchitectureLife {
  Architecture architecture;
  std::string_view generation;  ///< "Hopper"
  CudaVersion first;            ///< The first toolkit that supports it.
  CudaVersion last;             ///< The last toolkit that builds for it; {0, 0}: still does.
  std::uint32_t last_driver_branch = 0;  ///< 580; zero: still supported.
  ReceiptList receipts;
};

struct Toolkit {
  CudaVersion version;
  CudaVersion ptx;
  std::string_view driver;  ///< The first Linux driver that supports all of it.
  std::string_view floor;   ///< The oldest one that runs its major version; may be empty.
  ReceiptList receipts;
};

struct Product {
  std::string_view name;     ///< "RTX 4090"
  std::uint32_t number = 0;  ///< 89
  std::string_view host;     ///< "aarch64" if it has no other kind of host; otherwise empty.
  ReceiptList receipts;
};

struct Abbreviation {
  std::string_view letters;                ///< "NCCL"
  std::vector<std::string_view> meanings;  ///< "NVIDIA Collective Communications Library"
  ReceiptList receipts;
};

struct Program {
  std::string_view name;             ///< "nvcc"
  std::vector<std::string> options;  ///< "--maxrregcount", of all its versions.
  ReceiptList receipts;
};

struct NumberFormat {
  std::string_view name;      ///< "E4M3"
  std::uint32_t largest = 0;  ///< The largest finite value.
  ReceiptList receipts;
};

struct Image {
  std::string_view name;                   ///< "nvidia/cuda"
  std::vector<std::string_view> flavours;  ///< "devel"
  ReceiptList receipts;
};

/// An image whose tag does not say its CUDA.
struct ImageRelease {
  std::string_view image;  ///< "nvidia/pytorch", without the registry.
  std::string_view tag;    ///< "25.09-py3": the tag, or how it begins.
  CudaVersion cuda;
  ReceiptList receipts;
};

/// A part of a tag such as 12.8.1-cudnn-devel-ubuntu24.04.
struct TagPart {
  std::string_view image;  ///< "nvidia/cuda"
  std::string_view part;   ///< "ubuntu24.04", "cudnn"
  std::string_view first;  ///< "12.5.1", the first release that has it; empty if unknown.
  std::string_view last;   ///< The last one; empty if there is none or it is unknown.
  ReceiptList receipts;
};

/// An index of wheels of PyTorch, "cu128" in https://download.pytorch.org/whl/cu128.
struct WheelIndex {
  std::string_view name;   ///< "cu128"
  std::string_view first;  ///< "2.7.0", the first torch that it has.
  std::string_view last;   ///< The last one; empty if it still gets new ones, or it is unknown.
  ReceiptList receipts;
};

/// What the wheels of torch in one index are compiled for, on x86-64.
struct TorchBuild {
  std::string_view index;  ///< "cu124"
  std::string_view first;  ///< "2.4.0", the first torch that is compiled so.
  std::string_view last;
  std::vector<Architecture> cubins;  ///< In ascending order.
  std::vector<Architecture> ptx;
  ReceiptList receipts;
};

/// The newest GCC that nvcc accepts as host compiler.
struct HostCompiler {
  CudaVersion first;  ///< The first toolkit that does.
  CudaVersion last;
  std::uint32_t gcc = 0;  ///< 13
  ReceiptList receipts;
};

/// The newest release of nvidia/cuda for a toolkit.
struct ImagePatch {
  CudaVersion cuda;
  std::string_view newest;  ///< "12.9.2"
  ReceiptList receipts;
};

/// What an image of nvidia/cuda requires of the driver: that it supports the CUDA of the image, or
/// is of one of these branches.
struct ImageRequirement {
  CudaVersion cuda;
  std::vector<std::uint32_t> branches;  ///< 470, in ascending order.
  ReceiptList receipts;
};

/// The CUDA of a distribution's own package nvidia-cuda-toolkit.
struct SystemToolkit {
  std::string_view image;              ///< "ubuntu"
  std::vector<std::string_view> tags;  ///< "22.04", "jammy"
  CudaVersion cuda;
  ReceiptList receipts;
};

/// A distribution, and what its packages bring.
struct System {
  std::string_view name;     ///< "ubuntu"
  std::string_view release;  ///< "22.04"
  std::string_view glibc;    ///< "2.35"
  std::string_view python;   ///< "3.10", of the package python3.
  ReceiptList receipts;
};

/// The releases of torchvision and torchaudio that belong to one of torch.
struct TorchCompanions {
  std::string_view torch;                     ///< "2.1.2"
  std::vector<std::string_view> torchvision;  ///< "0.16.2"
  std::vector<std::string_view> torchaudio;   ///< "2.1.2"
  ReceiptList receipts;
};

/// What the wheels of a framework need.
struct Framework {
  std::string_view package;       ///< "tensorflow"
  std::string_view first;         ///< "2.8", the first release to which this applies.
  std::string_view last;          ///< The last one.
  std::string_view first_python;  ///< "3.7", the oldest Python that there are wheels for.
  std::string_view last_python;
  CudaVersion cuda;  ///< That of the libraries which it loads; {0, 0}: it brings them.
  ReceiptList receipts;
};

std::span<const System> Systems();
std::span<const TorchCompanions> TorchCompanionRows();
std::span<const Framework> Frameworks();
std::span<const Program> Programs();
std::span<const NumberFormat> NumberFormats();
std::span<const Image> Images();
std::span<const ImageRelease> ImageReleases();
std::span<const TagPart> TagParts();
std::span<const WheelIndex> WheelIndexes();  ///< Oldest CUDA first.
std::span<const TorchBuild> TorchBuilds();
std::span<const HostCompiler> HostCompilers();
std::span<const ImagePatch> ImagePatches();
std::span<const SystemToolkit> SystemToolkits();
std::span<const ImageRequirement> ImageRequirements();
std::span<const Abbreviation> Abbreviations();
std::span<const ArchitectureLife> Architectures();  ///< In ascending order.
std::span<const Toolkit> Toolkits();                ///< Newest first.
std::span<const Product> Products();
std::span<const Receipt> Receipts();

/// nullptr for an architecture that is not in the table.
const ArchitectureLife* LifeOf(const Architecture& architecture);
inline const ArchitectureLife* LifeOf(std::uint32_t number) {
  return LifeOf(Architecture{.number = number});
}

const Toolkit* FindToolkit(const CudaVersion& version);

/// The release that a tag names: "25.09-py3" of "25.09-py3-igpu"; nullptr if it is not in the
/// table.
const ImageRelease* FindImageRelease(std::string_view image, std::string_view tag);

/// The newest GCC that nvcc of this toolkit accepts; nullptr if it is not in the table.
const HostCompiler* FindHostCompiler(const CudaVersion& cuda);

/// nullptr for a distribution that is not in the table.
const System* FindSystem(std::string_view name, std::string_view release);

/// What belongs to "2.1.2"; nullptr if it is not in the table.
const TorchCompanions* FindTorchCompanions(std::string_view torch);

/// The row of "tensorflow", "2.15.1"; nullptr if there is none.
const Framework* FindFramework(std::string_view package, std::string_view version);

/// The known builds of an index; those of one release if `version` is not empty ("2.5.1").
std::vector<const TorchBuild*> FindTorchBuilds(std::string_view index, std::string_view version);

struct GpuTarget {
  std::string name;            ///< The common name, "H200", or "sm_90".
  std::uint32_t number = 0;    ///< 90
  std::string_view host = {};  ///< As in Product; of an architecture, if all products agree.
  /// A GeForce or Titan, for which there are no compat packages.
  bool is_geforce = false;
  /// An H100, L4 or similar, for which there are compat packages. False for an architecture.
  bool is_data_center = false;
};

/// "H200", "rtx 4090", "sm_90", "9.0": ignores case, blanks and "NVIDIA".
Result<GpuTarget> FindGpu(std::string_view text);

/// All names that FindGpu accepts, for completions and messages.
std::vector<std::string> GpuNames();

/// 580.65.06. Missing components are not compared: "580.65" matches any 580.65.x.
struct DriverVersion {
  std::vector<std::uint32_t> parts;
  std::string text;
};

std::optional<DriverVersion> ParseDriverVersion(std::string_view text);

/// Negative, zero or positive if `a` is older than, equal to or newer than `b`, as far as both have
/// numbers: "12.4" equals "12.4.1".
int CompareVersions(std::string_view a, std::string_view b);

/// Negative, zero or positive if `a` is older than, equal to or newer than `b`.
int Compare(const DriverVersion& a, std::string_view b);

/// The newest CUDA that a driver supports; nullopt for drivers older than CUDA 10.0.
std::optional<CudaVersion> CudaOfDriver(const DriverVersion& driver);

/// The oldest Linux driver that runs programs of this major version at all (minor-version
/// compatibility); empty if unknown.
std::string_view DriverFloor(std::uint32_t cuda_major);

/// The PTX ISA that a CUDA release introduced.
std::optional<CudaVersion> PtxOfCuda(const CudaVersion& cuda);
/// The first CUDA release whose driver accepts this PTX ISA.
std::optional<CudaVersion> CudaOfPtx(const CudaVersion& isa);

}  // namespace sibyl::field
