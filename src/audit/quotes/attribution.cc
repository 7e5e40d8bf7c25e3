// SPDX-License-Identifier: Apache-2.0
#include "audit/quotes/attribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "audit/quotes/unfiled_quote.h"
#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/work.h"
#include "statement/atom.h"
#include "statement/quote.h"

namespace sibyl::audit {
namespace {

// A file is compared with so many namesakes at most.
constexpr std::size_t kMaxFiles = 8;

// And the quotations of one sentence, with this many bytes of files: each is
// searched for in each file.
constexpr std::size_t kMaxCompared = std::size_t{64} << 20;

// At most this many are searched for in the indexes.
constexpr std::size_t kMaxSearched = 500;

bool IsLoose(std::string_view text) {
  const std::string lower = LowerCase(text);
  constexpr std::array<std::string_view, 14> kMarks = {
      "simplified", "pseudo",   "concept", "example",     "sketch",     "adapted", "modified",
      "based on",   "inspired", "similar", "abbreviated", "excerpt of", "add to",  "edit"};
  return std::any_of(kMarks.begin(), kMarks.end(),
                     [&](std::string_view mark) { return lower.find(mark) != lower.npos; });
}

// Its words without code: a path may have "examples" in it.
bool IsLoose(const statement::Statement& statement) {
  std::string words;
  for (const statement::TextRun& run : statement.runs) {
    if (!run.is_code) words += statement.text.substr(run.begin, run.end - run.begin) + " ";
  }
  return IsLoose(statement.runs.empty() ? std::string_view(statement.text) : words);
}

// "lines 10-20", ":10-20", "#L10-L20" right after the path.
LineRange LinesBehind(std::string_view text) {
  std::size_t at = text.find_first_not_of(" `'\")*,(:#");
  if (at == text.npos) return {};
  for (const std::string_view word : {"lines ", "line ", "Lines ", "Line ", "L"}) {
    if (text.substr(at).starts_with(word)) {
      at += word.size();
      break;
    }
  }
  if (at >= text.size() || !IsDigit(text[at])) return {};
  std::size_t end = at;
  while (end < text.size() && (IsDigit(text[end]) || text[end] == '-' || text[end] == 'L')) ++end;
  while (end > at && !IsDigit(text[end - 1])) --end;
  return evidence::ParseLineRange(text.substr(at, end - at)).value_or(LineRange{});
}

// The only path with a folder in it; nothing if there are several.
std::optional<Attribution> OnlyPath(const statement::Statement& words, bool may_be_bare) {
  std::optional<Attribution> found;
  for (const statement::Atom& atom : statement::ExtractAtoms(words)) {
    if (atom.kind != statement::AtomKind::kPath) continue;
    if (!may_be_bare && atom.text.find('/') == std::string::npos) continue;
    if (found && found->path != atom.text) return std::nullopt;
    if (found) continue;
    const std::string_view behind =
        std::string_view(words.text)
            .substr(std::min(atom.offset + atom.text.size(), words.text.size()));
    found = {.path = atom.text, .lines = LinesBehind(behind), .is_loose = IsLoose(words)};
  }
  return found;
}

// The comment on the first line of a block, without its marks.
std::optional<std::string_view> FirstComment(std::string_view code) {
  std::string_view line = Trim(code.substr(0, code.find('\n')));
  for (const std::string_view mark : {"//", "#", "/*", "<!--", "--", ";"}) {
    if (!line.starts_with(mark)) continue;
    if (line.starts_with("#include") || line.starts_with("#!") || line.starts_with("#define"))
      break;
    line.remove_prefix(mark.size());
    return Trim(line);
  }
  return std::nullopt;
}

std::optional<Attribution> FromFirstLine(const statement::Statement& block) {
  const std::optional<std::string_view> comment = FirstComment(block.text);
  if (!comment || comment->size() > 200) return std::nullopt;
  statement::Statement line;
  line.kind = statement::StatementKind::kSentence;
  line.text = std::string(*comment);
  line.runs = {{.begin = 0, .end = line.text.size(), .is_code = true}};
  return OnlyPath(line, comment->starts_with("From "));
}

bool Introduces(std::string_view text) {
  text = Trim(text);
  if (text.ends_with(':')) return true;
  // A sentence that the block ends: "`run.py` begins its parser with"
  for (const std::string_view word : {" with", " has", " contains", " is", " reads", " says"}) {
    if (text.ends_with(word)) return true;
  }
  for (const std::string_view word : {"From ", "In ", "Source", "See ", "File"}) {
    if (text.starts_with(word)) return true;
  }
  return false;
}

std::optional<Attribution> FromWordsBefore(const statement::Statements& statements,
                                           std::size_t statement) {
  if (statement == 0) return std::nullopt;
  const statement::Statement& before = statements.all[statement - 1];
  if (before.kind == statement::StatementKind::kCode ||
      before.kind == statement::StatementKind::kCell ||
      before.kind == statement::StatementKind::kColumn) {
    return std::nullopt;
  }
  if (before.kind != statement::StatementKind::kHeading && !Introduces(before.text))
    return std::nullopt;
  const std::string_view words = Trim(before.text);
  const bool is_source = words.starts_with("From ") || words.starts_with("In ") ||
                         words.starts_with("Source") || words.starts_with("File");
  for (const statement::StatementLink& link : before.links) {
    std::optional<Attribution> found = PathInLink(link.url);
    if (!found) continue;
    if (!is_source) return std::nullopt;  // only points at it
    found->is_loose = IsLoose(before);
    return found;
  }
  if (!before.links.empty()) return std::nullopt;  // from a page, whatever path it names
  return OnlyPath(before, false);
}

// A block of shell commands is not part of a CMake file.
bool FitsFile(const statement::Statement& block, std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::string_view ending = name.substr(std::min(name.rfind('.'), name.size()));
  switch (statement::LanguageOf(block)) {
    case statement::CodeLanguage::kShell:
      return ending == ".sh" || ending == ".bash" || ending == ".md" || ending == ".rst";
    case statement::CodeLanguage::kCMake:
      return ending == ".cmake" || name.ends_with("CMakeLists.txt") || ending == ".in";
    case statement::CodeLanguage::kPython:
      return ending == ".py" || ending == ".pyi" || ending == ".md" || ending == ".rst";
    case statement::CodeLanguage::kDockerfile:
      return name.find("ockerfile") != name.npos;
    case statement::CodeLanguage::kCpp:
      return ending != ".py" && ending != ".cmake" && ending != ".txt";
    default:
      return true;
  }
}

std::string Fold(std::string_view name) {
  std::string folded;
  for (const char c : LowerCase(name)) {
    if (c != '-' && c != '_' && c != '.' && c != ' ') folded += c;
  }
  return folded;
}

constexpr auto kEverywhere = std::to_array<std::string_view>(
    {"README.md", "README.rst", "main.cu", "main.cpp", "main.c", "main.py", "main.rs", "lib.rs",
     "setup.py", "CMakeLists.txt", "Makefile", "index.md", "index.rst", "__init__.py", "utils.py"});

// The files that a text may mean: of the repository it names, or at this path
// from the root of a source it is about, or wherever the path leads to.
std::vector<Witness::File> NamedFiles(const Attribution& from, const Witness& witness,
                                      const Topic& topic) {
  std::vector<Witness::File> files = witness.FindFiles(from.path);
  const std::size_t slash = from.path.find('/');
  std::string owner = Fold(from.repository);
  if (files.empty() && slash != std::string::npos && owner.empty()) {
    owner = Fold(std::string_view(from.path).substr(0, slash));  // "pytorch/cmake/…"
    files = witness.FindFiles(std::string_view(from.path).substr(slash + 1));
  }
  if (!owner.empty()) {
    std::erase_if(
        files, [&](const Witness::File& file) { return !witness.IsKnownAs(file.source, owner); });
  }
  // "README.md" is in every project: it is that of the only source that the text is about.
  if (owner.empty() && IsOneOf(from.path, kEverywhere)) {
    const bool is_about_one = std::ranges::count(topic.names_source, true) == 1;
    std::erase_if(files, [&](const Witness::File& file) {
      return !is_about_one || file.path != from.path || !topic.names_source[file.source];
    });
  }
  const bool any_root = std::any_of(files.begin(), files.end(), [&](const Witness::File& file) {
    return file.path == from.path && topic.names_source[file.source];
  });
  if (any_root) {
    std::erase_if(files, [&](const Witness::File& file) {
      return file.path != from.path || !topic.names_source[file.source];
    });
  }
  if (files.size() > kMaxFiles) files.resize(kMaxFiles);
  return files;
}

struct Comparison {
  statement::QuoteMatch match;
  const Witness::File* file = nullptr;
};

// The start and content of a line of the text, numbered from one.
struct TextLine {
  std::size_t offset = 0;
  std::string_view text;
};

std::vector<TextLine> LinesOf(std::string_view text) {
  std::vector<TextLine> lines;
  for (const std::string_view line : SplitLines(text)) {
    lines.push_back({.offset = static_cast<std::size_t>(line.data() - text.data()), .text = line});
  }
  return lines;
}

std::vector<TextLine> SentencesOf(std::string_view text) {
  std::vector<TextLine> sentences;
  for (const std::string_view sentence : statement::QuotedSentences(text)) {
    sentences.push_back(
        {.offset = static_cast<std::size_t>(sentence.data() - text.data()), .text = sentence});
  }
  return sentences;
}

// `numbers` ascend.
bool Has(const std::vector<std::size_t>& numbers, std::size_t number) {
  Work::Add(1);
  return std::binary_search(numbers.begin(), numbers.end(), number);
}

statement::Judgement TooMany(std::string what) {
  return {.message = "not checked", .reason = std::move(what)};
}

// The files that quotations are compared with, read and folded once.
class ComparedFiles {
 public:
  ComparedFiles(const std::vector<Witness::File>& files, const Witness& witness) : files_(files) {
    texts_.reserve(files.size());
    for (const Witness::File& file : files) {
      texts_.push_back(witness.ReadText(file));
      bytes_ += texts_.back().size();
    }
    for (const std::string& text : texts_) sources_.emplace_back(text);
  }

