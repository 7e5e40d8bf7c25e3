// SPDX-License-Identifier: Apache-2.0
// Checks what was pasted, dropped or uploaded: Markdown by `audit`, everything
// else by `inspect`.
#pragma once

#include <string>
#include <string_view>

#include "interface/room/room_paths.h"

namespace sibyl::interface {

RoomPage MakeCheck(const RoomRequest& request);

/// The file name under which `inspect` recognises what was sent as `name`, which may be empty: a
/// pasted text has none. Without folders, and without what a file system could misread.
std::string NameOfSent(std::string_view name, std::string_view text);

}  // namespace sibyl::interface
