// SPDX-License-Identifier: Apache-2.0
#include "harness/line.h"

#include <cmath>
#include <cstdio>

namespace sibyl::lab {
namespace {

std::string JsonParams(const Params& params) {
  std::string text = "{";
  for (const auto& [name, value] : params.entries()) {
    if (text.size() > 1) text += ',';
    text += Quoted(name) + ':';
    const auto* number = std::get_if<std::int64_t>(&value);
    text += number != nullptr ? std::to_string(*number) : Quoted(std::get<std::string>(value));
  }
  return text + "}";
}

std::string OrNull(const std::optional<double>& value) {
  return value ? JsonNumber(*value) : "null";
}

std::string Head(const std::string& lab, const std::string& variant, const Params& params) {
  return "{\"lab\":" + Quoted(lab) + ",\"variant\":" + Quoted(variant) +
         ",\"params\":" + JsonParams(params);
}

std::string JsonClocks(const Clocks& clocks) {
  const auto known = [](unsigned mhz) { return mhz == 0 ? "null" : std::to_string(mhz); };
  return "{\"sm_mhz\":" + known(clocks.sm_mhz) + ",\"memory_mhz\":" + known(clocks.memory_mhz) +
         ",\"throttle\":" + (clocks.throttle.empty() ? "null" : Quoted(clocks.throttle)) + "}";
}

}  // namespace

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escaped[8];
      std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
      quoted += escaped;
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string JsonNumber(double value) {
  if (!std::isfinite(value)) return "null";
  char text[40];
  // Integers, such as exact table entries, keep all their digits.
  const bool whole = value == std::floor(value) && std::abs(value) < 9e15;
  std::snprintf(text, sizeof text, whole ? "%.0f" : "%.7g", value);
  return text;
}

std::string ToLine(const std::string& lab, const Measurement& m, const Platform& platform) {
  return Head(lab, m.variant, m.params) + ",\"metric\":" + Quoted(m.metric) +
         ",\"value\":" + JsonNumber(m.value) + ",\"unit\":" + Quoted(m.unit) +
         ",\"floor\":" + OrNull(m.floor) + ",\"x_floor\":" + OrNull(m.x_floor) +
         ",\"samples\":" + std::to_string(m.samples) + ",\"noise\":" + JsonNumber(m.noise) +
         ",\"max_rel_err\":" + OrNull(m.max_rel_err) + ",\"device\":" + Quoted(platform.device) +
         ",\"driver\":" + Quoted(platform.driver) + ",\"toolkit\":" + Quoted(platform.toolkit) +
         ",\"clocks\":" + JsonClocks(m.clocks) + "}";
}

std::string SkipLine(const std::string& lab, const std::string& variant, const Params& params,
                     const std::string& reason) {
  return Head(lab, variant, params) + ",\"skip\":" + Quoted(reason) + "}";
}

std::string FailureLine(const std::string& lab, const std::string& variant, const Params& params,
                        const std::string& reason) {
  return Head(lab, variant, params) + ",\"failure\":" + Quoted(reason) + "}";
}

}  // namespace sibyl::lab
