// SPDX-License-Identifier: Apache-2.0
// An outcome as JUnit XML: a suite for each document, a test case for each
// finding. Errors are failures; warnings and notes are test cases that pass.
#pragma once

#include <string>
#include <string_view>

#include "engine/outcome.h"

namespace sibyl::interface {

/// A document without findings is one test case that passes, since a suite
/// without any looks as if nothing was checked. Test cases have the same names
/// when lines move.
std::string OutcomeAsJUnit(std::string_view operation, const engine::Outcome& outcome);

/// Text as it can be in an element or between quotation marks. XML cannot
/// represent most control characters at all; they are spelled out.
std::string EscapeXml(std::string_view text);

}  // namespace sibyl::interface
