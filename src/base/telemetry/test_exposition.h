// SPDX-License-Identifier: Apache-2.0
// For tests: a strict reader of Prometheus's text format 0.0.4, which reports every
// departure from it as a failure of the test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"

namespace sibyl {

struct ExposedFamily {
  std::string help;
  std::string type;
};

struct Exposition {
  using Labels = std::map<std::string, std::string>;
  std::map<std::string, ExposedFamily> families;
  std::map<std::pair<std::string, Labels>, double> samples;

  std::optional<double> Value(const std::string& name, const Labels& labels = {}) const {
    const auto found = samples.find({name, labels});
    return found == samples.end() ? std::nullopt : std::optional(found->second);
  }
};

class ExpositionReader {
 public:
  Exposition Read(std::string_view text) {
    EXPECT_TRUE(text.empty() || text.ends_with('\n')) << "the last line has no end";
    EXPECT_FALSE(FindInvalidUtf8(text));
    while (!text.empty()) {
      line_ = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line_.size() + 1, text.size()));
      TakeLine();
    }
    CheckHistograms();
    return std::move(read_);
  }

 private:
  void Fail(std::string_view why) { ADD_FAILURE() << why << ": " << line_; }

  std::string TakeName(std::string_view& rest, bool allows_colon) {
    std::size_t end = 0;
    while (end < rest.size() &&
           (IsLetter(rest[end]) || rest[end] == '_' || (allows_colon && rest[end] == ':') ||
            (end > 0 && IsDigit(rest[end])))) {
      ++end;
    }
    if (end == 0) Fail("a name is missing");
    const std::string name(rest.substr(0, end));
    rest.remove_prefix(end);
    return name;
  }

  std::string Unescaped(std::string_view& rest, bool is_label) {
    std::string text;
    while (!rest.empty() && !(is_label && rest[0] == '"')) {
      char c = rest[0];
      rest.remove_prefix(1);
      if (c == '\\') {
        const bool is_known =
            !rest.empty() && (rest[0] == '\\' || rest[0] == 'n' || (is_label && rest[0] == '"'));
        if (!is_known) {
          Fail("an unknown escape");
          return text;
        }
        c = rest[0] == 'n' ? '\n' : rest[0];
        rest.remove_prefix(1);
      }
      text += c;
    }
    return text;
  }

  void TakeLine() {
    std::string_view rest = line_;
    if (rest.starts_with("# HELP ") || rest.starts_with("# TYPE ")) {
      const bool is_help = rest.starts_with("# HELP ");
      rest.remove_prefix(7);
      const std::string name = TakeName(rest, true);
      if (!rest.starts_with(' ')) return Fail("a blank is missing");
      rest.remove_prefix(1);
      ExposedFamily& family = read_.families[name];
      if (current_ != name && !begun_.insert(name).second) Fail("a family is in two places");
      current_ = name;
      if (is_help) {
        if (!family.help.empty()) Fail("a second HELP");
        family.help = Unescaped(rest, false);
        return;
      }
      if (!family.type.empty()) Fail("a second TYPE");
      family.type = rest;
      if (rest != "counter" && rest != "gauge" && rest != "histogram") Fail("an unknown TYPE");
      return;
    }
    if (rest.empty() || rest.starts_with('#')) return Fail("a line without meaning");
    TakeSample(rest);
  }

  void TakeSample(std::string_view rest) {
    const std::string name = TakeName(rest, true);
    Exposition::Labels labels;
    if (rest.starts_with('{')) {
      rest.remove_prefix(1);
      while (true) {
        const std::string label = TakeName(rest, false);
        if (!rest.starts_with("=\"")) return Fail("a label has no value");
        rest.remove_prefix(2);
        if (!labels.emplace(label, Unescaped(rest, true)).second) Fail("a label twice");
        if (!rest.starts_with('"')) return Fail("a value has no end");
        rest.remove_prefix(1);
        if (rest.starts_with('}')) break;
        if (!rest.starts_with(',')) return Fail("labels have no end");
        rest.remove_prefix(1);
      }
      rest.remove_prefix(1);
    }
    if (!rest.starts_with(' ')) return Fail("the value is missing");
    rest.remove_prefix(1);
    char* end = nullptr;
    const std::string number(rest);
    const double value = std::strtod(number.c_str(), &end);
    if (number.empty() || *end != '\0') return Fail("the value is not a number");
    if (!BelongsToCurrent(name)) Fail("a sample is not after its TYPE");
    if (!read_.samples.emplace(std::pair(name, labels), value).second) Fail("a sample twice");
  }

  bool BelongsToCurrent(const std::string& name) const {
    const auto family = read_.families.find(current_);
    if (family == read_.families.end() || family->second.type.empty()) return false;
    if (family->second.type != "histogram") return name == current_;
    return name == current_ + "_bucket" || name == current_ + "_sum" || name == current_ + "_count";
  }

  // Buckets are cumulative and end with +Inf, which is the count.
  void CheckHistograms() {
    for (const auto& [name, family] : read_.families) {
      EXPECT_FALSE(family.help.empty()) << name << " has no HELP";
      if (family.type != "histogram") continue;
      std::map<Exposition::Labels, std::map<double, double>> buckets;
      for (const auto& [key, value] : read_.samples) {
        if (key.first != name + "_bucket") continue;
        Exposition::Labels labels = key.second;
        const std::string bound = labels["le"];
        labels.erase("le");
        buckets[labels][bound == "+Inf" ? HUGE_VAL : std::stod(bound)] = value;
      }
      for (const auto& [labels, bounds] : buckets) {
        double before = 0;
        for (const auto& [bound, value] : bounds) {
          EXPECT_GE(value, before) << name << " falls at " << bound;
          before = value;
        }
        EXPECT_EQ(bounds.rbegin()->first, HUGE_VAL) << name << " has no +Inf";
        EXPECT_EQ(read_.Value(name + "_count", labels), before) << name;
        EXPECT_TRUE(read_.Value(name + "_sum", labels)) << name;
      }
    }
  }

  std::string_view line_;
  std::string current_;
  std::set<std::string> begun_;
  Exposition read_;
};

inline Exposition ReadExposition(std::string_view text) { return ExpositionReader().Read(text); }

}  // namespace sibyl
