// SPDX-License-Identifier: Apache-2.0
// The stylesheet, the script and the icon, which the build embeds.
#include "interface/room/room.h"

namespace sibyl::interface {
namespace {

constexpr std::string_view kStylesheet =
#include "interface/room/assets/room.css.inc"
    ;
constexpr std::string_view kScript =
#include "interface/room/assets/room.js.inc"
    ;
constexpr std::string_view kIcon =
#include "interface/room/assets/icon.svg.inc"
    ;

}  // namespace

RoomAsset FindRoomAsset(std::string_view name) {
  if (name == "room.css") return {.type = "text/css; charset=utf-8", .bytes = kStylesheet};
  if (name == "room.js") return {.type = "text/javascript; charset=utf-8", .bytes = kScript};
  if (name == "icon.svg") return {.type = "image/svg+xml", .bytes = kIcon};
  return {};
}

}  // namespace sibyl::interface
