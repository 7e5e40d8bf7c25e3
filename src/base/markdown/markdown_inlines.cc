// SPDX-License-Identifier: Apache-2.0
#include "base/markdown/markdown_inlines.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace sibyl {
namespace {

bool IsPunctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

bool IsSpaceOrTab(char c) { return c == ' ' || c == '\t'; }
bool IsLineEnd(char c) { return c == '\n' || c == '\r'; }

// Walks the source of one block along the tree that the parser made of it. The
// walk consumes each construct exactly where it must be; if one is not there,
// the whole block is given up.
class InlineWalk {
 public:
  InlineWalk(const MarkdownLines& lines, std::size_t quote_depth, std::size_t begin,
             std::size_t end)
      : lines_(lines), source_(lines.source()), quote_depth_(quote_depth), at_(begin), end_(end) {}

  bool WalkAll(std::vector<MarkdownNode>& nodes) {
    return std::all_of(nodes.begin(), nodes.end(),
                       [this](MarkdownNode& node) { return Walk(node); });
  }

 private:
  bool Walk(MarkdownNode& node) {
    const std::size_t begin = at_;
    bool found = false;
    switch (node.kind) {
      case MarkdownKind::kText:
        found = TakeText(node.text);
        break;
      case MarkdownKind::kSoftBreak:
      case MarkdownKind::kLineBreak:
        return TakeBreak(node);
      case MarkdownKind::kCode:
        found = TakeCode(node.text);
        break;
      case MarkdownKind::kHtmlInline:
        found = Take(node.text);
        break;
      case MarkdownKind::kFootnoteReference:
        found = TakeFootnote(node);
        break;
      case MarkdownKind::kEmphasis:
        found = TakeDelimited(node, "*_", 1);
        break;
      case MarkdownKind::kStrong:
        found = TakeDelimited(node, "*_", 2);
        break;
      case MarkdownKind::kStrikethrough:
        found = TakeStrikethrough(node);
        break;
      case MarkdownKind::kLink:
      case MarkdownKind::kImage:
        found = TakeLink(node);
        break;
      default:
        return false;  // a block inside an inline cannot occur
    }
    if (found) node.span = lines_.SpanOf(begin, at_);
    return found;
  }

  char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < end_ ? source_[at_ + ahead] : '\0';
  }
  std::string_view Rest() const { return source_.substr(at_, end_ - at_); }

  bool Take(std::string_view bytes) {
    if (!Rest().starts_with(bytes)) return false;
    at_ += bytes.size();
    return true;
  }

  void SkipBlanks() {
    while (at_ < end_ && IsSpaceOrTab(source_[at_])) ++at_;
  }

  // The source may have a character as an escape or an entity; the parser turns
  // a zero byte into U+FFFD.
  bool TakeText(std::string_view text) {
    while (!text.empty()) {
      if (at_ >= end_) return false;
      const char c = source_[at_];
      if (c == '\\' && IsPunctuation(Peek(1)) && Peek(1) == text.front()) {
        at_ += 2;
        text.remove_prefix(1);
        continue;
      }
      if (c == '&') {
        const EntityMatch match = MatchEntity(Rest(), text);
        if (match.source_bytes > 0) {
          at_ += match.source_bytes;
          text.remove_prefix(match.text_bytes);
          continue;
        }
      }
      constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
      if (c == '\0' && text.starts_with(kReplacement)) {
        ++at_;
        text.remove_prefix(kReplacement.size());
        continue;
      }
      if (c != text.front()) return false;
      ++at_;
      text.remove_prefix(1);
    }
    return true;
  }

  // Past the end of a line, and past the markers before the text of the next.
  bool TakeLineEnd() {
    if (at_ >= end_ || !IsLineEnd(source_[at_])) return false;
    at_ += Rest().starts_with("\r\n") ? 2 : 1;
    SkipLinePrefix();
    return true;
  }

