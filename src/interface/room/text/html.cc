// SPDX-License-Identifier: Apache-2.0
#include "interface/room/text/html.h"

#include "base/utf8.h"

namespace sibyl::interface {
namespace {

// U+202A to U+202E and U+2066 to U+2069 change the order in which text is shown: "Trojan Source".
bool IsDirectionControl(std::string_view text) {
  if (!text.starts_with("\xE2\x80") && !text.starts_with("\xE2\x81")) return false;
  if (text.size() < 3) return false;
  const auto last = static_cast<unsigned char>(text[2]);
  return text[1] == '\x80' ? last >= 0xAA && last <= 0xAE : last >= 0xA6 && last <= 0xA9;
}

void AppendEscaped(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char byte = text[i];
    if (byte == '\xE2' && IsDirectionControl(text.substr(i))) {
      out += "\xEF\xBF\xBD";
      i += 2;
      continue;
    }
    switch (byte) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default: {
        const bool is_control =
            (static_cast<unsigned char>(byte) < 0x20 && byte != '\n' && byte != '\t') ||
            byte == 0x7f;
        if (is_control) {
          out += "\xEF\xBF\xBD";
        } else {
          out += byte;
        }
      }
    }
  }
}

}  // namespace

Html& Html::Text(std::string_view text) {
  if (FindInvalidUtf8(text)) {
    AppendEscaped(ReplaceInvalidUtf8(text), text_);
  } else {
    AppendEscaped(text, text_);
  }
  return *this;
}

Html& Html::Number(std::uint64_t number) {
  text_ += std::to_string(number);
  return *this;
}

Html& Html::Open(HtmlLiteral tag, std::initializer_list<HtmlAttribute> attributes) {
  text_ += '<';
  text_ += tag.text();
  for (const HtmlAttribute& attribute : attributes) {
    if (attribute.value.empty()) continue;
    text_ += ' ';
    text_ += attribute.name;
    text_ += "=\"";
    Text(attribute.value);
    text_ += '"';
  }
  text_ += '>';
  return *this;
}

Html& Html::Close(HtmlLiteral tag) {
  text_ += "</";
  text_ += tag.text();
  text_ += '>';
  return *this;
}

Html& Html::Element(HtmlLiteral tag, std::initializer_list<HtmlAttribute> attributes,
                    std::string_view text) {
  return Open(tag, attributes).Text(text).Close(tag);
}

}  // namespace sibyl::interface
