// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"
#include "draft/extract/prose.h"

namespace sibyl::draft {
namespace {

constexpr double kLeastSentenceShare = 0.5;
constexpr double kLeastExplainingShare = 0.4;
constexpr double kRankCost = 0.03;
constexpr double kDefinesBonus = 0.12;
constexpr double kSubjectBonus = 0.1;
constexpr double kNewWords = 0.1;
constexpr double kLoneCodeShare = 0.75;
constexpr double kGoesOnCost = 0.08;
constexpr double kFurtherCost = 0.18;
constexpr std::size_t kMostQuoteWords = 70;
constexpr std::size_t kSummaryWords = 36;
constexpr std::size_t kMostCodeLines = 26;
constexpr std::size_t kMostRows = 14;
constexpr std::size_t kMostAlso = 3;

std::size_t CountWords(std::string_view text) {
  return 1 + static_cast<std::size_t>(std::count(text.begin(), text.end(), ' '));
}

std::uint32_t LineOf(const Excerpt& excerpt, std::size_t line) {
  return excerpt.first_line + static_cast<std::uint32_t>(line) - 1;
}

// The words that a reader sees around what is shown.
void AddPlaceWords(const Excerpt& excerpt, TermReader& reader, TermSet& terms) {
  reader.Read(excerpt.path, terms);
  reader.Read(excerpt.heading, terms);
}

bool IsSameFile(const Excerpt& a, const Excerpt& b) {
  return a.pin->name == b.pin->name && a.path == b.path;
}

bool IsCode(const Excerpt& excerpt) {
  constexpr std::array<std::string_view, 7> kData = {"json", "xml", "html", "notebook",
                                                     "diff", "tex", "css"};
  // Documentation inside of a module is of its language, and no code.
  return !IsProseLanguage(excerpt.language) && excerpt.kind != index::PassageKind::kProse &&
         std::find(kData.begin(), kData.end(), excerpt.language) == kData.end();
}

}  // namespace

std::string BlockKey(const Excerpt& excerpt, std::uint32_t first, std::uint32_t last) {
  return fmt::format("{}:{}:{}-{}", excerpt.pin->name, excerpt.path, first, last);
}

// A statement may be shown together with the comment that was quoted from it.
bool Chooser::IsShown(const Excerpt& excerpt, std::uint32_t first, std::uint32_t last,
                      Form form) const {
  if (left_out_->contains(BlockKey(excerpt, first, last))) return true;
  const std::string place = excerpt.pin->name + ":" + excerpt.path;
  return std::any_of(shown_.begin(), shown_.end(), [&](const Shown& shown) {
    const bool counts = form == Form::kQuote || shown.form == Form::kCode;
    return counts && shown.place == place && shown.first <= last && first <= shown.last;
  });
}

void Chooser::Show(const Excerpt& excerpt, std::uint32_t first, std::uint32_t last, Form form) {
  shown_.push_back({.place = excerpt.pin->name + ":" + excerpt.path,
                    .first = first,
                    .last = last,
                    .form = form});
}

// What is shown alone must be about the point: it has one of the distinctive
// words of the point or, for a point without such words, one of its section or
// title; the words may also be in its heading.
bool Chooser::SpeaksOf(const PointTerms& terms, const Excerpt& excerpt, const TermSet& words) {
  const double telling = reader_->TellingWeight();
  if (terms.context.empty()) return true;
  if (CountTelling(terms.point, telling) > 0) return CountTelling(terms.point, telling, words) > 0;
  TermSet with = words;
  AddPlaceWords(excerpt, *reader_, with);
  return CountTelling(terms.context, telling, with) > 0;
}

std::vector<ChosenQuote> Chooser::QuotesOf(const GatheredPoint& point) {
  std::vector<ChosenQuote> quotes;
  const std::vector<std::string> named = SymbolsIn(point.point);
  double rank = 0;
  for (const Excerpt& excerpt : point.excerpts) {
    const bool is_documentation = !IsCode(excerpt) && !IsProseLanguage(excerpt.language);
    const std::string_view language =
        is_documentation ? std::string_view("rst") : std::string_view(excerpt.language);
    const std::vector<Sentence> sentences = ReadSentences(language, excerpt.text);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
      TermSet words;
      reader_->Read(sentences[i].text, words);
      const double share = ShareOf(point.terms.point, words);
      const double least =
          Explains(sentences[i].text) ? kLeastExplainingShare : kLeastSentenceShare;
      if (share < least || texts_.contains(sentences[i].text)) continue;
      if (!SpeaksOf(point.terms, excerpt, words)) continue;
      ChosenQuote quote{.excerpt = &excerpt,
                        .text = sentences[i].text,
                        .first_line = LineOf(excerpt, sentences[i].first_line),
                        .last_line = LineOf(excerpt, sentences[i].last_line),
                        .score = Support(point.terms, words) - kRankCost * rank,
                        .is_single = CountWords(sentences[i].text) <= kSummaryWords};
      if (Explains(quote.text)) quote.score += kDefinesBonus;
      if (OpensWithOne(quote.text, named)) quote.score += kSubjectBonus;
      if (!StandsAlone(quote.text)) quote.score -= kGoesOnCost;
      // The next sentence often completes it.
      const bool goes_on = i + 1 < sentences.size() &&
                           sentences[i + 1].paragraph == sentences[i].paragraph &&
                           sentences[i + 1].number == sentences[i].number + 1;
      if (goes_on && CountWords(quote.text + " " + sentences[i + 1].text) <= kMostQuoteWords) {
        quote.text += " " + sentences[i + 1].text;
        quote.last_line = LineOf(excerpt, sentences[i + 1].last_line);
        quote.is_single = false;
      }
      quotes.push_back(std::move(quote));
    }
    ++rank;
  }
  std::stable_sort(quotes.begin(), quotes.end(),
                   [](const ChosenQuote& a, const ChosenQuote& b) { return a.score > b.score; });
  return quotes;
}

