// SPDX-License-Identifier: Apache-2.0
#include "gate/claims/unmarked.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/markdown/heading_anchor.h"
#include "base/strings.h"
#include "evidence/citation.h"
#include "gate/claims/claim_words.h"
#include "gate/claims/parts.h"
#include "gate/claims/table_rows.h"
#include "gate/structure.h"
#include "gate/uncited.h"
#include "statement/folded_text.h"

namespace sibyl::gate {
namespace {

using statement::StatementKind;

std::string PlannedForm(std::string_view text) {
  const std::size_t begin = text.find_first_not_of("0123456789. ");
  if (begin != std::string_view::npos) text = text.substr(begin);
  return LowerCase(Trim(text));
}

bool IsNumbered(std::string_view text) { return !text.empty() && IsDigit(text[0]); }

// "heading", "column", …: what a finding calls the text, and what it relies on.
struct TextName {
  std::string_view kind;
  std::string_view scope;
};

TextName NameOf(const statement::Statement& text, Exemption exemption) {
  switch (text.kind) {
    case StatementKind::kHeading:
      return {"heading", "its section does"};
    case StatementKind::kColumn:
      return {"table header", "its section does"};
    case StatementKind::kCell:
      return {"cell", "its row does"};
    case StatementKind::kAlt:
      return {"alt text", "its section does"};
    case StatementKind::kTitle:
      return {"link title", "its section does"};
    case StatementKind::kCodeComment:
      return {"comment", "its section does"};
    case StatementKind::kNote:
      return {"footnote", "its citation does"};
    case StatementKind::kHtml:
      return {"HTML", "its section does"};
    default:
      break;
  }
  if (exemption == Exemption::kIntroduction) return {"introduction", "its section does"};
  if (exemption == Exemption::kNavigation) return {"link", "its section does"};
  return {Trim(text.text).ends_with('?') ? "question" : "label", "its section does"};
}

std::size_t WordCount(std::string_view text) {
  std::size_t words = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool begins =
        statement::IsWordByte(text[at]) && (at == 0 || !statement::IsWordByte(text[at - 1]));
    words += begins ? 1 : 0;
  }
  return words;
}

bool HasOnlyImages(const statement::Statement& text) {
  return !text.links.empty() && std::all_of(text.links.begin(), text.links.end(),
                                            [](const auto& link) { return link.is_image; });
}

// The header of the table of planned points.
bool IsPlannedColumn(const statement::Statements& statements, const statement::Statement& text) {
  if (text.kind != StatementKind::kColumn || statements.headings[text.heading].level > 1) {
    return false;
  }
  const std::string name = LowerCase(Trim(text.text));
  return name == "planned" || name == "covered by";
}

// Headings below which every page lists places: they say nothing about what is cited there.
bool IsFrameHeading(std::string_view text) {
  return text == "Not found" || text == "Related places";
}

// A link to a heading of this oracle in that heading's own words, with or without
// its number: what it claims is judged there, and that it exists is checked.
bool NamesItsHeading(const statement::StatementLink& link) {
  const std::size_t hash = link.url.find('#');
  if (hash == std::string::npos || link.url.find(':') < hash) return false;
  std::string_view fragment = std::string_view(link.url).substr(hash + 1);
  const std::string anchor = AnchorOf(link.text);
  if (anchor.empty()) return false;
  if (fragment == anchor) return true;
  if (!fragment.ends_with("-" + anchor)) return false;
  fragment.remove_suffix(anchor.size() + 1);
  return std::all_of(fragment.begin(), fragment.end(), IsDigit);
}

// Blanks instead of such links, so that places in the text stay the same.
// "[Streams, events, concurrency](02-streams-events-concurrency.md)": its title.
bool NamesItsPage(const statement::StatementLink& link) {
  const std::string url = LowerCase(link.url.substr(0, link.url.find('#')));
  if (!url.ends_with(".md") || url.find("://") != std::string::npos) return false;
  const std::string file = "-" + url.substr(url.rfind('/') + 1, url.size());
  const std::string text = LowerCase(link.text);
  std::size_t words = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsAlphanumeric(text[end])) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    const std::string word = text.substr(at, end - at);
    const bool is_joint = word == "and" || word == "the" || word == "of" || word == "in";
    const std::size_t found = file.find("-" + word);
    const std::size_t after = found == std::string::npos ? 0 : found + 1 + word.size();
    const bool is_there = after > 0 && (file[after] == '-' || file[after] == '.');
    if (!is_there && !is_joint) return false;
    words += is_there ? 1 : 0;
    at = end;
  }
  return words > 0;
}

