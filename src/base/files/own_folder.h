// SPDX-License-Identifier: Apache-2.0
// `.sibyl`, where an oracle's working copy keeps what is not committed: the
// journal, a publication that is under way, what the web was asked. It decides
// what is published, so it must be ours and not something that came with a
// clone or an archive. This is the one place that opens it.
//
// The folder is refused unless it is a real folder of the caller's that holds
// only files and folders, no links, and that git does not track. What lies in
// it is bound to this user on this machine and to this oracle's path by
// signatures (base/files/user_state.h). What does not verify is moved to
// `.sibyl/aside`, never deleted, and a run starts afresh.
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
  /// For operations that write: makes the folder when it is missing, with a
  /// .gitignore that hides it. kUsage, with what to do, when it is refused;
  /// then nothing was touched.
  static Result<OwnFolder> Open(const std::filesystem::path& oracle, const UserState& state);
  /// For operations that only read. Nothing: there is no such folder.
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

  /// Moves a file or folder of `.sibyl` to `aside/NAME-N`, and with it its
  /// siblings whose names add one of `suffixes`. Gives the new path from the
  /// oracle.
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

/// What to tell people. `what` is "the journal" or "an unfinished publication".
constexpr std::string_view kMovedAsideCode = "own/moved-aside";
constexpr std::string_view kNotOursCode = "own/not-ours";
Finding MovedAside(std::string_view what, std::string_view now_at);
/// By an operation that only reads: the next one that writes will move it.
Finding NotOurs(std::string_view what, std::string_view path);

}  // namespace sibyl
