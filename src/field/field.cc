// SPDX-License-Identifier: Apache-2.0
#include "field/field.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/strings.h"
#include "field/tables.h"

namespace sibyl::field {
namespace {

std::vector<std::uint32_t> Numbers(std::string_view text) {
  std::vector<std::uint32_t> numbers;
  const char* at = text.data();
  const char* const end = text.data() + text.size();
  while (at != end && numbers.size() < 4) {
    std::uint32_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return {};
    numbers.push_back(number);
    if (next == end) return numbers;
    if (*next != '.') return {};
    at = next + 1;
  }
  return {};
}

int CompareNumbers(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

}  // namespace

std::vector<std::string> GpuNames() {
  std::vector<std::string> names;
  for (const Product& gpu : Products()) names.emplace_back(gpu.name);
  return names;
}

std::optional<DriverVersion> ParseDriverVersion(std::string_view text) {
  text = Trim(text);
  if (text.starts_with('R') || text.starts_with('r')) text.remove_prefix(1);
  DriverVersion version{.parts = Numbers(text), .text = std::string(text)};
  if (version.parts.empty() || version.parts[0] < 100) return std::nullopt;
  return version;
}

int CompareVersions(std::string_view a, std::string_view b) {
  return CompareNumbers(Numbers(a), Numbers(b));
}

int Compare(const DriverVersion& a, std::string_view b) {
  return CompareNumbers(a.parts, Numbers(b));
}

std::optional<CudaVersion> ParseCudaVersion(std::string_view text) {
  const std::vector<std::uint32_t> numbers = Numbers(Trim(text));
  if (numbers.size() < 2) return std::nullopt;
  return CudaVersion{numbers[0], numbers[1]};
}

std::string Format(const CudaVersion& version) {
  return fmt::format("{}.{}", version.major, version.minor);
}

std::optional<CudaVersion> CudaOfDriver(const DriverVersion& driver) {
  for (const Toolkit& release : Toolkits()) {
    if (Compare(driver, release.driver) >= 0) return release.version;
  }
  return std::nullopt;
}

std::string_view DriverFloor(std::uint32_t cuda_major) {
  for (const Toolkit& release : Toolkits()) {
    if (release.version.major == cuda_major) return release.floor;
  }
  return {};
}

std::optional<CudaVersion> PtxOfCuda(const CudaVersion& cuda) {
  for (const Toolkit& release : Toolkits()) {
    if (release.version <= cuda) return release.ptx;
  }
  return std::nullopt;
}

std::optional<CudaVersion> CudaOfPtx(const CudaVersion& isa) {
  std::optional<CudaVersion> first;
  for (const Toolkit& release : Toolkits()) {
    if (release.ptx >= isa) first = release.version;
  }
  return first;
}

std::span<const Program> Programs() { return ReadTables().programs; }

std::span<const NumberFormat> NumberFormats() { return ReadTables().formats; }

std::span<const Image> Images() { return ReadTables().images; }

std::span<const ImageRelease> ImageReleases() { return ReadTables().releases; }

std::span<const TagPart> TagParts() { return ReadTables().tag_parts; }
std::span<const WheelIndex> WheelIndexes() { return ReadTables().indexes; }
std::span<const TorchBuild> TorchBuilds() { return ReadTables().torch_builds; }
std::span<const HostCompiler> HostCompilers() { return ReadTables().hosts; }
std::span<const ImageRequirement> ImageRequirements() { return ReadTables().requirements; }
std::span<const ImagePatch> ImagePatches() { return ReadTables().patches; }
std::span<const SystemToolkit> SystemToolkits() { return ReadTables().system_toolkits; }
std::span<const System> Systems() { return ReadTables().systems; }
std::span<const TorchCompanions> TorchCompanionRows() { return ReadTables().companions; }
std::span<const Framework> Frameworks() { return ReadTables().frameworks; }
std::span<const Abbreviation> Abbreviations() { return ReadTables().abbreviations; }
std::span<const ArchitectureLife> Architectures() { return ReadTables().architectures; }
std::span<const Toolkit> Toolkits() { return ReadTables().toolkits; }
std::span<const Product> Products() { return ReadTables().products; }
std::span<const Receipt> Receipts() { return ReadTables().receipts; }

const ArchitectureLife* LifeOf(const Architecture& architecture) {
  const std::span<const ArchitectureLife> all = Architectures();
  const auto found = std::ranges::find(all, architecture, &ArchitectureLife::architecture);
  return found == all.end() ? nullptr : &*found;
}

const Toolkit* FindToolkit(const CudaVersion& version) {
  const std::span<const Toolkit> all = Toolkits();
  const auto found = std::ranges::find(all, version, &Toolkit::version);
  return found == all.end() ? nullptr : &*found;
}

const ImageRelease* FindImageRelease(std::string_view image, std::string_view tag) {
  for (const ImageRelease& release : ImageReleases()) {
    if (release.image != image || !tag.starts_with(release.tag)) continue;
    const std::string_view rest = tag.substr(release.tag.size());
    if (rest.empty() || rest[0] == '-') return &release;
  }
  return nullptr;
}

const HostCompiler* FindHostCompiler(const CudaVersion& cuda) {
  const std::span<const HostCompiler> all = HostCompilers();
  const auto found = std::ranges::find_if(
      all, [&](const HostCompiler& each) { return each.first <= cuda && cuda <= each.last; });
  return found == all.end() ? nullptr : &*found;
}

const System* FindSystem(std::string_view name, std::string_view release) {
  const std::span<const System> all = Systems();
  const auto found = std::ranges::find_if(
      all, [&](const System& each) { return each.name == name && each.release == release; });
  return found == all.end() ? nullptr : &*found;
}

const TorchCompanions* FindTorchCompanions(std::string_view torch) {
  const std::span<const TorchCompanions> all = TorchCompanionRows();
  const auto found = std::ranges::find(all, torch, &TorchCompanions::torch);
  return found == all.end() ? nullptr : &*found;
}

const Framework* FindFramework(std::string_view package, std::string_view version) {
  const std::span<const Framework> all = Frameworks();
  const auto found = std::ranges::find_if(all, [&](const Framework& each) {
    return each.package == package && CompareVersions(version, each.first) >= 0 &&
           CompareVersions(version, each.last) <= 0;
  });
  return found == all.end() ? nullptr : &*found;
}

std::vector<const TorchBuild*> FindTorchBuilds(std::string_view index, std::string_view version) {
  std::vector<const TorchBuild*> found;
  for (const TorchBuild& build : TorchBuilds()) {
    if (build.index != index) continue;
    const bool is_it = version.empty() || (CompareVersions(version, build.first) >= 0 &&
                                           CompareVersions(version, build.last) <= 0);
    if (is_it) found.push_back(&build);
  }
  return found;
}

std::string Show(const ReceiptList& receipts) {
  std::vector<std::string> shown;
  for (const Receipt* receipt : receipts.all) {
    if (receipt->document == "-") continue;
    shown.push_back(fmt::format("{} (read {})", receipt->document, receipt->read));
  }
  return Join(shown, "; ");
}

}  // namespace sibyl::field
