// SPDX-License-Identifier: Apache-2.0
#include "support/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::support {
namespace {

constexpr std::size_t kMostCells = 4000;

// Bytes of the lines.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
};

enum class RowForm : std::uint8_t { kNone, kBars, kPin, kEntry, kListRow, kListCell };

struct TextRow {
  RowForm form = RowForm::kNone;
  std::vector<Span> cells;
};

// Without blanks and the marks of a comment.
Span Bare(std::string_view text, Span line) {
  while (line.begin < line.end &&
         std::string_view(" \t/#").find(text[line.begin]) != std::string_view::npos) {
    ++line.begin;
  }
  while (line.end > line.begin &&
         std::string_view(" \t\r,").find(text[line.end - 1]) != std::string_view::npos) {
    --line.end;
  }
  return line;
}

bool IsRule(std::string_view line) {
  return line.find_first_not_of("|-:=+ \t") == std::string_view::npos &&
         line.find_first_of("-=") != std::string_view::npos;
}

TextRow Bars(std::string_view text, Span line) {
  TextRow row = {.form = RowForm::kBars, .cells = {}};
  const bool is_open = text[line.begin] == '|';
  std::size_t at = line.begin + (is_open ? 1 : 0);
  while (at < line.end) {
    const std::size_t end = std::min(text.find('|', at), line.end);
    row.cells.push_back({.begin = at, .end = end});
    at = end + 1;
  }
  return row;
}

// A key without blanks, a separator and a value.
TextRow Pair(std::string_view text, Span line) {
  std::size_t end = line.begin;
  const char quote = text[line.begin] == '"' || text[line.begin] == '\'' ? text[line.begin] : '\0';
  if (quote != '\0') {
    end = std::min(text.find(quote, line.begin + 1), line.end - 1) + 1;
  } else {
    while (end < line.end && (IsNameByte(text[end]) ||
                              std::string_view("-.").find(text[end]) != std::string_view::npos)) {
      ++end;
    }
  }
  if (end == line.begin || end >= line.end) return {};
  std::size_t value = end;
  while (value < line.end && text[value] == ' ') ++value;
  const std::string_view rest = text.substr(value, line.end - value);
  RowForm form = RowForm::kNone;
  std::size_t sign = 0;
  if (rest.starts_with("==") || rest.starts_with(">=") || rest.starts_with("~=")) {
    form = RowForm::kPin;
    sign = 2;
  } else if (value == end && rest.starts_with(": ") &&
             (quote != '\0' || IsDigit(text[line.begin]))) {
    form = RowForm::kEntry;
    sign = 1;
  }
  if (form == RowForm::kNone || value + sign >= line.end) return {};
  return {.form = form,
          .cells = {{.begin = line.begin, .end = end}, {.begin = value + sign, .end = line.end}}};
}

TextRow RowOfLine(std::string_view text, Span whole) {
  const Span line = Bare(text, whole);
  if (line.begin >= line.end) return {};
  const std::string_view words = text.substr(line.begin, line.end - line.begin);
  if (words.starts_with("* - ")) {
    return {.form = RowForm::kListRow, .cells = {{.begin = line.begin + 4, .end = line.end}}};
  }
  if (words.starts_with("- ")) {
    return {.form = RowForm::kListCell, .cells = {{.begin = line.begin + 2, .end = line.end}}};
  }
  const auto bars = std::count(words.begin(), words.end(), '|');
  if ((words[0] == '|' && bars > 1) || (bars > 1 && words.find("||") == std::string_view::npos)) {
    return Bars(text, line);
  }
  return Pair(text, line);
}

class TableReader {
 public:
  TableReader(std::string_view text, const std::vector<Token>& tokens)
      : text_(text), tokens_(tokens) {}

