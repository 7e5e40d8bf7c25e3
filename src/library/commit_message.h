// SPDX-License-Identifier: Apache-2.0
// The commit message of a publication, and how the commit is recognised.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "library/library.h"

namespace sibyl::library {

/// The trailer by which a commit is found again.
constexpr std::string_view kTrailer = "Sibyl-Publication";

enum class PublicationKind : std::uint8_t { kExpansion, kRevision };

/// `subject` becomes the first line, instead of the counts.
std::string CommitMessage(const Published& published,
                          PublicationKind kind = PublicationKind::kExpansion,
                          std::string_view subject = {});

}  // namespace sibyl::library
