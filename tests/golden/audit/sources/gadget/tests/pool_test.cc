// SPDX-License-Identifier: Apache-2.0
// The pool gives back what it took.
#include "gadget/pool.h"

int main() {
  gadget::Pool pool(gadget::PoolPolicy::kFixed);
  gadget::Stream stream;
  pool.Release(pool.Allocate(1000, stream));
  return pool.BytesInUse() == 0 ? 0 : 1;
}
