// SPDX-License-Identifier: Apache-2.0
#include "inspect/find_file.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/hash.h"
#include "inspect/artifact_file.h"
#include "inspect/pages.h"
#include "inspect/parallel.h"

namespace sibyl::inspect {
namespace {

namespace fs = std::filesystem;

class Collector {
 public:
  explicit Collector(const FindLimits& limits) : limits_(limits) {}

  void Add(const fs::path& path) {
    std::error_code error;
    const std::uint64_t bytes = fs::file_size(path, error);
    if (error || bytes == 0) return;
    if (files.size() >= limits_.max_files || bytes > limits_.max_bytes - bytes_) {
      is_complete = false;
      return;
    }
    bytes_ += bytes;
    files.push_back(path);
  }

  void AddBelow(const fs::path& folder) {
    std::error_code error;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied,
                                        error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
      std::error_code ignored;
      if (at->is_symlink(ignored)) continue;
      if (at->is_directory(ignored)) {
        const bool is_hidden = at->path().filename().string().starts_with(".");
        if (is_hidden) at.disable_recursion_pending();
      } else if (at->is_regular_file(ignored)) {
        Add(at->path());
      }
    }
  }

  std::vector<fs::path> files;
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
      collector.Add(place);
    }
  }
  std::sort(collector.files.begin(), collector.files.end());
  std::vector<std::string> hashes(collector.files.size());
  ForEachInParallel(hashes.size(), threads, 1, [&] {
    return [&](std::size_t i) {
      const Result<ArtifactFile> file = ArtifactFile::Open(collector.files[i]);
      if (!file.ok()) return;
      std::string hash = HashMapped(file->bytes());
      if (!file->WhatChanged()) hashes[i] = std::move(hash);
    };
  });
  HashedFiles found{.is_complete = collector.is_complete};
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (!hashes[i].empty()) found.by_sha256.emplace(std::move(hashes[i]), collector.files[i]);
  }
  return found;
}

}  // namespace sibyl::inspect
