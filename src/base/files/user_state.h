// SPDX-License-Identifier: Apache-2.0
// What sibyl keeps about one user on one machine, outside of every oracle: a
// secret key, and what the user agreed to. A cloned oracle can therefore never
// bring something that passes for our own: what we leave in an oracle is signed
// with this key (docs/decisions/0096).
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

  /// Makes the folder and the key when they are missing. kUsage when the key
  /// belongs to somebody else or others may read it.
  static Result<UserState> Open(const std::filesystem::path& folder);

  const Root& root() const { return root_; }

  /// A keyed hash (HMAC-SHA256) of `text` for one purpose: 64 hexadecimal
  /// digits. What was signed for one purpose does not verify for another.
  std::string Sign(std::string_view purpose, std::string_view text) const;
  bool Verifies(std::string_view purpose, std::string_view text, std::string_view signature) const;

 private:
  UserState(Root root, std::string key) : root_(std::move(root)), key_(std::move(key)) {}

  Root root_;
  std::string key_;
};

}  // namespace sibyl
