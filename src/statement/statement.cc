// SPDX-License-Identifier: Apache-2.0
#include "statement/statement.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/work.h"
#include "evidence/footnote.h"

namespace sibyl::statement {
namespace {

// Words after which a full stop does not end a sentence.
constexpr std::array<std::string_view, 16> kAbbreviations = {
    "e.g", "i.e",    "vs",   "etc",  "cf", "fig", "sec", "no",
    "vol", "approx", "resp", "incl", "mr", "dr",  "st",  "al"};

// The words of a block, before they are split into sentences.
struct Gathered {
  Statement whole;
  struct Mark {
    std::size_t at = 0;  // in whole.text
    std::string label;
  };
  std::vector<Mark> marks;
  std::vector<std::size_t> link_ends;  // in whole.text, for whole.links
};

// Whether the source has the text of a code span byte for byte; a line break is
// shown as a blank.
bool IsWrittenAs(std::string_view source, std::string_view text) {
  return std::equal(source.begin(), source.end(), text.begin(), text.end(),
                    [](char written, char shown) {
                      return written == shown || (written == '\n' && shown == ' ');
                    });
}

class InlineGatherer {
 public:
  InlineGatherer(std::string_view source, Gathered& gathered)
      : source_(source), gathered_(gathered) {}

  void Add(const MarkdownNode& node) {
    switch (node.kind) {
      case MarkdownKind::kText:
        AddRun(node, false);
        return;
      case MarkdownKind::kCode:
        AddRun(node, true);
        return;
      case MarkdownKind::kSoftBreak:
      case MarkdownKind::kLineBreak:
        gathered_.whole.text += ' ';
        return;
      case MarkdownKind::kHtmlInline:
        return;
      case MarkdownKind::kFootnoteReference:
        gathered_.marks.push_back({.at = gathered_.whole.text.size(), .label = node.text});
        return;
      default:
        break;
    }
    const std::size_t begin = gathered_.whole.text.size();
    for (const MarkdownNode& child : node.children) Add(child);
    if (node.kind != MarkdownKind::kLink && node.kind != MarkdownKind::kImage) return;
    gathered_.whole.links.push_back({.url = node.url,
                                     .text = gathered_.whole.text.substr(begin),
                                     .span = node.span,
                                     .is_image = node.kind == MarkdownKind::kImage});
    gathered_.link_ends.push_back(gathered_.whole.text.size());
  }

 private:
  void AddRun(const MarkdownNode& node, bool is_code) {
    if (node.text.empty()) return;
    std::string& text = gathered_.whole.text;
    const std::size_t length = node.span.end - node.span.begin;
    TextRun run = {.begin = text.size(),
                   .end = text.size() + node.text.size(),
                   .source_begin = node.span.begin,
                   .is_exact = node.span.is_exact,
                   .is_code = is_code};
    if (is_code && length > node.text.size()) {
      run.source_begin += (length - node.text.size()) / 2;  // the ticks
      // A line that goes on may be indented, or end in CRLF.
      run.is_exact = run.is_exact && run.source_begin <= source_.size() &&
                     IsWrittenAs(source_.substr(run.source_begin, node.text.size()), node.text);
    } else if (length != node.text.size()) {
      run.is_exact = false;
    }
    gathered_.whole.runs.push_back(run);
    text += node.text;
  }

