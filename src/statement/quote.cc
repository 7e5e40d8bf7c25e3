// SPDX-License-Identifier: Apache-2.0
#include "statement/quote.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>

#include "base/strings.h"
#include "base/whole_word.h"
#include "statement/folded_text.h"

namespace sibyl::statement {
namespace {

using Fit = QuoteMatch::Fit;

// A quotation with more lines than this is compared line by line by their
// hashes alone: searching each in the whole text would take forever, which
// could be exploited.
constexpr std::size_t kMaxSearches = 400;

std::size_t WordBytes(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), IsWordByte));
}

// The pieces between ellipses, without blanks and the brackets around them.
std::vector<std::string_view> Pieces(std::string_view folded) {
  std::vector<std::string_view> pieces;
  const auto add = [&pieces](std::string_view piece) {
    piece = Trim(piece);
    if (piece.starts_with(']') || piece.starts_with(')')) piece = Trim(piece.substr(1));
    if (piece.ends_with('[') || piece.ends_with('(')) {
      piece = Trim(piece.substr(0, piece.size() - 1));
    }
    if (WordBytes(piece) > 0) pieces.push_back(piece);
  };
  for (;;) {
    const std::size_t dots = folded.find("...");
    add(folded.substr(0, dots));
    if (dots == std::string_view::npos) return pieces;
    folded.remove_prefix(dots);
    folded.remove_prefix(std::min(folded.find_first_not_of('.'), folded.size()));
  }
}

// Whether what an ellipsis leaves out of a sentence turns its meaning round.
bool LeavesOutDenial(std::string_view left_out) {
  if (left_out.find(". ") != left_out.npos) return false;  // whole sentences
  for (const std::string_view word : {"not", "never", "no", "cannot", "nor", "neither", "without",
                                      "unless", "except", "only", "hardly", "rarely"}) {
    if (FindWholeWord(left_out, word)) return true;
  }
  return left_out.find("n't") != left_out.npos;
}

// All pieces, one after the other; where the first begins.
std::optional<std::size_t> FindInOrder(const FoldedText& source,
                                       const std::vector<std::string_view>& pieces) {
  std::optional<std::size_t> first;
  std::size_t from = 0;
  for (const std::string_view piece : pieces) {
    const std::optional<std::size_t> at = source.Find(piece, from);
    if (!at) return std::nullopt;
    if (first && LeavesOutDenial(std::string_view(source.text()).substr(from, *at - from))) {
      return std::nullopt;
    }
    if (!first) first = at;
    from = *at + piece.size();
  }
  return first;
}

// Writers often put the full stop or comma inside the quotation marks.
std::string_view WithoutLastMark(std::string_view text) {
  while (!text.empty() && std::string_view(".,;: ").find(text.back()) != std::string_view::npos) {
    text.remove_suffix(1);
  }
  return text;
}

std::optional<std::size_t> FindProse(const FoldedText& source, std::string_view folded) {
  if (const auto at = source.Find(folded)) return at;
  const std::string_view bare = WithoutLastMark(folded);
  if (bare.size() < folded.size()) {
    if (const auto at = source.Find(bare)) return at;
  }
  const std::vector<std::string_view> pieces = Pieces(folded);
  if (pieces.size() < 2 && folded.find("...") == std::string_view::npos) return std::nullopt;
  return pieces.empty() ? std::nullopt : FindInOrder(source, pieces);
}

// The line of the source that shares most words with the quotation, if it
// shares most of its own or of the quotation's.
std::size_t NearestLine(std::string_view quote, std::string_view source) {
  const auto each_word = [](std::string_view text, const auto& visit) {
    for (std::size_t at = 0; at < text.size();) {
      std::size_t end = at;
      while (end < text.size() && IsWordByte(text[end])) ++end;
      if (end - at > 2) visit(text.substr(at, end - at));
      at = std::max(end, at + 1);
    }
  };
  std::unordered_set<std::string_view> wanted;
  each_word(quote, [&wanted](std::string_view word) { wanted.insert(word); });
  std::size_t best = 0;
  std::size_t best_shared = 1;  // one word is accidental
  std::size_t number = 0;
  for (const std::string_view line : SplitLines(source)) {
    ++number;
    std::size_t shared = 0;
    std::size_t words = 0;
    each_word(line, [&](std::string_view word) {
      ++words;
      shared += wanted.contains(word) ? 1 : 0;
    });
    if (shared <= best_shared || shared * 2 < std::min(words, wanted.size())) continue;
    best = number;
    best_shared = shared;
  }
  return best;
}

struct CodeLine {
  std::size_t number = 0;
  std::string folded;
  bool is_comment = false;
  bool is_ellipsis = false;
};

