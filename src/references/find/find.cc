// SPDX-License-Identifier: Apache-2.0
#include "references/find/find.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "references/find/claim.h"
#include "references/find/claim_scope.h"
#include "references/find/file_context.h"
#include "references/find/leading_text.h"
#include "references/find/quick_look.h"
#include "references/find/reference_maker.h"
#include "references/find/said_places.h"
#include "references/find/scan.h"
#include "references/find/unit.h"
#include "statement/statement.h"

namespace sibyl::references {
namespace {

using statement::Statement;
using statement::StatementKind;
using statement::Statements;

constexpr std::size_t kMaxReferences = 20'000;

// What links say instead of a name.
constexpr auto kLinkWords = std::to_array<std::string_view>(
    {"above", "below",          "code", "definition", "details", "example", "file",
     "here",  "implementation", "line", "lines",      "link",    "more",    "permalink",
     "ref",   "reference",      "see",  "source",     "src",     "that",    "there",
     "this"});

class Finder {
 public:
  Finder(std::string_view document, const Statements& statements, const FindOptions& options)
      : document_view_(document),
        statements_(statements),
        options_(options),
        context_(statements.headings, FileOfNumbers(statements, options.is_known)),
        maker_(document, statements, BaseFolder(statements)) {}

  /// Which limit left citations out; after Find.
  const std::string& left_out() const { return left_out_; }

  std::vector<Reference> Find() {
    const std::vector<Statement>& all = statements_.all;
    for (std::size_t begin = 0; begin < all.size() && found_.size() <= kMaxReferences;) {
      std::size_t end = begin + 1;
      while (end < all.size() && all[end].group == all[begin].group &&
             all[begin].kind != StatementKind::kCode && all[end].kind != StatementKind::kCode) {
        ++end;
      }
      ReadGroup(begin, end);
      begin = end;
    }
    if (found_.size() > kMaxReferences) {
      LeaveOut("the document has more than 20,000 code citations");
      found_.resize(kMaxReferences);
    }
    NameMentioned();
    return std::move(found_);
  }

 private:
  void LeaveOut(std::string_view why) {
    if (left_out_.empty()) left_out_ = why;
  }

  // `mod.rs` after `src/vm/mod.rs`, if the document names no other one, or none in between
  // in the same section.
  void NameMentioned() {
    for (std::size_t i = 0; i < found_.size(); ++i) {
      Reference& reference = found_[i];
      if (reference.path.find('/') != std::string::npos) continue;
      const auto known = mentioned_.find(reference.path);
      if (known == mentioned_.end()) continue;
      const std::vector<Mentioned>& all = known->second;
      const bool is_only = std::all_of(all.begin(), all.end(), [&](const Mentioned& one) {
        return one.path == all.front().path;
      });
      if (is_only) reference.mentioned = all.front().path;
      for (const Mentioned& one : all) {
        if (is_only || one.line > reference.line) break;
        if (one.heading == headings_[i]) reference.mentioned = one.path;
      }
    }
  }

  void Mention(const std::string& path, const Statement& statement) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos || path.starts_with("..")) return;
    std::vector<Mentioned>& all = mentioned_[path.substr(slash + 1)];
    if (!all.empty() && all.back().path == path && all.back().heading == statement.heading) return;
    all.push_back({path, statement.heading, statement.span.first_line});
  }

  void ReadGroup(std::size_t begin, std::size_t end) {
    std::vector<Unit> units;
    bool has_hits = false;
    for (std::size_t i = begin; i < end; ++i) {
      units.push_back(ReadStatement(statements_.all[i]));
      has_hits = has_hits || !units.back().hits.empty();
    }
    if (units.front().statement->kind == StatementKind::kCell) NameFilesOfRow(units);
    if (!has_hits) return;
    for (Unit& unit : units) AddNames(unit);
    const std::vector<ClaimedName> quoted = QuotedBelow(end, units.back());
    const ClaimScope scope(units);
    for (std::size_t i = 0; i < units.size(); ++i) AddReferences(units, i, scope, quoted);
  }

