// SPDX-License-Identifier: Apache-2.0
// Names in code font that the cited lines do not have: which of them are known from
// the rest of the file, and which were put in the place of another.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "support/evidence_text.h"
#include "support/read_statement.h"

namespace sibyl::support {

/// Borrows all.
class MissingNames {
 public:
  MissingNames(const ReadStatement& read, const EvidenceText& evidence,
               const std::vector<std::string_view>& files, std::size_t& searches_left)
      : read_(read), evidence_(evidence), files_(files), searches_left_(searches_left) {}

  /// A part of `megatron-core` or `tune download` that the file has elsewhere, or
  /// the program of a command whose words the lines have.
  bool IsOfKnownCode(const Token& token) const;
  bool IsOfFirstName(const Token& token) const;
  /// `NET_CPU_OPS` where the lines have `NET_GPU_OPS`, which the statement does not
  /// mention: the one was put in the place of the other.
  bool IsExchanged(const Token& name) const;
  /// Elsewhere in one of the files; `lower` is in lower case.
  bool IsInFile(const std::string& lower) const;

 private:
  const ReadStatement& read_;
  const EvidenceText& evidence_;
  const std::vector<std::string_view>& files_;
  std::size_t& searches_left_;  // of whole files
};

}  // namespace sibyl::support
