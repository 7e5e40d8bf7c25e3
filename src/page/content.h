// SPDX-License-Identifier: Apache-2.0
// Which blocks of a page are its content: the box with most of the text,
// without the runs of links at its ends.
#pragma once

#include <cstddef>
#include <vector>

#include "page/blocks.h"

namespace sibyl::page {

struct Content {
  std::vector<const Block*> blocks;  ///< Of the Blocks it was chosen from, in their order.
  std::size_t dropped_bytes = 0;     ///< Of text outside the box, and of runs of links.
};

Content ChooseContent(const Blocks& page);

}  // namespace sibyl::page
