// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <thread>

#include "base/files/root.h"
#include "base/parallel.h"
#include "inspect/artifact_file.h"
#include "inspect/cmake_check.h"
#include "inspect/code_summary.h"
#include "inspect/detect.h"
#include "inspect/docker_check.h"
#include "inspect/find_file.h"
#include "inspect/image.h"
#include "inspect/pages.h"
#include "inspect/totals.h"
#include "inspect/wheel.h"

namespace sibyl::inspect {
namespace {

namespace fs = std::filesystem;

struct Job {
  fs::path path;
  std::uint64_t bytes = 0;
  bool was_named = false;     // by the user, not found in a folder
  std::optional<Root> root;   // the folder it was found in
  std::string relative = {};  // and its path from there
};

std::string Shown(const fs::path& path, const InspectOptions& options) {
  return options.shown ? options.shown(path) : path.string();
}

bool HoldsDeviceCode(ArtifactKind kind) {
  switch (kind) {
    case ArtifactKind::kElf:
    case ArtifactKind::kArchive:
    case ArtifactKind::kCubin:
    case ArtifactKind::kFatbin:
    case ArtifactKind::kPtx:
    case ArtifactKind::kLtoIr:
      return true;
    default:
      return false;
  }
}

void JudgeFor(const InspectOptions& options, Artifact& artifact) {
  const VerdictOptions how{.driver = options.driver, .runtime_major = RuntimeMajor(artifact)};
  for (const GpuTarget& gpu : options.gpus) {
    GpuVerdict verdict = Judge(artifact.code, gpu, how);
    if (verdict.runs == Runs::kNot) {
      artifact.findings.push_back(
          {.severity = Severity::kError,
           .code = "gpu/does-not-run",
           .message = fmt::format(
               "does not run on {}: {}{}", gpu.name, verdict.why,
               verdict.error ? fmt::format(" (error {})", *verdict.error) : std::string()),
           .hint = verdict.error == 209
                       ? fmt::format("build with -gencode arch=compute_{0},code=sm_{0}", gpu.number)
                       : std::string(),
           .place = {.file = artifact.path}});
    }
    // A library may well have kernels for other GPUs only, each in a container
    // of its own, and choose among them: no reason for alarm by itself.
    if (verdict.runs == Runs::kPartly) {
      artifact.findings.push_back(
          {.severity = Severity::kNote,
           .code = "gpu/runs-partly",
           .message = fmt::format("not all of it runs on {}: {}", gpu.name, verdict.why),
           .hint = "in a program of your own, a kernel of these fails with error 209; a library "
                   "may have them for other GPUs only",
           .place = {.file = artifact.path}});
    }
    artifact.verdicts.push_back(std::move(verdict));
  }
}

void InspectCode(std::string_view bytes, const InspectOptions& options, Budget& budget,
                 Artifact& artifact) {
  if (const std::optional<Elf> elf = Elf::Read(bytes)) {
    artifact.facts.push_back({"elf", "machine", MachineName(elf->machine())});
    artifact.facts.push_back({"elf", "bits", elf->is_64() ? 64 : 32});
    artifact.dynamic = elf->Dynamic();
    if (elf->is_cut()) {
      artifact.findings.push_back({.severity = Severity::kWarning,
                                   .code = "elf/cut",
                                   .message = "the ELF file is shorter than its headers say",
                                   .place = {.file = artifact.path}});
    }
  }
  artifact.code = ReadDeviceCode(
      bytes,
      {.depth = options.depth, .threads = options.threads, .is_mapped = true, .budget = &budget});
  const bool was_within = !budget.is_exceeded();
  if (options.kernels && was_within) {
    artifact.kernels = ReadAllKernels(bytes, artifact.code, options.threads, budget);
    if (const auto what = budget.WhatIsExceeded()) {
      artifact.findings.push_back(LimitFinding(artifact.path, "listing its kernels: " + *what));
    }
  }
  AddCodeFacts(artifact);
  JudgeFor(options, artifact);
}

// A cache or a Dockerfile; everything else is not touched.
void InspectText(const Job& job, std::string_view bytes, const InspectOptions& options,
                 Artifact& artifact) {
  const bool is_cache = artifact.kind == ArtifactKind::kCMakeCache;
  if (!is_cache && artifact.kind != ArtifactKind::kDockerfile) return;
  const std::size_t most = is_cache ? kMostText : kMostDockerfile;
  if (bytes.size() > most) {
    artifact.findings.push_back(LimitFinding(
        artifact.path, fmt::format("it has {} bytes; the limit is {}", bytes.size(), most)));
  } else if (is_cache) {
    CheckCMakeCache(ParseCMakeCache(bytes),
                    {.folder = fs::absolute(job.path).parent_path(), .threads = options.threads},
                    artifact);
  } else {
    CheckDockerfile(ParseDockerfile(bytes), artifact);
  }
}

// What was read of a file that changed meanwhile belongs to no file that ever
// was: nothing of it is shown, and nothing can be cited.
void Disbelieve(const std::string& what_changed, Artifact& artifact) {
  artifact = {.path = std::move(artifact.path), .kind = artifact.kind, .bytes = artifact.bytes};
  artifact.findings.push_back(
      {.severity = Severity::kError,
       .code = "inspect/changed",
       .message = fmt::format("it changed while it was read: {}", what_changed),
       .hint = "inspect it again when nothing writes to it",
       .place = {.file = artifact.path}});
}

// What could not be read is said in the artifact's own findings.
Artifact InspectFile(const Job& job, const InspectOptions& options) {
  Artifact artifact{.path = Shown(job.path, options), .bytes = job.bytes};
  const Result<ArtifactFile> file =
      job.root ? ArtifactFile::Open(*job.root, job.relative) : ArtifactFile::Open(job.path);
  if (!file.ok()) {
    artifact.findings.push_back({.severity = Severity::kWarning,
                                 .code = "inspect/unreadable",
                                 .message = file.error().message,
                                 .place = {.file = artifact.path}});
    return artifact;
  }
  const std::string_view bytes = file->bytes();
  artifact.kind = Detect(bytes.substr(0, kDetectBytes), job.path.filename().string());
  if (artifact.kind == ArtifactKind::kOther && IsWheel(bytes)) artifact.kind = ArtifactKind::kWheel;
  if (artifact.kind == ArtifactKind::kOther && IsImageArchive(bytes)) {
    artifact.kind = ArtifactKind::kImage;
  }
  if (artifact.kind == ArtifactKind::kOther && !job.was_named) return artifact;
  // Hashing costs a second per gigabyte and needs nothing of the rest.
  std::jthread hashing;
  if (options.hashes) {
    const auto hash = [&] { artifact.sha256 = HashMapped(bytes); };
    if (options.threads > 1) {
      hashing = std::jthread(hash);
    } else {
      hash();
    }
  }
  Budget budget(bytes.size());
  if (HoldsDeviceCode(artifact.kind)) InspectCode(bytes, options, budget, artifact);
  if (artifact.kind == ArtifactKind::kWheel || artifact.kind == ArtifactKind::kImage) {
    if (artifact.kind == ArtifactKind::kWheel) {
      InspectWheel(bytes,
                   {.depth = options.depth, .threads = options.threads, .memory = Memory::kMapped},
                   budget, artifact);
    } else {
      InspectImageArchive(bytes, Memory::kMapped, budget, artifact);
    }
    AddCodeFacts(artifact);
    JudgeFor(options, artifact);
  }
  InspectText(job, bytes, options, artifact);
  if (artifact.kind == ArtifactKind::kOther) {
    artifact.findings.push_back(
        {.severity = Severity::kNote,
         .code = "inspect/unknown-kind",
         .message = "not an artifact that can be looked into",
         .hint = "known are ELF files, static archives, cubins, fatbins, PTX, LTO-IR, "
                 "CMakeCache.txt, Dockerfiles, wheels and images",
         .place = {.file = artifact.path}});
  }
  if (hashing.joinable()) hashing.join();
  if (const auto change = file->WhatChanged()) Disbelieve(*change, artifact);
  return artifact;
}

// Links are not followed: a toolkit has each library under three names.
std::vector<Job> FilesIn(const fs::path& folder, std::vector<Finding>& findings) {
  std::vector<Job> jobs;
  const auto unreadable = [&](const std::string& message) {
    findings.push_back({.severity = Severity::kWarning,
                        .code = "inspect/unreadable",
                        .message = message,
                        .place = {.file = folder.string()}});
  };
  const Result<Root> root = Root::Open(folder);
  const Result<Walked> walked =
      root.ok() ? root->Walk(".", {.max_entries = kMostFiles}) : Result<Walked>(root.error());
  if (!walked.ok()) {
    unreadable("walking the folder: " + walked.error().message);
    return jobs;
  }
  if (walked->is_cut) {
    findings.push_back(LimitFinding(
        folder.string(),
        fmt::format("it has more files than the limit of {}, or folders nested too deep",
                    kMostFiles)));
  }
  for (const std::string& unread : walked->unread) {
    unreadable(fmt::format("the folder {} cannot be listed", unread));
  }
  for (const RootEntry& entry : walked->entries) {
    if (entry.kind != FileKind::kFile) continue;
    const std::optional<FileAbout> about = root->About(entry.name);
    if (!about || about->bytes == 0) continue;
    jobs.push_back({.path = folder / entry.name,
                    .bytes = about->bytes,
                    .root = *root,
                    .relative = entry.name});
  }
  std::ranges::sort(jobs, {}, &Job::path);
  return jobs;
}

Result<std::vector<Job>> JobsFor(const std::vector<fs::path>& paths,
                                 std::vector<Finding>& findings) {
  std::vector<Job> jobs;
  for (const fs::path& path : paths) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) {
      return Error{.kind = ErrorKind::kNotFound,
                   .message = fmt::format("inspecting {}: no such file", path.string())};
    }
    if (status.type() == fs::file_type::directory) {
      std::vector<Job> inside = FilesIn(path, findings);
      jobs.insert(jobs.end(), inside.begin(), inside.end());
      continue;
    }
    if (status.type() != fs::file_type::regular) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("inspecting {}: not a file or a folder", path.string())};
    }
    const std::uint64_t bytes = fs::file_size(path, error);
    jobs.push_back({.path = path, .bytes = error ? 0 : bytes, .was_named = true});
  }
  return jobs;
}

