// SPDX-License-Identifier: Apache-2.0
// The codes of the gate's findings, and what each means.
#pragma once

#include <vector>

#include "base/finding.h"

namespace sibyl::gate {

/// Of quotations, names, numbers and code: any text can have them.
std::vector<Rule> TextRules();

/// Of a page, and of a draft that becomes one: those, and its citations and form.
std::vector<Rule> PageRules();

/// Of an oracle: those of its pages and index pages.
std::vector<Rule> GateRules();

}  // namespace sibyl::gate
