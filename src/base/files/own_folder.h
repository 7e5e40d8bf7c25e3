// SPDX-License-Identifier: Apache-2.0
// `.sibyl`, the uncommitted state of an oracle's working copy: the journal, a
// publication in progress, web queries. It decides what is published, so it
// must not come from a clone or an archive. Only this file opens it.
//
// The folder is refused unless it is a real folder that belongs to the caller,
// contains only files and folders, no links, and is not tracked by git. Its
// files are bound to this user, this machine and this oracle's path by
// signatures (base/files/user_state.h). A file that does not verify is moved to
// `.sibyl/aside`, never deleted, and a run starts over.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/files/root.h"
#include "base/files/user_state.h"
#include "base/finding.h"
#include "base/result.h"

namespace sibyl {

constexpr std::string_view kOwnFolder = ".sibyl";

/// A value: copies share the open folders.
class OwnFolder {
 public:
  /// For operations that write: creates the folder if it is missing, with a
  /// .gitignore that hides it. kUsage, with what to do, if it is refused; then
  /// nothing was changed.
  static Result<OwnFolder> Open(const std::filesystem::path& oracle, const UserState& state);
  /// For operations that only read. Nothing if there is no such folder.
  static Result<std::optional<OwnFolder>> Find(const std::filesystem::path& oracle,
                                               const UserState& state);

  /// The oracle. Its path is canonical: links on the way to it are the user's.
  const Root& oracle() const { return oracle_; }
  /// `.sibyl` itself.
  const Root& root() const { return root_; }

  /// A keyed hash of `text` for one purpose and this oracle.
  std::string Sign(std::string_view purpose, std::string_view text) const;
  bool Verifies(std::string_view purpose, std::string_view text, std::string_view signature) const;

  /// A file's content with its signature in the first line.
  std::string WithSignature(std::string_view purpose, std::string_view text) const;
  /// The text, when the signature verifies. Nothing of `bytes` is interpreted
  /// before that.
  std::optional<std::string> Verified(std::string_view purpose, std::string_view bytes) const;

  /// Moves a file or folder of `.sibyl` to `aside/NAME-N`, together with
  /// siblings whose names add one of `suffixes`. Returns the new path relative
  /// to the oracle.
  Result<std::string> MoveAside(const std::string& name,
                                std::initializer_list<std::string_view> suffixes = {}) const;

 private:
  OwnFolder(Root oracle, Root root, UserState state)
      : oracle_(std::move(oracle)), root_(std::move(root)), state_(std::move(state)) {}
  static Result<std::optional<OwnFolder>> OpenExisting(const Root& oracle, const UserState& state);
  Status CheckContent() const;

  Root oracle_;
  Root root_;
  UserState state_;
};

/// The finding for people. `what` is "the journal" or "an unfinished
/// publication".
constexpr std::string_view kMovedAsideCode = "own/moved-aside";
constexpr std::string_view kNotOursCode = "own/not-ours";
Finding MovedAside(std::string_view what, std::string_view now_at);
/// By an operation that only reads: the next one that writes will move it.
Finding NotOurs(std::string_view what, std::string_view path);

}  // namespace sibyl
