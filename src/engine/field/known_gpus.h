// SPDX-License-Identifier: Apache-2.0
// The table of the field as an answer: what `--gpu` and `--driver` are compared with.
#pragma once

#include "base/json.h"

namespace sibyl::engine {

/// gpus, architectures, toolkits, images, each row with the ids of its receipts; and the receipts.
Json KnownGpusAsJson();

}  // namespace sibyl::engine