statement::Statement WithoutHeadingNames(statement::Statement text) {
  std::size_t from = 0;
  for (const statement::StatementLink& link : text.links) {
    const std::size_t at = text.text.find(link.text, from);
    if (at == std::string::npos) continue;
    from = at + link.text.size();
    if (NamesItsHeading(link) || NamesItsPage(link))
      text.text.replace(at, link.text.size(), link.text.size(), ' ');
  }
  return text;
}

// "Why does it only work on Linux?" and "Did you know that it only works on Linux?"
// say that it does.
bool AsksWhy(const statement::Statement& text) {
  const std::string_view question = Trim(text.text);
  if (!question.ends_with('?')) return false;
  for (const std::string_view opening :
       {"why ", "did you know ", "do you know that ", "who would have thought "}) {
    if (StartsWithIgnoringCase(question, opening)) return true;
  }
  return false;
}

class UnmarkedJudge {
 public:
  UnmarkedJudge(const CitedFile& file, ClaimScopes& scopes) : file_(file), scopes_(scopes) {}

  void Judge(const statement::Statement& text, Exemption exemption, const ClaimGround* ground,
             ClaimRule rule) {
    if (ground == nullptr) return;
    constexpr std::size_t kLongest = 4096;
    if (text.text.size() > kLongest) {
      return Add(text, NameOf(text, exemption), "it is too long to be compared");
    }
    std::string beyond = ClaimBeyond(text, *ground, rule, scopes_.tokenizer());
    // "Goes through" of a header is said by its cells.
    const bool is_relation =
        text.kind == StatementKind::kColumn && CountContent(text, scopes_.tokenizer()) < 2;
    // "Why have the second at all?" leads on.
    constexpr std::size_t kFewOfQuestion = 2;
    const bool asks_why = AsksWhy(text) && CountContent(text, scopes_.tokenizer()) > kFewOfQuestion;
    const bool is_said = asks_why || (IsAssertion(text, scopes_.tokenizer()) && !is_relation);
    if (beyond.empty() && !ground->empty() && is_said) {
      beyond = Unsaid(text, exemption);
    }
    if (beyond.empty() && exemption == Exemption::kHeading) {
      beyond = scopes_.ContradictedDefault(
          static_cast<std::size_t>(&text - file_.statements.all.data()));
    }
    if (beyond.empty() && exemption == Exemption::kLabel) {
      beyond =
          scopes_.ContradictedLabel(static_cast<std::size_t>(&text - file_.statements.all.data()));
    }
    if (beyond.empty()) return;
    Add(text, NameOf(text, exemption), beyond);
  }

  void Add(const statement::Statement& text, const TextName& name, const std::string& beyond) {
    statement::Judgement judgement{
        .verdict = statement::Verdict::kAbsent,
        .code = "text/claim",
        .kind = std::string(name.kind),
        .text = statement::Excerpt(text.text),
        .place = {
            .file = file_.name, .line = text.span.first_line, .column = text.span.first_column}};
    judgement.message =
        fmt::format("this {} makes a claim that {} not cite: {}", name.kind, name.scope, beyond);
    judgements_.push_back(std::move(judgement));
  }

