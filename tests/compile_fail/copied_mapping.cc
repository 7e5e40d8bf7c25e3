// SPDX-License-Identifier: Apache-2.0
// Two owners of one mapping would unmap it twice.
// expect: deleted function|deleted constructor|deleted copy constructor
#include "base/files/mapped_file.h"

sibyl::MappedFile Copy(const sibyl::MappedFile& file) { return file; }
