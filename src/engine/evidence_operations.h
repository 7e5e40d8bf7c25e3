// SPDX-License-Identifier: Apache-2.0
// The rows of the operations on sources, citations and the index; each is
// defined beside its run function.
#pragma once

#include "engine/operation.h"

namespace sibyl::engine {

extern const Operation kInit;
extern const Operation kSourceAdd;
extern const Operation kSourceList;
extern const Operation kSourceSync;
extern const Operation kSourceRemove;
extern const Operation kSourceExport;
extern const Operation kSourceImport;
extern const Operation kTrust;
extern const Operation kSearch;
extern const Operation kCard;
extern const Operation kCite;
extern const Operation kDump;

}  // namespace sibyl::engine
