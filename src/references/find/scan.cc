// SPDX-License-Identifier: Apache-2.0
#include "references/find/scan.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/percent.h"
#include "base/strings.h"
#include "evidence/origins/permalink.h"
#include "git/object_id.h"

namespace sibyl::references {
namespace {

using statement::Statement;

bool StartsWordAt(std::string_view text, std::size_t at) {
  return at == 0 || !(IsNameByte(text[at - 1]) || text[at - 1] == '-' || text[at - 1] == '#');
}

std::size_t SkipBlanks(std::string_view text, std::size_t at) {
  while (at < text.size() && IsBlank(text[at])) ++at;
  return at;
}

// parseValue
bool IsCamelCase(std::string_view name) {
  constexpr std::size_t kShortest = 6;
  if (name.size() < kShortest) return false;
  for (std::size_t i = 1; i < name.size(); ++i) {
    if (IsLower(name[i - 1]) && IsUpper(name[i])) return true;
  }
  return false;
}

// "line" in the languages that documents of public projects are written in.
constexpr auto kLineWords = std::to_array<std::string_view>(
    {"lines", "line",   "lns",   "ln",     "ll.",    "l.",     "zeilen", "zeile", "lignes",
     "ligne", "líneas", "línea", "lineas", "linea",  "linhas", "linha",  "linie", "linia",
     "linii", "righe",  "riga",  "строки", "строка", "строке", "строк"});

bool StartsLineWord(std::string_view text) {
  const char c = text.front();
  return c == 'l' || c == 'L' || c == 'z' || c == 'Z' || c == 'r' || c == 'R' || c == '\xd1' ||
         c == '\xd0';
}

class TextScanner {
 public:
  TextScanner(const Statement& statement, const std::vector<FileMention>& files)
      : statement_(statement), text_view_(statement.text), files_(files) {}

  std::vector<Hit> Scan() {
    ScanFiles();
    std::sort(hits_.begin(), hits_.end(), Earlier);
    const std::vector<Hit> with_files = hits_;
    std::size_t next = 0;  // of with_files
    for (std::size_t at = 0; at < text_view_.size() && hits_.size() < kMaxHits;) {
      while (next < with_files.size() && with_files[next].end <= at) ++next;
      if (next < with_files.size() && with_files[next].begin <= at) {
        at = with_files[next].end;
        last_end_ = at;
        continue;
      }
      const std::size_t end = ScanAt(at);
      if (end > at) last_end_ = end;
      at = end > at ? end : at + 1;
    }
    std::sort(hits_.begin(), hits_.end(), Earlier);
    return std::move(hits_);
  }

 private:
  static bool Earlier(const Hit& a, const Hit& b) { return a.begin < b.begin; }

  void Add(Form form, std::size_t begin, LineNumbers numbers,
           std::optional<FileMention> file = {}) {
    const std::size_t end = numbers.end;
    hits_.push_back({.form = form,
                     .begin = begin,
                     .end = end,
                     .numbers = std::move(numbers),
                     .file = std::move(file)});
  }

  // a.rs:12, a.rs#L12, a.rs†L12
  void ScanFiles() {
    for (const FileMention& file : files_) {
      if (hits_.size() >= kMaxHits) return;
      std::size_t at = file.end;
      Form form = Form::kColon;
      const char mark = ByteAt(text_view_, at);
      const char next = ByteAt(text_view_, at + 1);
      const bool is_in_brackets = mark == '(' && IsDigit(next) &&  // foo.cs(17)
                                  statement::IsCodeAt(statement_, at) && ClosesAfterDigits(at + 1);
      if ((mark == ':' && next != ':') || (mark == '#' && next == 'L') || is_in_brackets) {
        at += 1;
      } else if (text_view_.substr(at).starts_with("†")) {
        at += std::string_view("†").size();
        form = Form::kBracket;
      } else {
        ScanAbout(file);
        continue;
      }
      LineNumbers numbers = ReadLineNumbers(text_view_, at, NumberStyle::kColon);
      if (!numbers.ranges.empty()) Add(form, file.begin, std::move(numbers), file);
    }
  }

  bool ClosesAfterDigits(std::size_t at) const {
    while (IsDigit(ByteAt(text_view_, at))) ++at;
    return ByteAt(text_view_, at) == ')';
  }

