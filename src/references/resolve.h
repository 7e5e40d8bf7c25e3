// SPDX-License-Identifier: Apache-2.0
// Which file of the repository a citation names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "references/reference.h"
#include "references/repository.h"

namespace sibyl::references {

/// The files that a citation may mean; several if they have the same name.
/// `document` is the path of the document.
std::vector<std::string> FilesOf(const Repository& repository, std::string_view document,
                                 const Reference& reference);

/// How a path that resolves to nothing may be written from the root of the
/// repository.
std::vector<std::string> Spellings(const Repository& repository, std::string_view document,
                                   const Reference& reference);

/// The only file of the same folder and extension with almost the same name, or the
/// same name in other letters; empty if there is none. `path` starts at the root.
std::string NearestPath(const PathList& paths, std::string_view path);

/// Whether two addresses end with the same owner and name, whatever their protocol.
bool IsSameRepository(std::string_view origin, std::string_view address);

}  // namespace sibyl::references
