// SPDX-License-Identifier: Apache-2.0
// Addresses of pages as the lock has them, and the paths their texts get in a tree.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace sibyl::evidence {

/// Without fragment, scheme and host in lower case, no default port, "/" for no
/// path. A text that is not an address is returned without its fragment.
std::string PageAddress(std::string_view url);

/// "docs.example.org/guide/fences.md" for
/// https://docs.example.org/guide/fences.html: a valid file path, different
/// from all of `taken`, and neither a parent nor a child of one. `suffix` is
/// that of the text.
std::string PagePath(std::string_view address, std::string_view suffix,
                     const std::set<std::string>& taken);

/// A short name for the page: the last part of its path, or the host.
std::string PageName(std::string_view address);

}  // namespace sibyl::evidence
