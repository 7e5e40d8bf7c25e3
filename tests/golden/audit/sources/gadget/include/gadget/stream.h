// SPDX-License-Identifier: Apache-2.0
// An ordered queue of work on one device.
#pragma once

namespace gadget {

class Stream {
 public:
  explicit Stream(int priority = 0);
  void Synchronize();
  bool IsIdle() const;
};

namespace graph {

// What was recorded can be launched again and again.
class Recording {
 public:
  static Recording Begin(Stream& stream);
  void Finish();
  void Launch(Stream& stream) const;
};

}  // namespace graph
}  // namespace gadget
