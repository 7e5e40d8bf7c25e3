// SPDX-License-Identifier: Apache-2.0
// Addresses of pages as the lock has them, and the paths their texts get in a tree.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace sibyl::evidence {

/// Without fragment, scheme and host in lower case, no default port, "/" for no path.
/// A text that is no address comes back without its fragment.
std::string PageAddress(std::string_view url);

/// "docs.example.org/guide/fences.md" for https://docs.example.org/guide/fences.html:
/// something a file system could hold, that differs from all of `taken` and is no
/// folder of any, nor lies below one. `suffix` is that of the text.
std::string PagePath(std::string_view address, std::string_view suffix,
                     const std::set<std::string>& taken);

/// The word people would call the page by: the last part of its path, or the host.
std::string PageName(std::string_view address);

}  // namespace sibyl::evidence