  LineTables Take() {
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      Line({.begin = at, .end = end});
      at = end + 1;
    }
    End();
    return std::move(tables_);
  }

 private:
  void Line(Span line) {
    const std::string_view words = Trim(text_.substr(line.begin, line.end - line.begin));
    if (form_ == RowForm::kBars && IsRule(words)) {
      // Of a grid, only the double line is below the header.
      const bool is_grid = words.find('+') != std::string_view::npos;
      const bool is_below_header =
          header_.empty() &&
          (is_grid ? words.find('=') != std::string_view::npos : rows_.size() == 1);
      if (is_below_header && !rows_.empty()) {
        header_ = std::exchange(rows_, {}).front();
        ids_.clear();
      }
      return;
    }
    TextRow row = RowOfLine(text_, line);
    if (row.form == RowForm::kListCell) {
      if (form_ == RowForm::kListRow && !rows_.empty()) {
        rows_.back().push_back(row.cells.front());
      } else {
        End();
      }
      return;
    }
    // A cell of a list goes on in the next line.
    if (form_ == RowForm::kListRow && row.form == RowForm::kNone && !words.empty()) {
      rows_.back().back().end = line.end;
      return;
    }
    const bool is_other_width = form_ == RowForm::kBars && row.form == RowForm::kBars &&
                                !rows_.empty() && rows_.back().size() != row.cells.size();
    if (row.form != form_ || is_other_width) End();
    if (row.form == RowForm::kNone) return;
    form_ = row.form;
    // A row of a grid may have several lines.
    const bool goes_on =
        form_ == RowForm::kBars && !ids_.empty() &&
        Trim(text_.substr(row.cells[0].begin, row.cells[0].end - row.cells[0].begin)).empty();
    ids_.push_back(ids_.empty() ? 0 : ids_.back() + (goes_on ? 0 : 1));
    rows_.push_back(std::move(row.cells));
  }

  void End() {
    constexpr std::size_t kFewest = 2;
    if (!ids_.empty() && ids_.back() + 1 >= kFewest && tables_.cells.size() < kMostCells) Keep();
    rows_.clear();
    ids_.clear();
    header_.clear();
    form_ = RowForm::kNone;
  }

  void Keep() {
    const auto table = static_cast<std::uint32_t>(tables_.rows.size());
    std::vector<std::vector<std::string>> header;
    for (const Span& cell : header_) {
      std::vector<std::string> stems;
      Advance(cell);
      for (std::size_t i = token_; i < tokens_.size() && tokens_[i].begin < cell.end; ++i) {
        if (tokens_[i].weight != WordWeight::kNone) stems.push_back(tokens_[i].stem);
      }
      header.push_back(std::move(stems));
    }
    tables_.headers.push_back(std::move(header));
    tables_.rows.push_back(ids_.back() + 1);
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      for (std::size_t column = 0; column < rows_[row].size(); ++column) {
        const Span& cell = rows_[row][column];
        Advance(cell);
        std::size_t last = token_;
        while (last < tokens_.size() && tokens_[last].begin < cell.end) ++last;
        if (last == token_) continue;
        tables_.cells.push_back({.table = table,
                                 .row = ids_[row],
                                 .column = static_cast<std::uint32_t>(column),
                                 .begin = tokens_[token_].position,
                                 .end = tokens_[last - 1].position + 1});
      }
    }
  }

  void Advance(const Span& cell) {
    while (token_ < tokens_.size() && tokens_[token_].begin < cell.begin) ++token_;
  }

  std::string_view text_;
  const std::vector<Token>& tokens_;
  std::size_t token_ = 0;
  RowForm form_ = RowForm::kNone;
  std::vector<Span> header_;
  std::vector<std::vector<Span>> rows_;
  std::vector<std::uint32_t> ids_;  // of each: which row it belongs to
  LineTables tables_;
};

// A word, name or number of the statement that only some rows of a table have.
struct Key {
  std::size_t token = 0;
  bool is_strong = false;  // a number or a name, not a plain word
  std::set<std::uint32_t> rows;
  std::set<std::uint32_t> columns;
};

bool Meet(const std::set<std::uint32_t>& a, const std::set<std::uint32_t>& b) {
  return std::any_of(a.begin(), a.end(), [&](std::uint32_t one) { return b.contains(one); });
}

