// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/code_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/strings.h"

namespace sibyl::inspect {
namespace {

using GroupKey = std::tuple<CodeRole, std::string, ImageKind, std::uint16_t, field::Architecture>;

std::map<GroupKey, ImageGroup> GroupsByKey(const DeviceCode& code) {
  std::map<GroupKey, ImageGroup> groups;
  for (const CodeImage& image : code.images) {
    const CodeRegion& region = code.regions[image.region];
    ImageGroup& group = groups[{region.role, region.section, image.kind,
                                image.kind == ImageKind::kOther ? image.raw_kind : std::uint16_t{0},
                                image.architecture}];
    group.kind = image.kind;
    group.raw_kind = image.raw_kind;
    group.architecture = image.architecture;
    group.section = region.section;
    group.role = region.role;
    ++group.count;
    if (image.has_code == HasCode::kYes) ++group.with_code;
    if (image.has_code == HasCode::kUnknown && !image.is_damaged) ++group.unknown_code;
    if (image.is_damaged) ++group.damaged;
    group.stored_bytes += image.stored_bytes;
    group.unpacked_bytes += image.unpacked_bytes;
    group.compressions.emplace(CompressionName(image.compression));
    if (image.kind == ImageKind::kPtx) group.ptx_versions.insert({image.major, image.minor});
  }
  return groups;
}

// Libraries whose number tells the CUDA that they are released with. Some count on their own, and
// libcusparse.so.12 is of CUDA 12 and 13, libcusolver.so.11 of 11 and 12.
struct NumberedLibrary {
  std::string_view name;
  std::uint32_t number = 0;  ///< 0: that of CUDA.
  std::uint32_t cuda = 0;
};

constexpr NumberedLibrary kNumberedLibraries[] = {
    {"libcudart.so."},          {"libnvrtc.so."},
    {"libnvJitLink.so."},       {"libcublas.so."},
    {"libcublasLt.so."},        {"libnvblas.so."},
    {"libcupti.so."},           {"libnppc.so."},
    {"libnvfatbin.so."},        {"libnvjpeg.so."},
    {"libcufft.so.", 10, 11},   {"libcufft.so.", 11, 12},
    {"libcufft.so.", 12, 13},   {"libcusolver.so.", 12, 13},
    {"libcusparse.so.", 11, 11}};

std::uint32_t MajorOfLibrary(std::string_view name) {
  for (const NumberedLibrary& library : kNumberedLibraries) {
    if (!name.starts_with(library.name)) continue;
    const auto version =
        field::ParseCudaVersion(std::string(name.substr(library.name.size())) + ".0");
    if (!version) continue;
    if (library.number == 0) return version->major;
    if (library.number == version->major) return library.cuda;
  }
  return 0;
}

// Libraries that use CUDA, whatever its version.
bool UsesCuda(std::string_view name) {
  for (const std::string_view library :
       {"libtorch_cuda", "libc10_cuda", "libcudnn", "libnccl", "libcurand", "libcusparse",
        "libcusolver", "libcufile", "libnvinfer", "libtensorflow"}) {
    if (name.starts_with(library)) return true;
  }
  return false;
}

void AddFact(Artifact& artifact, std::string_view inspector, std::string key, Json value) {
  artifact.facts.push_back(
      {.inspector = std::string(inspector), .key = std::move(key), .value = std::move(value)});
}

// Facts per kind and architecture, over all sections.
void AddImageFacts(Artifact& artifact, const std::vector<ImageGroup>& groups) {
  std::map<std::string, ImageGroup> sums;
  std::set<std::string> cubins;
  std::set<std::string> ptx;
  std::uint64_t hidden_bytes = 0;
  for (const ImageGroup& group : groups) {
    const std::string name = fmt::format("{}.{}", KindName(group.kind), Format(group.architecture));
    ImageGroup& sum = sums[name];
    sum.count += group.count;
    sum.with_code += group.with_code;
    sum.unknown_code += group.unknown_code;
    sum.stored_bytes += group.stored_bytes;
    sum.unpacked_bytes += group.unpacked_bytes;
    if (group.role == CodeRole::kHidden) hidden_bytes += group.stored_bytes;
    if (group.kind == ImageKind::kCubin && group.with_code > 0) {
      cubins.insert(Format(group.architecture));
    }
    if (group.kind == ImageKind::kPtx) ptx.insert(Format(group.architecture, "compute_"));
  }
  AddFact(artifact, "cuda", "containers", artifact.code.containers.size());
  AddFact(artifact, "cuda", "images", artifact.code.images.size());
  if (sums.empty() || !cubins.empty()) AddFact(artifact, "cuda", "architectures", cubins);
  AddFact(artifact, "cuda", "ptx", ptx);
  AddFact(artifact, "cuda", "hidden_bytes", hidden_bytes);
  for (const auto& [name, sum] : sums) {
    AddFact(artifact, "cuda", name + ".count", sum.count);
    if (sum.unknown_code == 0) {
      AddFact(artifact, "cuda", name + ".with_code", sum.with_code);
    }
    AddFact(artifact, "cuda", name + ".stored_bytes", sum.stored_bytes);
    AddFact(artifact, "cuda", name + ".unpacked_bytes", sum.unpacked_bytes);
  }
}

void AddCodeFindings(Artifact& artifact, const std::vector<ImageGroup>& groups) {
  for (const CodeDamage& damage : artifact.code.damages) {
    artifact.findings.push_back(
        {.severity = Severity::kError,
         .code = "cuda/damaged",
         .message = fmt::format("{} at byte {}", damage.what, damage.offset),
         .place = {.file = artifact.path}});
  }
  if (!artifact.code.is_complete) {
    artifact.findings.push_back(
        {.severity = Severity::kWarning,
         .code = "cuda/too-many",
         .message = fmt::format("listing ended after {} images: {}", artifact.code.images.size(),
                                artifact.code.limit),
         .place = {.file = artifact.path}});
  }
  for (const ImageGroup& group : groups) {
    if (group.damaged == 0) continue;
    artifact.findings.push_back(
        {.severity = Severity::kError,
         .code = "cuda/damaged",
         .message = fmt::format("{} of {} {} in {} cannot be decoded", group.damaged, group.count,
                                GroupLabel(group),
                                group.section.empty() ? std::string("the file") : group.section),
         .place = {.file = artifact.path}});
  }
}

}  // namespace

std::vector<ImageGroup> GroupImages(const DeviceCode& code) {
  std::vector<ImageGroup> groups;
  for (auto& [key, group] : GroupsByKey(code)) groups.push_back(group);
  return groups;
}

std::string GroupLabel(const ImageGroup& group) {
  switch (group.kind) {
    case ImageKind::kCubin:
      return Format(group.architecture);
    case ImageKind::kPtx:
      return Format(group.architecture, "compute_");
    case ImageKind::kLtoIr:
      return Format(group.architecture, "lto_");
    case ImageKind::kOther:
      break;
  }
  return fmt::format("kind {}, {}", group.raw_kind, group.architecture.number);
}

std::map<std::string, std::size_t> CountOrigins(const DeviceCode& code) {
  std::map<std::string, std::size_t> counts;
  for (const CodeImage& image : code.images) {
    if (image.kind == ImageKind::kCubin) ++counts[code.origins[image.origin]];
  }
  return counts;
}

CudaLink FindCudaLink(const Artifact& artifact) {
  if (artifact.cuda_major != 0) {
    return {.major = artifact.cuda_major, .library = artifact.cuda_of, .is_own = true};
  }
  const std::string& own = artifact.dynamic.soname;
  if (const std::uint32_t major = MajorOfLibrary(own); major != 0) {
    return {.major = major, .library = own, .is_own = true};
  }
  CudaLink link;
  for (const std::string& needed : artifact.dynamic.needed) {
    if (const std::uint32_t major = MajorOfLibrary(needed); major != 0) {
      return {.major = major, .library = needed};
    }
    const bool is_driver =
        needed.starts_with("libcuda.so") || needed.starts_with("libnvidia-ml.so");
    link.calls_driver = link.calls_driver || is_driver;
    if (is_driver || (link.library.empty() && UsesCuda(needed))) link.library = needed;
  }
  return link;
}

std::uint32_t RuntimeMajor(const Artifact& artifact) {
  if (const std::uint32_t linked = FindCudaLink(artifact).major; linked != 0) return linked;
  std::uint32_t newest = 0;
  const auto see = [&](const std::string& origin) {
    if (const auto version = field::ParseCudaVersion(origin))
      newest = std::max(newest, version->major);
  };
  see(artifact.code.sampled_origin);
  for (const std::string& origin : artifact.code.origins) see(origin);
  return newest;
}

void AddCodeFacts(Artifact& artifact) {
  const ElfDynamic& dynamic = artifact.dynamic;
  if (!dynamic.soname.empty()) AddFact(artifact, "elf", "soname", dynamic.soname);
  if (!dynamic.needed.empty()) AddFact(artifact, "elf", "needed", dynamic.needed);
  if (!dynamic.run_paths.empty()) AddFact(artifact, "elf", "run_paths", dynamic.run_paths);
  const std::vector<ImageGroup> groups = GroupImages(artifact.code);
  // Counts of a part could be mistaken for counts of the whole.
  if (!artifact.code.empty() && artifact.code.is_complete) {
    AddImageFacts(artifact, groups);
    Json origins = Json::object();
    for (const auto& [version, count] : CountOrigins(artifact.code)) {
      origins[version.empty() ? "unknown" : version] = count;
    }
    if (artifact.code.origins.size() > 1) {
      AddFact(artifact, "cuda", "toolkits", std::move(origins));
    }
  }
  AddCodeFindings(artifact, groups);
}

std::vector<PruneGroup> PruneReport(const DeviceCode& code,
                                    std::span<const field::GpuTarget> gpus) {
  std::vector<bool> is_needed(code.images.size(), false);
  for (const CodeContainer& container : code.containers) {
    for (const field::GpuTarget& gpu : gpus) {
      if (const auto taken = TakenImage(code, container, gpu.number)) is_needed[*taken] = true;
    }
  }
  std::map<std::pair<std::string, std::string>, PruneGroup> groups;
  for (std::size_t i = 0; i < code.images.size(); ++i) {
    const CodeImage& image = code.images[i];
    const ImageGroup shape{
        .kind = image.kind, .raw_kind = image.raw_kind, .architecture = image.architecture};
    const std::string& section = code.regions[image.region].section;
    PruneGroup& group = groups[{section, GroupLabel(shape)}];
    group.label = GroupLabel(shape);
    group.section = section;
    // The runtime registers shells without code; they are small and kept.
    if (is_needed[i] || image.has_code == HasCode::kNo) {
      ++group.kept;
      group.kept_bytes += image.stored_bytes;
    } else {
      ++group.unneeded;
      group.unneeded_bytes += image.stored_bytes;
    }
  }
  std::vector<PruneGroup> report;
  report.reserve(groups.size());
  for (auto& [key, group] : groups) report.push_back(std::move(group));
  std::ranges::sort(report, std::greater{}, &PruneGroup::unneeded_bytes);
  return report;
}

std::vector<ImageChange> CompareCode(const DeviceCode& before, const DeviceCode& after) {
  std::map<std::pair<std::string, std::string>, ImageChange> changes;
  for (const ImageGroup& group : GroupImages(before)) {
    ImageChange& change = changes[{group.section, GroupLabel(group)}];
    change.count_before += group.count;
    change.bytes_before += group.stored_bytes;
  }
  for (const ImageGroup& group : GroupImages(after)) {
    ImageChange& change = changes[{group.section, GroupLabel(group)}];
    change.count_after += group.count;
    change.bytes_after += group.stored_bytes;
  }
  std::vector<ImageChange> list;
  for (auto& [key, change] : changes) {
    if (change.count_before == change.count_after && change.bytes_before == change.bytes_after) {
      continue;
    }
    change.section = key.first;
    change.label = key.second;
    list.push_back(std::move(change));
  }
  return list;
}

}  // namespace sibyl::inspect