  void Statement(std::size_t index, const PlannedWords& planned) {
    const statement::Statement& text = file_.statements.all[index];
    const Exemption exemption = ExemptionOf(file_.statements, index);
    switch (exemption) {
      case Exemption::kHeading:
        if (text.kind == StatementKind::kHeading &&
            (planned.contains(PlannedForm(text.text)) || IsFrameHeading(text.text)))
          return;
        if (IsPlannedColumn(file_.statements, text)) return;
        return Judge(text, exemption, scopes_.Section(text.heading), ClaimRule::kTopic);
      case Exemption::kIntroduction:
        if (IsPlace(text)) return;
        return Judge(text, exemption, scopes_.Section(text.heading), ClaimRule::kIntroduction);
      case Exemption::kNavigation:
        if (HasOnlyImages(text) || IsPlace(text)) return;  // alt texts are asides
        if (IsBareLink(text)) return;
        return Judge(WithoutHeadingNames(text), exemption, scopes_.Section(text.heading),
                     text.links.empty() ? ClaimRule::kCaption : ClaimRule::kLink);
      case Exemption::kLabel:
        if (WordCount(text.text) == 0) return;
        return Judge(text, exemption, scopes_.Section(text.heading), RuleOfLabel(text));
      case Exemption::kNone:
        Clauses(index);
        if (text.kind == StatementKind::kCell && text.citations.empty() &&
            !scopes_.receipts()[index].empty()) {
          Judge(text, exemption, scopes_.Row(index), ClaimRule::kCaption);
        }
        if (text.kind == StatementKind::kCell) {
          Row(index);
          const std::string other = scopes_.OtherUnitOfCell(index);
          if (!other.empty()) Add(text, NameOf(text, exemption), other);
        }
        return;
      default:
        return;
    }
  }

  // A cell that has the value of another row of the cited table, or another one
  // than the definition of its row's name.
  void Row(std::size_t index) {
    const statement::Statement& cell = file_.statements.all[index];
    if (cell.context.size() < 2) return;
    for (const Receipt* receipt : scopes_.receipts()[index]) {
      constexpr std::size_t kLargest = std::size_t{128} << 10;
      const std::string_view lines = receipt->Span().value_or("");
      if (lines.size() > kLargest) continue;
      const CellClaim claim = {
          .row_name = cell.context[1], .value = cell.text, .column = cell.context[0]};
      std::string row = RowWithAnotherValue(claim, lines);
      if (row.empty()) row = DefinitionWithAnotherValue(claim, lines);
      if (row.empty()) continue;
      return Add(cell, NameOf(cell, Exemption::kNone), fmt::format("the lines have '{}'", row));
    }
  }

  // "… — and the cache is encrypted.[^1]": what a dash or a semicolon adds is as
  // much a claim as what comes before it.
  void Clauses(std::size_t index) {
    const statement::Statement& text = file_.statements.all[index];
    constexpr std::size_t kLongest = 4096;
    if ((text.kind != StatementKind::kSentence && text.kind != StatementKind::kItem) ||
        text.citations.empty() || text.text.size() > kLongest) {
      return;
    }
    if (const ClaimGround* ground = scopes_.Cited(index); ground != nullptr) {
      const std::string foreign = ForeignWord(text, *ground);
      if (!foreign.empty()) {
        Add(text, {"sentence", "it does"}, fmt::format("'{}' is not in the cited lines", foreign));
      }
    }
    for (const SentencePart& part : PartsOf(text)) JudgePart(index, part);
    const std::size_t mark = text.marks.empty() ? text.text.size() : text.marks.back();
    if (mark > 0 && mark < text.text.size()) {
      JudgeClause(index, PartOf(text, mark, text.text.size()), ClaimRule::kTail);
    }
  }

  void JudgePart(std::size_t index, const SentencePart& part) {
    const ClaimGround* ground = scopes_.Cited(index);
    if (ground == nullptr) return;
    const std::size_t found = judgements_.size();
    if (part.kind != PartKind::kLabel && part.kind != PartKind::kRelative) {
      JudgeClause(index, part.text, ClaimRule::kClause);
    }
    if (judgements_.size() > found) return;
    const std::string beyond = PartBeyond(part, *ground);
    if (!beyond.empty()) Add(part.text, {"clause", "its sentence does"}, beyond);
  }

  // What is refused of a part that does not read like a sentence.
  std::string PartBeyond(const SentencePart& part, const ClaimGround& ground) {
    constexpr std::size_t kFewOfClause = 3;
    constexpr std::size_t kFew = 2;
    support::Tokenizer& tokenizer = scopes_.tokenizer();
    switch (part.kind) {
      case PartKind::kIndependent:
        if (CountContent(part.text, tokenizer) < kFewOfClause) return {};
        return ClaimBeyond(part.text, ground, ClaimRule::kClause, tokenizer);
      case PartKind::kBracket:
      case PartKind::kRelative:
        return AllNew(part.text, ground, kFew, tokenizer);
      case PartKind::kLabel:
        return LabelBeyond(part.text, ground, tokenizer);
      default:
        return {};
    }
  }

