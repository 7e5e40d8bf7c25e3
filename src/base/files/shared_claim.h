// SPDX-License-Identifier: Apache-2.0
// One of several machines does something that all of them need, and the others
// wait for it. A claim is a file in a shared folder whose content changes while
// its holder works. It saves work and protects nothing: whatever it stands for
// must be safe to do twice, since a holder that was suspended may continue after
// its claim was given to another.
//
// Kernel locks are not used: over a network they are slow, lost when a server
// restarts, or not shared at all. No clock is compared with another machine's: a
// claim is abandoned when a waiter has seen the same content for `abandoned` by
// its own monotonic clock.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "base/result.h"

namespace sibyl {

struct SharedClaimOptions {
  std::chrono::milliseconds renewal = std::chrono::seconds(5);
  std::chrono::milliseconds abandoned = std::chrono::seconds(60);
  /// How long to wait for a holder that keeps renewing.
  std::chrono::milliseconds patience = std::chrono::minutes(10);
  std::chrono::milliseconds poll = std::chrono::milliseconds(200);
  std::function<bool()> cancelled = {};
};

class SharedClaim {
 public:
  /// Creates the file, or waits while another holds it. nullopt once `is_done`
  /// is true, or if the patience ends: then the caller works without a claim.
  /// kUnavailable if the folder cannot be written, kCancelled.
  static Result<std::optional<SharedClaim>> Take(const std::filesystem::path& file,
                                                 const std::function<bool()>& is_done,
                                                 const SharedClaimOptions& options = {});

  SharedClaim(SharedClaim&&) noexcept;
  SharedClaim& operator=(SharedClaim&&) noexcept;
  /// Removes the file, unless another has taken the claim over.
  ~SharedClaim();

 private:
  class Holder;
  explicit SharedClaim(std::unique_ptr<Holder> holder);

  std::unique_ptr<Holder> holder_;
};

}  // namespace sibyl
