// SPDX-License-Identifier: Apache-2.0
// A failure that nobody looks at must not go by.
// expect: ignoring return value|ignoring returned value
#include "base/files/files.h"

void Forget() { sibyl::ReadFile("plan.md"); }