  // `a.rs` ~120-140, `a.rs`, ~120
  void ScanAbout(const FileMention& file) {
    std::size_t at = file.end;
    while (at < file.end + 3 && (ByteAt(text_view_, at) == ' ' || ByteAt(text_view_, at) == ',' ||
                                 ByteAt(text_view_, at) == '(')) {
      ++at;
    }
    if (at == file.end || TildeLength(text_view_, at) == 0) return;
    LineNumbers numbers = ReadLineNumbers(text_view_, at, NumberStyle::kWords);
    if (numbers.ranges.empty()) return;
    // "`a.rs`, ~25 files": a count.
    const LineRange& lines = numbers.ranges.front().lines;
    if (lines.first == lines.last && ByteAt(text_view_, numbers.end) == ' ') return;
    Add(Form::kWords, file.begin, std::move(numbers), file);
  }

  // The end of what was found at `at`, or `at`.
  std::size_t ScanAt(std::size_t at) {
    const char c = text_view_[at];
    if (c == ':') return ScanBare(at);
    if (c == '(') return ScanBracketed(at);
    if (StartsLineWord(text_view_.substr(at))) return ScanLine(at);
    if (text_view_.substr(at).starts_with("第")) return ScanChinese(at);
    if (IsDigit(c) && (at == 0 || !IsNameByte(text_view_[at - 1]))) return ScanJapanese(at);
    return at;
  }

  bool FollowsCitation(std::size_t at) const {
    if (last_end_ == 0 || at < last_end_ || at - last_end_ > 8) return false;
    const std::string_view between = text_view_.substr(last_end_, at - last_end_);
    return std::none_of(between.begin(), between.end(), [](char c) {
      return IsAlphanumeric(c) && c != 'a' && c != 'n' && c != 'd';
    });
  }

  // "`a.rs:16` busy state, :51 `loading`"
  bool ResumesCitation(std::size_t at) const {
    constexpr std::size_t kMostBetween = 60;
    if (last_end_ == 0 || at < last_end_ + 2 || at - last_end_ > kMostBetween) return false;
    const char mark = text_view_[at - 2];
    return text_view_[at - 1] == ' ' && (mark == ',' || mark == ';') &&
           IsDigit(ByteAt(text_view_, at + 1)) && IsDigit(ByteAt(text_view_, at + 2));
  }

  std::size_t ScanBare(std::size_t at) {
    if (ByteAt(text_view_, at + 1) == ':' || (at > 0 && text_view_[at - 1] == ':')) return at;
    const std::size_t after = at + 1;
    if (!IsDigit(ByteAt(text_view_, after)) && !(ByteAt(text_view_, after) == 'L')) return at;
    const bool in_code = statement::IsCodeAt(statement_, at);
    std::size_t begin = at;
    std::string_view symbol;
    if (at > 0 && IsNameByte(text_view_[at - 1])) {
      // `handle_notify:838-950`: a symbol, then its lines.
      while (begin > 0 && IsNameByte(text_view_[begin - 1])) --begin;
      const std::string_view name = text_view_.substr(begin, at - begin);
      const bool is_symbol = name.find('_', 1) != std::string_view::npos || IsCamelCase(name);
      if (!in_code || !is_symbol || IsDigit(name[0])) return at;
      symbol = name;
      begin = at;
    } else {
      // "digest[:8]" is a slice.
      constexpr std::string_view kEndsOther = ").][/=";
      const bool is_joined = last_end_ > 0 && at == last_end_ + 1 && text_view_[at - 1] == '/';
      const bool ends_other =
          at > 0 && !is_joined && kEndsOther.find(text_view_[at - 1]) != kEndsOther.npos;
      if (ends_other || (!in_code && !FollowsCitation(at) && !ResumesCitation(at))) return at;
    }
    LineNumbers numbers = ReadLineNumbers(text_view_, after, NumberStyle::kColon);
    if (numbers.ranges.empty() || FollowsPort(at)) return at;
    if (!numbers.ranges.front().impossible.empty()) return at;
    constexpr std::size_t kMostLines = 1'000'000;
    if (numbers.ranges.front().lines.last > kMostLines) return at;
    const std::size_t end = numbers.end;
    Add(Form::kBare, begin, std::move(numbers));
    hits_.back().symbol = symbol;
    return end;
  }

