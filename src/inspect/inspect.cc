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
#include "inspect/find_file.h"
#include "inspect/image/image.h"
#include "inspect/inspectors.h"
#include "inspect/pages.h"
#include "inspect/python/wheel.h"
#include "inspect/totals.h"

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

// If a file changed while it was read, the results match no version of it: discards them, so
// that nothing is shown or cited.
void DiscardChanged(const std::string& what_changed, Artifact& artifact) {
  artifact = {.path = std::move(artifact.path), .kind = artifact.kind, .bytes = artifact.bytes};
  artifact.findings.push_back(
      {.severity = Severity::kError,
       .code = "inspect/changed",
       .message = fmt::format("it changed while it was read: {}", what_changed),
       .hint = "inspect it again when nothing writes to it",
       .place = {.file = artifact.path}});
}

void ReadAs(const Inspector& inspector, const Job& job, std::string_view bytes,
            const InspectOptions& options, Artifact& artifact) {
  if (bytes.size() > inspector.most_bytes) {
    artifact.findings.push_back(LimitFinding(
        artifact.path,
        fmt::format("it has {} bytes; the limit is {}", bytes.size(), inspector.most_bytes)));
    return;
  }
  Budget budget(bytes.size());
  inspector.read_file({.path = job.path, .bytes = bytes, .options = options, .budget = budget},
                      artifact);
}

// "libx.so", "libx.so.1.2": a linker script may be called so too, and is a text.
bool IsNamedLikeLibrary(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::size_t at = name.rfind(".so");
  if (at == std::string::npos) return false;
  const std::string_view rest = std::string_view(name).substr(at + 3);
  return rest.empty() ||
         (rest[0] == '.' && rest.find_first_not_of(".0123456789") == std::string_view::npos);
}

// Read errors become findings of the artifact.
Artifact InspectFile(const Job& job, const InspectOptions& options) {
  Artifact artifact{.path = Shown(job.path, options), .bytes = job.bytes};
  const Result<ArtifactFile> file =
      job.root ? ArtifactFile::Open(*job.root, job.relative) : ArtifactFile::Open(job.path);
  if (!file.ok()) {
    artifact.findings.push_back({.severity = Severity::kError,
                                 .code = "inspect/unreadable",
                                 .message = file.error().message,
                                 .place = {.file = artifact.path}});
    return artifact;
  }
  const std::string_view bytes = file->bytes();
  const Inspector* const inspector = InspectorOf(bytes, job.path.filename().string());
  if (inspector != nullptr) artifact.kind = inspector->kind;
  const bool is_broken_library = inspector == nullptr && IsNamedLikeLibrary(job.path) &&
                                 (bytes.empty() || bytes.find('\0') != std::string_view::npos);
  if (inspector == nullptr && !job.was_named && !is_broken_library) return artifact;
  // Hashing takes a second per gigabyte and is independent of the rest.
  std::jthread hashing;
  if (options.hashes) {
    const auto hash = [&] { artifact.sha256 = HashMapped(bytes); };
    if (options.threads > 1) {
      hashing = std::jthread(hash);
    } else {
      hash();
    }
  }
  if (inspector != nullptr) {
    ReadAs(*inspector, job, bytes, options, artifact);
  } else if (is_broken_library) {
    artifact.findings.push_back({.severity = Severity::kError,
                                 .code = "inspect/unknown-kind",
                                 .message = "it has the name of a shared library and is none",
                                 .hint = "copy or download the file again",
                                 .place = {.file = artifact.path}});
  } else {
    // Somebody who asked about a GPU must not take silence for a yes.
    const bool is_asked = !options.gpus.empty();
    artifact.findings.push_back({.severity = is_asked ? Severity::kError : Severity::kNote,
                                 .code = "inspect/unknown-kind",
                                 .message = is_asked ? "unsupported file type: whether it runs on "
                                                       "the GPU is unknown"
                                                     : "unsupported file type",
                                 .hint = "supported: " + SupportedFiles(),
                                 .place = {.file = artifact.path}});
  }
  if (hashing.joinable()) hashing.join();
  if (const auto change = file->WhatChanged()) DiscardChanged(*change, artifact);
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
    const bool is_damaged_if_empty =
        IsNamedLikeLibrary(entry.name) || fs::path(entry.name).filename() == "CMakeCache.txt";
    if (!about || (about->bytes == 0 && !is_damaged_if_empty)) continue;
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
      return Error{
          .kind = ErrorKind::kUsage,
          .message = fmt::format("inspecting {}: neither a file nor a folder", path.string())};
    }
    const std::uint64_t bytes = fs::file_size(path, error);
    jobs.push_back({.path = path, .bytes = error ? 0 : bytes, .was_named = true});
  }
  return jobs;
}