  const std::vector<Witness::File>& files() const { return files_; }
  const statement::QuoteSource& source(std::size_t file) const { return sources_[file]; }
  std::size_t bytes() const { return bytes_; }

 private:
  const std::vector<Witness::File>& files_;
  std::vector<std::string> texts_;
  std::vector<statement::QuoteSource> sources_;
  std::size_t bytes_ = 0;
};

// The best of the files, which are not none.
Comparison CompareWith(const statement::Statement& statement, const ComparedFiles& compared) {
  Comparison best;
  for (std::size_t i = 0; i < compared.files().size(); ++i) {
    const Witness::File& file = compared.files()[i];
    Work::Add(1);
    const statement::QuoteMatch match = statement.kind == statement::StatementKind::kCode
                                            ? compared.source(i).CompareCode(statement.text)
                                            : compared.source(i).CompareQuote(statement.text);
    if (best.file == nullptr || match.invented.size() < best.match.invented.size() ||
        match.Holds()) {
      best = {.match = match, .file = &file};
    }
    if (match.Holds()) break;
  }
  return best;
}

statement::Judgement LineJudgement(const Comparison& best, std::string_view line, bool is_invented,
                                   const Witness& witness) {
  const std::string file = witness.Show(*best.file);
  statement::Judgement judgement = {.code = "quote/mismatch",
                                    .text = std::string(Trim(line)),
                                    .reason = "compared with the file the text names"};
  if (is_invented) {
    judgement.verdict = statement::Verdict::kAbsent;
    judgement.message = fmt::format("this is not in {}", file);
    constexpr std::size_t kTelling = 24;
    if (judgement.text.size() >= kTelling) {
      if (const std::optional<Sighting> other = witness.FindText(judgement.text)) {
        judgement.where = witness.Show(*other);
        judgement.message += fmt::format("; it is at {}", judgement.where);
      }
    }
    return judgement;
  }
  judgement.verdict = statement::Verdict::kSupported;
  judgement.message = best.match.fit == statement::QuoteMatch::Fit::kExact
                          ? "found, byte for byte"
                          : "found, except for white space";
  judgement.where =
      best.match.source_line == 0 ? file : fmt::format("{}:{}", file, best.match.source_line);
  return judgement;
}

// For a text that names no file.
statement::Judgement SearchedFor(std::string_view quotation, const Witness& witness) {
  constexpr std::string_view kReason = "the text names no file of a pinned source";
  const std::optional<Sighting> found = witness.FindText(quotation);
  if (!found) return statement::Undecidable(std::string(kReason));
  return {.verdict = statement::Verdict::kSupported,
          .message = "found, byte for byte",
          .where = witness.Show(*found),
          .reason = std::string(kReason)};
}

// Whether the line is compared.
bool Counts(std::string_view line, std::size_t number) {
  line = Trim(line);
  if (line.empty() || line == "..." || line == "# ..." || line == "// ...") return false;
  return number > 1 || !FirstComment(line);
}

// Text in quotation marks outside code, if it is a phrase and not a word in
// scare quotes.
std::vector<TextLine> QuotationsIn(const statement::Statement& statement) {
  constexpr std::size_t kMinWords = 4;
  struct Marks {
    std::string_view open;
    std::string_view close;
  };
  std::vector<TextLine> found;
  const std::string_view text = statement.text;
  for (const Marks& marks : {Marks{"\"", "\""}, Marks{"\xE2\x80\x9C", "\xE2\x80\x9D"}}) {
    std::size_t at = text.find(marks.open);
    while (at != text.npos) {
      const std::size_t begin = at + marks.open.size();
      const std::size_t end = text.find(marks.close, begin);
      if (end == text.npos) break;
      const std::string_view inside = text.substr(begin, end - begin);
      const auto spaces = static_cast<std::size_t>(std::count(inside.begin(), inside.end(), ' '));
      if (spaces + 1 >= kMinWords && !statement::IsCodeAt(statement, at)) {
        found.push_back({.offset = begin, .text = inside});
      }
      at = text.find(marks.open, end + marks.close.size());
    }
  }
  return found;
}

// The line of the text's source that has the place of the quotation, as far as it is part of it.
TextLine LineAround(const statement::Statement& statement, const TextLine& quotation,
                    std::size_t place) {
  const auto is_break = [&](std::size_t at) {
    return statement::RunAt(statement, quotation.offset + at) == nullptr;
  };
  std::size_t begin = std::min(place, quotation.text.size());
  while (begin > 0 && !is_break(begin - 1)) --begin;
  std::size_t end = begin;
  while (end < quotation.text.size() && !is_break(end)) ++end;
  return {.offset = quotation.offset + begin, .text = quotation.text.substr(begin, end - begin)};
}

}  // namespace

std::optional<Attribution> PathInLink(std::string_view url) {
  const std::size_t blob = url.find("/blob/");
  if (blob == url.npos) return std::nullopt;
  std::string_view repository = url.substr(0, blob);
  if (repository.ends_with("/-")) repository.remove_suffix(2);
  repository = repository.substr(repository.rfind('/') + 1);
  std::string_view rest = url.substr(blob + 6);
  const std::size_t slash = rest.find('/');
  if (slash == rest.npos) return std::nullopt;
  rest.remove_prefix(slash + 1);
  const std::size_t hash = rest.find('#');
  Attribution found = {.path = std::string(rest.substr(0, std::min(hash, rest.find('?')))),
                       .repository = std::string(repository)};
  if (hash != rest.npos) {
    found.lines = evidence::ParseLineRange(rest.substr(hash + 1)).value_or(LineRange{});
  }
  return found;
}

std::optional<Attribution> AttributionOf(const statement::Statements& statements,
                                         std::size_t statement) {
  const statement::Statement& here = statements.all[statement];
  if (here.kind == statement::StatementKind::kCode) {
    if (std::optional<Attribution> found = FromFirstLine(here)) return found;
    statement::Statement info;
    info.text = here.info.substr(std::min(here.info.find_first_of(" :="), here.info.size()));
    info.runs = {{.begin = 0, .end = info.text.size(), .is_code = true}};
    if (std::optional<Attribution> found = OnlyPath(info, false)) return found;
  } else if (here.kind != statement::StatementKind::kQuote) {
    return std::nullopt;
  }
  return FromWordsBefore(statements, statement);
}

std::vector<JudgedQuote> JudgeAttributed(const statement::Statement& statement,
                                         const Attribution& from, const Witness& witness,
                                         const Topic& topic) {
  std::vector<JudgedQuote> judged;
  if (!FitsFile(statement, from.path)) return judged;
  const std::vector<Witness::File> files = NamedFiles(from, witness, topic);
  if (files.empty()) return judged;
  const Comparison best = CompareWith(statement, ComparedFiles(files, witness));
  if (best.match.compared == 0) return judged;
  const bool is_code = statement.kind == statement::StatementKind::kCode;
  const std::vector<TextLine> lines =
      is_code ? LinesOf(statement.text) : SentencesOf(statement.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const bool is_invented = Has(best.match.invented, i + 1);
    const bool is_comment = Has(best.match.added_comments, i + 1);
    if (!is_invented && (is_comment || !Counts(lines[i].text, is_code ? i + 1 : 2))) continue;
    JudgedQuote one = {.judgement = LineJudgement(best, lines[i].text, is_invented, witness),
                       .offset = lines[i].offset};
    one.judgement.kind = is_code ? "attributed code" : "quotation";
    if (is_invented && from.is_loose) {
      one.judgement.verdict = statement::Verdict::kUndecidable;
      one.judgement.reason = "the text says that this line is not from the file";
    }
    judged.push_back(std::move(one));
  }
  return judged;
}

// "`a/b.py` has `x = int(y * 1024)`": a statement of a language in a sentence that names one file.
std::vector<JudgedQuote> JudgeInlineCode(const statement::Statement& statement,
                                         const Witness& witness, const Topic& topic) {
  constexpr std::size_t kShortest = 16;
  std::vector<JudgedQuote> judged;
  if (!statement.IsProse() || IsLoose(statement)) return judged;
  const std::optional<Attribution> from = OnlyPath(statement, false);
  if (!from) return judged;
  const std::size_t path = statement.text.find(from->path);
  for (const statement::TextRun& run : statement.runs) {
    if (!run.is_code || run.begin < path) continue;
    const std::string_view code =
        std::string_view(statement.text).substr(run.begin, run.end - run.begin);
    const bool is_statement = code.find(" = ") != code.npos || code.starts_with("#define ") ||
                              code.starts_with("ENV ") || code.starts_with("ARG ") ||
                              code.starts_with("FROM ");
    if (!is_statement || code.size() < kShortest || code.find("…") != code.npos ||
        code.find("...") != code.npos) {
      continue;
    }
    // Only where the words between say that the file has it.
    const std::size_t named = path + from->path.size();
    const std::string between =
        LowerCase(statement.text.substr(named, std::min<std::size_t>(run.begin - named, 60)));
    constexpr std::array<std::string_view, 8> kHas = {" has ",      " contains ", " says ",
                                                      " reads ",    " sets ",     " defines ",
                                                      " computes ", " writes "};
    const bool has = std::ranges::any_of(
        kHas, [&](std::string_view word) { return between.find(word) != between.npos; });
    const std::vector<Witness::File> files = NamedFiles(*from, witness, topic);
    if (!has || files.empty() || run.begin - named > 60) continue;
    statement::Statement block;
    block.kind = statement::StatementKind::kCode;
    block.text = std::string(code);
    const Comparison best = CompareWith(block, ComparedFiles(files, witness));
    if (best.match.compared == 0) continue;
    JudgedQuote one = {.judgement = LineJudgement(best, code, !best.match.Holds(), witness),
                       .offset = run.begin};
    one.judgement.kind = "attributed code";
    judged.push_back(std::move(one));
  }
  return judged;
}

std::vector<JudgedQuote> JudgeQuotations(const statement::Statement& statement,
                                         std::string_view words_before, const Witness& witness,
                                         const Topic& topic) {
  std::vector<JudgedQuote> judged;
  if (!statement.IsProse() || statement.kind == statement::StatementKind::kQuote) return judged;
  const std::vector<TextLine> quotations = QuotationsIn(statement);
  if (quotations.empty()) return judged;
  std::vector<Witness::File> files;
  for (const statement::Atom& atom : statement::ExtractAtoms(statement)) {
    if (atom.kind != statement::AtomKind::kPath) continue;
    for (Witness::File& file : NamedFiles({.path = atom.text}, witness, topic)) {
      if (files.size() < kMaxFiles) files.push_back(std::move(file));
    }
  }
  const ComparedFiles compared(files, witness);
  const bool is_loose = IsLoose(statement);
  std::size_t left = kMaxCompared;
  std::size_t searched = 0;
  for (const TextLine& quotation : quotations) {
    statement::Statement quote;
    quote.kind = statement::StatementKind::kQuote;
    quote.text = std::string(quotation.text);
    JudgedQuote one = {.offset = quotation.offset};
    TextLine shown = quotation;
    if (files.empty()) {
      one.judgement =
          ++searched > kMaxSearched
              ? TooMany(fmt::format("the sentence has more than {} quotations", kMaxSearched))
              : SearchedFor(quotation.text, witness);
    } else if (compared.bytes() + quote.text.size() > left) {
      one.judgement = TooMany(fmt::format(
          "comparing the quotations of the sentence takes more than {} bytes", kMaxCompared));
    } else {
      left -= compared.bytes() + quote.text.size();
      const Comparison best = CompareWith(quote, compared);
      one.judgement = LineJudgement(best, quotation.text, !best.match.Holds(), witness);
      // A sentence may name one file and quote another.
      const bool is_elsewhere = !best.match.Holds() && !one.judgement.where.empty();
      if ((is_loose || is_elsewhere) && one.judgement.Fails())
        one.judgement.verdict = statement::Verdict::kUndecidable;
    }
    if (one.judgement.verdict == statement::Verdict::kUndecidable && searched <= kMaxSearched &&
        !is_loose) {
      const std::string before =
          std::string(words_before) + " " + statement.text.substr(0, quotation.offset);
      if (auto unfiled =
              JudgeUnfiledQuote(quotation.text, before, QuoteForm::kMarks, witness, topic)) {
        one.judgement = std::move(unfiled->judgement);
        if (one.judgement.verdict == statement::Verdict::kContradicted) {
          shown = LineAround(statement, quotation, unfiled->differs);
        }
      }
    }
    one.offset = shown.offset;
    one.judgement.code = "quote/mismatch";
    one.judgement.kind = "quotation";
    one.judgement.text = std::string(shown.text);
    judged.push_back(std::move(one));
  }
  return judged;
}

std::vector<JudgedQuote> JudgeUnfiledBlock(const statement::Statement& statement,
                                           std::string_view words_before, const Witness& witness,
                                           const Topic& topic) {
  std::vector<JudgedQuote> judged;
  if (IsLoose(words_before)) return judged;
  std::size_t searched = 0;
  for (const TextLine& line : SentencesOf(statement.text)) {
    if (++searched > kMaxSearched) break;
    auto judgement = JudgeUnfiledQuote(line.text, words_before, QuoteForm::kBlock, witness, topic);
    if (!judgement) continue;
    judgement->judgement.code = "quote/mismatch";
    judgement->judgement.kind = "quotation";
    judgement->judgement.text = std::string(line.text);
    judged.push_back({.judgement = std::move(judgement->judgement), .offset = line.offset});
  }
  return judged;
}

}  // namespace sibyl::audit
