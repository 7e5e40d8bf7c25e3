// SPDX-License-Identifier: Apache-2.0
#include "draft/model/model_inline.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "draft/extract/passage_keys.h"
#include "draft/model/model_lines.h"
#include "draft/page_text.h"

namespace sibyl::draft {
namespace {

// The end of the bracket that opens at `open`. The words that a key gives may
// contain one: [kbcdfghjk:3 "a[i] is 4"].
std::size_t BracketEnd(std::string_view text, std::size_t open) {
  const std::size_t end = text.find(']', open);
  if (end == std::string_view::npos) return end;
  const std::string_view inside = text.substr(open + 1, end - open - 1);
  const std::size_t quote = inside.find(" \"");
  if (quote == std::string_view::npos ||
      !PassageKeys::LooksLikeKey(Trim(inside.substr(0, quote)))) {
    return end;
  }
  // The words end before "]", or before a comma and another key.
  constexpr std::size_t kLongest = 1024;
  text = text.substr(0, open + kLongest);
  for (std::size_t at = text.find(']', open + quote + 3); at != std::string_view::npos;
       at = text.find(']', at + 1)) {
    const std::string_view whole = Trim(text.substr(open + 1, at - open - 1));
    const std::string_view last = Trim(whole.substr(whole.find_last_of(",;") + 1));
    const bool ends_words =
        whole.ends_with('"') && text[at - 1] == '"' && EndsWords(text, at - 1, "]");
    if (ends_words || (!last.ends_with('"') && PassageKeys::LooksLikeKey(last))) return at;
  }
  return end;
}

// Of the bracket whose inside begins here.
std::string_view FirstKey(std::string_view inside) {
  constexpr std::size_t kLongest = 64;  // with its lines; or every bracket would be read to the end
  inside = inside.substr(0, kLongest);
  return Trim(inside.substr(0, inside.find_first_of(",;]\" ")));
}

// Plain text and its keys out of one line of Markdown.
class InlineCleaner {
 public:
  explicit InlineCleaner(std::string_view text) : text_(text) {}

  std::string Clean(std::vector<std::string>& marks) {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\\') {
        CopyEscape();
      } else if (c == '`') {
        CopyCode();
      } else if (c == '!' && text_.substr(at_ + 1, 1) == "[") {
        ++at_;  // an image is its words at most
      } else if (c == '[') {
        Bracket(marks);
      } else if (c == '<') {
        Angle();
      } else if (StartsUrl()) {
        CopyUrl();
      } else {
        out_ += c;
        ++at_;
      }
    }
    // Leftovers of removed marks: " ." and double spaces. In code they are the command:
    // "pip install .".
    std::string tidy;
    auto code = code_.begin();
    for (std::size_t i = 0; i < out_.size(); ++i) {
      if (code != code_.end() && i == code->first) {
        tidy += out_.substr(code->first, code->second);
        i += code->second - 1;
        ++code;
        continue;
      }
      const char c = out_[i];
      const bool closes = c == '.' || c == ',' || c == ';' || c == ':';
      if (c == ' ' && (tidy.empty() || tidy.back() == ' ')) continue;
      if (closes && tidy.ends_with(' ')) tidy.pop_back();
      tidy += c;
    }
    std::string clean(Trim(tidy));
    // One at the end would escape the footnote mark that follows.
    if (EndsWithOddBackslashes(clean)) clean += '\\';
    return clean;
  }

 private:
  static bool EndsWithOddBackslashes(std::string_view text) {
    const std::size_t last = text.find_last_not_of('\\');
    const std::size_t others = last == std::string_view::npos ? 0 : last + 1;
    return (text.size() - others) % 2 == 1;
  }

  // An escaped sign stays escaped: a second backslash before it would undo
  // that.
  void CopyEscape() {
    out_ += '\\';
    ++at_;
    if (at_ < text_.size() && std::ispunct(static_cast<unsigned char>(text_[at_])) != 0) {
      out_ += text_[at_];
      ++at_;
    } else if (StartsUrl()) {
      out_ += '\\';  // or it would escape the backtick of the address
    }
  }

  void CopyCode() {
    std::size_t ticks = at_;
    while (ticks < text_.size() && text_[ticks] == '`') ++ticks;
    const std::string_view fence = text_.substr(at_, ticks - at_);
    const std::size_t end = text_.find(fence, ticks);
    if (end == std::string_view::npos) {
      out_ += "\\`";
      at_ = ticks;
      return;
    }
    const std::size_t past = end + fence.size();
    code_.emplace_back(out_.size(), past - at_);
    out_ += text_.substr(at_, past - at_);
    at_ = past;
  }

