// SPDX-License-Identifier: Apache-2.0
#include "verify/attribution.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "verify/atom.h"
#include "verify/quote.h"

namespace sibyl::verify {
namespace {

// A file is compared with so many namesakes at most.
constexpr std::size_t kMaxFiles = 8;
constexpr std::size_t kShownLines = 6;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsLoose(std::string_view text) {
  const std::string lower = LowerCase(text);
  constexpr std::array<std::string_view, 14> kMarks = {
      "simplified", "pseudo",   "concept", "example",     "sketch",     "adapted", "modified",
      "based on",   "inspired", "similar", "abbreviated", "excerpt of", "add to",  "edit"};
  return std::any_of(kMarks.begin(), kMarks.end(),
                     [&](std::string_view mark) { return lower.find(mark) != lower.npos; });
}

// "lines 10-20", ":10-20", "#L10-L20" right behind the path.
evidence::LineRange LinesBehind(std::string_view text) {
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
  return evidence::ParseLineRange(text.substr(at, end - at)).value_or(evidence::LineRange{});
}

// The only path with a folder in it; nothing if there are several.
std::optional<Attribution> OnlyPath(const Statement& words) {
  std::optional<Attribution> found;
  for (const Atom& atom : ExtractAtoms(words)) {
    if (atom.kind != AtomKind::kPath || atom.text.find('/') == std::string::npos) continue;
    if (found && found->path != atom.text) return std::nullopt;
    if (found) continue;
    const std::string_view behind =
        std::string_view(words.text)
            .substr(std::min(atom.offset + atom.text.size(), words.text.size()));
    found = {.path = atom.text, .lines = LinesBehind(behind), .is_loose = IsLoose(words.text)};
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

std::optional<Attribution> FromFirstLine(const Statement& block) {
  const std::optional<std::string_view> comment = FirstComment(block.text);
  if (!comment || comment->size() > 200) return std::nullopt;
  Statement line;
  line.kind = StatementKind::kSentence;
  line.text = std::string(*comment);
  line.runs = {{.begin = 0, .end = line.text.size(), .is_code = true}};
  return OnlyPath(line);
}

bool Introduces(std::string_view text) {
  text = Trim(text);
  if (text.ends_with(':')) return true;
  for (const std::string_view word : {"From ", "In ", "Source", "See ", "File"}) {
    if (text.starts_with(word)) return true;
  }
  return false;
}

std::optional<Attribution> FromWordsBefore(const Statements& statements, std::size_t statement) {
  if (statement == 0) return std::nullopt;
  const Statement& before = statements.all[statement - 1];
  if (before.kind == StatementKind::kCode || before.kind == StatementKind::kCell) {
    return std::nullopt;
  }
  if (before.kind != StatementKind::kHeading && !Introduces(before.text)) return std::nullopt;
  const std::string_view words = Trim(before.text);
  const bool is_source = words.starts_with("From ") || words.starts_with("In ") ||
                         words.starts_with("Source") || words.starts_with("File");
  for (const StatementLink& link : before.links) {
    std::optional<Attribution> found = PathInLink(link.url);
    if (!found) continue;
    if (!is_source) return std::nullopt;  // only points at it
    found->is_loose = IsLoose(before.text);
    return found;
  }
  if (!before.links.empty()) return std::nullopt;  // from a page, whatever path it names
  return OnlyPath(before);
}

std::string ListLines(const std::vector<std::size_t>& lines) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(lines.size(), kShownLines); ++i) {
    shown.push_back(std::to_string(lines[i]));
  }
  if (lines.size() > kShownLines) shown.emplace_back("...");
  return Join(shown, ", ");
}

// The most telling line of a code block, to look for elsewhere.
std::string_view LongestLine(std::string_view text) {
  std::string_view longest;
  for (std::string_view line : SplitLines(text)) {
    line = Trim(line);
    const bool is_comment = line.starts_with("#") || line.starts_with("//");
    if (!is_comment && line.size() > longest.size()) longest = line;
  }
  return longest;
}

// A block of shell commands is no piece of a CMake file.
bool FitsFile(const Statement& block, std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::string_view ending = name.substr(std::min(name.rfind('.'), name.size()));
  switch (LanguageOf(block)) {
    case CodeLanguage::kShell:
      return ending == ".sh" || ending == ".bash" || ending == ".md" || ending == ".rst";
    case CodeLanguage::kCMake:
      return ending == ".cmake" || name.ends_with("CMakeLists.txt") || ending == ".in";
    case CodeLanguage::kPython:
      return ending == ".py" || ending == ".pyi" || ending == ".md" || ending == ".rst";
    case CodeLanguage::kDockerfile:
      return name.find("ockerfile") != name.npos;
    case CodeLanguage::kCpp:
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
    std::erase_if(files, [&](const Witness::File& file) {
      return Fold(witness.sources()[file.source].name) != owner;
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
  QuoteMatch match;
  const Witness::File* file = nullptr;
};

Judgement Describe(const Statement& statement, const Comparison& best, const Witness& witness) {
  const QuoteMatch& match = best.match;
  const bool is_code = statement.kind == StatementKind::kCode;
  const std::string where = match.source_line == 0
                                ? witness.Show(*best.file)
                                : fmt::format("{}:{}", witness.Show(*best.file), match.source_line);
  Judgement judgement = {.where = where, .reason = "compared with the file the text names"};
  if (match.Holds()) {
    judgement.verdict = Verdict::kSupported;
    judgement.message = match.fit == QuoteMatch::Fit::kExact ? "found, the same bytes"
                                                             : "found, with other white space";
    return judgement;
  }
  if (match.invented.empty()) {
    judgement.verdict = Verdict::kSupported;
    judgement.message = "all of it is there, but not in one piece";
    return judgement;
  }
  judgement.verdict = Verdict::kAbsent;
  judgement.message = match.invented.size() >= match.compared
                          ? fmt::format("none of this is in {}", witness.Show(*best.file))
                          : fmt::format("{} of {} {} not in {}: {}", match.invented.size(),
                                        match.compared, is_code ? "lines are" : "sentences are",
                                        witness.Show(*best.file), ListLines(match.invented));
  if (match.invented.size() < match.compared) return judgement;
  judgement.where.clear();
  const std::string_view line = is_code ? LongestLine(statement.text) : Trim(statement.text);
  constexpr std::size_t kTelling = 24;
  if (line.size() < kTelling) return judgement;
  if (const std::optional<Sighting> elsewhere = witness.FindText(line)) {
    judgement.where = witness.Show(*elsewhere);
    judgement.message += fmt::format("; a line of it is at {}", judgement.where);
  }
  return judgement;
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
    found.lines = evidence::ParseLineRange(rest.substr(hash + 1)).value_or(evidence::LineRange{});
  }
  return found;
}

std::optional<Attribution> AttributionOf(const Statements& statements, std::size_t statement) {
  const Statement& here = statements.all[statement];
  if (here.kind == StatementKind::kCode) {
    if (std::optional<Attribution> found = FromFirstLine(here)) return found;
    Statement info;
    info.text = here.info.substr(std::min(here.info.find_first_of(" :="), here.info.size()));
    info.runs = {{.begin = 0, .end = info.text.size(), .is_code = true}};
    if (std::optional<Attribution> found = OnlyPath(info)) return found;
  } else if (here.kind != StatementKind::kQuote) {
    return std::nullopt;
  }
  return FromWordsBefore(statements, statement);
}

std::optional<Judgement> JudgeAttributed(const Statement& statement, const Attribution& from,
                                         const Witness& witness, const Topic& topic) {
  if (!FitsFile(statement, from.path)) return std::nullopt;
  const std::vector<Witness::File> files = NamedFiles(from, witness, topic);
  if (files.empty()) return std::nullopt;
  Comparison best;
  for (const Witness::File& file : files) {
    const std::string text = witness.ReadText(file);
    const QuoteMatch match = statement.kind == StatementKind::kCode
                                 ? CompareCode(statement.text, text)
                                 : CompareQuote(statement.text, text);
    if (best.file == nullptr || match.invented.size() < best.match.invented.size() ||
        match.Holds()) {
      best = {.match = match, .file = &file};
    }
    if (match.Holds()) break;
  }
  Judgement judgement = Describe(statement, best, witness);
  judgement.code = "quote/mismatch";
  judgement.kind = statement.kind == StatementKind::kCode ? "attributed code" : "quotation";
  judgement.text = from.path;
  if (judgement.Fails() && from.is_loose) {
    judgement.verdict = Verdict::kUndecidable;
    judgement.reason = "the text says itself that it is not the file's own";
  }
  if (best.match.compared == 0) {
    judgement.verdict = Verdict::kUndecidable;
    judgement.reason = "there is nothing to compare";
  }
  return judgement;
}

}  // namespace sibyl::verify