  void SkipLinePrefix() {
    SkipBlanks();
    for (std::size_t quotes = 0; quotes < quote_depth_ && Peek() == '>'; ++quotes) {
      ++at_;
      SkipBlanks();
    }
  }

  // The break is what makes it one: blanks or a backslash, and the line's end.
  bool TakeBreak(MarkdownNode& node) {
    const std::size_t begin = at_;
    SkipBlanks();
    if (node.kind == MarkdownKind::kLineBreak && Peek() == '\\') ++at_;
    const std::size_t line_end = at_;
    if (!TakeLineEnd()) return false;
    const std::size_t line_end_bytes = source_.substr(line_end, 2) == "\r\n" ? 2 : 1;
    node.span = lines_.SpanOf(begin, line_end + line_end_bytes);
    return true;
  }

  bool TakeCode(std::string_view text) {
    const std::size_t ticks = CountTicks(at_);
    if (ticks == 0) return false;
    const std::size_t inside = at_ + ticks;
    std::size_t close = inside;
    while (true) {  // a run of another length is part of the code
      close = source_.find('`', close);
      if (close == std::string_view::npos || close >= end_) return false;
      const std::size_t run = CountTicks(close);
      if (run == ticks) break;
      close += run;
    }
    if (!SaysTheSame(source_.substr(inside, close - inside), text)) return false;
    at_ = close + ticks;
    return true;
  }

  std::size_t CountTicks(std::size_t from) const {
    std::size_t count = 0;
    while (from + count < end_ && source_[from + count] == '`') ++count;
    return count;
  }

  // Blanks, ends of line and the marks of a quote differ between source and
  // tree, and a table cell escapes its pipes; everything else is the same.
  static bool SaysTheSame(std::string_view source, std::string_view text) {
    const auto differs = [](char c) {
      return IsSpaceOrTab(c) || IsLineEnd(c) || c == '>' || c == '\\';
    };
    std::size_t i = 0;
    std::size_t j = 0;
    while (true) {
      while (i < source.size() && differs(source[i])) ++i;
      while (j < text.size() && differs(text[j])) ++j;
      if (i == source.size() || j == text.size()) return i == source.size() && j == text.size();
      if (source[i] == '\0' && text.substr(j, 3) == "\xEF\xBF\xBD") {
        j += 2;
      } else if (source[i] != text[j]) {
        return false;
      }
      ++i;
      ++j;
    }
  }

  bool TakeFootnote(MarkdownNode& node) {
    if (!Rest().starts_with("[^")) return false;
    const std::size_t close = Rest().find(']');
    if (close == std::string_view::npos) return false;
    // The parser only provides the number of a footnote.
    node.text = Rest().substr(2, close - 2);
    at_ += close + 1;
    return true;
  }

  bool TakeDelimited(MarkdownNode& node, std::string_view marks, std::size_t count) {
    const char mark = Peek();
    if (marks.find(mark) == std::string_view::npos) return false;
    const std::string delimiter(count, mark);
    return Take(delimiter) && WalkAll(node.children) && Take(delimiter);
  }

  bool TakeStrikethrough(MarkdownNode& node) {
    return TakeDelimited(node, "~", Rest().starts_with("~~") ? 2 : 1);
  }

  bool TakeLink(MarkdownNode& node) {
    if (node.kind == MarkdownKind::kImage && !Take("!")) return false;
    if (Take("[")) return WalkAll(node.children) && Take("]") && TakeTarget();
    if (Take("<")) return WalkAll(node.children) && Take(">");
    return WalkAll(node.children);  // a bare URL
  }

  // What follows the closing bracket: (url "title"), [label], [] or nothing.
  bool TakeTarget() {
    const std::size_t before = at_;
    if (Peek() == '(' && TakeParenthesis()) return true;
    at_ = before;
    if (Peek() == '[') {
      std::size_t close = at_ + 1;
      while (close < end_ && source_[close] != ']' && source_[close] != '[') {
        close += source_[close] == '\\' ? 2 : 1;
      }
      if (close < end_ && source_[close] == ']') at_ = close + 1;
    }
    return true;
  }

