// SPDX-License-Identifier: Apache-2.0
#include "passages/c_header.h"

#include <algorithm>

namespace sibyl::passages {
namespace {

constexpr std::size_t kMaxHeaderBytes = 8192;
constexpr std::size_t kMaxNameBytes = 160;

bool IsCNameByte(char letter) {
  return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
         (letter >= '0' && letter <= '9') || letter == '_' || letter == '$' ||
         static_cast<unsigned char>(letter) >= 0x80;
}

bool IsBlankOrSplice(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r' || letter == '\\';
}

template <std::size_t kSize>
bool Holds(const std::string_view (&words)[kSize], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

// Their parentheses are not a parameter list.
constexpr std::string_view kWithArguments[] = {
    "alignas",     "decltype",          "__attribute__", "__declspec", "noexcept", "requires",
    "explicit",    "__launch_bounds__", "throw",         "__align__",  "typeof",   "__typeof__",
    "__nv_pure__", "__cluster_dims__",  "asm",           "__maxnreg__"};
constexpr std::string_view kControl[] = {"if",     "for", "while", "switch", "catch", "else",
                                         "return", "do",  "case",  "sizeof", "try"};
// What may follow a parameter list before the body.
constexpr std::string_view kAfterParameters[] = {
    "const",    "noexcept", "override", "final",        "volatile",      "mutable",
    "requires", "try",      "throw",    "__restrict__", "__attribute__", "asm"};
constexpr std::string_view kAccess[] = {"public",  "private",      "protected",
                                        "signals", "public slots", "Q_SIGNALS"};

class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  BraceHeader Read() {
    while (SkipBlanks(), at_ < text_.size() && !decided_) ReadToken();
    return Conclude();
  }

 private:
  void SkipBlanks() {
    while (at_ < text_.size()) {
      if (IsBlankOrSplice(text_[at_])) {
        ++at_;
      } else if (text_[at_] == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (const std::size_t end = EndOfComment(at_); end > at_) {
        at_ = end;
      } else {
        return;
      }
    }
  }

  // Past the comment that starts at `i`; `i` when none does.
  std::size_t EndOfComment(std::size_t i) const {
    if (text_[i] != '/' || i + 1 >= text_.size()) return i;
    if (text_[i + 1] == '/') return std::min(text_.find('\n', i), text_.size());
    if (text_[i + 1] != '*') return i;
    const std::size_t end = text_.find("*/", i + 2);
    return end == std::string_view::npos ? text_.size() : end + 2;
  }

  bool Starts(std::string_view word) const { return text_.substr(at_).starts_with(word); }

  void ReadToken() {
    const char letter = text_[at_];
    if (IsCNameByte(letter)) return ReadWord();
    switch (letter) {
      case '(':
        return ReadGroup();
      case '<':
        return ReadAngles();
      case '[':
        // Attributes are in doubled brackets; a single one is a lambda or an array.
        if (!Starts("[[")) is_other_ = !has_candidate_ && !in_class_;
        return SkipMatched('[', ']');
      case '"':
      case '\'':
        return SkipString(letter);
      case ':':
        return ReadColon();
      case '-':
        if (has_candidate_ && Starts("->")) decided_ = true;
        break;
      case '=':
        is_other_ = true;
        decided_ = true;
        return;
      case '~':
        has_tilde_ = true;
        ++at_;
        return;
      default:
        break;
    }
    joined_ = false;
    ++at_;
  }

  void ReadWord() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && IsCNameByte(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (has_candidate_ && !Holds(kAfterParameters, word)) DropCandidate(begin);
    if (words_++ == 0) first_word_ = begin;
    if (word == "template") return SkipTemplateParameters();
    if (word == "operator") return ReadOperator();
    if (word == "namespace") in_namespace_ = true;
    if (word == "extern") saw_extern_ = true;
    if (word == "enum") in_enum_ = true;
    if (word == "class" || word == "struct" || word == "union") {
      in_class_ = true;
      class_name_.clear();
      return;
    }
    last_word_ = word;
    if (!joined_) name_.clear();
    if (has_tilde_) name_ += '~';
    name_ += word;
    joined_ = false;
    has_tilde_ = false;
    if ((in_class_ || in_enum_) && !in_bases_ && word != "final") class_name_ = name_;
  }

  // "ident(...) word": the group was a macro's, not the parameters.
  void DropCandidate(std::size_t next_word) {
    has_candidate_ = false;
    const bool alone = candidate_first_ &&
                       text_.substr(0, next_word).find('\n', group_end_) != std::string_view::npos;
    if (alone) {
      start_ = next_word;
      words_ = 0;
    }
  }

  void ReadOperator() {
    name_ = joined_ ? name_ + "operator" : "operator";
    joined_ = false;
    SkipBlanks();
    const std::size_t begin = at_;
    if (Starts("()")) at_ += 2;
    while (at_ < text_.size() && text_[at_] != '(') ++at_;
    std::string_view symbol = text_.substr(begin, at_ - begin);
    while (!symbol.empty() && IsBlankOrSplice(symbol.back())) symbol.remove_suffix(1);
    if (!symbol.empty() && IsCNameByte(symbol.front())) name_ += ' ';
    name_ += symbol.substr(0, 40);
    last_word_ = "operator";
  }

  void ReadGroup() {
    const std::size_t begin = at_;
    SkipMatched('(', ')');
    group_end_ = at_;
    // "MACRO(name)(arguments)": the first group says what it is.
    if (last_word_.empty() || has_candidate_ || Holds(kWithArguments, last_word_)) return;
    if (Holds(kControl, last_word_)) {
      is_other_ = true;
      decided_ = true;
      return;
    }
    has_candidate_ = true;
    candidate_first_ = words_ == 1;
    candidate_ = name_;
    // A macro that expands to a signature is named with its arguments.
    const bool shouted =
        last_word_.size() > 1 && std::none_of(last_word_.begin(), last_word_.end(),
                                              [](char c) { return c >= 'a' && c <= 'z'; });
    if (candidate_first_ && shouted) AppendArguments(text_.substr(begin, at_ - begin));
  }

  // Spaces only between two words.
  void AppendArguments(std::string_view group) {
    bool blank = false;
    for (const char letter : group.substr(0, kMaxNameBytes)) {
      if (IsBlankOrSplice(letter)) {
        blank = true;
        continue;
      }
      const char before = candidate_.back();
      if (blank && (before == ',' || (IsCNameByte(letter) && before != '('))) candidate_ += ' ';
      blank = false;
      candidate_ += letter;
    }
  }

  void ReadColon() {
    if (Starts("::")) {
      at_ += 2;
      name_ += name_.empty() ? "" : "::";
      joined_ = true;
      return;
    }
    ++at_;
    if (Holds(kAccess, last_word_) && !in_class_) {
      // "public:" was a label; the definition starts after it.
      words_ = 0;
      name_.clear();
      last_word_ = {};
      SkipBlanks();
      start_ = at_;
    } else if (has_candidate_) {
      decided_ = true;
      // The body's brace follows a parenthesis or another brace, a member's its name.
      std::size_t last = text_.size();
      while (last > at_ && IsBlankOrSplice(text_[last - 1])) --last;
      in_initialisers_ = IsCNameByte(text_[last - 1]) || text_[last - 1] == '>';
    } else if (in_class_ || in_enum_) {
      in_bases_ = true;
    }
  }

  void ReadAngles() {
    const std::size_t end = MatchAngles();
    at_ = end == 0 ? at_ + 1 : end;
  }

  void SkipTemplateParameters() {
    SkipBlanks();
    if (at_ < text_.size() && text_[at_] == '<') ReadAngles();
    words_ = words_ > 0 ? words_ - 1 : 0;
  }

  // Past the '>' that closes the '<' at at_; 0 when none does.
  std::size_t MatchAngles() const {
    int angles = 0;
    int parens = 0;
    for (std::size_t i = at_; i < text_.size(); ++i) {
      if (const std::size_t end = EndOfComment(i); end > i) i = end;
      if (i >= text_.size()) return 0;
      const char letter = text_[i];
      if (letter == '(' || letter == '[' || letter == '{') ++parens;
      if (letter == ')' || letter == ']' || letter == '}') --parens;
      if (parens < 0) return 0;
      if (parens > 0) continue;
      if (letter == '<') ++angles;
      if (letter == '>' && (i == 0 || text_[i - 1] != '-') && --angles == 0) return i + 1;
    }
    return 0;
  }

  void SkipMatched(char open, char close) {
    int depth = 0;
    while (at_ < text_.size()) {
      const char letter = text_[at_];
      if (const std::size_t end = EndOfComment(at_); end > at_) {
        at_ = end;
        continue;
      }
      if (letter == '"' || letter == '\'') {
        SkipString(letter);
        continue;
      }
      ++at_;
      if (letter == open) ++depth;
      if (letter == close && --depth == 0) return;
    }
  }

  void SkipString(char quote) {
    saw_string_ = true;
    for (++at_; at_ < text_.size() && text_[at_] != quote; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  BraceHeader Conclude() {
    BraceHeader header{.start = start_};
    if (in_namespace_) {
      header.kind = BraceKind::kNamespace;
      if (last_word_ != "namespace") header.name = name_;
    } else if (saw_extern_ && saw_string_ && !has_candidate_ && words_ <= 1) {
      header.kind = BraceKind::kNamespace;
    } else if (is_other_) {
      header.kind = BraceKind::kOther;
    } else if (has_candidate_ && !in_bases_) {
      header.kind = BraceKind::kFunction;
      header.name = candidate_;
      header.in_initialisers = in_initialisers_;
    } else if (in_enum_) {
      header.kind = BraceKind::kEnum;
      header.name = class_name_;
    } else if (in_class_) {
      header.kind = BraceKind::kClass;
      header.name = class_name_;
    }
    header.name = header.name.substr(0, kMaxNameBytes);
    return header;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;
  std::size_t first_word_ = 0;
  std::size_t group_end_ = 0;
  std::size_t words_ = 0;
  std::string_view last_word_;
  std::string name_;  // the qualified name being read
  std::string candidate_;
  std::string class_name_;
  bool joined_ = false;  // "::" was the last token
  bool has_tilde_ = false;
  bool has_candidate_ = false;
  bool candidate_first_ = false;  // nothing before it: a macro, or a constructor
  bool in_namespace_ = false;
  bool in_class_ = false;
  bool in_enum_ = false;
  bool in_bases_ = false;
  bool saw_extern_ = false;
  bool saw_string_ = false;
  bool is_other_ = false;
  bool in_initialisers_ = false;
  bool decided_ = false;
};

}  // namespace

BraceHeader ReadBraceHeader(std::string_view header) {
  if (header.size() > kMaxHeaderBytes) return {};
  return HeaderReader(header).Read();
}

}  // namespace sibyl::passages
