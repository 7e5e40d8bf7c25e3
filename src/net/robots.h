// SPDX-License-Identifier: Apache-2.0
// robots.txt (RFC 9309): what a site allows programs to fetch.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::net {

/// The rest is ignored; the standard requires at least this much.
inline constexpr std::size_t kMaxRobotsBytes = std::size_t{500} << 10;

/// The rules of one site for one program. Parsing never fails: invalid lines
/// are ignored.
class Robots {
 public:
  /// Everything is allowed.
  Robots() = default;

  static Robots DisallowAll();

  /// The groups for `product_token`, or those for all ("*") if there are none.
  static Robots Parse(std::string_view text, std::string_view product_token);

  /// `target` is "/path?query". The longest rule that fits decides, and of two
  /// equally long ones the one that allows.
  bool Allows(std::string_view target) const;

  /// Not in the standard, but widely used. At most a minute.
  std::optional<std::chrono::milliseconds> crawl_delay() const { return crawl_delay_; }

 private:
  friend class RobotsReader;

  struct Rule {
    std::string pattern;  ///< Percent-encoded in one way.
    bool allows = false;
  };

  std::vector<Rule> rules_;
  std::optional<std::chrono::milliseconds> crawl_delay_;
};

}  // namespace sibyl::net
