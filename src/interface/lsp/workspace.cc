// SPDX-License-Identifier: Apache-2.0
#include "interface/lsp/workspace.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "oracle/argument_file.h"

namespace sibyl::interface::lsp {
namespace {

// Listing the files of a repository with 10,000 files takes about 0.1 s.
constexpr std::chrono::seconds kListed{2};
constexpr std::size_t kMostRepositories = 8;
constexpr std::size_t kMostFolders = 256;

}  // namespace

Workspace::Workspace(Finder finder, std::filesystem::path cache)
    : finder_(std::move(finder)), cache_(std::move(cache)) {}

void Workspace::Expire() {
  of_folder_.clear();
  for (auto& [root, kept] : kept_) kept.is_expired = true;
}

void Workspace::DropOldest() {
  while (kept_.size() > kMostRepositories) {
    kept_.erase(std::min_element(kept_.begin(), kept_.end(), [](const auto& a, const auto& b) {
      return a.second.listed < b.second.listed;
    }));
  }
}

Result<std::shared_ptr<OpenedRepository>> Workspace::Open(const GitRepository& found,
                                                          TimePoint now) {
  const std::string root = found.work_tree.string();
  const auto known = kept_.find(root);
  if (known != kept_.end() && !known->second.is_expired && now - known->second.listed < kListed) {
    return known->second.repository;
  }
  auto opened = std::make_shared<OpenedRepository>(SIBYL_TRY(references::Repository::Open(found)));
  if (known != kept_.end()) {
    const std::shared_ptr<OpenedRepository>& before = known->second.repository;
    const bool is_same_head = before->files->head() == opened->files->head();
    if (is_same_head && before->files->stamp() == opened->files->stamp()) {
      opened = before;
    } else if (is_same_head) {
      opened->memory.history = before->memory.history;
    }
  }
  kept_[root] = {.repository = opened, .listed = now};
  DropOldest();
  return opened;
}

Result<std::optional<Located>> Workspace::Locate(const std::filesystem::path& document,
                                                 TimePoint now) {
  const std::string folder = document.parent_path().string();
  auto known = of_folder_.find(folder);
  if (known == of_folder_.end()) {
    if (of_folder_.size() >= kMostFolders) of_folder_.clear();
    known = of_folder_.emplace(folder, SIBYL_TRY(finder_(document.parent_path()))).first;
  }
  if (!known->second) return std::optional<Located>();
  const std::optional<std::filesystem::path> path =
      oracle::PathBelow(known->second->work_tree, document);
  if (!path) return std::optional<Located>();
  std::shared_ptr<OpenedRepository> opened = SIBYL_TRY(Open(*known->second, now));
  return std::optional<Located>(
      Located{.repository = std::move(opened), .path = path->generic_string()});
}

Result<references::CheckedDocument> Workspace::Check(const Located& located,
                                                     const std::string& text) const {
  const std::map<std::string, std::string, std::less<>> texts = {{located.path, text}};
  std::vector<references::CheckedDocument> checked =
      SIBYL_TRY(references::CheckDocuments({.documents = *located.repository->files,
                                            .code = *located.repository->files,
                                            .paths = {located.path},
                                            .cache = cache_,
                                            .keeps_cache = false,
                                            .texts = &texts,
                                            .memory = &located.repository->memory}));
  if (checked.front().error) return *std::move(checked.front().error);
  return std::move(checked.front());
}

}  // namespace sibyl::interface::lsp
