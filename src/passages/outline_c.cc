// SPDX-License-Identifier: Apache-2.0
// Functions, classes and long macros of C, C++ and CUDA.
//
// A lexer for comments, strings and braces, which uses c_header.h to classify
// braces. It does not preprocess: each #if branch is read from the state before
// the #if, so that two alternative heads of one function do not open two.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/stop_bytes.h"
#include "base/strings.h"
#include "passages/c_header.h"
#include "passages/outline.h"

namespace sibyl::passages {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::size_t kMaxScopes = 1000;
constexpr std::size_t kLongMacroLines = 3;

// Letters at which the scanner has to think; in the body of a function they are fewer.
using Stops = StopBytes<'"', '\'', '/', '{', '}', '(', ')', ';', '#'>;
using BodyStops = StopBytes<'"', '\'', '/', '{', '}', '#'>;

struct Scope {
  BraceKind kind;
  std::size_t span;    // into the outline, or kNone
  std::size_t prefix;  // length of the qualifier outside it
  int parens;          // open outside it
  std::size_t mark;    // of an enum, or kNone
};

struct State {
  std::vector<Scope> scopes;
  std::string prefix;  // "at::native::"
  std::size_t header = kNone;
  int parens = 0;
  // The outermost scope of a function or an enum, or kNone. Heads and
  // parentheses inside it are not needed.
  std::size_t body = kNone;
};

class COutline {
 public:
  COutline(const LineTable& lines, std::vector<OutlineMark>* marks)
      : lines_(lines), text_(lines.whole()), stops_(text_), body_stops_(text_), marks_(marks) {}

  std::vector<OutlineSpan> Run() {
    while (at_ < text_.size() && state_.scopes.size() < kMaxScopes) Step();
    // The end of an unclosed scope is unknown.
    std::erase_if(spans_, [](const OutlineSpan& span) { return span.end == 0; });
    std::sort(spans_.begin(), spans_.end(), [](const OutlineSpan& a, const OutlineSpan& b) {
      return a.first != b.first ? a.first < b.first : a.end > b.end;
    });
    return std::move(spans_);
  }

 private:
  bool InBody() const {
    if (state_.scopes.empty()) return false;
    const BraceKind kind = state_.scopes.back().kind;
    return kind != BraceKind::kNamespace && kind != BraceKind::kClass;
  }

  std::size_t LineAt(std::size_t offset) { return line_ = lines_.LineAtFrom(line_, offset); }

  void Step() {
    if (state_.body != kNone) {
      at_ = body_stops_.Next(at_);
    } else if (stops_.Next(at_) != at_) {
      Pass();
    }
    if (at_ == text_.size()) return;
    switch (text_[at_]) {
      case '/':
        return Slash();
      case '#':
        return Hash();
      case '"':
        NoteHeader();
        return SkipString();
      case '\'':
        return SkipLetter();
      case '(':
        NoteHeader();
        ++state_.parens;
        break;
      case ')':
        state_.parens = std::max(0, state_.parens - 1);
        break;
      case '{':
        return OpenBrace();
      case '}':
        return CloseBrace();
      case ';':
        if (state_.parens == 0) EndStatement();
        break;
      default:
        break;
    }
    ++at_;
  }

  void EndStatement() {
    if (state_.header != kNone && !InBody()) {
      Mark(OutlineMark::Kind::kDeclaration, state_.header, at_);
    }
    state_.header = kNone;
  }

  std::size_t Mark(OutlineMark::Kind kind, std::size_t begin, std::size_t end) {
    if (marks_ == nullptr) return kNone;
    const bool is_in_class =
        !state_.scopes.empty() && state_.scopes.back().kind == BraceKind::kClass;
    marks_->push_back({.kind = kind,
                       .is_in_class = is_in_class,
                       .begin = static_cast<std::uint32_t>(begin),
                       .end = static_cast<std::uint32_t>(end),
                       .first = static_cast<std::uint32_t>(WithComment(LineAt(begin)))});
    return marks_->size() - 1;
  }

  void Pass() {
    if (state_.header == kNone) {
      while (at_ < text_.size() && IsBlank(text_[at_])) ++at_;
      if (stops_.Next(at_) == at_) return;
      state_.header = at_;
    }
    at_ = stops_.Next(at_);
  }

