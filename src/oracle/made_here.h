// SPDX-License-Identifier: Apache-2.0
// What this user found out on this machine: facts that were inspected and runs
// that were measured. It is remembered in the user's state folder and never in
// an oracle, so that a record in a cloned oracle cannot pass for our own.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "oracle/context.h"

namespace sibyl::oracle {

class MadeHere {
 public:
  /// Opens nothing yet. Without a state folder nothing is remembered.
  explicit MadeHere(const Context& context);

  /// `purpose` is a file name: "facts", "labs". Durable when this returns ok.
  Status Remember(std::string_view purpose, std::string_view text) const;

  /// Whether exactly this text was remembered. Makes no folder.
  bool Knows(std::string_view purpose, std::string_view text) const;

 private:
  std::optional<std::filesystem::path> folder_;
};

}  // namespace sibyl::oracle
