// SPDX-License-Identifier: Apache-2.0
// The point of a lab's axes at which something is measured, and the axes themselves.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sibyl::lab {

using ParamValue = std::variant<std::int64_t, std::string>;

/// Names and values in the order of the axes. That order is the order in the JSON line.
class Params {
 public:
  Params() = default;
  Params(std::initializer_list<std::pair<std::string, ParamValue>> entries) : entries_(entries) {}

  void Add(std::string name, ParamValue value) {
    entries_.emplace_back(std::move(name), std::move(value));
  }
  /// Ends the program if there is no such number: a lab that misspells its own axis is a bug.
  std::int64_t Number(const std::string& name) const;
  const std::string& Text(const std::string& name) const;
  const std::vector<std::pair<std::string, ParamValue>>& entries() const { return entries_; }

  /// `rows=256 columns=4096`, for people.
  std::string ToText() const;

 private:
  const ParamValue& Find(const std::string& name) const;
  std::vector<std::pair<std::string, ParamValue>> entries_;
};

struct Axis {
  std::string name;
  std::vector<ParamValue> values;
};

/// Every combination; the last axis turns fastest.
std::vector<Params> Product(const std::vector<Axis>& axes);

}  // namespace sibyl::lab
