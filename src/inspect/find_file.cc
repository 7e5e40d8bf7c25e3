// SPDX-License-Identifier: Apache-2.0
#include "inspect/find_file.h"

#include <algorithm>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "base/files/root.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "inspect/artifact_file.h"
#include "inspect/pages.h"

namespace sibyl::inspect {
namespace {

namespace fs = std::filesystem;

struct Found {
  fs::path path;             // as reported
  std::optional<Root> root;  // the folder it was found in; none for a named file
  std::string relative;
};

class Collector {
 public:
  explicit Collector(const FindLimits& limits) : limits_(limits) {}

  void Add(Found file, std::uint64_t bytes) {
    if (bytes == 0) return;
    if (files.size() >= limits_.max_files || bytes > limits_.max_bytes - bytes_) {
      is_complete = false;
      return;
    }
    bytes_ += bytes;
    files.push_back(std::move(file));
  }

  void AddBelow(const fs::path& folder) {
    const Result<Root> root = Root::Open(folder);
    if (!root.ok()) return;
    const auto enters = [](std::string_view path) {
      return !path.substr(path.rfind('/') + 1).starts_with('.');
    };
    const Result<Walked> walked = root->Walk(".", {.enters = enters});
    if (!walked.ok()) return;
    is_complete = is_complete && !walked->is_cut;
    for (const RootEntry& entry : walked->entries) {
      if (entry.kind != FileKind::kFile) continue;
      const std::optional<FileAbout> about = root->About(entry.name);
      if (about) Add({folder / entry.name, *root, entry.name}, about->bytes);
    }
  }

  std::vector<Found> files;
  bool is_complete = true;

 private:
  const FindLimits& limits_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

std::string HashMapped(std::string_view mapped) {
  constexpr std::size_t kWindow = std::size_t{8} << 20;
  Sha256Stream stream;
  for (std::size_t at = 0; at < mapped.size(); at += kWindow) {
    const std::string_view window = mapped.substr(at, kWindow);
    stream.Add(window);
    ReleasePages(window);
  }
  return stream.Finish();
}

HashedFiles HashFiles(const std::vector<fs::path>& places, unsigned threads,
                      const FindLimits& limits) {
  Collector collector(limits);
  for (const fs::path& place : places) {
    std::error_code error;
    if (fs::is_directory(place, error)) {
      collector.AddBelow(place);
    } else if (fs::is_regular_file(place, error)) {
      const std::uint64_t bytes = fs::file_size(place, error);
      if (!error) collector.Add({.path = place}, bytes);
    }
  }
  std::ranges::sort(collector.files, {}, &Found::path);
  std::vector<std::string> hashes(collector.files.size());
  ForEachWithWorkers(hashes.size(), {.threads = threads}, [&](std::size_t) {
    return [&](std::size_t i) {
      const Found& found = collector.files[i];
      const Result<ArtifactFile> file = found.root ? ArtifactFile::Open(*found.root, found.relative)
                                                   : ArtifactFile::Open(found.path);
      if (!file.ok()) return;
      std::string hash = HashMapped(file->bytes());
      if (!file->WhatChanged()) hashes[i] = std::move(hash);
    };
  });
  HashedFiles found{.is_complete = collector.is_complete};
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (!hashes[i].empty()) found.by_sha256.emplace(std::move(hashes[i]), collector.files[i].path);
  }
  return found;
}

}  // namespace sibyl::inspect
