// SPDX-License-Identifier: Apache-2.0
#include "base/userinfo.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

bool IsSchemeLetter(char c) { return IsAlphanumeric(c) || c == '+' || c == '-' || c == '.'; }

// Where a word of prose or code ends. An apostrophe may be part of a password.
bool EndsWord(char c) {
  return static_cast<unsigned char>(c) <= ' ' || c == 0x7f ||
         std::string_view("\"<>`").find(c) != kNone;
}

bool EndsAuthority(char c) { return EndsWord(c) || std::string_view("/?#\\").find(c) != kNone; }

/// Scans a text once. Finds the bytes to remove.
class UserinfoFinder {
 public:
  explicit UserinfoFinder(std::string_view text) : text_view_(text) {}

  std::string WithoutAll() && {
    std::size_t at = 0;
    while (at < text_view_.size()) {
      const std::size_t colon = std::min(text_view_.find(':', at), text_view_.size());
      if (colon == text_view_.size()) break;
      at = AfterScheme(colon);
    }
    kept_ += text_view_.substr(copied_);
    return std::move(kept_);
  }

 private:
  // The scheme that ends at the colon; empty when there is none.
  std::string_view SchemeBefore(std::size_t colon) const {
    std::size_t begin = colon;
    while (begin > copied_ && IsSchemeLetter(text_view_[begin - 1])) --begin;
    return text_view_.substr(begin, colon - begin);
  }

  // Removes the user of the address whose scheme ends at `colon`; returns where
  // to continue.
  std::size_t AfterScheme(std::size_t colon) {
    const std::string_view scheme = SchemeBefore(colon);
    if (scheme.empty()) return colon + 1;
    std::size_t begin = colon + 1;
    while (begin < text_view_.size() && (text_view_[begin] == '/' || text_view_[begin] == '\\')) {
      ++begin;
    }
    const bool is_http = LowerCase(scheme).find("http") != kNone;
    if (!is_http && begin - colon < 3) return colon + 1;
    std::size_t end = begin;
    while (end < text_view_.size() && !EndsAuthority(text_view_[end])) ++end;
    std::size_t sign = text_view_.substr(begin, end - begin).rfind('@');
    if (sign == kNone) {
      sign = SignAfterBrokenPort(begin, end);
      // "https:https://…": the colon of the next scheme is the last of this host.
      if (sign == kNone) return end > begin && text_view_[end - 1] == ':' ? end - 1 : end;
    } else {
      sign += begin;
    }
    const bool has_password = text_view_.substr(begin, sign - begin).find(':') != kNone;
    if (is_http || has_password) {
      kept_ += text_view_.substr(copied_, begin - copied_);
      copied_ = sign + 1;
    }
    return sign + 1;
  }

  // A '/', '?' or '#' in a password ends the host too early: what is then in the
  // place of the port is not a number.
  std::size_t SignAfterBrokenPort(std::size_t begin, std::size_t end) {
    const std::string_view authority = text_view_.substr(begin, end - begin);
    const std::size_t colon = authority.rfind(':');
    const std::size_t bracket = authority.rfind(']');
    if (colon == kNone || (bracket != kNone && colon < bracket)) return kNone;
    const std::string_view port = authority.substr(colon + 1);
    const bool is_port =
        std::all_of(port.begin(), port.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (is_port) return kNone;
    FindWord(end);
    return word_sign_ != kNone && word_sign_ >= end ? word_sign_ : kNone;
  }

  // The end of the word around `at`, and its last '@'. Once for each word.
  void FindWord(std::size_t at) {
    if (at < word_end_) return;
    word_end_ = at;
    word_sign_ = kNone;
    while (word_end_ < text_view_.size() && !EndsWord(text_view_[word_end_])) {
      if (text_view_[word_end_] == '@') word_sign_ = word_end_;
      ++word_end_;
    }
  }

  std::string_view text_view_;  // the caller's
  std::string kept_;
  std::size_t copied_ = 0;  // of the text: these bytes are in `kept_` or removed
  std::size_t word_end_ = 0;
  std::size_t word_sign_ = kNone;
};

}  // namespace

std::string WithoutUserinfo(std::string_view text) {
  if (text.find('@') == kNone) return std::string(text);
  return UserinfoFinder(text).WithoutAll();
}

bool HasUserinfo(std::string_view text) { return WithoutUserinfo(text).size() != text.size(); }

}  // namespace sibyl
