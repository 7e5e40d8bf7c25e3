// SPDX-License-Identifier: Apache-2.0
// Names reserved for git and sibyl, in every spelling that some file system
// treats as the same name.
#pragma once

#include <string_view>

namespace sibyl {

/// Whether one name of a path is ".git" or ".sibyl" on Linux, macOS or Windows:
/// in any case, with trailing dots or spaces or an NTFS stream
/// (".git::$INDEX_ALLOCATION"), with characters that HFS+ ignores, or as the
/// short name "git~1". Git refuses to add the first, so publishing under it
/// would make every later commit fail.
bool IsReservedName(std::string_view name);

/// Whether any name of a path with '/' is reserved.
bool HasReservedName(std::string_view path);

}  // namespace sibyl
