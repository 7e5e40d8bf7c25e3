// SPDX-License-Identifier: Apache-2.0
// State of one user on one machine, outside every oracle: a secret key, and the
// user's agreements. Sibyl's own files in an oracle are signed with this key,
// so a cloned oracle cannot include valid ones (docs/decisions/0096).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/files/root.h"
#include "base/result.h"

namespace sibyl {

class UserState {
 public:
  /// $XDG_STATE_HOME/sibyl, or ~/.local/state/sibyl. kUsage without a home.
  static Result<std::filesystem::path> DefaultFolder();

  /// Creates the folder and the key if they are missing. kUsage if the key
  /// belongs to another user or is readable by others.
  static Result<UserState> Open(const std::filesystem::path& folder);

  const Root& root() const { return root_; }

  /// A keyed hash (HMAC-SHA256) of `text` for one purpose: 64 hexadecimal
  /// digits. A signature for one purpose does not verify for another.
  std::string Sign(std::string_view purpose, std::string_view text) const;
  bool Verifies(std::string_view purpose, std::string_view text, std::string_view signature) const;

 private:
  UserState(Root root, std::string key) : root_(std::move(root)), key_(std::move(key)) {}

  Root root_;
  std::string key_;
};

}  // namespace sibyl