  // "`a.rs`: `parse` (10–20), `kLimit` (34)": an item that begins with its file. A single
  // number counts after a range.
  std::size_t ScanBracketed(std::size_t at) {
    if (files_.empty() || files_.front().begin > 1 || files_.front().end >= at) return at;
    if (ByteAt(text_view_, files_.front().end) != ':') return at;
    const bool follows_code = at >= 2 && text_view_[at - 1] == ' ' &&
                              statement::IsCodeAt(statement_, at - 2) &&
                              at - 2 > files_.front().end;
    if (!follows_code || !IsDigit(ByteAt(text_view_, at + 1))) return at;
    LineNumbers numbers = ReadLineNumbers(text_view_, at + 1, NumberStyle::kWords);
    if (numbers.ranges.size() != 1 || ByteAt(text_view_, numbers.end) != ')') return at;
    const LineRange& lines = numbers.ranges.front().lines;
    if (lines.first == lines.last && !has_bracketed_) return at;
    has_bracketed_ = true;
    const std::size_t end = numbers.end;
    Add(Form::kWords, at + 1, std::move(numbers));
    return end;
  }

  // "listens on `:8080`", "port `:3000`"
  bool FollowsPort(std::size_t at) const {
    constexpr std::size_t kNearby = 24;
    const std::size_t begin = at > kNearby ? at - kNearby : 0;
    const std::string before = LowerCase(text_view_.substr(begin, at - begin));
    return Contains(before, "port ") || Contains(before, "listen") || Contains(before, "http") ||
           Contains(before, "bind") || Contains(before, "addr");
  }

  std::size_t ScanLine(std::size_t at) {
    if (!StartsWordAt(text_view_, at)) return at;
    if (IsDigit(ByteAt(text_view_, at + 1)) && text_view_[at] == 'L') return ScanLetter(at);
    std::size_t after = at;
    for (const std::string_view word : kLineWords) {
      if (StartsWithIgnoringCase(text_view_.substr(at), word)) {
        after = at + word.size();
        break;
      }
    }
    if (after == at || IsNameByte(ByteAt(text_view_, after))) return at;
    // A logarithm: ln(2).
    if (ByteAt(text_view_, after) == '(' && ByteAt(text_view_, after - 1) == 'n') return at;
    if (FollowsCount(at)) return at;
    std::size_t number = SkipMarks(after);
    // "net lines (#6088)" is an issue, "line #12" a line.
    const bool is_issue = ByteAt(text_view_, number - 1) == '#' && number >= after + 3;
    if (is_issue || IsMessage(after, number)) return at;
    bool is_approximate = false;
    for (const std::string_view word : {"numbers ", "number ", "no. ", "around ", "about ",
                                        "approx. ", "approximately ", "circa ", "ca. "}) {
      if (StartsWithIgnoringCase(text_view_.substr(number), word)) {
        is_approximate = is_approximate || word.starts_with("a") || word.starts_with("c");
        number = SkipMarks(number + word.size());
      }
    }
    if (number == after && !IsDigit(ByteAt(text_view_, number)) &&
        TildeLength(text_view_, number) == 0) {
      return at;
    }
    LineNumbers numbers = ReadLineNumbers(text_view_, number, NumberStyle::kWords);
    if (numbers.ranges.empty()) return at;
    // "Lines: 239" is how many there are.
    const LineRange& first = numbers.ranges.front().lines;
    const bool is_count = ByteAt(text_view_, after) == ':' && text_view_[after - 1] == 's';
    if (is_count && numbers.ranges.size() == 1 && first.first == first.last) return at;
    // "at line 1 column 0": a message.
    if (StartsWithIgnoringCase(Trim(text_view_.substr(numbers.end, 12)), "col")) return at;
    is_approximate = is_approximate || EndsWithAbout(at);
    for (ReadRange& range : numbers.ranges) {
      range.is_approximate = range.is_approximate || is_approximate;
    }
    const std::size_t end = numbers.end;
    Add(Form::kWords, at, std::move(numbers));
    return end;
  }

  // `line 509: x: unbound variable`: what a program printed.
  bool IsMessage(std::size_t after, std::size_t number) const {
    if (after < 4 || !statement::IsCodeAt(statement_, after - 1)) return false;
    std::size_t end = number;
    while (IsDigit(ByteAt(text_view_, end))) ++end;
    return end > number && ByteAt(text_view_, end) == ':' && ByteAt(text_view_, end + 1) == ' ' &&
           statement::IsCodeAt(statement_, end + 1);
  }

