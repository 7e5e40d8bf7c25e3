// SPDX-License-Identifier: Apache-2.0
// The one switch for the network. The engine sets it for each operation
// (engine/run_operation.cc); evidence, git and net obey it.
#pragma once

namespace sibyl {

enum class Network {
  kForbidden,  ///< No socket is opened, no name is resolved, git contacts no server.
  kAllowed,
};

}  // namespace sibyl
