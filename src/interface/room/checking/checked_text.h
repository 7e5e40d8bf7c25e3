// SPDX-License-Identifier: Apache-2.0
// A text that was checked: its lines numbered, and what was found in them underlined.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "interface/room/text/html.h"

namespace sibyl::interface {

/// A place that leads to the reason with its number (WhyAnchor).
struct UnderlinedPlace {
  std::size_t begin = 0;  ///< Bytes of the line.
  std::size_t end = 0;
  std::size_t number = 0;        ///< Of the reason.
  std::string_view kind = {};    ///< A class of the stylesheet: "err", "unsure".
  std::string_view reason = {};  ///< Shown with the place.
};

/// By line, from one.
using UnderlinedPlaces = std::map<std::size_t, std::vector<UnderlinedPlace>>;

/// The number of a reason follows its place; of places that overlap, the first is underlined and
/// the others only have their numbers.
void AddCheckedText(std::string_view text, UnderlinedPlaces places, Html& html);

/// The id of a reason in the list, and of a line of the text.
std::string WhyAnchor(std::size_t number);
std::string LineAnchor(std::size_t line);

}  // namespace sibyl::interface