std::set<std::uint32_t> Both(const std::set<std::uint32_t>& a, const std::set<std::uint32_t>& b) {
  std::set<std::uint32_t> both;
  for (const std::uint32_t one : a) {
    if (b.contains(one)) both.insert(one);
  }
  return both;
}

class RowJudge {
 public:
  RowJudge(const ReadStatement& read, const EvidenceText& evidence, const LineTables& tables)
      : read_(read), evidence_(evidence), tables_(tables) {}

  std::optional<std::string> Find() {
    ReadKeys();
    for (const auto& [table, keys] : keys_) {
      if (auto wrong = WrongIn(keys)) return wrong;
      if (auto wrong = WrongColumn(table, keys)) return wrong;
      if (auto wrong = NameOfColumn(table, keys)) return wrong;
    }
    return std::nullopt;
  }

 private:
  std::string TextOf(std::size_t token) const {
    const Token& t = read_.tokens[token];
    return read_.statement.text.substr(t.begin, t.end - t.begin);
  }

  void ReadKeys() {
    std::vector<bool> is_number(read_.tokens.size());
    for (const Quantity& said : read_.numbers) {
      const std::optional<std::size_t> token = read_.TokenAt(said.begin);
      if (!token || said.in_name) continue;
      is_number[*token] = true;
      std::vector<std::uint32_t> places = evidence_.PositionsOf(said);
      if (said.is_word) KeepNamedColumn(*token, places);
      AddKey(*token, true, places);
    }
    for (std::size_t i = 0; i < read_.tokens.size(); ++i) {
      const Token& token = read_.tokens[i];
      if (is_number[i] || WeightOf(token) < 1 || token.kind == TokenKind::kNumber) continue;
      const bool is_name = token.in_code || token.kind == TokenKind::kName;
      const std::vector<std::uint32_t>& places = evidence_.PositionsOfWord(token.lower);
      AddKey(i, is_name || IsNameOfRow(token, places), places);
    }
  }

  void AddKey(std::size_t token, bool is_strong, const std::vector<std::uint32_t>& places) {
    constexpr std::size_t kMostKeys = 24;    // of a table
    constexpr std::size_t kMostPlaces = 64;  // more tell no row
    if (places.empty() || places.size() > kMostPlaces) return;
    std::map<std::uint32_t, Key> found;
    bool is_elsewhere = false;
    for (const std::uint32_t place : places) {
      const TableCell* cell = tables_.CellAt(place);
      if (cell == nullptr) {
        is_elsewhere = true;
        continue;
      }
      Key& key = found[cell->table];
      key.rows.insert(cell->row);
      key.columns.insert(cell->column);
    }
    // A number or a name of two tables, or of a text beside one, may be said of
    // something else.
    if (is_strong && (is_elsewhere || found.size() != 1)) return;
    for (auto& [table, key] : found) {
      std::vector<Key>& keys = keys_[table];
      if (key.rows.size() == tables_.rows[table] || keys.size() >= kMostKeys) continue;
      key.token = token;
      key.is_strong = is_strong;
      keys.push_back(std::move(key));
    }
  }

  // "a microbatch of one": only what the column "Microbatch size" has.
  void KeepNamedColumn(std::size_t token, std::vector<std::uint32_t>& places) const {
    constexpr std::size_t kNear = 2;
    std::erase_if(places, [&](std::uint32_t place) {
      const TableCell* cell = tables_.CellAt(place);
      if (cell == nullptr) return true;
      const auto& header = tables_.headers[cell->table];
      if (cell->column >= header.size()) return true;
      const auto& stems = header[cell->column];
      const std::size_t end = std::min(token + 2, read_.tokens.size());
      for (std::size_t i = token - std::min(token, kNear); i < end; ++i) {
        if (std::find(stems.begin(), stems.end(), read_.tokens[i].stem) != stems.end())
          return false;
      }
      return true;
    });
  }

