// SPDX-License-Identifier: Apache-2.0
// file: URIs, as editors name documents.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl::interface::lsp {

/// The absolute path; nothing for other schemes, other hosts, and paths with NUL.
std::optional<std::filesystem::path> PathOfUri(std::string_view uri);

std::string UriOfPath(const std::filesystem::path& path);

}  // namespace sibyl::interface::lsp
