// SPDX-License-Identifier: Apache-2.0
// What git said when it failed, in one clause that fits after "fetching URL: ".
#pragma once

#include <string>
#include <string_view>

namespace sibyl::git {

/// The reason in what git wrote to standard error: "cannot connect to example.org port 443",
/// "no git repository there". Without passwords, and empty if git gave no reason.
std::string ReasonOf(std::string_view errors);

/// Whether git says that the disk is full, which it does last.
bool SaysDiskIsFull(std::string_view errors);

}  // namespace sibyl::git
