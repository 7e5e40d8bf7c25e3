// SPDX-License-Identifier: Apache-2.0
// A Status must not be ignored.
// expect: ignoring return value|ignoring returned value
#include "base/files/files.h"

void Forget() { sibyl::WriteFileAtomically("plan.md", "text"); }