void Chooser::ChooseQuotes(const GatheredPoint& point, std::size_t most, PointChoice& choice) {
  for (ChosenQuote& quote : QuotesOf(point)) {
    if (choice.quotes.size() == most) return;
    // A further sentence is off topic more often than the first: it must be
    // nearly as good, and relevant by itself.
    if (!choice.quotes.empty() && (quote.score < choice.quotes.front().score - kFurtherCost ||
                                   !(Explains(quote.text) || StandsAlone(quote.text)))) {
      continue;
    }
    if (IsShown(*quote.excerpt, quote.first_line, quote.last_line, Form::kQuote)) continue;
    if (texts_.contains(quote.text)) continue;
    TermSet with = choice.shown;
    reader_->Read(quote.text, with);
    const double before = ShareOf(point.terms.point, choice.shown);
    const bool is_other_file = std::none_of(
        choice.quotes.begin(), choice.quotes.end(),
        [&](const ChosenQuote& other) { return IsSameFile(*other.excerpt, *quote.excerpt); });
    if (!choice.quotes.empty() && !is_other_file &&
        ShareOf(point.terms.point, with) < before + kNewWords) {
      continue;
    }
    AddPlaceWords(*quote.excerpt, *reader_, with);
    choice.shown = std::move(with);
    texts_.insert(quote.text);
    Show(*quote.excerpt, quote.first_line, quote.last_line, Form::kQuote);
    choice.quotes.push_back(std::move(quote));
  }
}

// The relevant rows of one excerpt: those that the point names, and those with
// at least half as many of its words as the best.
ChosenTable Chooser::TableOf(const GatheredPoint& point, const Excerpt& excerpt, std::size_t most) {
  constexpr double kLeastShare = 0.1;
  ChosenTable table{.excerpt = &excerpt};
  std::vector<OptionRow> rows = ReadOptions(excerpt.language, excerpt.text);
  const std::vector<std::string> named = SymbolsIn(point.point);
  std::vector<double> shares;
  double best = 0;
  for (const OptionRow& row : rows) {
    TermSet terms;
    reader_->Read(row.name, terms);
    reader_->Read(row.meaning, terms);
    const bool is_named = std::find(named.begin(), named.end(), row.name) != named.end();
    shares.push_back(is_named ? 1 : ShareOf(point.terms.point, terms));
    best = std::max(best, shares.back());
    table.is_named = table.is_named || is_named;
  }
  for (std::size_t i = 0; i < rows.size() && table.rows.size() < most; ++i) {
    if (shares[i] <= kLeastShare || shares[i] < best / 2) continue;
    const std::uint32_t first = LineOf(excerpt, rows[i].first_line);
    const std::uint32_t last = LineOf(excerpt, rows[i].last_line);
    if (IsShown(excerpt, first, last, Form::kCode)) continue;
    rows[i].first_line = first;
    rows[i].last_line = last;
    table.rows.push_back(std::move(rows[i]));
  }
  return table;
}

void Chooser::ChooseTable(const GatheredPoint& point, std::size_t lines, PointChoice& choice) {
  constexpr std::size_t kFewestRows = 2;
  constexpr std::size_t kFrame = 4;  // header, rule and blanks
  if (lines < kFrame + kFewestRows) return;
  std::optional<ChosenTable> best;
  for (const Excerpt& excerpt : point.excerpts) {
    ChosenTable table = TableOf(point, excerpt, std::min(kMostRows, lines - kFrame));
    if (table.rows.size() < (table.is_named ? 1 : kFewestRows)) continue;
    // Names and values alone are of little use unless requested by name.
    const bool has_meaning = std::any_of(table.rows.begin(), table.rows.end(),
                                         [](const OptionRow& row) { return !row.meaning.empty(); });
    if (!table.is_named && !has_meaning) continue;
    if (!best || (table.is_named && !best->is_named)) best = std::move(table);
  }
  if (!best) return;
  for (const OptionRow& row : best->rows) {
    reader_->Read(row.name, choice.shown);
    reader_->Read(row.meaning, choice.shown);
    Show(*best->excerpt, static_cast<std::uint32_t>(row.first_line),
         static_cast<std::uint32_t>(row.last_line), Form::kCode);
  }
  AddPlaceWords(*best->excerpt, *reader_, choice.shown);
  choice.table = std::move(best);
}

