// SPDX-License-Identifier: Apache-2.0
#include "interface/interface.h"

int main(int argc, char** argv) { return sibyl::interface::RunCommandLine(argc, argv); }