  // "623 lines 2023–2026", "a 12-line function"
  bool FollowsCount(std::size_t at) const {
    std::size_t before = at;
    while (before > 0 && text_view_[before - 1] == ' ') --before;
    if (before == at) return false;
    std::size_t begin = before;
    while (begin > 0 && IsAlphanumeric(text_view_[begin - 1])) --begin;
    return begin < before && IsDigit(text_view_[begin]);
  }

  bool EndsWithAbout(std::size_t at) const {
    const std::string_view before =
        Trim(text_view_.substr(at > 12 ? at - 12 : 0, at > 12 ? 12 : at));
    return before.ends_with("around") || before.ends_with("about") || before.ends_with("near") ||
           before.ends_with('~') || before.ends_with("≈");
  }

  std::size_t SkipMarks(std::size_t at) const {
    while (at < text_view_.size() && (IsBlank(text_view_[at]) || text_view_[at] == '#' ||
                                      text_view_[at] == ':' || text_view_[at] == '(')) {
      ++at;
    }
    return at;
  }

  // "L12" means a line in parentheses, as a range, or after "at"; L1 to L9 are
  // more often caches and levels.
  std::size_t ScanLetter(std::size_t at) {
    LineNumbers numbers = ReadLineNumbers(text_view_, at, NumberStyle::kWords);
    if (numbers.ranges.empty()) return at;
    std::size_t before = at;
    while (before > 0 && (text_view_[before - 1] == '~' || text_view_[before - 1] == ' ')) --before;
    const bool in_brackets =
        before > 0 && (text_view_[before - 1] == '(' || text_view_[before - 1] == '[');
    const ReadRange& first = numbers.ranges.front();
    const bool is_range = first.lines.first != first.lines.last;
    const bool is_long = first.lines.first >= 10;
    const bool follows = FollowsCitation(at);
    if (!is_long && !is_range && !follows) return at;
    if (!is_range && !in_brackets && !follows && first.lines.first < 20) return at;
    if (before < at && text_view_[at - 1] == '~') {
      for (ReadRange& range : numbers.ranges) range.is_approximate = true;
    }
    const std::size_t end = numbers.end;
    Add(Form::kLetter, at, std::move(numbers));
    return end;
  }

  // 第 12 行, 第 12-20 行
  std::size_t ScanChinese(std::size_t at) {
    const std::size_t number = SkipBlanks(text_view_, at + std::string_view("第").size());
    LineNumbers numbers = ReadLineNumbers(text_view_, number, NumberStyle::kWords);
    if (numbers.ranges.empty()) return at;
    const std::size_t unit = SkipBlanks(text_view_, numbers.end);
    if (!text_view_.substr(unit).starts_with("行")) return at;
    const std::size_t end = numbers.end;
    Add(Form::kWords, at, std::move(numbers));
    return end;
  }

  // 17行目
  std::size_t ScanJapanese(std::size_t at) {
    LineNumbers numbers = ReadLineNumbers(text_view_, at, NumberStyle::kWords);
    if (numbers.ranges.empty()) return at;
    if (!text_view_.substr(SkipBlanks(text_view_, numbers.end)).starts_with("行目")) return at;
    const std::size_t end = numbers.end;
    Add(Form::kWords, at, std::move(numbers));
    return end;
  }

  const Statement& statement_;
  std::string_view text_view_;
  const std::vector<FileMention>& files_;
  bool has_bracketed_ = false;
  std::vector<Hit> hits_;
  std::size_t last_end_ = 0;
};

bool IsCommit(std::string_view text) {
  return text.size() >= 7 && text.size() <= git::ObjectId::kDigits &&
         std::all_of(text.begin(), text.end(), [](char c) { return HexValue(c) >= 0; });
}

// "1,216": one number, not two.
bool HasThousands(std::string_view text) {
  constexpr std::size_t kGroup = 3;
  const std::size_t comma = text.find(',');
  if (comma == 0 || comma > kGroup) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_mark = i >= comma && (i - comma) % (kGroup + 1) == 0;
    if (is_mark ? text[i] != ',' : !IsDigit(text[i])) return false;
  }
  return (text.size() - comma) % (kGroup + 1) == 0;
}

}  // namespace