  void NoteHeader() {
    if (state_.header == kNone) state_.header = at_;
  }

  void Slash() {
    const std::string_view rest = text_.substr(at_, 2);
    if (rest == "//") {
      const std::size_t end = std::min(text_.find('\n', at_), text_.size());
      NoteComment(at_, end);
      at_ = end;
    } else if (rest == "/*") {
      const std::size_t close = text_.find("*/", at_ + 2);
      const std::size_t end = close == std::string_view::npos ? text_.size() : close + 2;
      NoteComment(at_, end);
      at_ = end;
    } else {
      ++at_;
    }
  }

  bool StartsLine(std::size_t offset) const {
    while (offset > 0 && (text_[offset - 1] == ' ' || text_[offset - 1] == '\t')) --offset;
    return offset == 0 || text_[offset - 1] == '\n';
  }

  // Comments that begin their line and touch make one block.
  void NoteComment(std::size_t begin, std::size_t end) {
    if (InBody() || state_.header != kNone || !StartsLine(begin)) return;
    const std::size_t first = LineAt(begin);
    const std::size_t last = LineAt(end > begin ? end - 1 : begin);
    if (!comment_ || comment_->second + 1 != first) comment_ = std::pair(first, last);
    comment_->second = last;
  }

  std::size_t WithComment(std::size_t line) const {
    return comment_ && comment_->second + 1 == line ? comment_->first : line;
  }