// Folders with a *.dist-info/METADATA among the files found.
std::map<fs::path, Root> SitePackagesAmong(const std::vector<Job>& jobs) {
  std::map<fs::path, Root> folders;
  for (const Job& job : jobs) {
    if (!job.root || job.path.filename() != "METADATA") continue;
    const fs::path about = job.path.parent_path();
    if (about.extension() != ".dist-info" || folders.contains(about.parent_path())) continue;
    const fs::path inside = fs::path(job.relative).parent_path().parent_path();
    // The folder that was named may itself be a dist-info: nothing is above it.
    if (fs::path(job.relative).parent_path().empty()) continue;
    Result<Root> site = inside.empty() ? Result<Root>(*job.root) : job.root->OpenFolder(inside);
    if (site.ok()) folders.emplace(about.parent_path(), *std::move(site));
  }
  return folders;
}

bool IsWorthShowing(const Artifact& artifact, const Job& job) {
  if (job.was_named || !artifact.findings.empty()) return true;
  if (HoldsDeviceCode(artifact.kind)) return !artifact.code.empty();
  return artifact.kind != ArtifactKind::kOther;
}

}  // namespace

Result<Inspected> Inspect(const std::vector<fs::path>& paths, const InspectOptions& options) {
  Inspected inspected;
  std::vector<Finding> walking;
  // An OCI layout is one artifact, not a folder of blobs.
  std::vector<fs::path> images;
  std::vector<fs::path> others;
  for (const fs::path& path : paths) (IsOciLayout(path) ? images : others).push_back(path);
  const std::vector<Job> jobs = SIBYL_TRY(JobsFor(others, walking));
  inspected.files_seen = jobs.size();

  // The largest first, so that the last thread does not end with one alone.
  std::vector<std::size_t> order(jobs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return jobs[i].bytes; });
  // Few files are shared among threads inside; many are given out whole.
  InspectOptions each = options;
  if (jobs.size() >= 2 * static_cast<std::size_t>(options.threads)) each.threads = 1;
  const unsigned outer = each.threads == 1 ? options.threads : 1;
  std::vector<Artifact> artifacts(jobs.size());
  const std::thread::id caller = std::this_thread::get_id();
  ForEachWithWorkers(jobs.size(), {.threads = outer}, [&](std::size_t) {
    return [&](std::size_t i) {
      const std::size_t number = order[i];
      artifacts[number] = InspectFile(jobs[number], each);
      if (options.progress && std::this_thread::get_id() == caller) {
        options.progress(artifacts[number].path);
      }
    };
  });
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (IsWorthShowing(artifacts[i], jobs[i])) {
      inspected.artifacts.push_back(std::move(artifacts[i]));
    }
  }
  for (const fs::path& folder : images) {
    Artifact image{.path = Shown(folder, options), .kind = ArtifactKind::kImage};
    Budget budget(0);  // told the size of each blob when it is opened
    InspectOciLayout(folder, budget, image);
    AddCodeFacts(image);
    JudgeFor(options, image);
    inspected.artifacts.push_back(std::move(image));
  }
  for (const auto& [folder, root] : SitePackagesAmong(jobs)) {
    Artifact site{.path = Shown(folder, options), .kind = ArtifactKind::kSitePackages};
    InspectSitePackages(root, site);
    if (!site.facts.empty() || !site.findings.empty()) {
      inspected.artifacts.push_back(std::move(site));
    }
  }
  if (!walking.empty()) {
    Artifact folder{.path = walking[0].place.file};
    folder.findings = std::move(walking);
    inspected.artifacts.push_back(std::move(folder));
  }
  return inspected;
}

}  // namespace sibyl::inspect
