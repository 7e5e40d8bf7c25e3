// SPDX-License-Identifier: Apache-2.0
#include "inspect/python/wheel.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/files/mapped_file.h"
#include "base/files/scratch_file.h"
#include "base/hash.h"
#include "base/numbers.h"
#include "base/strings.h"
#include "field/field.h"
#include "inspect/image/tar.h"
#include "inspect/python/python_package.h"
#include "inspect/python/zip.h"

namespace sibyl::inspect {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMostLibrary = std::uint64_t{8} << 30;
constexpr std::uint64_t kMostInMemory = std::uint64_t{32} << 20;
constexpr std::uint64_t kMostRatio = 200;  // deflate itself can reach 1032

void Add(Artifact& artifact, Severity severity, std::string code, std::string message,
         std::string hint = {}) {
  artifact.findings.push_back({.severity = severity,
                               .code = std::move(code),
                               .message = std::move(message),
                               .hint = std::move(hint),
                               .place = {.file = artifact.path}});
}

const ZipEntry* FindIn(const ZipArchive& archive, std::string_view name) {
  for (const ZipEntry& entry : archive.entries) {
    if (entry.name.ends_with(name) && entry.name.find(".dist-info/") != std::string::npos &&
        std::count(entry.name.begin(), entry.name.end(), '/') == 1) {
      return &entry;
    }
  }
  return nullptr;
}

std::string FileName(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

bool LooksLikeLibrary(std::string_view bytes, const ZipEntry& entry) {
  return BeginningOf(bytes, entry)
      .starts_with(
          "\x7f"
          "ELF");
}

// The sha256 of what was written; empty if it did not unpack or fit.
std::string UnpackTo(std::string_view bytes, Memory memory, const ZipEntry& entry, Budget& budget,
                     ScratchFile& file) {
  constexpr std::size_t kReleaseEvery = std::size_t{16} << 20;
  Sha256Stream hash;
  std::size_t given = 0;
  bool was_written = true;
  const bool is_sound = UnpackMember(bytes, entry, budget, [&](std::string_view piece) {
    hash.Add(piece);
    was_written = file.Append(piece).ok();
    given += piece.size();
    if (memory == Memory::kMapped && given >= kReleaseEvery) {
      ReleasePages(bytes);  // all of it: pages still needed are loaded again
      given = 0;
    }
    return was_written;
  });
  return is_sound && was_written ? hash.Finish() : std::string();
}

// "nvidia-cuda-runtime-cu12 12.8.90", "torch 2.9.0+cu130"
void SeeRuntimePackage(std::string_view name, std::string_view version, std::string_view how,
                       Artifact& artifact) {
  std::uint32_t major = 0;
  if (name.starts_with("nvidia-cuda-runtime")) {
    if (const auto cuda = field::ParseCudaVersion(version)) major = cuda->major;
  }
  constexpr std::string_view kBuild = "+cu";
  const std::size_t at = name == "torch" ? version.find(kBuild) : version.npos;
  if (at != version.npos) {
    const auto number = ParseNumber<std::uint32_t>(version.substr(at + kBuild.size()));
    if (number && *number >= 100) major = *number / 10;
  }
  if (major <= artifact.cuda_major) return;
  artifact.cuda_major = major;
  artifact.cuda_of = fmt::format("{} {} is {}", name, version, how);
}

class WheelInspector {
 public:
  WheelInspector(std::string_view bytes, const WheelOptions& options, Budget& budget,
                 Artifact& artifact)
      : bytes_view_(bytes), options_(options), budget_(budget), artifact_(artifact) {}
  void Inspect();

 private:
  // Every member may have several problems; after a few hundred findings, only their number is
  // reported.
  void Report(Severity severity, std::string code, std::string message, std::string hint = {}) {
    if (++reported_ > kMostFindings) return;
    Add(artifact_, severity, std::move(code), std::move(message), std::move(hint));
  }
  void ReadTexts();
  void CheckMembers();
  void InspectLibrary(const ZipEntry& entry);
  bool CheckMember(const ZipEntry& entry, const std::string& sha256);
  void AddLibrary(const ZipEntry& entry, std::string_view library, Memory memory);
  void CheckRecord();
  void CheckBundles();

  std::string_view bytes_view_;
  const WheelOptions& options_;
  Budget& budget_;
  Artifact& artifact_;
  std::size_t reported_ = 0;
  ZipArchive archive_;
  std::map<std::string, RecordEntry> record_;
  std::set<std::string> requires_;
  std::set<std::string> needed_;
  std::vector<std::string> libraries_;
};

void WheelInspector::ReadTexts() {
  const auto text = [&](std::string_view name) {
    const ZipEntry* entry = FindIn(archive_, name);
    return entry == nullptr ? std::string()
                            : ReadMember(bytes_view_, *entry, kMostText, budget_).value_or("");
  };
  const PythonMetadata metadata = ParseMetadata(text("/METADATA"));
  artifact_.facts.push_back({"wheel", "name", metadata.name});
  artifact_.facts.push_back({"wheel", "version", metadata.version});
  const std::vector<std::string> tags = ParseWheelTags(text("/WHEEL"));
  for (const std::string& tag : tags) {
    if (tag.ends_with("x86_64")) artifact_.machine = "x86_64";
    if (tag.ends_with("aarch64")) artifact_.machine = "aarch64";
  }
  artifact_.facts.push_back({"wheel", "tags", tags});
  Json nvidia = Json::array();
  for (const std::string& requirement : metadata.requires_dist) {
    const std::string name = RequirementName(requirement);
    if (!name.starts_with("nvidia-")) continue;
    requires_.insert(name);
    if (const std::size_t pin = requirement.find("=="); pin != std::string::npos) {
      const std::string version = requirement.substr(pin + 2);
      SeeRuntimePackage(name, version.substr(0, version.find_first_of(" ;,)")), "required",
                        artifact_);
    }
    nvidia.push_back(requirement);
  }
  artifact_.facts.push_back({"wheel", "requires_nvidia", std::move(nvidia)});
  for (RecordEntry& entry : ParseRecord(text("/RECORD"), budget_)) {
    record_.emplace(entry.path, std::move(entry));
  }
}

void WheelInspector::CheckMembers() {
  if (archive_.is_cut) Report(Severity::kError, "wheel/damaged", "its directory is truncated");
  if (archive_.has_overlap) {
    Report(Severity::kError, "wheel/damaged",
           "members overlap: it is damaged or a decompression bomb");
  }
  for (const ZipEntry& entry : archive_.entries) {
    if (entry.Escapes()) {
      Report(Severity::kError, "wheel/path-escape",
             fmt::format("'{}' would be written outside its folder", entry.name));
    }
  }
}

void WheelInspector::InspectLibrary(const ZipEntry& entry) {
  if (entry.bytes > kMostLibrary || entry.bytes / kMostRatio > entry.stored_bytes) {
    Report(Severity::kError, "wheel/damaged",
           fmt::format("{} claims to unpack {} bytes from {}: not unpacked", entry.name,
                       entry.bytes, entry.stored_bytes));
    return;
  }
  if (!LooksLikeLibrary(bytes_view_, entry)) return;
  if (entry.bytes <= kMostInMemory) {
    const std::optional<std::string> library =
        ReadMember(bytes_view_, entry, kMostInMemory, budget_);
    if (CheckMember(entry, library ? Sha256(*library) : std::string())) {
      AddLibrary(entry, *library, Memory::kOwned);
    }
    return;
  }
  Result<ScratchFile> file = ScratchFile::Create();
  if (!file.ok()) {
    Report(Severity::kWarning, "inspect/unreadable",
           fmt::format("{}: {}", entry.name, file.error().message));
    return;
  }
  if (!CheckMember(entry, UnpackTo(bytes_view_, options_.memory, entry, budget_, *file))) return;
  const Result<MappedFile> mapped = file->Map();
  if (mapped.ok()) AddLibrary(entry, mapped->bytes(), Memory::kMapped);
}

// `sha256` is empty if the member does not unpack; the result is then false.
bool WheelInspector::CheckMember(const ZipEntry& entry, const std::string& sha256) {
  if (sha256.empty()) {
    if (budget_.is_exceeded()) return false;
    Report(Severity::kError, "wheel/damaged",
           fmt::format("{} does not match its entry in the directory", entry.name));
    return false;
  }
  const auto recorded = record_.find(entry.name);
  if (recorded != record_.end() && !recorded->second.sha256.empty() &&
      recorded->second.sha256 != RecordDigest(sha256)) {
    Report(Severity::kError, "wheel/record-mismatch",
           fmt::format("{} is not the file that RECORD describes", entry.name));
  }
  return true;
}

void WheelInspector::AddLibrary(const ZipEntry& entry, std::string_view library, Memory memory) {
  libraries_.push_back(entry.name);
  if (const std::optional<Elf> elf = Elf::Read(library)) {
    for (std::string& name : elf->Dynamic().needed) needed_.insert(std::move(name));
  }
  AppendCode(ReadDeviceCode(library, {.depth = options_.depth,
                                      .threads = options_.threads,
                                      .is_mapped = memory == Memory::kMapped,
                                      .budget = &budget_}),
             entry.name, artifact_.code);
}

void WheelInspector::CheckRecord() {
  if (record_.empty()) {
    Report(Severity::kWarning, "wheel/record-mismatch", "missing RECORD");
    return;
  }
  std::size_t missing = 0;
  for (const ZipEntry& entry : archive_.entries) {
    const bool is_record =
        entry.name.ends_with(".dist-info/RECORD") || entry.name.ends_with(".dist-info/RECORD.jws");
    if (entry.IsFolder() || is_record) continue;
    const auto found = record_.find(entry.name);
    if (found == record_.end()) {
      ++missing;
    } else if (found->second.has_size && found->second.bytes != entry.bytes) {
      Report(Severity::kError, "wheel/record-mismatch",
             fmt::format("{} has {} bytes; RECORD says {}", entry.name, entry.bytes,
                         found->second.bytes));
    }
  }
  if (missing > 0) {
    Report(Severity::kWarning, "wheel/record-mismatch",
           fmt::format("{} in the archive, but not in RECORD", Count(missing, "file")));
  }
}

void WheelInspector::CheckBundles() {
  for (const std::string& library : libraries_) {
    const std::string name = FileName(library);
    if (name.starts_with("libcuda.so") || name.starts_with("libcuda-") ||
        name.starts_with("libnvidia-ml")) {
      Report(Severity::kError, "wheel/bundles-driver",
             fmt::format("{} belongs to the machine's driver and must not be bundled", library),
             "auditwheel repair --exclude libcuda.so.1");
    }
    if (!requires_.empty() && name.starts_with("libcudart")) {
      Report(Severity::kWarning, "wheel/cuda-twice",
             fmt::format("{} is bundled, but the nvidia-* wheels that provide it are also required",
                         library));
    }
  }
}

void WheelInspector::Inspect() {
  std::optional<ZipArchive> archive = ReadZip(bytes_view_, budget_);
  if (!archive) {
    Report(Severity::kError, "wheel/damaged", "it has no directory");
    return;
  }
  archive_ = *std::move(archive);
  if (!budget_.is_exceeded()) CheckMembers();
  ReadTexts();
  if (!archive_.has_overlap) {
    for (const ZipEntry& entry : archive_.entries) {
      if (budget_.is_exceeded()) break;
      if (!entry.IsFolder() && entry.bytes > 64) InspectLibrary(entry);
    }
  }
  if (!budget_.is_exceeded()) {
    CheckRecord();
    artifact_.facts.push_back({"wheel", "libraries", libraries_});
    artifact_.facts.push_back({"wheel", "members", archive_.entries.size()});
  }
  CheckBundles();
  artifact_.dynamic.needed.assign(needed_.begin(), needed_.end());
  if (reported_ > kMostFindings) {
    Add(artifact_, Severity::kError, "inspect/limit",
        fmt::format("{} more findings are not shown; the limit is {}", reported_ - kMostFindings,
                    kMostFindings));
  }
  if (const auto what = budget_.WhatIsExceeded()) {
    artifact_.findings.push_back(LimitFinding(artifact_.path, *what));
  }
}

}  // namespace

bool IsWheel(std::string_view bytes) {
  if (!bytes.starts_with("PK")) return false;
  Budget budget(bytes.size());
  const std::optional<ZipArchive> archive = ReadZip(bytes, budget);
  return archive && FindIn(*archive, "/METADATA") != nullptr;
}

void InspectWheel(std::string_view bytes, const WheelOptions& options, Budget& budget,
                  Artifact& artifact) {
  WheelInspector(bytes, options, budget, artifact).Inspect();
}

void InspectSitePackages(const Root& folder, Artifact& artifact) {
  Budget budget(0);
  std::map<std::string, std::string> versions;
  std::vector<std::pair<std::string, std::string>> wants;  // package, requirement
  const Result<std::vector<RootEntry>> entries = folder.List();
  if (!entries.ok()) return;
  for (const RootEntry& entry : *entries) {
    if (!entry.name.ends_with(".dist-info")) continue;
    const auto text = [&](const char* name) {
      Result<std::string> read = folder.Read(fs::path(entry.name) / name, {.max_bytes = kMostText});
      return read.ok() ? *std::move(read) : std::string();
    };
    const PythonMetadata metadata = ParseMetadata(text("METADATA"));
    const std::string name = RequirementName(metadata.name);
    const bool matters = name.starts_with("nvidia-") || name == "torch" || name == "triton";
    for (const std::string& requirement : metadata.requires_dist) {
      if (RequirementName(requirement).starts_with("nvidia-"))
        wants.emplace_back(name, requirement);
    }
    if (name.empty()) continue;
    versions[name] = metadata.version;
    if (!matters) continue;
    artifact.facts.push_back({"wheel", "installed." + name, metadata.version});
    SeeRuntimePackage(name, metadata.version, "installed", artifact);
    std::size_t missing = 0;
    for (const RecordEntry& recorded : ParseRecord(text("RECORD"), budget)) {
      // Programs are recorded as "../../../bin/x"; files outside are not checked.
      const bool is_inside = !recorded.path.starts_with('/') && !CleanPath(recorded.path).empty();
      if (!is_inside || recorded.path.ends_with(".pyc")) continue;
      if (!folder.Exists(recorded.path)) ++missing;
    }
    if (missing > 0) {
      Add(artifact, Severity::kWarning, "wheel/files-missing",
          fmt::format("{} of {} {} named in RECORD are missing", missing, name, metadata.version),
          fmt::format("pip install --force-reinstall {}=={}", name, metadata.version));
    }
  }
  for (const auto& [package, requirement] : wants) {
    const std::string name = RequirementName(requirement);
    const auto installed = versions.find(name);
    // "extra == ..." alone requires nothing; other markers are platforms.
    if (requirement.find("extra ==") != std::string::npos) continue;
    const std::size_t pin = requirement.find("==");
    const std::size_t end = requirement.find_first_of(" ;,)", pin);
    const std::string wanted =
        pin == std::string::npos || requirement.find(';') < pin
            ? std::string()
            : requirement.substr(pin + 2, end == std::string::npos ? end : end - pin - 2);
    if (installed == versions.end()) {
      Add(artifact, Severity::kError, "wheel/requirement-missing",
          fmt::format("{} requires {}, which is not installed", package, requirement),
          fmt::format("pip install '{}'", requirement.substr(0, requirement.find(';'))));
    } else if (!wanted.empty() && wanted != installed->second) {
      Add(artifact, Severity::kWarning, "wheel/requirement-version",
          fmt::format("{} requires {} {}, but {} is installed", package, name, wanted,
                      installed->second),
          fmt::format("pip install {}=={}", name, wanted));
    }
  }
}

}  // namespace sibyl::inspect