  std::string_view source_;
  Gathered& gathered_;
};

// Whether the sentence that ends with text[dot] is over: the word before is not
// an abbreviation or a list number, and something new follows.
bool EndsSentence(std::string_view text, std::size_t dot) {
  if (dot + 1 >= text.size() || !IsBlank(text[dot + 1])) return false;
  std::size_t next = dot + 1;
  while (next < text.size() && IsBlank(text[next])) ++next;
  if (next >= text.size()) return false;
  if (text[next] >= 'a' && text[next] <= 'z') return false;
  if (text[dot] != '.') return true;
  std::size_t begin = dot;
  while (begin > 0 && !IsBlank(text[begin - 1]) && text[begin - 1] != '(') --begin;
  const std::string word = LowerCase(text.substr(begin, dot - begin));
  if (word.size() == 1 && !IsDigit(word[0])) return false;  // an initial
  if (begin == 0 && std::all_of(word.begin(), word.end(), IsDigit)) return false;
  return std::find(kAbbreviations.begin(), kAbbreviations.end(), word) == kAbbreviations.end();
}

std::vector<std::size_t> SentenceEnds(const Statement& whole) {
  std::vector<std::size_t> ends;
  std::size_t run = 0;
  for (std::size_t at = 0; at < whole.text.size(); ++at) {
    const char c = whole.text[at];
    if (c != '.' && c != '!' && c != '?') continue;
    while (run < whole.runs.size() && whole.runs[run].end <= at) ++run;
    const bool in_code =
        run < whole.runs.size() && whole.runs[run].begin <= at && whole.runs[run].is_code;
    if (!in_code && EndsSentence(whole.text, at)) ends.push_back(at + 1);
  }
  ends.push_back(whole.text.size());
  return ends;
}

class Splitter {
 public:
  explicit Splitter(std::string_view source) : source_(source) {
    result_.headings.emplace_back();
    line_starts_.push_back(0);
    for (std::size_t at = source.find('\n'); at != source.npos; at = source.find('\n', at + 1)) {
      line_starts_.push_back(at + 1);
    }
  }

  Statements Take(const MarkdownNode& document) {
    Block(document, StatementKind::kSentence);
    result_.line_starts = std::move(line_starts_);
    return std::move(result_);
  }

 private:
  void Block(const MarkdownNode& node, StatementKind kind) {
    switch (node.kind) {
      case MarkdownKind::kHeading:
        return Heading(node);
      case MarkdownKind::kParagraph:
        return Paragraph(node, kind);
      case MarkdownKind::kCodeBlock:
        return Code(node);
      case MarkdownKind::kTable:
        return Table(node);
      case MarkdownKind::kFootnoteDefinition:
        return Footnote(node);
      case MarkdownKind::kHtmlBlock:
      case MarkdownKind::kThematicBreak:
        return;
      case MarkdownKind::kBlockQuote:
        kind = StatementKind::kQuote;
        break;
      case MarkdownKind::kItem:
        kind = StatementKind::kItem;
        break;
      default:
        break;
    }
    for (const MarkdownNode& child : node.children) Block(child, kind);
  }

  void Heading(const MarkdownNode& node) {
    Gathered gathered = Gather(node, StatementKind::kHeading);
    // Up the parents of the last heading: at most six, however many headings
    // there are.
    std::uint32_t parent = heading_;
    while (parent != 0 && result_.headings[parent].level >= node.level) {
      parent = result_.headings[parent].parent;
      Work::Add(1);
    }
    result_.headings.push_back({.text = gathered.whole.text,
                                .level = node.level,
                                .line = node.span.first_line,
                                .parent = parent});
    heading_ = static_cast<std::uint32_t>(result_.headings.size() - 1);
    ++group_;
    Push(std::move(gathered.whole));
  }

  Gathered Gather(const MarkdownNode& node, StatementKind kind) const {
    Gathered gathered;
    gathered.whole.kind = kind;
    gathered.whole.span = node.span;
    InlineGatherer gatherer(source_, gathered);
    for (const MarkdownNode& child : node.children) gatherer.Add(child);
    return gathered;
  }

  void Push(Statement statement) {
    statement.heading = heading_;
    statement.group = group_;
    result_.all.push_back(std::move(statement));
  }

  void Paragraph(const MarkdownNode& node, StatementKind kind) {
    ++group_;
    Gathered gathered = Gather(node, kind);
    CiteCodeAbove(gathered);
    if (kind == StatementKind::kQuote) {
      for (Gathered::Mark& mark : gathered.marks) {
        gathered.whole.citations.push_back(std::move(mark.label));
      }
      Push(std::move(gathered.whole));
      return;
    }
    Sentences(gathered);
  }

