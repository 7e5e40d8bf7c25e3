// SPDX-License-Identifier: Apache-2.0
// The repositories that open documents are in. Their files are listed again
// after a while, and read again when one of them changed.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/process/git_command.h"
#include "base/result.h"
#include "references/check.h"
#include "references/repository.h"

namespace sibyl::interface::lsp {

using TimePoint = std::chrono::steady_clock::time_point;

/// The files of a repository at one moment, and what is known about them.
struct OpenedRepository {
  explicit OpenedRepository(std::unique_ptr<references::Repository> opened)
      : files(std::move(opened)), memory(*files) {}

  std::unique_ptr<references::Repository> files;
  references::CheckMemory memory;
};

/// A document in its repository.
struct Located {
  std::shared_ptr<OpenedRepository> repository;
  std::string path;
};

class Workspace {
 public:
  using Finder =
      std::function<Result<std::optional<GitRepository>>(const std::filesystem::path& folder)>;

  /// `cache` is where git logs may be kept already; nothing is written there.
  explicit Workspace(Finder finder, std::filesystem::path cache = {});

  /// Nothing: the document is not in a repository.
  Result<std::optional<Located>> Locate(const std::filesystem::path& document, TimePoint now);

  /// Lists all files again at the next call of Locate.
  void Expire();

  /// The citations of a text as if it were the document's.
  Result<references::CheckedDocument> Check(const Located& located, const std::string& text) const;

 private:
  struct Kept {
    std::shared_ptr<OpenedRepository> repository;
    TimePoint listed;
    bool is_expired = false;
  };
  Result<std::shared_ptr<OpenedRepository>> Open(const GitRepository& found, TimePoint now);
  void DropOldest();

  Finder finder_;
  std::filesystem::path cache_;
  std::map<std::string, std::optional<GitRepository>> of_folder_;
  std::map<std::string, Kept> kept_;  // by work tree
};

}  // namespace sibyl::interface::lsp
