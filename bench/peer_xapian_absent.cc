// SPDX-License-Identifier: Apache-2.0
// In the place of peer_xapian.cc where Xapian is not installed.
#include "peers.h"

namespace sibyl::bench {

std::unique_ptr<Peer> MakeXapian() { return nullptr; }

}  // namespace sibyl::bench
