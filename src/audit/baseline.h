// SPDX-License-Identifier: Apache-2.0
// A file of findings that are known and accepted, so that a gate can be put
// before an oracle that does not hold yet. docs/formats/gate.md has the format.
//
// A finding is known by what it says, not by where it stands: code, file, text
// and the words of its line. Lines may be added above it, and it stays known;
// its line is edited, and it is new.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "statement/verdict.h"

namespace sibyl::audit {

/// The words of a line, which a fingerprint is made of; of a very long line a hash
/// of them.
std::string LineKey(std::string_view line);

/// Sixteen hexadecimal digits. `path` is the file's from the root of the
/// oracle, which does not depend on where somebody stands.
std::string Fingerprint(const statement::Judgement& judgement, std::string_view path);

class Baseline {
 public:
  /// Refuses a version it does not know and lines that are none of its own, with
  /// the line.
  static Result<Baseline> Parse(std::string_view text);

  /// Adds one finding; the same one again is counted.
  void Add(const statement::Judgement& judgement, std::string_view path);

  /// True once for each time that it was accepted.
  bool Take(const statement::Judgement& judgement, std::string_view path);

  /// How many have not been taken: what they accepted is mended.
  std::size_t left() const;

  /// Sorted by file and code, so that a diff shows what changed.
  /// Parse(Format()) is the same.
  std::string Format() const;

 private:
  struct Entry {
    std::size_t count = 0;
    std::string about;  // for people
  };
  std::map<std::string, Entry, std::less<>> entries_;
};

}  // namespace sibyl::audit
