// SPDX-License-Identifier: Apache-2.0
// Removes user names and passwords from addresses. People put them into
// settings and plans, and others read what sibyl prints or stores, so every
// address that is shown or stored goes through here.
#pragma once

#include <string>
#include <string_view>

namespace sibyl {

/// `text` without the user name and password of every address in it: of
/// http(s), where a token may be either, and where there is a password in any
/// other scheme. "ssh://git@host/path" stays: the user is part of the address.
/// Also finds malformed ones, such as "https:/me:pw@host" and a password with a
/// '/' in it.
std::string WithoutUserinfo(std::string_view text);

/// Whether that changes it.
bool HasUserinfo(std::string_view text);

}  // namespace sibyl
