// SPDX-License-Identifier: Apache-2.0
// Reads the values of one table of sibyl.toml, with file and line in every
// complaint. Included only by the readers of sibyl.toml.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/finding.h"
#include "base/result.h"
#include "base/toml_file.h"

namespace sibyl {

class TomlTableReader {
 public:
  /// `file` is its name in messages, `subject` what is read: "[model]".
  TomlTableReader(std::string file, std::string subject)
      : file_(std::move(file)), subject_(std::move(subject)) {}

  /// The table `name` of a file; null if there is none.
  Result<const toml::table*> Find(const toml::table& root, std::string_view name) const;

  /// "reading [model]: what", kUsage, at the place of the node.
  Error Complain(const toml::node& node, std::string what, std::string hint = {}) const;

  /// A string that is not empty.
  Result<std::string> Text(std::string_view key, const toml::node& node) const;
  /// One such string, or a list of them.
  Result<std::vector<std::string>> Texts(std::string_view key, const toml::node& node) const;
  Result<std::int64_t> Number(std::string_view key, const toml::node& node, std::int64_t smallest,
                              std::int64_t largest) const;

  /// A warning about a key that is not one of `known`, with the nearest of them.
  Finding UnknownKey(std::string_view code, std::string_view key, const toml::node& node,
                     std::span<const std::string> known) const;

  /// The file and the line of a node.
  Place PlaceOf(const toml::node& node) const;

 private:
  std::string file_;
  std::string subject_;
};

/// "did you mean 'brave'?", or all the names: "known: brave, exa".
std::string HintForUnknown(std::string_view name, std::span<const std::string> known);

}  // namespace sibyl