  // A word that begins with a capital and is all of the first cell of its row.
  bool IsNameOfRow(const Token& token, const std::vector<std::uint32_t>& places) const {
    if (!IsUpper(read_.statement.text[token.begin]) || token.begin == 0) return false;
    return !places.empty() && std::all_of(places.begin(), places.end(), [&](std::uint32_t place) {
      const TableCell* cell = tables_.CellAt(place);
      return cell != nullptr && cell->column == 0 && cell->end - cell->begin == 1;
    });
  }

  // Two of one column in different rows: several rows are compared.
  static bool IsOfSeveralRows(const std::vector<Key>& keys) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      for (std::size_t j = i + 1; j < keys.size(); ++j) {
        if (Meet(keys[i].columns, keys[j].columns) && !Meet(keys[i].rows, keys[j].rows))
          return true;
      }
    }
    return false;
  }

  std::optional<std::string> WrongIn(const std::vector<Key>& keys) const {
    if (!IsOfSeveralRows(keys)) return OddOne(keys);
    // Clause by clause; a clause ends where the next begins.
    std::vector<Key> clause;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      clause.push_back(keys[i]);
      const bool is_end = i + 1 == keys.size() || read_.tokens[keys[i + 1].token].clause !=
                                                      read_.tokens[keys[i].token].clause;
      if (!is_end) continue;
      if (!IsOfSeveralRows(clause)) {
        if (auto odd = OddOne(clause)) return odd;
      }
      clause.clear();
    }
    return OutsideOfNamed(keys);
  }

  // A number that none of the rows has that the statement names in their first cell.
  std::optional<std::string> OutsideOfNamed(const std::vector<Key>& keys) const {
    const std::set<std::uint32_t> first = {0};
    std::set<std::uint32_t> named;
    const Key* name = nullptr;
    for (const Key& key : keys) {
      if (key.columns != first) continue;
      named.insert(key.rows.begin(), key.rows.end());
      if (key.is_strong) name = &key;
    }
    if (name == nullptr) return std::nullopt;
    for (const Key& key : keys) {
      const bool is_number = read_.tokens[key.token].kind == TokenKind::kNumber;
      if (!is_number || key.columns == first || Meet(key.rows, named)) continue;
      return fmt::format("the cited lines have {} and {} in different rows", TextOf(key.token),
                         TextOf(name->token));
    }
    return std::nullopt;
  }

  // All but one are in one row, and that one is a number or a name.
  std::optional<std::string> OddOne(const std::vector<Key>& keys) const {
    std::size_t strong = 0;
    for (const Key& key : keys) strong += key.is_strong ? 1 : 0;
    if (keys.size() < 2 || strong < 2) return std::nullopt;
    std::set<std::uint32_t> common = keys.front().rows;
    for (const Key& key : keys) common = Both(common, key.rows);
    if (!common.empty()) return std::nullopt;
    for (std::size_t odd = 0; odd < keys.size(); ++odd) {
      if (!keys[odd].is_strong) continue;
      const Key& first = keys[odd == 0 ? 1 : 0];
      std::set<std::uint32_t> rest = first.rows;
      for (std::size_t i = 0; i < keys.size(); ++i) {
        if (i != odd) rest = Both(rest, keys[i].rows);
      }
      if (!rest.empty()) {
        const auto other = std::find_if(keys.begin(), keys.end(), [&](const Key& key) {
          return key.is_strong && !Meet(key.rows, keys[odd].rows);
        });
        if (other == keys.end()) continue;
        return fmt::format("the cited lines have {} and {} in different rows",
                           TextOf(keys[odd].token), TextOf(other->token));
      }
    }
    return std::nullopt;
  }

  // "training memory … 7.30 GB" where 7.30 is in the column "Inference memory".
  std::optional<std::string> WrongColumn(std::uint32_t table, const std::vector<Key>& keys) const {
    const auto& header = tables_.headers[table];
    if (header.empty()) return std::nullopt;
    std::set<std::string> said;
    for (const Token& token : read_.tokens) said.insert(token.stem);
    std::vector<std::size_t> named;  // columns whose header the statement has in full
    for (std::size_t c = 1; c < header.size(); ++c) {
      const bool is_said = header[c].size() > 1 && std::all_of(header[c].begin(), header[c].end(),
                                                               [&](const std::string& stem) {
                                                                 return said.contains(stem);
                                                               });
      if (is_said) named.push_back(c);
    }
    if (named.size() != 1) return std::nullopt;
    for (const Key& key : keys) {
      const bool is_number = read_.tokens[key.token].kind == TokenKind::kNumber;
      if (!is_number || key.columns.size() != 1) continue;
      const std::size_t column = *key.columns.begin();
      if (column == named[0] || column == 0 || column >= header.size()) continue;
      const bool is_named_in_part =
          std::any_of(header[column].begin(), header[column].end(), [&](const std::string& stem) {
            const auto& other = header[named[0]];
            return said.contains(stem) &&
                   std::find(other.begin(), other.end(), stem) == other.end();
          });
      if (is_named_in_part) continue;
      return fmt::format("the cited lines have {} in the column '{}'", TextOf(key.token),
                         Join(header[column], " "));
    }
    return std::nullopt;
  }

  // Whether the clause has a word of the header of this column that no other has.
  bool NamesColumn(std::uint32_t table, std::size_t column, std::uint32_t clause) const {
    const auto& header = tables_.headers[table];
    return std::any_of(header[column].begin(), header[column].end(), [&](const std::string& stem) {
      for (std::size_t c = 0; c < header.size(); ++c) {
        const bool has = std::find(header[c].begin(), header[c].end(), stem) != header[c].end();
        if (c != column && has) return false;
      }
      return std::any_of(read_.tokens.begin(), read_.tokens.end(), [&](const Token& token) {
        return token.clause == clause && token.stem == stem && WeightOf(token) >= 1;
      });
    });
  }

  // "`b` is the ROCm library" where `b` is in the column "HIP library".
  std::optional<std::string> NameOfColumn(std::uint32_t table, const std::vector<Key>& keys) const {
    const auto& header = tables_.headers[table];
    for (const Key& key : keys) {
      const Token& token = read_.tokens[key.token];
      const bool is_name = key.is_strong && token.kind == TokenKind::kName;
      if (!is_name || key.columns.size() != 1 || header.empty()) continue;
      const std::size_t own = *key.columns.begin();
      if (own == 0 || own >= header.size() || NamesColumn(table, own, token.clause)) continue;
      for (std::size_t c = 1; c < header.size(); ++c) {
        if (c == own || !NamesColumn(table, c, token.clause)) continue;
        const bool is_filled = std::any_of(keys.begin(), keys.end(), [&](const Key& other) {
          return read_.tokens[other.token].clause == token.clause &&
                 other.columns.contains(static_cast<std::uint32_t>(c));
        });
        if (is_filled) continue;
        return fmt::format("the cited lines have {} in another column", TextOf(key.token));
      }
    }
    return std::nullopt;
  }

  const ReadStatement& read_;
  const EvidenceText& evidence_;
  const LineTables& tables_;
  std::map<std::uint32_t, std::vector<Key>> keys_;  // of each table
};

}  // namespace

const TableCell* LineTables::CellAt(std::uint32_t position) const {
  const auto after =
      std::upper_bound(cells.begin(), cells.end(), position,
                       [](std::uint32_t at, const TableCell& cell) { return at < cell.begin; });
  if (after == cells.begin() || position >= (after - 1)->end) return nullptr;
  return &*(after - 1);
}

LineTables ReadTables(std::string_view lines, const std::vector<Token>& tokens) {
  return TableReader(lines, tokens).Take();
}

std::optional<std::string> WrongRow(const ReadStatement& read, const EvidenceText& evidence,
                                    const LineTables& tables) {
  if (tables.cells.empty()) return std::nullopt;
  return RowJudge(read, evidence, tables).Find();
}

}  // namespace sibyl::support
