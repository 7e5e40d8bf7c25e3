// SPDX-License-Identifier: Apache-2.0
// The step counter under the name that this room uses; base/work.h says what it is.
#pragma once

#include "base/work.h"

namespace sibyl::verify {

using sibyl::Work;

}  // namespace sibyl::verify
