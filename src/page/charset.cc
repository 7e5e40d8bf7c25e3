// SPDX-License-Identifier: Apache-2.0
#include "page/charset.h"

#include <iconv.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::page {
namespace {

constexpr std::string_view kReplacementBytes = "\xEF\xBF\xBD";

// Names as browsers interpret them: the standard maps Latin-1 to Windows-1252.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kAliases = {{
    {"utf8", "utf-8"},
    {"unicode-1-1-utf-8", "utf-8"},
    {"ascii", "windows-1252"},
    {"us-ascii", "windows-1252"},
    {"latin1", "windows-1252"},
    {"l1", "windows-1252"},
    {"iso-8859-1", "windows-1252"},
    {"iso8859-1", "windows-1252"},
    {"cp1252", "windows-1252"},
    {"x-sjis", "shift_jis"},
    {"gb2312", "gbk"},
    {"utf-16", "utf-16le"},
}};

std::string Canonical(std::string_view name) {
  std::string lower = LowerCase(Trim(name));
  for (const auto& [alias, canonical] : kAliases) {
    if (alias == lower) return std::string(canonical);
  }
  return lower;
}

// The value of "charset=" in a header or in a <meta> tag.
std::string CharsetIn(std::string_view text) {
  constexpr std::string_view kKey = "charset";
  const std::string lower = LowerCase(text);
  std::size_t at = 0;
  while ((at = lower.find(kKey, at)) != std::string::npos) {
    at += kKey.size();
    std::size_t begin = lower.find_first_not_of(" \t\n\r", at);
    if (begin == std::string::npos || lower[begin] != '=') continue;
    begin = lower.find_first_not_of(" \t\n\r\"'", begin + 1);
    if (begin == std::string::npos) return {};
    const std::size_t end = lower.find_first_of(" \t\n\r\"';/>", begin);
    return lower.substr(begin, end == std::string::npos ? end : end - begin);
  }
  return {};
}

std::string DeclaredInPage(std::string_view bytes) {
  constexpr std::size_t kLookAt = 2048;  // twice what the standard asks for
  const std::string head = LowerCase(bytes.substr(0, kLookAt));
  for (std::size_t at = head.find("<meta"); at != std::string::npos; at = head.find("<meta", at)) {
    const std::size_t end = std::min(head.find('>', at), head.size());
    std::string name = CharsetIn(std::string_view(head).substr(at, end - at));
    if (!name.empty()) return name;
    at = end;
  }
  if (head.starts_with("<?xml")) {
    const std::size_t at = head.find("encoding=");
    if (at != std::string::npos && at < head.find("?>")) {
      return CharsetIn("charset=" + head.substr(at + 9, 42));
    }
  }
  return {};
}

// A NUL would make later steps treat the text as binary.
std::string WithoutNul(std::string text) {
  if (text.find('\0') == std::string::npos) return text;
  std::string clean;
  for (const char letter : text) {
    if (letter == '\0') {
      clean += kReplacementBytes;
    } else {
      clean += letter;
    }
  }
  return clean;
}

std::string FromUtf8(std::string_view bytes) {
  if (!FindInvalidUtf8(bytes)) return std::string(bytes);
  return ReplaceInvalidUtf8(bytes);
}

/// An iconv conversion, closed with its owner.
class Converter {
 public:
  explicit Converter(const std::string& from) : handle_(iconv_open("UTF-8", from.c_str())) {}
  ~Converter() {
    if (is_open()) iconv_close(handle_);
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  bool is_open() const { return handle_ != reinterpret_cast<iconv_t>(-1); }  // NOLINT: iconv

  std::string Convert(std::string_view bytes) {
    std::string out;
    std::string buffer(std::size_t{64} << 10, '\0');
    // iconv does not write to its input; its type is older than const.
    char* from = const_cast<char*>(bytes.data());
    std::size_t left = bytes.size();
    while (left > 0) {
      char* to = buffer.data();
      std::size_t room = buffer.size();
      const std::size_t done = iconv(handle_, &from, &left, &to, &room);
      const int problem = errno;
      out.append(buffer, 0, buffer.size() - room);
      if (done != static_cast<std::size_t>(-1) || problem == E2BIG) continue;
      out += kReplacementBytes;
      if (problem == EINVAL) break;  // the input ends within a character
      ++from;
      --left;
    }
    return out;
  }

 private:
  iconv_t handle_;
};

// Latin-1 with Microsoft's punctuation; the five codes it leaves open are controls.
std::string FromWindows1252(std::string_view bytes) {
  constexpr std::array<std::string_view, 32> kHigh = {
      "€", "\xC2\x81", "‚",        "ƒ", "„",        "…",        "†", "‡",        "ˆ", "‰", "Š",
      "‹", "Œ",        "\xC2\x8D", "Ž", "\xC2\x8F", "\xC2\x90", "‘", "’",        "“", "”", "•",
      "–", "—",        "˜",        "™", "š",        "›",        "œ", "\xC2\x9D", "ž", "Ÿ"};
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 8);
  for (const char letter : bytes) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x80) {
      out += letter;
    } else if (byte < 0xA0) {
      out += kHigh[byte - 0x80];
    } else {
      out += static_cast<char>(0xC0 | byte >> 6);
      out += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return out;
}

std::optional<std::string> Convert(std::string_view bytes, const std::string& charset) {
  if (charset == "utf-8") return FromUtf8(bytes);
  if (charset == "windows-1252") return FromWindows1252(bytes);
  // iconv would interpret "//" in a name as conversion options.
  const bool is_plain =
      !charset.empty() && charset.size() <= 40 &&
      charset.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_:.") == std::string::npos;
  if (!is_plain) return std::nullopt;
  Converter converter(charset);
  if (!converter.is_open()) return std::nullopt;
  return FromUtf8(converter.Convert(bytes));
}

}  // namespace

std::string MediaTypeOf(std::string_view content_type) {
  return LowerCase(Trim(content_type.substr(0, content_type.find(';'))));
}

std::string_view WholePrefix(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  // Bytes within a character begin with the bits 10.
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
  return text.substr(0, most);
}

Decoded DecodeCharset(std::string_view bytes, std::string_view content_type) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kMarks = {
      {{"\xEF\xBB\xBF", "utf-8"}, {"\xFF\xFE", "utf-16le"}, {"\xFE\xFF", "utf-16be"}}};
  for (const auto& [mark, charset] : kMarks) {
    if (!bytes.starts_with(mark)) continue;
    auto text = Convert(bytes.substr(mark.size()), std::string(charset));
    if (text) return {WithoutNul(*std::move(text)), std::string(charset)};
  }
  // A page that says in ASCII that it is UTF-16 is not.
  const std::string in_page = Canonical(DeclaredInPage(bytes));
  for (const std::string& name :
       {Canonical(CharsetIn(content_type)), in_page.starts_with("utf-16") ? "utf-8" : in_page}) {
    if (name.empty()) continue;
    // Servers put the default of twenty years ago on everything they send.
    if (name == "windows-1252" && !FindInvalidUtf8(bytes)) break;
    if (auto text = Convert(bytes, name)) return {WithoutNul(*std::move(text)), name};
  }
  if (!FindInvalidUtf8(bytes)) return {WithoutNul(std::string(bytes)), "utf-8"};
  return {WithoutNul(FromWindows1252(bytes)), "windows-1252"};
}

}  // namespace sibyl::page