  // Keys, a link's words, a footnote, or plain brackets.
  void Bracket(std::vector<std::string>& marks) {
    const std::size_t end = BracketEnd(text_, at_);
    if (end == std::string_view::npos) {
      out_ += "\\[";
      ++at_;
      return;
    }
    const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    if (TakeKeys(inside, marks)) {
      at_ = end + 1;
      return;
    }
    if (inside.starts_with('^')) {
      at_ = end + 1;
      return;
    }
    if (text_.substr(end + 1, 1) == "(") {
      const std::size_t close = text_.find(')', end);
      const bool has_target =
          close != std::string_view::npos && IsTarget(text_.substr(end + 2, close - end - 2));
      std::vector<std::string> ignored;
      out_ += InlineCleaner(inside.substr(0, inside.find('['))).Clean(ignored);
      // Without an address what follows is text.
      at_ = has_target ? close + 1 : end + 1;
      return;
    }
    out_ += "\\[";
    ++at_;
  }

  // "page.md#x", "https://x.org \"a title\""; not words in brackets, and not what another
  // link closes.
  static bool IsTarget(std::string_view target) {
    const std::string_view plain = Trim(target);
    const std::size_t blank = plain.find(' ');
    return plain.find('[') == std::string_view::npos &&
           (blank == std::string_view::npos ||
            plain.find_first_of("\"'", blank) != std::string_view::npos);
  }

  // The comma or semicolon after the first key, and after its words.
  static std::size_t PieceEnd(std::string_view inside) {
    const std::size_t comma = inside.find_first_of(",;");
    const std::size_t quote = inside.find(" \"");
    if (quote == std::string_view::npos || comma < quote) return comma;
    for (std::size_t at = inside.find('"', quote + 2); at != std::string_view::npos;
         at = inside.find('"', at + 1)) {
      const std::string_view rest = Trim(inside.substr(at + 1));
      if (rest.empty()) return std::string_view::npos;
      const bool is_next = (rest.front() == ',' || rest.front() == ';') &&
                           PassageKeys::LooksLikeKey(FirstKey(Trim(rest.substr(1))));
      if (is_next && inside[at - 1] != '\\') return inside.find_first_of(",;", at);
    }
    return std::string_view::npos;
  }

  // Models escape the quotation marks of the words that they copy.
  static std::string WithPlainQuotes(std::string_view key) {
    std::string plain;
    for (std::size_t i = 0; i < key.size(); ++i) {
      const bool is_escape = key[i] == '\\' && i + 1 < key.size() && key[i + 1] == '"';
      if (!is_escape) plain += key[i];
    }
    return plain;
  }

  static bool TakeKeys(std::string_view inside, std::vector<std::string>& marks) {
    std::vector<std::string> keys;
    while (!inside.empty()) {
      const std::size_t comma = PieceEnd(inside);
      const std::string_view piece = Trim(inside.substr(0, comma));
      if (!PassageKeys::LooksLikeKey(piece)) return false;
      keys.push_back(WithPlainQuotes(piece));
      inside = comma == std::string_view::npos ? std::string_view() : inside.substr(comma + 1);
    }
    if (keys.empty()) return false;
    marks.insert(marks.end(), keys.begin(), keys.end());
    return true;
  }

  // A tag of HTML goes, an address in angles is code; any other sign stays, escaped:
  // "vector<int>", "--set <name>".
  void Angle() {
    const std::size_t end = text_.find('>', at_);
    if (end != std::string_view::npos && IsTag(text_.substr(at_ + 1, end - at_ - 1))) {
      at_ = end + 1;
      return;
    }
    const std::size_t sign = at_;
    ++at_;
    if (end == std::string_view::npos || !StartsUrl()) {
      out_ += "\\<";
      return;
    }
    CopyUrl();
    if (at_ < text_.size() && at_ > sign && text_[at_] == '>') ++at_;
  }

