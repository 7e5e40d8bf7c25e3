// SPDX-License-Identifier: Apache-2.0
#include "harness/params.h"

#include <cstdio>
#include <cstdlib>

namespace sibyl::lab {

const ParamValue& Params::Find(const std::string& name) const {
  for (const auto& entry : entries_) {
    if (entry.first == name) return entry.second;
  }
  std::fprintf(stderr, "lab: error: reading parameter '%s': the lab declares no such axis\n",
               name.c_str());
  std::abort();
}

std::int64_t Params::Number(const std::string& name) const {
  return std::get<std::int64_t>(Find(name));
}

const std::string& Params::Text(const std::string& name) const {
  return std::get<std::string>(Find(name));
}

std::string Params::ToText() const {
  std::string text;
  for (const auto& [name, value] : entries_) {
    if (!text.empty()) text += ' ';
    text += name + '=';
    const auto* number = std::get_if<std::int64_t>(&value);
    text += number != nullptr ? std::to_string(*number) : std::get<std::string>(value);
  }
  return text;
}

std::vector<Params> Product(const std::vector<Axis>& axes) {
  std::vector<Params> points = {Params()};
  for (const Axis& axis : axes) {
    std::vector<Params> longer;
    for (const Params& point : points) {
      for (const ParamValue& value : axis.values) {
        longer.push_back(point);
        longer.back().Add(axis.name, value);
      }
    }
    points = std::move(longer);
  }
  return points;
}

}  // namespace sibyl::lab