void Chooser::ChooseCode(const GatheredPoint& point, std::size_t lines, PointChoice& choice) {
  constexpr std::size_t kFewest = 3;
  if (lines < kFewest) return;
  std::optional<ChosenCode> best;
  double best_value = 0;
  double rank = 0;
  const auto consider = [&](const Excerpt& excerpt, const CodeSource& source, std::size_t offset) {
    auto code = TrimCode(source, point.terms, *reader_, std::min(lines, kMostCodeLines));
    if (!code) return;
    TermSet words;
    for (const std::string& line : code->lines) reader_->Read(line, words);
    if (!SpeaksOf(point.terms, excerpt, words)) return;
    // Code without an introducing sentence must match better; for a point of
    // common words it is not used.
    const bool is_common = !point.terms.context.empty() &&
                           CountTelling(point.terms.point, reader_->TellingWeight()) == 0;
    if (choice.quotes.empty() && (is_common || code->share < kLoneCodeShare)) return;
    code->first_line = LineOf(excerpt, code->first_line + offset);
    code->last_line = LineOf(excerpt, code->last_line + offset);
    const double value = code->share - kRankCost * rank;
    const bool is_shown = IsShown(excerpt, static_cast<std::uint32_t>(code->first_line),
                                  static_cast<std::uint32_t>(code->last_line), Form::kCode);
    if (is_shown || value <= best_value) return;
    best_value = value;
    best = ChosenCode{
        .excerpt = &excerpt, .code = std::move(*code), .language = std::string(source.language)};
  };
  for (const Excerpt& excerpt : point.excerpts) {
    if (IsCode(excerpt)) {
      consider(excerpt,
               {.language = excerpt.language,
                .text = excerpt.text,
                .is_definition = excerpt.kind == index::PassageKind::kDefinition},
               0);
    }
    const std::vector<std::string_view> all = SplitLines(excerpt.text);
    for (const FencedCode& fence : ReadFences(excerpt.language, excerpt.text)) {
      const char* begin = all[fence.first_line - 1].data();
      const std::string_view last = all[fence.last_line - 1];
      const std::string_view text(begin,
                                  static_cast<std::size_t>(last.data() + last.size() - begin));
      consider(excerpt, {.language = fence.language, .text = text}, fence.first_line - 1);
    }
    ++rank;
  }
  if (!best) return;
  for (const std::string& line : best->code.lines) reader_->Read(line, choice.shown);
  AddPlaceWords(*best->excerpt, *reader_, choice.shown);
  Show(*best->excerpt, static_cast<std::uint32_t>(best->code.first_line),
       static_cast<std::uint32_t>(best->code.last_line), Form::kCode);
  choice.code.push_back(std::move(*best));
}

PointChoice Chooser::Choose(const GatheredPoint& point, std::size_t lines, double least_share) {
  // A quotation takes about four lines with its introduction, a block of code
  // four beside its own.
  constexpr std::size_t kQuoteLines = 4;
  constexpr std::size_t kCodeFrame = 5;
  constexpr std::size_t kRoomy = 30;
  PointChoice choice;
  if (lines < kQuoteLines) return choice;
  const auto shown_before = static_cast<std::ptrdiff_t>(shown_.size());
  const std::size_t most_quotes =
      std::min<std::size_t>(lines >= kRoomy ? 3 : 2, lines / kQuoteLines);
  ChooseQuotes(point, most_quotes, choice);
  std::size_t left = lines - std::min(lines, choice.quotes.size() * kQuoteLines);
  ChooseTable(point, left, choice);
  if (choice.table) left -= std::min(left, choice.table->rows.size() + 5);
  if (left > kCodeFrame + 2) ChooseCode(point, left - kCodeFrame - 2, choice);
  choice.share = ShareOf(point.terms.point, choice.shown);
  if (choice.share < least_share) {
    shown_.erase(shown_.begin() + shown_before, shown_.end());
    for (const ChosenQuote& quote : choice.quotes) texts_.erase(quote.text);
    return {};
  }
  for (const Excerpt& excerpt : point.excerpts) {
    if (choice.also.size() == kMostAlso) break;
    const auto same = [&](const Excerpt* other) { return IsSameFile(*other, excerpt); };
    const bool is_used =
        std::any_of(choice.quotes.begin(), choice.quotes.end(),
                    [&](const ChosenQuote& quote) { return same(quote.excerpt); }) ||
        std::any_of(choice.code.begin(), choice.code.end(),
                    [&](const ChosenCode& code) { return same(code.excerpt); }) ||
        (choice.table && same(choice.table->excerpt)) ||
        std::any_of(choice.also.begin(), choice.also.end(), same);
    if (!is_used) choice.also.push_back(&excerpt);
  }
  return choice;
}

}  // namespace sibyl::draft
