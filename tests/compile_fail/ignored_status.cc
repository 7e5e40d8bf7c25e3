// SPDX-License-Identifier: Apache-2.0
// A write that may have failed must be looked at.
// expect: ignoring return value|ignoring returned value
#include "base/files/files.h"

void Forget() { sibyl::WriteFileAtomically("plan.md", "text"); }