  void SkipString() {
    if (at_ > 0 && text_[at_ - 1] == 'R' &&
        (at_ < 2 || !IsNameByte(text_[at_ - 2]) || text_[at_ - 2] == '8' || text_[at_ - 2] == 'L' ||
         text_[at_ - 2] == 'u' || text_[at_ - 2] == 'U')) {
      const std::size_t open = text_.find('(', at_);
      if (open != std::string_view::npos && open - at_ <= 17) {
        const std::string close = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
        const std::size_t end = text_.find(close, open);
        at_ = end == std::string_view::npos ? text_.size() : end + close.size();
        return;
      }
    }
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '"' || text_[at_] == '\n') {
        ++at_;
        return;
      }
    }
  }

  void SkipLetter() {
    constexpr std::size_t kLongest = 12;
    // 1'000'000 has separators, not letters.
    const bool separator = at_ > 0 && IsNameByte(text_[at_ - 1]) && text_[at_ - 1] != 'L' &&
                           text_[at_ - 1] != 'u' && text_[at_ - 1] != 'U';
    if (!separator) {
      for (std::size_t i = at_ + 1; i < std::min(at_ + kLongest, text_.size()); ++i) {
        if (text_[i] == '\\') {
          ++i;
        } else if (text_[i] == '\n') {
          break;
        } else if (text_[i] == '\'') {
          at_ = i;
          break;
        }
      }
    }
    ++at_;
  }

  void Hash() {
    if (!StartsLine(at_)) {
      ++at_;
      return;
    }
    const std::size_t begin = at_;
    std::size_t end = at_;
    do {
      end = std::min(text_.find('\n', end), text_.size());
      const bool more =
          end > 0 && end < text_.size() &&
          (text_[end - 1] == '\\' || (text_[end - 1] == '\r' && end > 1 && text_[end - 2] == '\\'));
      if (!more) break;
      ++end;
    } while (true);
    // "#define X 4  /* a comment that goes on below */"
    const std::string_view line = text_.substr(begin, end - begin);
    const std::size_t comment = line.rfind("/*");
    if (comment != line.npos && line.find("*/", comment) == line.npos &&
        line.find("//") > comment) {
      const std::size_t close = comments_close_ ? text_.find("*/", end) : std::string_view::npos;
      comments_close_ = close != std::string_view::npos;
      if (comments_close_) end = std::min(text_.find('\n', close), text_.size());
    }
    Directive(begin, Trim(text_.substr(begin + 1, end - begin - 1)), end);
    at_ = end;
  }

  void Directive(std::size_t begin, std::string_view text, std::size_t end) {
    constexpr std::size_t kMaxNested = 200;
    if (text.starts_with("if")) {
      if (branches_.size() < kMaxNested) branches_.push_back(state_);
    } else if (text.starts_with("el")) {
      if (!branches_.empty()) state_ = branches_.back();
    } else if (text.starts_with("endif")) {
      if (!branches_.empty()) branches_.pop_back();
    } else if (text.starts_with("error")) {
      Mark(OutlineMark::Kind::kDirective, begin + 1, end);
    } else if (text.starts_with("define") && !InBody()) {
      Mark(OutlineMark::Kind::kDirective, begin + 1, end);
      if (state_.header != kNone) return;
      const std::size_t first = LineAt(begin);
      const std::size_t last = LineAt(end > begin ? end - 1 : begin);
      if (last - first + 1 < kLongMacroLines) return;
      const std::string_view rest = Trim(text.substr(6));
      std::size_t length = 0;
      while (length < rest.size() && IsNameByte(rest[length])) ++length;
      spans_.push_back(
          {WithComment(first), last + 1, std::string(rest.substr(0, length)), false, begin, 0});
    }
  }

  void OpenBrace() {
    Scope scope{BraceKind::kOther, kNone, state_.prefix.size(), state_.parens, kNone};
    if (!InBody() && state_.parens == 0 && state_.header != kNone) {
      Classify(scope);
    }
    if (state_.body == kNone &&
        (scope.kind == BraceKind::kFunction || scope.kind == BraceKind::kEnum)) {
      state_.body = state_.scopes.size();
    }
    state_.scopes.push_back(scope);
    state_.parens = 0;
    // The head of a declaration that may continue after the brace (an
    // initialiser) is kept.
    if (scope.kind != BraceKind::kOther) state_.header = kNone;
    ++at_;
  }

  void Classify(Scope& scope) {
    const std::string_view text = text_.substr(state_.header, at_ - state_.header);
    const BraceHeader header = ReadBraceHeader(text);
    if (header.kind == BraceKind::kOther || header.in_initialisers) return;
    scope.kind = header.kind;
    if (header.kind == BraceKind::kEnum) {
      scope.mark = Mark(OutlineMark::Kind::kEnumeration, at_ + 1, at_ + 1);
    }
    if (header.kind == BraceKind::kNamespace || header.kind == BraceKind::kClass) {
      if (!header.name.empty()) state_.prefix += header.name + "::";
    }
    if (header.kind == BraceKind::kNamespace || header.name.empty()) return;
    scope.span = spans_.size();
    const std::string label = state_.prefix.substr(0, scope.prefix) + header.name;
    const std::size_t first = LineAt(state_.header + header.start);
    spans_.push_back({WithComment(first), 0, label, header.kind == BraceKind::kClass,
                      state_.header + header.start, at_});
  }

  void CloseBrace() {
    if (!state_.scopes.empty()) {
      const Scope scope = state_.scopes.back();
      state_.scopes.pop_back();
      if (state_.body == state_.scopes.size()) state_.body = kNone;
      state_.parens = scope.parens;
      state_.prefix.resize(std::min(scope.prefix, state_.prefix.size()));
      if (scope.span != kNone) spans_[scope.span].end = LineAt(at_) + 1;
      if (scope.mark != kNone) (*marks_)[scope.mark].end = static_cast<std::uint32_t>(at_);
      const bool ends_head = scope.kind != BraceKind::kOther || state_.body != kNone || !GoesOn();
      if (ends_head) state_.header = kNone;
    }
    ++at_;
  }

  // After an initialiser the declaration continues; after a macro's block,
  // something new starts.
  bool GoesOn() const {
    std::size_t next = at_ + 1;
    while (next < text_.size() && IsBlank(text_[next])) ++next;
    return next < text_.size() &&
           std::string_view(",;{)=.-").find(text_[next]) != std::string_view::npos;
  }

  const LineTable& lines_;
  std::string_view text_;
  Stops stops_;
  BodyStops body_stops_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;        // that was asked for last
  bool comments_close_ = true;  // else looking for the end of each would take quadratic time
  State state_;
  std::vector<State> branches_;  // as it was before each open #if
  std::vector<OutlineSpan> spans_;
  std::optional<std::pair<std::size_t, std::size_t>> comment_;  // first and last line
  std::vector<OutlineMark>* marks_;                             // may be null
};

}  // namespace

std::vector<OutlineSpan> OutlineC(const LineTable& lines, std::vector<OutlineMark>* marks) {
  return COutline(lines, marks).Run();
}

}  // namespace sibyl::passages
