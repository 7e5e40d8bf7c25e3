// SPDX-License-Identifier: Apache-2.0
#include "library/front_matter.h"

#include <utility>

#include "base/strings.h"

namespace sibyl::library {
namespace {

bool IsQuoted(std::string_view value) {
  return value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
         value.back() == value.front();
}

std::string WithoutQuotes(std::string_view value) {
  return std::string(IsQuoted(value) ? value.substr(1, value.size() - 2) : value);
}

class FrontMatterReader {
 public:
  void Take(std::string_view line, std::size_t number) {
    const std::string_view text = Trim(line);
    if (text.empty() || (text.starts_with('#') && !is_block_)) return;
    const bool is_indented = line[0] == ' ' || line[0] == '\t';
    const std::size_t colon = text.find(':');
    if (is_indented && field_ != nullptr) {
      TakeIndented(text, colon);
    } else if (!is_indented && colon != std::string_view::npos) {
      const std::string_view value = Trim(text.substr(colon + 1));
      is_block_ = value == ">" || value == "|" || value == ">-" || value == "|-";
      field_ = &(fields_[std::string(Trim(text.substr(0, colon)))] = {
                     .value = is_block_ ? std::string() : std::string(value),
                     .line = number,
                     .is_plain = !is_block_});
    }
  }

  std::map<std::string, FrontMatterField> Finish() && {
    for (auto& [key, field] : fields_) {
      field.is_plain = field.is_plain && !IsQuoted(field.value);
      field.value = WithoutQuotes(field.value);
    }
    return std::move(fields_);
  }

 private:
  void TakeIndented(std::string_view text, std::size_t colon) {
    if (!is_block_ && field_->value.empty() && colon != std::string_view::npos) {
      field_->members[std::string(Trim(text.substr(0, colon)))] =
          WithoutQuotes(Trim(text.substr(colon + 1)));
      return;
    }
    if (!field_->value.empty()) field_->value += ' ';
    field_->value += text;
  }

  std::map<std::string, FrontMatterField> fields_;
  FrontMatterField* field_ = nullptr;  // the last one
  bool is_block_ = false;              // of that one
};

}  // namespace

const FrontMatterField* FrontMatter::Find(const std::string& key) const {
  const auto found = fields.find(key);
  return found == fields.end() ? nullptr : &found->second;
}

FrontMatter ReadFrontMatter(std::string_view text) {
  FrontMatter front;
  const std::vector<std::string_view> lines = SplitLines(text);
  if (lines.empty() || Trim(lines[0]) != "---") {
    front.body = lines;
    return front;
  }
  FrontMatterReader reader;
  std::size_t at = 1;
  for (; at < lines.size() && Trim(lines[at]) != "---"; ++at) reader.Take(lines[at], at + 1);
  front.fields = std::move(reader).Finish();
  front.is_whole = at < lines.size();
  if (front.is_whole) {
    front.body.assign(lines.begin() + static_cast<std::ptrdiff_t>(at) + 1, lines.end());
  }
  return front;
}

}  // namespace sibyl::library