  Unit ReadStatement(const Statement& statement) {
    Unit unit{.statement = &statement};
    const std::vector<std::size_t>& starts = statements_.line_starts;
    const std::size_t line = statement.span.first_line;
    const bool has_line = line > 0 && line <= starts.size();
    const std::size_t column = has_line ? ColumnOf(document_view_.substr(starts[line - 1])) : 1;
    context_.Enter(statement, column);
    leads_.Enter(statement, column);
    if (statement.kind == StatementKind::kCode) {
      unit.hits = ScanCode(statement, options_.is_known);
      // "File: a.ts" above a block is the file of "// Lines 10-20:" in it.
      for (const Hit& hit : unit.hits) unit.paths.push_back(hit.file ? hit.file->path : above_);
      return unit;
    }
    unit.files = FindFileMentions(statement.text, options_.is_known);
    AddSpacedFiles(unit, options_.is_known);
    AddLinkedFiles(unit);
    for (const FileMention& file : unit.files) Mention(file.path, statement);
    above_ = unit.files.size() == 1 ? unit.files.front().path : std::string();
    unit.hits = ScanText(statement, unit.files);
    if (statement.kind == StatementKind::kCell && unit.hits.empty()) {
      const LineColumn ranges =
          HasRangeInColumn(statement) ? LineColumn::kOfRanges : LineColumn::kUnknown;
      if (std::optional<Hit> hit = ScanNumberCell(statement, ranges)) {
        unit.hits.push_back(*std::move(hit));
      }
    }
    for (const Hit& hit : unit.hits) {
      if (hit.file) cited_files_.insert(hit.file->path);
    }
    for (const Hit& hit : unit.hits) {
      unit.paths.push_back(PathOf(unit, hit));
      // `:30` goes on with code; a document that is only mentioned is no code.
      const std::string& path = unit.paths.back();
      if (hit.form == Form::kBare && IsProseFile(path) && !cited_files_.contains(path)) {
        unit.paths.back().clear();
      }
    }
    AddLinks(unit);
    GuessFiles(unit);
    for (std::size_t i = 0; i < unit.paths.size(); ++i) {
      if (!unit.guessed.contains(i)) context_.Cite(unit.paths[i]);
    }
    context_.Leave(statement, unit.files);
    context_.NoteListed(statement, statements_.headings[statement.heading].text, unit.files);
    if (statement.kind == StatementKind::kHeading) {
      context_.SetHeading(statement.heading, unit.files);
    }
    return unit;
  }

  static bool IsProseFile(std::string_view path) {
    constexpr auto kProse = std::to_array<std::string_view>(
        {"adoc", "json", "jsonl", "log", "markdown", "md", "mdx", "rst", "txt"});
    const std::size_t dot = path.rfind('.');
    return dot != path.npos && IsOneOf(path.substr(dot + 1), kProse);
  }

  // Whether a cell above or below has a range of lines: then "137" is a line, and
  // not how many there are.
  bool HasRangeInColumn(const Statement& cell) {
    using Column = std::pair<std::uint32_t, std::string>;
    if (cell.context.empty()) return false;
    if (!range_columns_) {
      range_columns_.emplace();
      for (const Statement& other : statements_.all) {
        if (other.kind != StatementKind::kCell || other.context.empty()) continue;
        const std::optional<Hit> hit = ScanNumberCell(other, LineColumn::kOfRanges);
        if (!hit) continue;
        const LineRange& lines = hit->numbers.ranges.front().lines;
        if (lines.first != lines.last) {
          range_columns_->insert(Column(other.heading, other.context.front()));
        }
      }
    }
    return range_columns_->contains(Column(cell.heading, cell.context.front()));
  }

  // "- Add the `deps` field (line 190)": it may be of the file that an item before cites or
  // names.
  void GuessFiles(Unit& unit) const {
    if (unit.statement->kind == StatementKind::kCell) return;
    for (std::size_t i = 0; i < unit.hits.size(); ++i) {
      const bool has_word = unit.hits[i].form == Form::kWords || unit.hits[i].form == Form::kLetter;
      if (!has_word || !unit.paths[i].empty() || context_.LastMeant().empty()) continue;
      unit.paths[i] = context_.LastMeant();
      unit.guessed.insert(i);
    }
  }

  std::string PathOf(const Unit& unit, const Hit& hit) const {
    if (hit.file) return hit.file->path;
    if (const FileMention* file = FileInStatement(unit.statement->text, hit, unit.files)) {
      return file->path;
    }
    const bool is_cell = unit.statement->kind == StatementKind::kCell;
    if (std::string before = is_cell ? std::string() : context_.Before(); !before.empty()) {
      return before;
    }
    if (unit.files.size() == 1 && !HasOwnNumber(unit, hit)) return unit.files.front().path;
    // The cells of its row come first: NameFilesOfRow.
    if (is_cell) return {};
    std::string outside = context_.Outside();
    // `:30` alone is nothing but a citation.
    if (outside.empty() && hit.form == Form::kBare) outside = context_.OnlyCited();
    if (outside.empty()) outside = CitedBefore(unit, hit);
    return outside;
  }

