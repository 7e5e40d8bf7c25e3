// SPDX-License-Identifier: Apache-2.0
// HTML that cannot be broken by its content: markup is written in this program,
// everything else is escaped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace sibyl::interface {

/// Markup that was written in the program text; nothing else converts to it.
class HtmlLiteral {
 public:
  template <std::size_t Size>
  consteval HtmlLiteral(const char (&text)[Size])  // NOLINT: meant to convert
      : text_(text, Size - 1) {}
  constexpr std::string_view text() const { return text_; }

 private:
  std::string_view text_;
};

struct HtmlAttribute {
  std::string_view name;   ///< From the program text.
  std::string_view value;  ///< Escaped; for an address see LinkStyle and SafeAddress.
};

class Html {
 public:
  Html& Markup(HtmlLiteral literal) {
    text_ += literal.text();
    return *this;
  }
  /// Escapes & < > " and '; replaces what is not UTF-8, and controls that HTML forbids.
  Html& Text(std::string_view text);
  Html& Number(std::uint64_t number);
  /// "<a href="…">"; an attribute without a value is left out.
  Html& Open(HtmlLiteral tag, std::initializer_list<HtmlAttribute> attributes = {});
  Html& Close(HtmlLiteral tag);
  /// An element that has only text.
  Html& Element(HtmlLiteral tag, std::initializer_list<HtmlAttribute> attributes,
                std::string_view text);
  Html& Add(const Html& other) {
    text_ += other.text_;
    return *this;
  }
  /// What was made by Take of another Html.
  Html& AddMade(const std::string& html) {
    text_ += html;
    return *this;
  }

  const std::string& str() const { return text_; }
  std::string Take() { return std::move(text_); }
  bool empty() const { return text_.empty(); }

 private:
  std::string text_;
};

}  // namespace sibyl::interface
