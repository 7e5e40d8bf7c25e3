// SPDX-License-Identifier: Apache-2.0
// For tests: reads the subset of YAML that quote.h writes: block mappings and
// sequences, and JSON for everything else.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/strings.h"

namespace sibyl::launch {

class YamlReader {
 public:
  explicit YamlReader(std::string_view text) {
    for (const std::string_view line : SplitLines(text)) {
      const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
      lines_.push_back({indent, std::string(line.substr(indent))});
    }
  }

  Json Read() { return ReadBlock(0); }

 private:
  struct Line {
    std::size_t indent;
    std::string text;
  };

  bool IsAt(std::size_t indent) const {
    return at_ < lines_.size() && lines_[at_].indent == indent;
  }

  Json ReadBlock(std::size_t indent) {
    return IsAt(indent) && lines_[at_].text.starts_with("- ") ? ReadList(indent)
                                                              : ReadObject(indent);
  }

  Json ReadList(std::size_t indent) {
    Json list = Json::array();
    while (IsAt(indent) && lines_[at_].text.starts_with("- ")) {
      // What follows the dash is a block that begins two columns later.
      lines_[at_].text.erase(0, 2);
      lines_[at_].indent += 2;
      list.push_back(ReadValueOrBlock(indent + 2));
    }
    return list;
  }

  Json ReadValueOrBlock(std::size_t indent) {
    const Json value = Json::parse(lines_[at_].text, nullptr, false);
    if (value.is_discarded()) return ReadBlock(indent);
    ++at_;
    return value;
  }

  Json ReadObject(std::size_t indent) {
    Json object = Json::object();
    while (IsAt(indent)) {
      const auto [key, rest] = SplitKey(lines_[at_].text);
      if (rest.empty()) {
        ++at_;
        object[key] = ReadBlock(lines_.at(at_).indent);
      } else {
        object[key] = Json::parse(rest, nullptr, false);
        ++at_;
      }
    }
    return object;
  }

  static std::pair<std::string, std::string> SplitKey(const std::string& line) {
    std::size_t end = line.find(':');
    std::string key = line.substr(0, end);
    if (line[0] == '"') {
      end = 1;
      while (line.at(end) != '"') end += line[end] == '\\' ? 2 : 1;
      key = Json::parse(line.substr(0, ++end)).get<std::string>();
    }
    return {key, std::string(Trim(std::string_view(line).substr(end + 1)))};
  }

  std::vector<Line> lines_;
  std::size_t at_ = 0;
};

inline Json ReadYaml(std::string_view text) { return YamlReader(text).Read(); }

}  // namespace sibyl::launch