  // "[^2]" at the beginning of a paragraph cites the code block right above it.
  void CiteCodeAbove(Gathered& gathered) {
    if (result_.all.empty() || result_.all.back().kind != StatementKind::kCode) return;
    const std::size_t blank =
        std::min(gathered.whole.text.find_first_not_of(" \t\r\n"), gathered.whole.text.size());
    std::size_t count = 0;
    while (count < gathered.marks.size() && gathered.marks[count].at <= blank) {
      result_.all.back().citations.push_back(gathered.marks[count].label);
      ++count;
    }
    gathered.marks.erase(gathered.marks.begin(),
                         gathered.marks.begin() + static_cast<std::ptrdiff_t>(count));
  }

  void Sentences(const Gathered& gathered) {
    std::size_t begin = 0;
    std::size_t run = 0;
    std::size_t mark = 0;
    std::size_t link = 0;
    for (const std::size_t end : SentenceEnds(gathered.whole)) {
      Statement sentence;
      sentence.kind = gathered.whole.kind;
      sentence.text = gathered.whole.text.substr(begin, end - begin);
      sentence.span = gathered.whole.span;
      // A run that reaches into the next sentence is looked at again there.
      while (run < gathered.whole.runs.size() && gathered.whole.runs[run].begin < end) {
        TextRun part = gathered.whole.runs[run];
        const std::size_t cut = std::max(part.begin, begin);
        if (part.is_exact) part.source_begin += cut - part.begin;
        const bool goes_on = part.end > end;
        part.begin = cut - begin;
        part.end = std::min(part.end, end) - begin;
        if (part.end > part.begin) sentence.runs.push_back(part);
        if (goes_on) break;
        ++run;
      }
      // A mark right after the full stop still belongs to the sentence.
      while (mark < gathered.marks.size() && gathered.marks[mark].at <= end) {
        sentence.citations.push_back(gathered.marks[mark++].label);
      }
      while (link < gathered.link_ends.size() && gathered.link_ends[link] <= end) {
        sentence.links.push_back(gathered.whole.links[link++]);
      }
      begin = end;
      const bool is_empty = Trim(sentence.text).empty() && sentence.citations.empty();
      if (!is_empty) Push(WithPlace(std::move(sentence)));
    }
  }

  // A sentence's own lines and columns, where its first run is known.
  Statement WithPlace(Statement sentence) const {
    if (sentence.runs.empty()) return sentence;
    std::size_t skip = 0;
    while (skip < sentence.text.size() && IsBlank(sentence.text[skip])) ++skip;
    const std::size_t at = std::max(SourceOffset(sentence, skip), sentence.runs[0].source_begin);
    if (at < sentence.span.begin || at >= sentence.span.end) return sentence;
    const auto line = std::upper_bound(line_starts_.begin(), line_starts_.end(), at) - 1;
    sentence.span.begin = at;
    sentence.span.first_line = static_cast<std::size_t>(line - line_starts_.begin()) + 1;
    sentence.span.first_column = at - *line + 1;
    return sentence;
  }

  void Code(const MarkdownNode& node) {
    ++group_;
    Statement code;
    code.kind = StatementKind::kCode;
    code.text = node.text;
    code.info = node.info;
    code.span = node.span;
    std::size_t at = node.span.begin;
    const std::string_view source = source_;
    if (node.is_fenced) {
      const std::size_t end = source.find('\n', at);
      at = end == source.npos ? node.span.end : end + 1;
    }
    // Exact where the block is not indented inside an item or a quote: then its
    // lines are the source's.
    const bool is_exact = source.substr(at, node.text.size()) == node.text;
    if (is_exact) {
      code.runs.push_back({.begin = 0,
                           .end = code.text.size(),
                           .source_begin = at,
                           .is_exact = true,
                           .is_code = true});
    } else {
      CodeLines(code, at);
    }
    Push(std::move(code));
  }

  // One run for each line of an indented block, found in the source by itself.
  void CodeLines(Statement& code, std::size_t at) const {
    const std::string_view text = code.text;
    std::size_t begin = 0;
    while (begin < text.size()) {
      std::size_t end = text.find('\n', begin);
      if (end == text.npos) end = text.size();
      std::size_t line_end = source_.find('\n', at);
      if (line_end == source_.npos) line_end = source_.size();
      const std::string_view line = source_.substr(at, line_end - at);
      const std::size_t found = line.find(text.substr(begin, end - begin));
      code.runs.push_back({.begin = begin,
                           .end = end,
                           .source_begin = at + (found == line.npos ? 0 : found),
                           .is_exact = found != line.npos,
                           .is_code = true});
      begin = end + 1;
      at = std::min(line_end + 1, source_.size());
    }
  }

