// SPDX-License-Identifier: Apache-2.0
// Where the members of an image archive are, so that they can be read in any order without
// unpacking.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "inspect/totals.h"

namespace sibyl::inspect {

class ArchiveIndex {
 public:
  /// `bytes` must outlive the index. Stops when the budget is exceeded.
  ArchiveIndex(std::string_view bytes, Budget& budget);

  /// False if the archive is not valid tar to its end.
  bool is_sound() const { return is_sound_; }

  /// Whether there is such a member; ignores links.
  bool Has(const std::string& path) const { return members_.contains(path); }

  /// The bytes of a member by its clean path; follows links.
  std::optional<std::string_view> Find(std::string path) const;

 private:
  class Visitor;

  std::map<std::string, std::string_view> members_;
  std::map<std::string, std::string> links_;
  bool is_sound_ = true;
};

}  // namespace sibyl::inspect
