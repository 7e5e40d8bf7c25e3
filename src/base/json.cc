// SPDX-License-Identifier: Apache-2.0
#include "base/json.h"

#include <fmt/format.h>

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sibyl {
namespace {

// Builds the value. With ordered objects the library's own builder searches all
// previous members for every member: an object of a million members would take
// hours. Here members are appended, and duplicates are found once, at the end
// of the object.
class Builder : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return Add(nullptr); }
  bool boolean(bool value) override { return Add(value); }
  bool number_integer(number_integer_t value) override { return Add(value); }
  bool number_unsigned(number_unsigned_t value) override { return Add(value); }
  bool number_float(number_float_t value, const string_t& /*text*/) override { return Add(value); }
  bool string(string_t& value) override { return Add(std::move(value)); }
  bool binary(binary_t& value) override { return Add(Json::binary(std::move(value))); }
  bool start_object(std::size_t /*elements*/) override { return Open(Json::object()); }
  bool start_array(std::size_t /*elements*/) override { return Open(Json::array()); }
  bool end_array() override {
    open_.pop_back();
    return true;
  }
  bool key(string_t& name) override {
    open_.back()->get_ref<Json::object_t&>().emplace_back(std::move(name), nullptr);
    return true;
  }
  bool end_object() override {
    KeepLastOfEachName(open_.back()->get_ref<Json::object_t&>());
    open_.pop_back();
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const Json::exception& error) override {
    const auto* const where = dynamic_cast<const Json::parse_error*>(&error);
    problem_ = where != nullptr ? fmt::format("not JSON at byte {}", where->byte)
                                : fmt::format("not JSON: {}", error.what());  // a number too large
    return false;
  }

  Json Take() { return std::move(root_); }
  const std::string& problem() const { return problem_; }

 private:
  // A container that is open is not moved: nothing is added to the one around it
  // until it is closed.
  Json* Place(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    Json& parent = *open_.back();
    if (parent.is_array()) {
      parent.push_back(std::move(value));
      return &parent.back();
    }
    auto& members = parent.get_ref<Json::object_t&>();
    members.back().second = std::move(value);
    return &members.back().second;
  }
  bool Add(Json value) {
    Place(std::move(value));
    return true;
  }
  bool Open(Json container) {
    open_.push_back(Place(std::move(container)));
    return true;
  }

  // At the place of the first, with the value of the last, as the library does.
  static void KeepLastOfEachName(Json::object_t& members) {
    std::unordered_map<std::string_view, std::size_t> places;
    places.reserve(members.size());
    bool is_repeated = false;
    for (const auto& member : members) {
      is_repeated = !places.emplace(member.first, places.size()).second || is_repeated;
    }
    if (!is_repeated) return;
    std::vector<Json*> values(places.size());
    std::vector<const std::string*> names(places.size());
    for (auto& member : members) {
      const std::size_t place = places.at(member.first);
      if (names[place] == nullptr) names[place] = &member.first;
      values[place] = &member.second;
    }
    Json::object_t unique;
    for (std::size_t i = 0; i < names.size(); ++i) {
      unique.emplace_back(*names[i], std::move(*values[i]));
    }
    members = std::move(unique);
  }

  Json root_;
  std::vector<Json*> open_;
  std::string problem_;
};

// Counts depth before the library recurses or allocates: its own parser has no
// limit, and a value of a million brackets would otherwise be built first.
Status CheckDepth(std::string_view text, int max_depth) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > max_depth) {
        return Error{.kind = ErrorKind::kCorrupt,
                     .message = fmt::format("JSON is nested deeper than {} levels", max_depth)};
      }
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return {};
}

// JSON allows DEL and the C1 controls in strings, and the library leaves them there;
// terminals and logs obey them. Outside of strings it writes only ASCII.
std::string EscapeControls(std::string text) {
  constexpr char kDelete = '\x7F';
  constexpr char kLead = '\xC2';  // of U+0080 to U+00BF
  constexpr std::string_view kFirstBytes("\x7F\xC2", 2);
  std::size_t at = text.find_first_of(kFirstBytes);
  if (at == std::string::npos) return text;
  std::string escaped;
  std::size_t copied = 0;
  for (; at != std::string::npos; at = text.find_first_of(kFirstBytes, at + 1)) {
    const unsigned second =
        text[at] == kLead && at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1]) : 0;
    const bool is_c1 = second >= 0x80 && second <= 0x9F;
    if (text[at] != kDelete && !is_c1) continue;
    escaped.append(text, copied, at - copied);
    escaped += fmt::format("\\u00{:02x}", is_c1 ? second : 0x7FU);
    copied = at + (is_c1 ? 2 : 1);
  }
  return escaped.append(text, copied, std::string::npos);
}

}  // namespace

Result<Json> ParseJson(std::string_view text, const JsonLimits& limits) {
  if (text.size() > limits.max_bytes) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("JSON of {} bytes exceeds the limit of {}", text.size(),
                                        limits.max_bytes)};
  }
  SIBYL_TRY(CheckDepth(text, limits.max_depth));
  try {
    Builder builder;
    if (Json::sax_parse(text, &builder)) return builder.Take();
    return Error{.kind = ErrorKind::kCorrupt, .message = builder.problem()};
  } catch (const Json::exception& error) {
    return Error{.kind = ErrorKind::kCorrupt, .message = fmt::format("not JSON: {}", error.what())};
  }
}

std::string FormatJson(const Json& value, JsonLayout layout) {
  return EscapeControls(value.dump(layout == JsonLayout::kIndented ? 2 : -1, ' ', false,
                                   Json::error_handler_t::replace));
}

}  // namespace sibyl