// The lines of a block that count: no blank lines, and no first line with the
// path.
std::vector<CodeLine> ReadCodeLines(std::string_view code, const FoldedText& source) {
  std::vector<CodeLine> lines;
  std::size_t number = 0;
  for (const std::string_view line : SplitLines(code)) {
    ++number;
    if (Trim(line).empty()) continue;
    CodeLine read{.number = number,
                  .folded = FoldedText(line, Folding::kCode).text(),
                  .is_comment = IsCommentLine(line),
                  .is_ellipsis = IsEllipsisLine(line)};
    const bool names_place = lines.empty() && read.is_comment && !read.is_ellipsis &&
                             line.find_first_of("./") != std::string_view::npos;
    if (names_place && !source.Find(read.folded)) continue;
    lines.push_back(std::move(read));
  }
  return lines;
}

// The folded text of the lines between ellipses, with the same spacing rules as
// the source.
std::vector<std::string> CodePieces(const std::vector<CodeLine>& lines,
                                    const std::vector<bool>& leaves_out) {
  std::vector<std::string> pieces(1);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].is_ellipsis) {
      if (!pieces.back().empty()) pieces.emplace_back();
      continue;
    }
    if (leaves_out[i] || lines[i].folded.empty()) continue;
    std::string& piece = pieces.back();
    if (!piece.empty() && IsWordByte(piece.back()) && IsWordByte(lines[i].folded.front())) {
      piece += ' ';
    }
    piece += lines[i].folded;
  }
  if (pieces.back().empty()) pieces.pop_back();
  return pieces;
}

std::optional<std::size_t> FindCode(const FoldedText& source,
                                    const std::vector<std::string>& pieces) {
  return FindInOrder(source, {pieces.begin(), pieces.end()});
}

// "code; // why": an added explanation.
std::string_view WithoutTrailingComment(std::string_view folded) {
  for (const std::string_view mark : {"//", "#", "/*"}) {
    const std::size_t at = folded.find(mark);
    if (at != std::string_view::npos && at > 0) return folded.substr(0, at);
  }
  return folded;
}

}  // namespace

struct QuoteSource::Forms {
  std::string_view text_view;  // the caller's
  std::array<std::optional<FoldedText>, 4> forms;
  std::optional<std::unordered_set<std::string>> code_lines;

  const FoldedText& As(Folding folding) {
    std::optional<FoldedText>& form = forms[static_cast<std::size_t>(folding)];
    if (!form) form.emplace(text_view, folding);
    return *form;
  }

  bool HasCodeLine(const std::string& folded_line) {
    if (!code_lines) {
      code_lines.emplace();
      for (const std::string_view line : SplitLines(text_view)) {
        code_lines->insert(FoldedText(line, Folding::kCode).text());
      }
    }
    return code_lines->contains(folded_line);
  }

  bool FindExact(std::string_view quote, QuoteMatch& match) const;
  void FindSentences(std::string_view quote, QuoteMatch& match);
  void FindLines(const std::vector<CodeLine>& lines, QuoteMatch& match);
};

bool QuoteSource::Forms::FindExact(std::string_view quote, QuoteMatch& match) const {
  for (std::size_t from = 0; from + quote.size() <= text_view.size();) {
    const void* found =
        ::memmem(text_view.data() + from, text_view.size() - from, quote.data(), quote.size());
    if (found == nullptr) return false;
    const auto at = static_cast<std::size_t>(static_cast<const char*>(found) - text_view.data());
    const std::size_t end = at + quote.size();
    const bool begins = at == 0 || !IsWordByte(quote.front()) || !IsWordByte(text_view[at - 1]);
    const bool ends =
        end == text_view.size() || !IsWordByte(quote.back()) || !IsWordByte(text_view[end]);
    if (begins && ends) {
      const auto before = text_view.begin() + static_cast<std::ptrdiff_t>(at);
      match.fit = Fit::kExact;
      match.source_line = 1 + static_cast<std::size_t>(std::count(text_view.begin(), before, '\n'));
      return true;
    }
    from = at + 1;
  }
  return false;
}

void QuoteSource::Forms::FindSentences(std::string_view quote, QuoteMatch& match) {
  const FoldedText& source = As(Folding::kMarks);
  std::size_t number = 0;
  std::size_t found = 0;
  for (const std::string_view sentence : QuotedSentences(quote)) {
    ++number;
    const FoldedText folded(sentence, Folding::kMarks);
    const auto at = number > kMaxSearches ? std::nullopt : FindProse(source, folded.text());
    if (!at) {
      match.invented.push_back(number);
      continue;
    }
    ++found;
    if (match.source_line == 0) match.source_line = source.LineAt(*at);
  }
  match.compared = number;
  match.fit = found == 0 ? Fit::kAbsent : Fit::kPartly;
  match.is_continuous = !match.invented.empty();
  if (found == 0) match.source_line = NearestLine(quote, text_view);
}

