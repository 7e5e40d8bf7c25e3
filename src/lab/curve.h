// SPDX-License-Identifier: Apache-2.0
// Draws a sweep as curves, with its floor.
#pragma once

#include <string>
#include <string_view>

#include "lab/sweep.h"

namespace sibyl::lab {

/// In pixels: as tall as its axes or its legend.
int CurveHeight(const Sweep& sweep);

/// The elements of an SVG picture 900 wide, from `y` to `y` + CurveHeight.
std::string DrawCurve(const Sweep& sweep, int y);

/// `text` for XML.
std::string EscapedForSvg(std::string_view text);

/// The classes that the elements have.
inline constexpr std::string_view kCurveStyle =
    ".a{stroke:#999}.g{stroke:#999;stroke-opacity:.3}.l{fill:none;stroke-width:2}"
    ".d{stroke-dasharray:5 4}.s0{stroke:#4a7fb5}.s1{stroke:#d08a2e}.s2{stroke:#5a9e5f}"
    ".s3{stroke:#8d6cab}.s4{stroke:#c0688f}.s5{stroke:#7c7c7c}.s6{stroke:#3f9da6}.s7{stroke:#"
    "a3763d}";

}  // namespace sibyl::lab
