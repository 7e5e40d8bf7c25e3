// SPDX-License-Identifier: Apache-2.0
// What leads to an item: the heading of its section, the paragraph above its list,
// and the items that it is in. Part of find.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "statement/statement.h"

namespace sibyl::references {

class LeadingText {
 public:
  /// To be called for each statement in order. `column` is where the text of its
  /// block starts.
  void Enter(const statement::Statement& statement, std::size_t column);

  /// For the statement that was entered last, or one of its group; at most 600 bytes.
  std::string Of(const statement::Statement& statement,
                 const std::vector<statement::SectionHeading>& headings) const;

 private:
  struct Block {
    std::size_t column = 0;
    std::uint32_t group = 0;
    std::string text;
  };
  std::vector<Block> blocks_;  // those that the current one is in
  std::uint32_t heading_ = 0;
};

}  // namespace sibyl::references
