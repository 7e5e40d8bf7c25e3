// SPDX-License-Identifier: Apache-2.0
#include "folder_source.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/files/file_descriptor.h"
#include "base/hash.h"
#include "base/os_error.h"

namespace sibyl::bench {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 20;

std::string_view LanguageOf(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  const std::string_view extension = dot == std::string_view::npos ? "" : path.substr(dot);
  constexpr std::pair<std::string_view, std::string_view> kLanguages[] = {
      {".md", "markdown"}, {".rst", "restructuredtext"},
      {".txt", "text"},    {".py", "python"},
      {".cpp", "c++"},     {".cc", "c++"},
      {".h", "c++"},       {".hpp", "c++"},
      {".cu", "cuda"},     {".cuh", "cuda"},
      {".c", "c"},         {".cmake", "cmake"}};
  for (const auto& [known, language] : kLanguages) {
    if (extension == known) return language;
  }
  return {};
}

// std::filesystem takes twice as long, and no other thread works meanwhile.
void ListFiles(const std::string& root, const std::string& prefix,
               std::vector<index::DocumentKey>& keys) {
  const std::string folder = root + "/" + prefix;
  DIR* const handle = ::opendir(folder.c_str());
  if (handle == nullptr) std::abort();
  // NOLINTNEXTLINE(concurrency-mt-unsafe): a handle of our own
  while (const dirent* entry = ::readdir(handle)) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    std::string path = prefix;
    path += name;
    struct stat status {};
    bool is_folder = entry->d_type == DT_DIR;
    bool is_file = entry->d_type == DT_REG;
    if (entry->d_type == DT_UNKNOWN && ::lstat((root + "/" + path).c_str(), &status) == 0) {
      is_folder = S_ISDIR(status.st_mode);
      is_file = S_ISREG(status.st_mode);
    }
    if (is_folder) {
      ListFiles(root, path + "/", keys);
    } else if (is_file) {
      keys.push_back({.path = std::move(path), .blob = {}});
    }
  }
  ::closedir(handle);
}

}  // namespace

FolderSource::FolderSource(std::filesystem::path folder) : folder_(std::move(folder)) {
  ListFiles(folder_.string(), {}, keys_);
  std::sort(keys_.begin(), keys_.end(),
            [](const auto& a, const auto& b) { return a.path < b.path; });
}

void FolderSource::ComputeBlobIds() {
  index::Document document;
  for (std::size_t item = 0; item < keys_.size(); ++item) {
    const Result<index::Loaded> loaded = FolderSource::Load(item, document);
    if (!loaded.ok() || *loaded == index::Loaded::kSkipped) continue;
    keys_[item].blob = *git::ObjectId::FromHex(GitBlobId(document.text));
  }
}

Result<index::Loaded> FolderSource::Load(std::size_t item, index::Document& document) {
  const std::string path = folder_.string() + "/" + keys_[item].path;
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return OsError("opening " + path, errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) return OsError("reading " + path, errno);
  const auto bytes = static_cast<std::size_t>(status.st_size);
  if (bytes >= kMaxBytes) return index::Loaded::kSkipped;
  document.text.resize(bytes);
  const ssize_t got = ::read(file.number(), document.text.data(), bytes);
  if (got < 0) return OsError("reading " + path, errno);
  document.text.resize(static_cast<std::size_t>(got));
  if (std::memchr(document.text.data(), 0, document.text.size()) != nullptr) {
    return index::Loaded::kSkipped;
  }
  document.language = LanguageOf(keys_[item].path);
  document.passages.clear();
  return index::Loaded::kText;
}

}  // namespace sibyl::bench