  // The file whose lines with the same numbers were cited above in the section, or
  // the last one cited there for "line 12 of the same file".
  std::string CitedBefore(const Unit& unit, const Hit& hit) const {
    constexpr std::string_view kSame = " of the same file";
    constexpr std::ptrdiff_t kMostBack = 200;
    const std::string_view rest = std::string_view(unit.statement->text).substr(hit.end);
    const bool is_same = rest.starts_with(kSame);
    std::string path;
    for (auto known = found_.rbegin();
         known != found_.rend() && known - found_.rbegin() < kMostBack; ++known) {
      const std::size_t heading = headings_[static_cast<std::size_t>(found_.rend() - known) - 1];
      if (heading != unit.statement->heading) break;
      if (is_same) return known->path;
      if (known->lines != hit.numbers.ranges.front().lines) continue;
      if (!path.empty() && path != known->path) return {};
      path = known->path;
    }
    return path;
  }

  // "VISION (L112) and ROADMAP (L101)": the only file has a number after it that is
  // not this one.
  static bool HasOwnNumber(const Unit& unit, const Hit& hit) {
    constexpr std::size_t kMostBetween = 4;
    const FileMention& file = unit.files.front();
    if (file.begin < hit.begin) return false;
    return std::any_of(unit.hits.begin(), unit.hits.end(), [&](const Hit& other) {
      return other.begin > hit.begin && other.end >= file.end &&
             other.begin <= file.end + kMostBetween;
    });
  }