  void JudgeClause(std::size_t index, const statement::Statement& clause, ClaimRule rule) {
    const ClaimGround* ground = scopes_.Cited(index);
    if (ground == nullptr || !IsAssertion(clause, scopes_.tokenizer())) return;
    std::string beyond = ClaimBeyond(clause, *ground, rule, scopes_.tokenizer());
    // What comes after the mark is not behind it: the lines must carry it.
    if (beyond.empty() && rule == ClaimRule::kTail && !scopes_.IsCarriedBy(index, clause)) {
      beyond = "the cited lines do not carry it";
    }
    if (!beyond.empty()) Add(clause, {"clause", "its sentence does"}, beyond);
  }

  void Aside(const statement::Statement& text) {
    switch (text.kind) {
      case StatementKind::kAlt:
      case StatementKind::kTitle:
        return Caption(text);
      case StatementKind::kCodeComment:
        return Comment(text);
      case StatementKind::kHtml:
        if (WordCount(text.text) < 2) return;
        return Judge(text, Exemption::kNone, scopes_.Section(text.heading), ClaimRule::kCaption);
      case StatementKind::kNote:
        return Note(text);
      default:
        return;
    }
  }

  std::vector<statement::Judgement> Take() { return std::move(judgements_); }

 private:
  // An alt text or a title. A long one says something, with a verb or without.
  void Caption(const statement::Statement& text) {
    constexpr std::size_t kLong = 5;
    const ClaimGround* ground = scopes_.Section(text.heading);
    const std::size_t found = judgements_.size();
    Judge(text, Exemption::kNone, ground, ClaimRule::kCaption);
    if (judgements_.size() > found || ground == nullptr || ground->empty()) return;
    if (CountContent(text, scopes_.tokenizer()) < kLong) return;
    if (!scopes_.IsSaidIn(text.heading, text)) {
      Add(text, NameOf(text, Exemption::kNone), "no single citation says it");
    }
  }

  // A comment in code: one of the source, or one that the writer has added.
  void Comment(const statement::Statement& text) {
    const ClaimGround* ground = scopes_.Section(text.heading);
    if (ground == nullptr) return;
    const std::size_t bytes = ground->texts().lines.size();
    if (bytes > comment_bytes_left_) {
      return Add(text, NameOf(text, Exemption::kNone), "the page has too many to compare");
    }
    comment_bytes_left_ -= bytes;
    // "gadget src/queue.h:12-14" names the place of the code.
    if (ground->HasLetters(text.text) || ReceiptOf(Trim(text.text)) != nullptr) return;
    Judge(text, Exemption::kNone, ground, ClaimRule::kCaption);
  }

  // A whole sentence where only a title is expected: one citation must say it.
  std::string Unsaid(const statement::Statement& text, Exemption exemption) {
    constexpr std::string_view kNone = "no single citation says it";
    if (text.kind == StatementKind::kNote) return {};
    if (text.kind == StatementKind::kCell) {
      const auto index = static_cast<std::size_t>(&text - file_.statements.all.data());
      return std::string(scopes_.IsSaidInRow(index) ? "" : kNone);
    }
    // What follows an introduction says it better; a long one says something itself.
    constexpr std::size_t kLongIntroduction = 6;
    const std::size_t words = CountContent(text, scopes_.tokenizer());
    if (exemption == Exemption::kIntroduction && words < kLongIntroduction) {
      return scopes_.IsRefuted(text.heading, text) ? "the cited lines do not carry it" : "";
    }
    // "See also [x](y), where it is known": too little to claim anything.
    constexpr std::size_t kFewOfLink = 3;
    if (exemption == Exemption::kNavigation && !text.links.empty() && words < kFewOfLink) return {};
    return std::string(scopes_.IsSaidIn(text.heading, text) ? "" : kNone);
  }

  // "See [more](more.md)."
  bool IsBareLink(const statement::Statement& text) {
    return !text.links.empty() && CountContent(text, scopes_.tokenizer()) <= 1 &&
           support::ReadQuantities(text.text, false).empty();
  }

