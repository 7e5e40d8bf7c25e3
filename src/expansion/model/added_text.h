// SPDX-License-Identifier: Apache-2.0
// Where the text goes that a model writes about a point after it was shown more lines.
#pragma once

#include <cstddef>

#include "draft/extract/passage_keys.h"
#include "draft/model/manuscript.h"

namespace sibyl::expansion {

/// Moves the statements of a point from `place.unit` on behind the last earlier ones that
/// cite the same file, if there are any: at the end of the point they would go on with
/// another subject. A list among them gets a line that names its file.
void PlaceAdded(draft::Manuscript& manuscript, const draft::PassageKeys& keys,
                const draft::UnitPlace& place);

}  // namespace sibyl::expansion
