// SPDX-License-Identifier: Apache-2.0
// A Result must not be ignored.
// expect: ignoring return value|ignoring returned value
#include "base/files/files.h"

void Forget() { sibyl::ReadFile("plan.md"); }