  // In a row, the file is in another cell, in the header of the column, or
  // outside the table.
  void NameFilesOfRow(std::vector<Unit>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      for (std::size_t j = 0; j < row[i].hits.size(); ++j) {
        std::string& path = row[i].paths[j];
        for (std::size_t k = i; path.empty() && k > 0; --k) {
          if (!row[k - 1].files.empty()) path = row[k - 1].files.back().path;
        }
        for (std::size_t k = i + 1; path.empty() && k < row.size(); ++k) {
          if (row[k].files.size() == 1) path = row[k].files.front().path;
        }
        if (path.empty()) path = FileOfHeader(row, i);
        if (path.empty()) path = context_.Outside();
      }
    }
  }

  // The file in the header of a cell's column, otherwise the only one in the header.
  std::string FileOfHeader(const std::vector<Unit>& row, std::size_t cell) const {
    std::set<std::string> named;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i].statement->context.empty()) continue;
      const std::vector<FileMention> header =
          FindFileMentions(row[i].statement->context.front(), options_.is_known);
      if (i == cell && header.size() == 1) return header.front().path;
      for (const FileMention& file : header) named.insert(file.path);
    }
    return named.size() == 1 ? *named.begin() : std::string();
  }

  // The code that follows "(`a.rs:10-20`):" is a quotation of those lines. After a
  // citation without a colon it may also be what they should become.
  std::vector<ClaimedName> QuotedBelow(std::size_t end, const Unit& last) const {
    constexpr std::size_t kLoosely = 100;
    const std::vector<Statement>& all = statements_.all;
    if (end >= all.size() || all[end].kind != StatementKind::kCode) return {};
    const std::string_view text = Trim(all[end - 1].text);
    if (text.ends_with(':')) return QuotedLines(all[end].text);
    const bool ends_with_hit = !last.hits.empty() && last.hits.back().link == nullptr &&
                               last.hits.back().end + 2 >= last.statement->text.size();
    std::vector<ClaimedName> quoted;
    if (ends_with_hit) quoted = QuotedLines(all[end].text);
    for (ClaimedName& line : quoted) line.distance = kLoosely;
    return quoted;
  }

  // "// Lines 10-20:" claims the code below it, up to the next such comment.
  static void AddCodeBelow(const Unit& unit, std::size_t hit, Claim& claim) {
    const std::string_view text = unit.statement->text;
    const std::size_t end = hit + 1 < unit.hits.size() ? unit.hits[hit + 1].begin : text.size();
    const std::size_t begin = std::min(text.find('\n', unit.hits[hit].end), end);
    const std::vector<ClaimedName> below = QuotedLines(text.substr(begin, end - begin));
    claim.names.insert(claim.names.end(), below.begin(), below.end());
  }

  void AddReferences(const std::vector<Unit>& units, std::size_t index, const ClaimScope& scope,
                     const std::vector<ClaimedName>& quoted) {
    const Unit& unit = units[index];
    if (unit.hits.empty()) return;
    if (unit.hits.size() >= kMaxHits) {
      LeaveOut("a paragraph or a code block has 2,000 code citations or more");
    }
    const bool is_block = unit.statement->kind == StatementKind::kCode;
    const Claim of_block = is_block ? ClaimOfBlock(*unit.statement) : Claim();
    const std::vector<ClaimedName> of_heading = NamesOfHeading(*unit.statement);
    for (std::size_t i = 0; i < unit.hits.size(); ++i) {
      const Hit& hit = unit.hits[i];
      if (unit.paths[i].empty() || found_.size() > kMaxReferences) continue;
      if (hit.numbers.ranges.size() >= kMaxRangesOfList) {
        LeaveOut("a list has 1,000 line numbers or more");
      }
      if (hit.link != nullptr && MergeLink(hit)) continue;
      Claim claim = is_block ? ClaimInBlock(*unit.statement, hit, of_block) : scope.Of(index, i);
      if (hit.link != nullptr) AddLinkText(*hit.link, claim);
      if (is_block && !hit.file) AddCodeBelow(unit, i, claim);
      if (claim.names.empty()) claim.names = of_heading;
      if (std::none_of(claim.names.begin(), claim.names.end(),
                       [](const ClaimedName& name) { return name.is_own; })) {
        claim.section = SectionAround(*unit.statement);
      }
      DoubtFileName(unit.paths[i], claim);
      claim.context = leads_.Of(*unit.statement, statements_.headings);
      // Each name may belong to any range of a list.
      claim.is_list = hit.numbers.ranges.size() > 1;
      if (index + 1 == units.size()) {
        claim.names.insert(claim.names.end(), quoted.begin(), quoted.end());
      }
      for (const ReadRange& range : hit.numbers.ranges) {
        found_.push_back(maker_.Make(unit, i, range, claim));
        found_.back().symbol = hit.symbol;
        found_.back().is_guessed = unit.guessed.contains(i);
        headings_.push_back(unit.statement->heading);
        places_.emplace(found_.back().begin, found_.size() - 1);
      }
    }
  }

  // The heading and the text of the section, from the statement on.
  std::string SectionAround(const Statement& statement) const {
    constexpr std::size_t kLongest = 1'500;
    std::string text;
    if (statement.heading < statements_.headings.size()) {
      text = statements_.headings[statement.heading].text;
    }
    const auto self = static_cast<std::size_t>(&statement - statements_.all.data());
    for (std::size_t i = self; i < statements_.all.size() && text.size() < kLongest; ++i) {
      const Statement& other = statements_.all[i];
      if (other.heading != statement.heading) break;
      if (other.kind != StatementKind::kHeading) (text += ' ') += other.text;
    }
    text.resize(std::min(text.size(), kLongest));
    return text;
  }

  // "**scan** (src/scan.rs, lines 10-20)": the name of the file says nothing about its
  // lines.
  static void DoubtFileName(std::string_view path, Claim& claim) {
    std::string_view stem = path.substr(path.rfind('/') + 1);
    stem = stem.substr(0, stem.find('.', 1));
    for (ClaimedName& name : claim.names) {
      if (name.kind == ClaimedName::Kind::kName && name.text == stem) name.is_asserted = false;
    }
  }

  // [parse](a.rs#L10)
  static void AddLinkText(const statement::StatementLink& link, Claim& claim) {
    std::string_view name = link.text;
    const bool is_call = name.ends_with("()");
    if (is_call) name.remove_suffix(2);
    if (const std::size_t colon = name.rfind("::"); colon != std::string_view::npos) {
      name.remove_prefix(colon + 2);
    }
    if (name.size() < 3 || !IsNameStart(name[0]) ||
        !std::all_of(name.begin(), name.end(), IsNameByte) ||
        IsOneOf(LowerCase(name), kLinkWords)) {
      return;
    }
    std::erase_if(claim.names, [&](const ClaimedName& known) { return known.text == name; });
    claim.names.insert(claim.names.begin(),
                       {.text = std::string(name), .in_code = true, .is_call = is_call});
  }

  // The text of a link that names the same lines as its URL is the same citation.
  bool MergeLink(const Hit& hit) {
    const MarkdownSpan& span = hit.link->span;
    bool is_merged = false;
    for (auto known = places_.lower_bound(span.begin);
         known != places_.end() && known->first < span.end; ++known) {
      Reference& reference = found_[known->second];
      for (const ReadRange& range : hit.numbers.ranges) {
        if (reference.lines != range.lines) continue;
        maker_.AddUrlNumbers(hit, range, reference);
        reference.path = hit.file->path;
        reference.commit = hit.commit;
        reference.repository = hit.repository;
        is_merged = true;
      }
    }
    return is_merged;
  }

  // "-> a.rs:12  parse(text)": the rest of its line, if there is one; otherwise the
  // block is a quotation.
  static Claim ClaimInBlock(const Statement& block, const Hit& hit, const Claim& of_block) {
    const std::string_view text = block.text;
    const std::size_t begin = text.rfind('\n', hit.begin) + 1;
    const std::size_t end = std::min(text.find('\n', hit.end), text.size());
    Statement line{.text = std::string(text.substr(begin, end - begin))};
    line.runs.push_back({.begin = 0, .end = line.text.size()});
    if (IsBlockComment(Trim(line.text))) return of_block;
    const TextSpan self{hit.begin - begin, hit.end - begin};
    KeepColumn(self, line.text);
    Claim claim;
    const std::string_view after = Trim(std::string_view(line.text).substr(self.end));
    const std::size_t code_end = std::min({after.find("  "), after.find("←"), after.size()});
    std::string code = SqueezeBlanks(after.substr(0, code_end));
    if (code.find_first_of("(=") != std::string::npos && !code.starts_with('(')) {
      claim.names.push_back(
          {.text = std::move(code), .kind = ClaimedName::Kind::kCode, .in_code = true});
    }
    for (NamedPlace& place : NamesIn(line, {self})) {
      place.name.distance = place.end <= self.begin ? self.begin - place.end
                                                    : place.begin - std::min(place.begin, self.end);
      claim.names.push_back(std::move(place.name));
    }
    return claim.names.empty() ? of_block : claim;
  }

  // "│ a.rs:12 parse() │ b.rs:7 │": what is in another box is not said about this one.
  static void KeepColumn(const TextSpan& self, std::string& line) {
    for (const std::string_view mark : {"│", "┃", "║"}) {
      const std::size_t left = std::string_view(line).substr(0, self.begin).rfind(mark);
      const std::size_t right = line.find(mark, self.end);
      if (left != std::string::npos) line.replace(0, left, left, ' ');
      if (right != std::string::npos)
        line.replace(right, line.size() - right, line.size() - right, ' ');
    }
  }

  static Claim ClaimOfBlock(const Statement& block) { return {.names = QuotedLines(block.text)}; }

  std::vector<ClaimedName> NamesOfHeading(const Statement& statement) const {
    std::vector<ClaimedName> names;
    if (statement.heading == 0 || statement.heading >= statements_.headings.size()) return names;
    Statement heading{.text = statements_.headings[statement.heading].text};
    heading.runs.push_back({.begin = 0, .end = heading.text.size()});
    for (NamedPlace& place : NamesIn(heading, {})) {
      place.name.is_own = false;
      names.push_back(std::move(place.name));
    }
    return names;
  }

  std::string_view document_view_;
  const Statements& statements_;
  const FindOptions& options_;
  FileContext context_;
  ReferenceMaker maker_;
  LeadingText leads_;
  std::vector<Reference> found_;
  std::vector<std::uint32_t> headings_;  // of each one found
  std::string left_out_;
  std::set<std::string> cited_files_;               // with numbers
  std::multimap<std::size_t, std::size_t> places_;  // in found_, by where they begin
  /// Columns of tables that have ranges, by section and header.
  std::optional<std::set<std::pair<std::uint32_t, std::string>>> range_columns_;
  std::string above_;  // the only file that the last text names
  /// A path with folders, as the document writes it.
  struct Mentioned {
    std::string path;
    std::uint32_t heading = 0;
    std::size_t line = 0;
  };
  std::map<std::string, std::vector<Mentioned>> mentioned_;  // by the last name
};

}  // namespace

Result<FoundReferences> FindReferences(std::string_view document, const FindOptions& options) {
  FoundReferences found{.commit = PinnedCommit(document)};
  if (!MayHaveReferences(document)) return found;
  const Statements statements = SIBYL_TRY(statement::ReadStatements(document));
  Finder finder(document, statements, options);
  found.all = finder.Find();
  found.left_out = finder.left_out();
  std::stable_sort(found.all.begin(), found.all.end(),
                   [](const Reference& a, const Reference& b) { return a.begin < b.begin; });
  return found;
}

}  // namespace sibyl::references