  // A long cell would be copied into every cell of its row or column.
  static std::string Beginning(const std::string& text) { return text.substr(0, 512); }

  void Table(const MarkdownNode& node) {
    std::vector<std::string> header;
    for (const MarkdownNode& row : node.children) {
      ++group_;
      std::string first;
      for (std::size_t column = 0; column < row.children.size(); ++column) {
        Gathered gathered = Gather(row.children[column], StatementKind::kCell);
        if (row.is_header) header.push_back(Beginning(gathered.whole.text));
        if (column == 0) first = Beginning(gathered.whole.text);
        for (Gathered::Mark& mark : gathered.marks) {
          gathered.whole.citations.push_back(std::move(mark.label));
        }
        if (!row.is_header) {
          gathered.whole.context = {column < header.size() ? header[column] : "", first};
        } else {
          gathered.whole.kind = StatementKind::kHeading;
        }
        if (!gathered.whole.text.empty()) Push(std::move(gathered.whole));
      }
    }
  }

  void Footnote(const MarkdownNode& node) {
    const std::size_t line = node.span.first_line;
    if (line == 0 || line > line_starts_.size()) return;
    const std::size_t begin = line_starts_[line - 1];
    const std::size_t end = line < line_starts_.size() ? line_starts_[line] : source_.size();
    result_.footnotes[node.text] = {.line = std::string(Trim(source_.substr(begin, end - begin))),
                                    .line_number = line};
  }

  std::string_view source_;
  std::vector<std::size_t> line_starts_;
  Statements result_;
  std::uint32_t heading_ = 0;
  std::uint32_t group_ = 0;
};

// Unused definitions are not in the tree, but are visible in the file.
void AddUnusedFootnotes(std::string_view source, Statements& statements) {
  std::size_t number = 0;
  for (const std::string_view line : SplitLines(source)) {
    ++number;
    const std::optional<std::string_view> id = evidence::FootnoteId(line);
    if (!id) continue;
    statements.footnotes.try_emplace(
        std::string(*id), FootnoteText{.line = std::string(line), .line_number = number});
  }
  for (const Statement& statement : statements.all) {
    for (const std::string& label : statement.citations) {
      const auto found = statements.footnotes.find(label);
      if (found != statements.footnotes.end()) ++found->second.uses;
    }
  }
}

}  // namespace

Result<Statements> ReadStatements(std::string_view source) {
  const MarkdownNode document = SIBYL_TRY(ParseMarkdown(source));
  Statements statements = Splitter(source).Take(document);
  AddUnusedFootnotes(source, statements);
  return statements;
}

const TextRun* RunAt(const Statement& statement, std::size_t text_offset) {
  const auto after =
      std::upper_bound(statement.runs.begin(), statement.runs.end(), text_offset,
                       [](std::size_t offset, const TextRun& run) { return offset < run.begin; });
  Work::Add(1);
  if (after == statement.runs.begin()) return nullptr;
  const TextRun& run = *(after - 1);
  return text_offset < run.end ? &run : nullptr;
}

std::size_t SourceOffset(const Statement& statement, std::size_t text_offset) {
  const auto after =
      std::upper_bound(statement.runs.begin(), statement.runs.end(), text_offset,
                       [](std::size_t offset, const TextRun& run) { return offset < run.begin; });
  Work::Add(1);
  if (after == statement.runs.begin()) return statement.span.begin;
  const TextRun& run = *(after - 1);
  if (text_offset < run.end && run.is_exact) return run.source_begin + (text_offset - run.begin);
  return run.source_begin;
}

bool IsCodeAt(const Statement& statement, std::size_t text_offset) {
  const TextRun* run = RunAt(statement, text_offset);
  return run != nullptr && run->is_code;
}

}  // namespace sibyl::statement
