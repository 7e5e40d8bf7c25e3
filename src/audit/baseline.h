// SPDX-License-Identifier: Apache-2.0
// A file of accepted findings, so that checks can be enforced for an oracle
// that does not pass yet. docs/formats/gate.md has the format.
//
// A finding is identified by its content, not by its line number: code, file,
// text and the words on its line. It stays accepted if lines are added above
// it; if its line is edited, it is new.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "statement/verdict.h"

namespace sibyl::audit {

/// The words of a line for its fingerprint; a hash of them for a very long
/// line.
std::string LineKey(std::string_view line);

/// Sixteen hexadecimal digits. `path` is relative to the oracle, so it does not
/// depend on the working folder.
std::string Fingerprint(const statement::Judgement& judgement, std::string_view path);

class Baseline {
 public:
  /// Refuses unknown versions and malformed lines, with the line.
  static Result<Baseline> Parse(std::string_view text);

  /// Adds one finding; the same one again is counted.
  void Add(const statement::Judgement& judgement, std::string_view path);

  /// True once for each time that it was accepted.
  bool Take(const statement::Judgement& judgement, std::string_view path);

  /// How many were not matched: they no longer occur.
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