  // "Declared in gadget `cmake/Profiler.cmake`, Build > Options:": code spans are
  // cited paths, and the other words are names of sources or words of the files.
  bool IsPlace(const statement::Statement& text) {
    std::vector<const Receipt*> cited;
    std::string words = text.text;
    for (const statement::TextRun& run : text.runs) {
      if (!run.is_code) continue;
      const std::string path = text.text.substr(run.begin, run.end - run.begin);
      const Receipt* receipt = ReceiptOf(path);
      if (receipt == nullptr) return false;
      cited.push_back(receipt);
      std::fill(words.begin() + static_cast<std::ptrdiff_t>(run.begin),
                words.begin() + static_cast<std::ptrdiff_t>(run.end), ' ');
    }
    if (cited.empty() || IsAssertion(text, scopes_.tokenizer())) return false;
    for (const support::Token& token : scopes_.tokenizer().OfSource(words)) {
      if (!IsPlaceWord(words.substr(token.begin, token.end - token.begin), cited)) return false;
    }
    return true;
  }

  const Receipt* ReceiptOf(std::string_view path) {
    if (!has_paths_) {
      has_paths_ = true;
      for (const auto& [label, receipt] : file_.receipts) {
        if (receipt.uses == 0) continue;
        if (receipt.source() != nullptr) paths_.emplace(receipt.source()->path, &receipt);
        if (receipt.other && !receipt.other->path.empty()) {
          paths_.emplace(receipt.other->path, &receipt);
        }
      }
    }
    const auto found = paths_.find(path);
    if (found != paths_.end()) return found->second;
    // "gadget cmake/Profiler.cmake:41-47"
    const std::size_t blank = path.find(' ');
    const std::size_t colon = path.rfind(':');
    if (colon == std::string_view::npos || !evidence::ParseLineRange(path.substr(colon + 1))) {
      return nullptr;
    }
    const std::size_t begin = blank == std::string_view::npos ? 0 : blank + 1;
    const auto named = paths_.find(path.substr(begin, colon - std::min(colon, begin)));
    if (named == paths_.end()) return nullptr;
    const evidence::Pin* pin = named->second->resolution.pin;
    const bool is_of_pin = begin == 0 || (pin != nullptr && pin->name == path.substr(0, blank));
    return is_of_pin ? named->second : nullptr;
  }

  static bool IsPlaceWord(const std::string& word, const std::vector<const Receipt*>& cited) {
    constexpr std::size_t kLargest = std::size_t{1} << 20;
    const std::string lower = LowerCase(word);
    if (lower == "see" || lower == "also" || lower == "declared" || lower == "in" ||
        lower == "line" || lower == "lines" || IsDigit(word[0])) {
      return true;
    }
    return std::any_of(cited.begin(), cited.end(), [&](const Receipt* receipt) {
      const Resolution& found = receipt->resolution;
      if (receipt->page() != nullptr) return receipt->context.find(word) != std::string::npos;
      return (found.pin != nullptr && found.pin->name.find(word) != std::string::npos) ||
             (found.file != nullptr && found.file->size() <= kLargest &&
              found.file->find(word) != std::string::npos);
    });
  }

  static ClaimRule RuleOfLabel(const statement::Statement& text) {
    const std::string_view words = Trim(text.text);
    if (!words.ends_with('?')) return ClaimRule::kCaption;
    const std::string first = LowerCase(words.substr(0, words.find(' ')));
    return OpensQuestion(first) ? ClaimRule::kCaption : ClaimRule::kAssertion;
  }

  // The words beside a citation may say no more than its lines.
  void Note(const statement::Statement& text) {
    const auto found = file_.receipts.find(text.citations.front());
    if (found == file_.receipts.end() || found->second.uses == 0) return;
    const Receipt& receipt = found->second;
    // The title of a page is its own; facts and runs are named by the program.
    if (receipt.source() == nullptr) return;
    const auto span = receipt.Span();
    if (!span || span->size() > kLongestNoteSource) return;
    ClaimTexts texts{.lines = std::string(*span),
                     .context = receipt.context + "\n" + receipt.source()->path};
    if (receipt.resolution.pin != nullptr) texts.context += "\n" + receipt.resolution.pin->name;
    // Its own place is no claim.
    const statement::Statement words = PartOf(text, CitationEnd(text, receipt), text.text.size());
    if (WordCount(words.text) == 0) return;
    const ClaimGround ground(std::move(texts), scopes_.tokenizer());
    Judge(words, Exemption::kNone, &ground, ClaimRule::kCaption);
  }

