// SPDX-License-Identifier: Apache-2.0
// Copies of repositories that the user keeps, by their origins, as git's
// insteadOf: the bytes come from the copy, while pins, citations and links name
// the origin. The table is in the user's configuration, outside every oracle.
//
//   [mirrors]
//   "https://github.com/NVIDIA/" = "/srv/git/NVIDIA/"
//   "https://github.com/NVIDIA/cutlass" = "/home/me/cutlass"
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "oracle/context.h"

namespace sibyl::oracle {

class Mirrors {
 public:
  /// Empty if there is no configuration.
  static Result<Mirrors> Read(const Context& context);
  /// `file` is the name in complaints.
  static Result<Mirrors> Parse(std::string_view text, const std::string& file);

  /// Where the copy of a git origin is: an absolute path or a URL; empty if there
  /// is none. The longest matching origin counts; one that ends with '/' covers
  /// everything below it.
  std::string PlaceOf(std::string_view origin) const;

 private:
  std::map<std::string, std::string, std::less<>> places_;  // by origin
};

/// Adds a row to the user's configuration; kUsage if the origin has another one.
Status RecordMirror(const Context& context, std::string_view origin, std::string_view place);

}  // namespace sibyl::oracle