  void SkipSpace() {
    while (at_ < end_ && (IsSpaceOrTab(source_[at_]) || IsLineEnd(source_[at_]))) {
      if (!TakeLineEnd()) ++at_;
    }
  }

  bool TakeParenthesis() {
    ++at_;
    SkipSpace();
    if (!TakeDestination()) return false;
    SkipSpace();
    const char quote = Peek();
    if (quote == '"' || quote == '\'' || quote == '(') {
      if (!TakeUntil(quote == '(' ? ')' : quote)) return false;
      SkipSpace();
    }
    return Take(")");
  }

  bool TakeDestination() {
    // The parser has the same limit: without it, repeated "[a](" takes
    // quadratic time.
    constexpr std::size_t kDeepest = 32;
    if (Peek() == '<') return TakeUntil('>');
    std::size_t depth = 0;
    for (; at_ < end_; ++at_) {
      const char c = source_[at_];
      if (IsSpaceOrTab(c) || IsLineEnd(c)) return true;
      if (c == '\\' && IsPunctuation(Peek(1))) {
        ++at_;
      } else if (c == '(') {
        if (++depth > kDeepest) return false;
      } else if (c == ')') {
        if (depth == 0) return true;
        --depth;
      }
    }
    return false;
  }

  // A longer title is not scanned, for the same reason.
  bool TakeUntil(char close) {
    constexpr std::size_t kLongest = 4096;
    const std::size_t stop = std::min(end_, at_ + kLongest);
    for (++at_; at_ < stop; ++at_) {
      if (source_[at_] == '\\') {
        ++at_;
      } else if (source_[at_] == close) {
        ++at_;
        return true;
      }
    }
    return false;
  }

  const MarkdownLines& lines_;
  std::string_view source_;
  std::size_t quote_depth_;
  std::size_t at_;
  std::size_t end_;
};

void GiveBlockSpan(std::vector<MarkdownNode>& nodes, const MarkdownSpan& span) {
  for (MarkdownNode& node : nodes) {
    node.span = span;
    node.span.is_exact = false;
    GiveBlockSpan(node.children, span);
  }
}

// Where the text of a block starts, past the marks that make it one.
std::size_t SkipBlockMarks(const MarkdownNode& block, std::string_view source) {
  std::size_t at = block.span.begin;
  const std::size_t end = block.span.end;
  if (block.kind == MarkdownKind::kHeading) {
    // A setext heading starts with its text; one that starts with # is ATX.
    while (at < end && source[at] == '#') ++at;
  }
  if (block.kind == MarkdownKind::kTableCell && at < end && source[at] == '|') ++at;
  while (at < end && IsSpaceOrTab(source[at])) ++at;
  return at;
}

}  // namespace

void PlaceInlines(MarkdownNode& block, const MarkdownLines& lines, std::size_t quote_depth) {
  if (block.children.empty()) return;
  // Link definitions that were taken off the front of a paragraph still count
  // as part of it: then its text starts some lines later. More than a few
  // attempts would be quadratic, and are not needed in practice.
  constexpr std::size_t kMostTries = 50;
  std::size_t begin = SkipBlockMarks(block, lines.source());
  for (std::size_t tries = 0; tries < kMostTries; ++tries) {
    InlineWalk walk(lines, quote_depth, begin, block.span.end);
    if (walk.WalkAll(block.children)) return;
    const std::size_t next_line = lines.LineOf(begin) + 1;
    if (block.kind != MarkdownKind::kParagraph || next_line > block.span.last_line) break;
    begin = lines.Start(next_line);
    while (begin < block.span.end &&
           (IsSpaceOrTab(lines.source()[begin]) || lines.source()[begin] == '>')) {
      ++begin;
    }
  }
  GiveBlockSpan(block.children, block.span);
}

}  // namespace sibyl
