// SPDX-License-Identifier: Apache-2.0
// A part of a run: its name, its state, and planned against delivered, point by point.
#pragma once

#include <string_view>

#include "base/json.h"
#include "interface/room/page_html.h"
#include "interface/room/text/html.h"

namespace sibyl::interface {

/// The class of a state in the stylesheet.
std::string_view ClassOfState(std::string_view state);
void AddStatePill(std::string_view state, Html& html);

/// `job` is one of `status --run`; its page is linked if it is there.
void AddPartName(const RoomStyle& style, const Json& job, Html& html);

/// Nothing if neither the plan nor the draft is known any more.
void AddPointsOfPart(const RoomStyle& style, const Json& job, Html& html);

}  // namespace sibyl::interface
