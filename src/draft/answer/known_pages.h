// SPDX-License-Identifier: Apache-2.0
// Which sections of the oracle's own pages are about a question.
#pragma once

#include <vector>

#include "draft/extract/known.h"

namespace sibyl::draft {

/// Best first.
std::vector<KnownPlace> PagesAbout(const PointTerms& terms, const std::vector<KnowledgeFile>& files,
                                   TermReader& reader);

}  // namespace sibyl::draft