  // The inside of "<br/>", "</td>", "<!-- x -->", "<img alt=…>".
  static bool IsTag(std::string_view inside) {
    constexpr std::array<std::string_view, 74> kNames = {
        "a",      "abbr",    "audio",   "b",        "base",    "blockquote", "body",   "br",
        "button", "canvas",  "caption", "center",   "cite",    "code",       "col",    "dd",
        "del",    "details", "div",     "dl",       "dt",      "em",         "embed",  "font",
        "footer", "form",    "frame",   "h1",       "h2",      "h3",         "h4",     "h5",
        "h6",     "head",    "header",  "hr",       "html",    "i",          "iframe", "img",
        "input",  "ins",     "kbd",     "li",       "link",    "main",       "mark",   "meta",
        "nav",    "object",  "ol",      "p",        "picture", "pre",        "script", "section",
        "small",  "span",    "strong",  "style",    "sub",     "summary",    "sup",    "svg",
        "table",  "tbody",   "td",      "textarea", "th",      "thead",      "title",  "tr",
        "ul",     "video"};
    if (inside.starts_with('!') || inside.starts_with('?')) return true;
    if (inside.starts_with('/')) inside.remove_prefix(1);
    std::size_t end = 0;
    while (end < inside.size() && IsAlphanumeric(inside[end])) ++end;
    return IsOneOf(LowerCase(inside.substr(0, end)), kNames);
  }

  bool StartsUrl() const {
    const std::string_view rest = text_.substr(at_);
    return StartsWithIgnoringCase(rest, "http://") || StartsWithIgnoringCase(rest, "https://") ||
           StartsWithIgnoringCase(rest, "ftp://") || StartsWithIgnoringCase(rest, "www.");
  }

  // In code font: not clickable, and checked against the passages like any
  // other name.
  void CopyUrl() {
    std::size_t end = std::min(text_.find_first_of(" \t`<>[]()\"", at_), text_.size());
    while (end > at_ && std::string_view(".,;:!?").find(text_[end - 1]) != std::string_view::npos) {
      --end;
    }
    out_ += InCode(text_.substr(at_, end - at_));
    at_ = std::max(end, at_ + 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
  std::vector<std::pair<std::size_t, std::size_t>> code_;  // where in out_, how long
};

bool EndsWithAbbreviation(std::string_view text) {
  for (const std::string_view word : {"e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "no."}) {
    if (text.size() >= word.size() &&
        EqualsIgnoringCase(text.substr(text.size() - word.size()), word)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::string CleanInline(std::string_view text, std::vector<std::string>& marks) {
  return InlineCleaner(text).Clean(marks);
}

// A line that Markdown would parse as the start of another block.
std::string AtLineStart(std::string text) {
  if (text.empty()) return text;
  if (std::string_view("#>-+=|~:").find(text[0]) != std::string_view::npos ||
      (text[0] == '*' && text.substr(1, 1) == " ")) {
    return '\\' + text;
  }
  std::size_t digits = 0;
  while (digits < text.size() && IsDigit(text[digits])) ++digits;
  const bool is_item = digits > 0 && digits < text.size() &&
                       (text[digits] == '.' || text[digits] == ')') &&
                       (digits + 1 == text.size() || text[digits + 1] == ' ');
  if (is_item) text.insert(digits, "\\");
  return text;
}

std::size_t SentenceEnd(std::string_view text, std::size_t from) {
  bool in_code = false;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == '`') in_code = !in_code;
    if (!in_code && text[i] == '[' && PassageKeys::LooksLikeKey(FirstKey(text.substr(i + 1)))) {
      if (const std::size_t end = BracketEnd(text, i); end != std::string_view::npos) i = end;
    }
    if (in_code || std::string_view(".!?").find(text[i]) == std::string_view::npos) continue;
    std::size_t end = i + 1;
    while (end < text.size() &&
           std::string_view(".!?\"')*").find(text[end]) != std::string_view::npos) {
      ++end;
    }
    if (EndsWithAbbreviation(text.substr(from, end - from))) continue;
    // Marks that follow belong to it.
    std::size_t next = end;
    for (;;) {
      std::size_t open = text.find_first_not_of(' ', next);
      if (open == std::string_view::npos || text[open] != '[') break;
      const std::size_t close = BracketEnd(text, open);
      if (close == std::string_view::npos) break;
      if (!PassageKeys::LooksLikeKey(FirstKey(text.substr(open + 1)))) break;
      next = close + 1;
      if (next < text.size() && text[next] == '.') ++next;
    }
    if (next >= text.size()) return text.size();
    if (text[next] != ' ') continue;
    const std::size_t begin = text.find_first_not_of(' ', next);
    if (begin == std::string_view::npos) return text.size();
    const char first = text[begin];
    const bool begins = std::isupper(static_cast<unsigned char>(first)) != 0 || IsDigit(first) ||
                        first == '`' || first == '"' || first == '*' ||
                        static_cast<unsigned char>(first) >= 0x80 || next > end;
    if (begins) return next;
  }
  return text.size();
}

}  // namespace sibyl::draft