// Folders that one of the found files marks as an artifact.
std::map<fs::path, Root> FoldersMarked(const Inspector& inspector, const std::vector<Job>& jobs) {
  std::map<fs::path, Root> folders;
  for (const Job& job : jobs) {
    if (!job.root) continue;
    fs::path folder = job.path;
    fs::path inside = job.relative;
    const unsigned levels = inspector.levels_below(inside);
    if (levels == 0) continue;
    for (unsigned i = 0; i < levels; ++i) {
      folder = folder.parent_path();
      inside = inside.parent_path();
    }
    if (folders.contains(folder)) continue;
    Result<Root> root = inside.empty() ? Result<Root>(*job.root) : job.root->OpenFolder(inside);
    if (root.ok()) folders.emplace(folder, *std::move(root));
  }
  return folders;
}

const Inspector* InspectorOfFolder(const fs::path& path) {
  for (const Inspector& inspector : Inspectors()) {
    if (inspector.is_folder != nullptr && inspector.is_folder(path)) return &inspector;
  }
  return nullptr;
}

void AddMarkedFolders(const std::vector<Job>& jobs, const InspectOptions& options,
                      Inspected& inspected) {
  for (const Inspector& inspector : Inspectors()) {
    if (inspector.levels_below == nullptr) continue;
    for (const auto& [folder, root] : FoldersMarked(inspector, jobs)) {
      Artifact artifact{.path = Shown(folder, options), .kind = inspector.kind};
      inspector.read_found_folder(root, options, artifact);
      if (artifact.facts.empty() && artifact.findings.empty()) continue;
      inspected.artifacts.push_back(std::move(artifact));
    }
  }
}

// A verdict needs all of the code: which cubins are empty, and what the library loads itself.
CodeDepth DepthFor(const InspectOptions& options) {
  return options.gpus.empty() ? options.depth : CodeDepth::kContent;
}

bool IsWorthShowing(const Artifact& artifact, const Job& job) {
  if (job.was_named || !artifact.findings.empty()) return true;
  const auto all = Inspectors();
  const auto inspector = std::ranges::find(all, artifact.kind, &Inspector::kind);
  if (inspector == all.end()) return false;
  return !inspector->needs_code || !artifact.code.empty();
}

}  // namespace

Result<Inspected> Inspect(const std::vector<fs::path>& paths, const InspectOptions& options) {
  Inspected inspected;
  std::vector<Finding> walking;
  // An OCI layout is one artifact, not a folder of blobs.
  std::vector<std::pair<fs::path, const Inspector*>> folders;
  std::vector<fs::path> others;
  for (const fs::path& path : paths) {
    if (const Inspector* const inspector = InspectorOfFolder(path)) {
      folders.emplace_back(path, inspector);
    } else {
      others.push_back(path);
    }
  }
  const std::vector<Job> jobs = SIBYL_TRY(JobsFor(others, walking));
  inspected.files_seen = jobs.size() + folders.size();

  // The largest first, so that no thread ends with a large file alone.
  std::vector<std::size_t> order(jobs.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return jobs[i].bytes; });
  // A few files are each read by several threads; many files are distributed, one thread each.
  InspectOptions each = options;
  each.depth = DepthFor(options);
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
  for (const auto& [folder, inspector] : folders) {
    Artifact artifact{.path = Shown(folder, options), .kind = inspector->kind};
    inspector->read_folder(folder, each, artifact);
    inspected.artifacts.push_back(std::move(artifact));
  }
  AddMarkedFolders(jobs, options, inspected);
  if (!walking.empty()) {
    Artifact folder{.path = walking[0].place.file};
    folder.findings = std::move(walking);
    inspected.artifacts.push_back(std::move(folder));
  }
  return inspected;
}

}  // namespace sibyl::inspect