  // Where the path and the lines of the citation end in the words of its note.
  // Underscores and other marks of a path may have been read as markup.
  static std::size_t CitationEnd(const statement::Statement& text, const Receipt& receipt) {
    const std::string_view words = text.text;
    const std::string_view path = receipt.source()->path;
    // "gadget cmake/Profiler.cmake:41-47", "gadget:cmake/Profiler.cmake", the path alone
    // A source may have the name of its only file: "zlib.h zlib.h#L10".
    std::size_t last = 0;
    for (const std::size_t from :
         {std::size_t{0}, AfterFirst(words, ' '), AfterFirst(words, ':')}) {
      last = std::max(last, PathEnd(words, from, path));
    }
    return last;
  }

  static std::size_t AfterFirst(std::string_view words, char mark) {
    const std::size_t at = words.find(mark);
    return at == std::string_view::npos ? words.size() : at + 1;
  }

  static std::size_t PathEnd(std::string_view words, std::size_t at, std::string_view path) {
    for (const char letter : path) {
      if (!IsAlphanumeric(letter)) continue;
      while (at < words.size() && !IsAlphanumeric(words[at])) ++at;
      if (at == words.size() || words[at] != letter) return 0;
      ++at;
    }
    if (at < words.size() && IsAlphanumeric(words[at])) return 0;
    while (at < words.size() && !IsBlank(words[at])) ++at;
    return at;
  }

  static constexpr std::size_t kLongestNoteSource = std::size_t{64} << 10;

  const CitedFile& file_;
  ClaimScopes& scopes_;
  std::vector<statement::Judgement> judgements_;
  std::map<std::string, const Receipt*, std::less<>> paths_;  // cited
  bool has_paths_ = false;
  // Lines in which comments are looked for: a hostile page has many of both.
  std::size_t comment_bytes_left_ = std::size_t{256} << 20;
};

}  // namespace

PlannedWords PlannedOnPage(const statement::Statements& statements) {
  PlannedWords planned;
  for (std::size_t i = 0; i < statements.all.size(); ++i) {
    if (ExemptionOf(statements, i) != Exemption::kCoverage) continue;
    planned.insert(PlannedForm(statements.all[i].text));
  }
  if (FindStamp(statements) == nullptr) return planned;
  for (const statement::SectionHeading& heading : statements.headings) {
    const bool is_section = heading.level == 2 && IsNumbered(heading.text);
    if (heading.level == 1 || is_section) planned.insert(PlannedForm(heading.text));
  }
  return planned;
}

PlannedWords PlannedFor(const draft::Draft& draft) {
  PlannedWords planned = {PlannedForm(draft.title)};
  for (const draft::DraftSection& section : draft.sections) {
    planned.insert(PlannedForm(section.title));
    for (const draft::Coverage& point : section.points) planned.insert(PlannedForm(point.point));
  }
  return planned;
}

std::vector<statement::Judgement> JudgeUnmarked(const CitedFile& file, ClaimScopes& scopes) {
  UnmarkedJudge judge(file, scopes);
  const PlannedWords planned = PlannedOnPage(file.statements);
  for (std::size_t i = 0; i < file.statements.all.size(); ++i) judge.Statement(i, planned);
  for (const statement::Statement& aside : file.statements.asides) judge.Aside(aside);
  return judge.Take();
}

std::vector<statement::Judgement> JudgeUnplanned(const CitedFile& file, const draft::Draft& draft) {
  const PlannedWords on_page = PlannedOnPage(file.statements);
  const PlannedWords planned = PlannedFor(draft);
  ClaimScopes scopes(file);
  UnmarkedJudge judge(file, scopes);
  for (std::size_t i = 0; i < file.statements.all.size(); ++i) {
    const statement::Statement& text = file.statements.all[i];
    if (text.kind != StatementKind::kHeading || !on_page.contains(PlannedForm(text.text))) continue;
    judge.Statement(i, planned);
  }
  return judge.Take();
}

}  // namespace sibyl::gate
