// SPDX-License-Identifier: Apache-2.0
#include "page/tokenizer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::page {
namespace {

// The offset of a '<' that begins a tag, a comment or the like.
std::size_t FindMarkup(std::string_view text, std::size_t from) {
  while (from < text.size()) {
    const void* found = std::memchr(text.data() + from, '<', text.size() - from);
    if (found == nullptr) return text.size();
    const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
    if (at + 1 >= text.size()) return text.size();
    const char next = text[at + 1];
    if (IsLetter(next) || next == '/' || next == '!' || next == '?') return at;
    from = at + 1;
  }
  return text.size();
}

// The offset of "</name" that ends raw text, or the end.
std::size_t FindRawEnd(std::string_view text, std::string_view name) {
  std::size_t from = 0;
  while (true) {
    const std::size_t at = text.find("</", from);
    if (at == std::string_view::npos) return text.size();
    const std::string_view after = text.substr(at + 2);
    if (after.size() > name.size() && StartsWithIgnoringCase(after, name) &&
        (IsBlank(after[name.size()]) || after[name.size()] == '>' || after[name.size()] == '/')) {
      return at;
    }
    from = at + 2;
  }
}

// A tag's name in lower case; one that is too long for any of ours is cut.
class LowerName {
 public:
  explicit LowerName(std::string_view name) : size_(std::min(name.size(), letters_.size())) {
    for (std::size_t i = 0; i < size_; ++i) {
      const char c = name[i];
      letters_[i] = c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
    }
  }
  std::string_view view() const { return {letters_.data(), size_}; }

 private:
  std::array<char, 16> letters_;
  std::size_t size_;
};

struct AttributeSlot {
  std::string_view name;
  std::string_view Attributes::*member;
};

constexpr std::array<AttributeSlot, 15> kAttributeSlots = {{
    {"class", &Attributes::classes},
    {"id", &Attributes::id},
    {"href", &Attributes::href},
    {"name", &Attributes::name},
    {"role", &Attributes::role},
    {"type", &Attributes::type},
    {"content", &Attributes::content},
    {"property", &Attributes::property},
    {"http-equiv", &Attributes::http_equiv},
    {"charset", &Attributes::charset},
    {"rel", &Attributes::rel},
    {"lang", &Attributes::lang},
    {"data-lang", &Attributes::data_lang},
    {"alt", &Attributes::alt},
    {"itemprop", &Attributes::itemprop},
}};

}  // namespace

bool Tokenizer::Next(Token& token) {
  if (raw_ != Tag::kUnknown) {
    if (NextRaw(token)) return true;
  }
  while (!rest_.empty()) {
    const std::size_t at = FindMarkup(rest_, 0);
    if (at > 0) {
      token = {.kind = Token::Kind::kText, .tag = Tag::kUnknown, .text = rest_.substr(0, at)};
      rest_.remove_prefix(at);
      return true;
    }
    const char next = rest_[1];
    if (next == '!' || next == '?') {
      SkipDeclaration();
    } else if (ReadTag(token)) {
      return true;
    }
  }
  return false;
}

// The text of a script, a style, a title: all up to its own end tag.
bool Tokenizer::NextRaw(Token& token) {
  const Tag tag = raw_;
  raw_ = Tag::kUnknown;
  const std::size_t end = FindRawEnd(rest_, TagName(tag));
  if (end == 0) return false;
  token = {.kind = Token::Kind::kRawText, .tag = tag, .text = rest_.substr(0, end)};
  rest_.remove_prefix(end);
  return true;
}

void Tokenizer::SkipDeclaration() {
  std::size_t end = 0;
  if (rest_.starts_with("<!--")) {
    // "<!-->" and "<!--->" are whole comments.
    end = rest_.find("-->", 2);
    const std::size_t bang = rest_.substr(0, end).find("--!>", 4);
    end = bang != std::string_view::npos ? bang + 4 : end == rest_.npos ? end : end + 3;
  } else if (rest_.starts_with("<![CDATA[")) {
    end = rest_.find("]]>");
    if (end != std::string_view::npos) end += 3;
  } else {
    end = rest_.find('>');
    if (end != std::string_view::npos) ++end;
  }
  rest_.remove_prefix(std::min(end, rest_.size()));
}

// At "<x" or "</". False if the tag is truncated or invalid.
bool Tokenizer::ReadTag(Token& token) {
  const bool is_end = rest_[1] == '/';
  std::size_t at = is_end ? 2 : 1;
  if (is_end && (at >= rest_.size() || !IsLetter(rest_[at]))) {
    const std::size_t end = rest_.find('>');  // "</>" and "</ x>" are comments
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return false;
  }
  const std::size_t begin = at;
  while (at < rest_.size() && rest_[at] != '>' && rest_[at] != '/' && !IsBlank(rest_[at])) ++at;
  token.kind = is_end ? Token::Kind::kEnd : Token::Kind::kStart;
  token.tag = FindTag(LowerName(rest_.substr(begin, at - begin)).view());
  token.text = {};
  rest_.remove_prefix(at);
  if (has_attributes_) attributes_ = Attributes{};
  has_attributes_ = false;
  if (!ReadAttributes()) return false;
  if (!is_end && Is(token.tag, kRawTag)) raw_ = token.tag;
  return true;
}

// Up to and with the '>'. False when the input ends before it: such a tag does
// not exist.
bool Tokenizer::ReadAttributes() {
  const std::string_view text = rest_;
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && (IsBlank(text[at]) || text[at] == '/')) ++at;
    if (at >= text.size()) break;
    if (text[at] == '>') {
      rest_.remove_prefix(at + 1);
      return true;
    }
    const std::size_t name_begin = at;
    ++at;  // a leading '=' belongs to the name
    while (at < text.size() && text[at] != '=' && text[at] != '>' && text[at] != '/' &&
           !IsBlank(text[at])) {
      ++at;
    }
    const std::string_view name = text.substr(name_begin, at - name_begin);
    while (at < text.size() && IsBlank(text[at])) ++at;
    std::string_view value;
    if (at < text.size() && text[at] == '=') {
      ++at;
      while (at < text.size() && IsBlank(text[at])) ++at;
      if (at >= text.size()) break;
      const char quote = text[at];
      if (quote == '"' || quote == '\'') {
        const std::size_t end = text.find(quote, at + 1);
        if (end == std::string_view::npos) break;
        value = text.substr(at + 1, end - at - 1);
        at = end + 1;
      } else {
        const std::size_t value_begin = at;
        while (at < text.size() && text[at] != '>' && !IsBlank(text[at])) ++at;
        value = text.substr(value_begin, at - value_begin);
      }
    }
    Assign(name, value);
  }
  rest_ = {};
  return false;
}

void Tokenizer::Assign(std::string_view name, std::string_view value) {
  constexpr std::size_t kLongest = 11;
  if (name.size() > kLongest || name.size() < 2) return;
  const LowerName lower(name);
  has_attributes_ = true;
  for (const AttributeSlot& slot : kAttributeSlots) {
    if (slot.name != lower.view()) continue;
    std::string_view& member = attributes_.*(slot.member);
    if (member.data() == nullptr) member = value;  // the first one counts
    return;
  }
  if (lower.view() == "hidden" || (lower.view() == "aria-hidden" && value == "true")) {
    attributes_.hidden = !EqualsIgnoringCase(value, "until-found");
  }
}

}  // namespace sibyl::page