std::string_view FormName(Form form) {
  switch (form) {
    case Form::kColon:
      return "file:N";
    case Form::kBare:
      return ":N";
    case Form::kWords:
      return "words";
    case Form::kLetter:
      return "L";
    case Form::kLink:
      return "link";
    case Form::kPermalink:
      return "permalink";
    case Form::kTable:
      return "table";
    case Form::kBracket:
      return "bracket";
  }
  return "";
}

std::vector<Hit> ScanText(const Statement& statement, const std::vector<FileMention>& files) {
  return TextScanner(statement, files).Scan();
}

std::string LinkedPath(std::string_view url) {
  if (url.starts_with("file://")) {
    url.remove_prefix(std::string_view("file://").size());
  } else if (url.find("://") != std::string_view::npos || url.starts_with("mailto:")) {
    return {};
  }
  url = url.substr(0, url.find_first_of("#?"));
  // [a](/home/me/repo/a.rs:85)
  if (const std::size_t colon = url.find(':'); colon != std::string_view::npos) {
    url = url.substr(0, colon);
  }
  std::string path = DecodePercent(url).value_or(std::string(url));
  return LooksLikeFile(path) ? path : std::string();
}

std::optional<Hit> ScanLink(const statement::StatementLink& link) {
  const std::string_view url = link.url;
  Hit hit{.form = Form::kLink, .link = &link};
  std::size_t number = std::string_view::npos;
  std::string path = LinkedPath(url);
  if (const std::optional<evidence::PermalinkParts> parts = evidence::ParsePermalink(url)) {
    hit.form = Form::kPermalink;
    path = parts->path;
    if (IsCommit(parts->revision)) hit.commit = parts->revision;
    hit.repository = parts->origin;
  }
  if (path.empty()) return std::nullopt;
  if (const std::size_t hash = url.find("#L"); hash != std::string_view::npos) {
    number = hash + 1;
  } else if (hit.form == Form::kLink) {
    const std::size_t colon = url.rfind(':');
    if (colon != std::string_view::npos && IsDigit(ByteAt(url, colon + 1))) number = colon + 1;
  }
  if (number == std::string_view::npos) return std::nullopt;
  hit.numbers = ReadLineNumbers(url, number, NumberStyle::kColon);
  if (hit.numbers.ranges.empty()) return std::nullopt;
  hit.end = hit.numbers.end;
  hit.file = FileMention{.begin = 0, .end = 0, .path = std::move(path)};
  return hit;
}

std::optional<Hit> ScanNumberCell(const Statement& cell, LineColumn column) {
  if (cell.context.empty()) return std::nullopt;
  const std::string header = LowerCase(Trim(cell.context.front()));
  const bool names_line = header == "line" || header == "line(s)" || header == "line #" ||
                          header == "line number" || header == "ln" || header == "line no." ||
                          header == "l" || header == "line numbers" || header == "行" ||
                          header == "行号" || header.ends_with(" line");
  const bool names_lines =
      header == "lines" || header == "line range" || header.ends_with(" lines");
  if (!names_line && !names_lines) return std::nullopt;
  const std::string_view text = cell.text;
  std::size_t at = SkipBlanks(text, 0);
  LineNumbers numbers = ReadLineNumbers(text, at, NumberStyle::kWords);
  if (numbers.ranges.empty()) return std::nullopt;
  // "| a.rs | 438 |" under "Lines" is how long the file is.
  const LineRange& first = numbers.ranges.front().lines;
  const bool is_one =
      (numbers.ranges.size() == 1 && first.first == first.last) || HasThousands(Trim(text));
  if (names_lines && is_one && column != LineColumn::kOfRanges) return std::nullopt;
  std::string_view rest = Trim(text.substr(numbers.end));
  // "806 (comment)"
  const bool is_remark = rest.starts_with('(') && rest.find(')') == rest.size() - 1;
  if (rest == "+" || is_remark) rest = {};
  if (!rest.empty()) return std::nullopt;
  const std::size_t end = numbers.end;
  return Hit{.form = Form::kTable, .begin = at, .end = end, .numbers = std::move(numbers)};
}

}  // namespace sibyl::references