void QuoteSource::Forms::FindLines(const std::vector<CodeLine>& lines, QuoteMatch& match) {
  constexpr std::size_t kTelling = 4;  // "}", "else" and ")" are everywhere
  const FoldedText& source = As(Folding::kCode);
  std::size_t searches = 0;
  std::size_t telling_found = 0;
  const auto has = [&](const std::string& folded) {
    if (HasCodeLine(folded)) return true;
    return ++searches <= kMaxSearches && source.Find(folded).has_value();
  };
  for (const CodeLine& line : lines) {
    if (line.is_ellipsis) continue;
    if (has(line.folded) || has(std::string(WithoutTrailingComment(line.folded)))) {
      telling_found += WordBytes(line.folded) >= kTelling ? 1 : 0;
      continue;
    }
    (line.is_comment ? match.added_comments : match.invented).push_back(line.number);
  }
  match.is_continuous = !match.invented.empty();
  match.fit = telling_found == 0 ? Fit::kAbsent : Fit::kPartly;
}

QuoteSource::QuoteSource(std::string_view text) : forms_(std::make_unique<Forms>()) {
  forms_->text_view = text;
}
QuoteSource::QuoteSource(QuoteSource&&) noexcept = default;
QuoteSource& QuoteSource::operator=(QuoteSource&&) noexcept = default;
QuoteSource::~QuoteSource() = default;

QuoteMatch QuoteSource::CompareQuote(std::string_view quote) const {
  QuoteMatch match;
  quote = Trim(quote);
  if (WordBytes(FoldedText(quote, Folding::kSpace).text()) == 0) {
    match.fit = Fit::kExact;
    return match;
  }
  match.compared = 1;
  if (forms_->FindExact(quote, match)) return match;
  for (const Folding folding : {Folding::kSpace, Folding::kMarks}) {
    const FoldedText& source = forms_->As(folding);
    const FoldedText folded(quote, folding);
    if (const auto at = FindProse(source, folded.text())) {
      match.fit = Fit::kFolded;
      match.source_line = source.LineAt(*at);
      return match;
    }
  }
  forms_->FindSentences(quote, match);
  return match;
}

QuoteMatch QuoteSource::CompareCode(std::string_view code) const {
  QuoteMatch match;
  const FoldedText& source = forms_->As(Folding::kCode);
  const std::vector<CodeLine> lines = ReadCodeLines(code, source);
  match.compared = static_cast<std::size_t>(std::count_if(
      lines.begin(), lines.end(), [](const CodeLine& line) { return !line.is_ellipsis; }));
  if (match.compared == 0) {
    match.fit = Fit::kExact;
    return match;
  }
  // The first line stays where it is indented: code is cut out by whole lines.
  const std::vector<std::string_view> raw = SplitLines(code);
  const std::string_view from_first =
      code.substr(static_cast<std::size_t>(raw[lines.front().number - 1].data() - code.data()));
  std::string_view body = from_first;
  while (body.ends_with('\n') || body.ends_with('\r')) body.remove_suffix(1);
  if (forms_->FindExact(body, match)) return match;

  std::vector<bool> leaves_out(lines.size());
  auto at = FindCode(source, CodePieces(lines, leaves_out));
  const FoldedText* in = &source;
  if (!at) {  // without the comments of either side
    for (std::size_t i = 0; i < lines.size(); ++i) leaves_out[i] = lines[i].is_comment;
    const std::vector<std::string> pieces = CodePieces(lines, leaves_out);
    in = &forms_->As(Folding::kPlainCode);
    if (!pieces.empty()) at = FindCode(*in, pieces);
    for (const CodeLine& line : lines) {
      if (at && line.is_comment && !line.is_ellipsis && !forms_->HasCodeLine(line.folded)) {
        match.added_comments.push_back(line.number);
      }
    }
  }
  if (at) {
    match.fit = Fit::kFolded;
    match.source_line = in->LineAt(*at);
    return match;
  }
  forms_->FindLines(lines, match);
  match.source_line = NearestLine(code, forms_->text_view);
  return match;
}

QuoteMatch CompareQuote(std::string_view quote, std::string_view source_text) {
  return QuoteSource(source_text).CompareQuote(quote);
}

QuoteMatch CompareCode(std::string_view code, std::string_view source_text) {
  return QuoteSource(source_text).CompareCode(code);
}

std::vector<std::string_view> QuotedSentences(std::string_view quote) {
  std::vector<std::string_view> sentences;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    const std::string_view sentence = Trim(quote.substr(begin, end - begin));
    if (WordBytes(sentence) > 0) sentences.push_back(sentence);
    begin = end;
  };
  for (std::size_t at = 0; at + 1 < quote.size(); ++at) {
    const bool ends = quote[at] == '.' || quote[at] == '!' || quote[at] == '?';
    const bool blank = quote[at + 1] == ' ' || quote[at + 1] == '\n';
    if (!ends || !blank) continue;
    // "e.g. this" continues; "Stop. Then" does not.
    const std::size_t next = quote.find_first_not_of(" \n\r\t", at + 1);
    const bool goes_on = next != std::string_view::npos && quote[next] >= 'a' && quote[next] <= 'z';
    if (!goes_on) add(at + 1);
  }
  add(quote.size());
  return sentences;
}

}  // namespace sibyl::statement
