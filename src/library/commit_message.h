// SPDX-License-Identifier: Apache-2.0
// The commit message of a publication, and how the commit is recognised.
#pragma once

#include <string>
#include <string_view>

#include "library/library.h"

namespace sibyl::library {

/// The trailer by which a commit is found again.
constexpr std::string_view kTrailer = "Sibyl-Publication";

std::string CommitMessage(const Published& published);

}  // namespace sibyl::library
