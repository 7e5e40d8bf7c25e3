// SPDX-License-Identifier: Apache-2.0
// Facts inspected and runs measured by this user on this machine. They are
// remembered in the user's state folder and never in an oracle, so that a
// record in a cloned oracle cannot be mistaken for our own.
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

  /// Whether exactly this text was remembered. Creates no folder.
  bool Knows(std::string_view purpose, std::string_view text) const;

 private:
  std::optional<std::filesystem::path> folder_;
};

}  // namespace sibyl::oracle
