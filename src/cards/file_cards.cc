// SPDX-License-Identifier: Apache-2.0
#include "cards/file_cards.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "cards/card_documentation.h"
#include "cards/card_text.h"
#include "cards/docstring.h"
#include "cards/source_text.h"
#include "cards/spot.h"
#include "passages/passage.h"

namespace sibyl::cards {
namespace {

using passages::OutlineSpan;

constexpr std::size_t kLongestSignature = 2000;
constexpr std::size_t kNoSpan = static_cast<std::size_t>(-1);

// On one line, with one blank between words.
std::string Collapse(std::string_view text) {
  std::string line;
  for (const char c : text.substr(0, 2 * kLongestSignature)) {
    if (!IsBlank(c)) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
    if (line.size() >= kLongestSignature) break;
  }
  while (!line.empty() && (line.back() == ' ' || line.back() == '{' || line.back() == ';')) {
    line.pop_back();
  }
  return line;
}

struct SplitText {
  std::string comments;
  std::string code;
};

// Comments and code of a few lines of C.
SplitText SplitComments(std::string_view text) {
  SplitText split;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    std::size_t end = at + 1;
    if (rest.starts_with("//")) {
      end = std::min(text.find('\n', at), text.size());
      split.comments += text.substr(at, end - at);
      split.comments += '\n';
    } else if (rest.starts_with("/*")) {
      const std::size_t close = text.find("*/", at + 2);
      end = close == text.npos ? text.size() : close + 2;
      split.comments += text.substr(at, end - at);
      split.comments += '\n';
    } else if (rest[0] == '"') {
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
      split.code += text.substr(at, end - at);
    } else {
      split.code += rest[0];
    }
    at = end;
  }
  return split;
}

// The text between the parenthesis after `name` and its partner.
std::string_view ParametersAfter(std::string_view signature, std::string_view name) {
  const std::optional<std::size_t> at = FindWholeWord(signature, name);
  if (!at) return {};
  const std::size_t open = signature.find('(', *at);
  if (open == signature.npos) return {};
  std::size_t depth = 0;
  for (std::size_t i = open; i < signature.size(); ++i) {
    if (signature[i] == '(') ++depth;
    if (signature[i] == ')' && --depth == 0) return signature.substr(open + 1, i - open - 1);
  }
  return {};
}

// "const void *src = 0", "depth: int = 4"
void AddParameters(std::string_view list, bool is_python, Card& card) {
  for (std::string_view part : SplitList(list)) {
    CardParameter parameter;
    const std::size_t equals = part.find('=');
    if (equals != part.npos) parameter.value = Trim(part.substr(equals + 1));
    part = Trim(part.substr(0, equals));
    if (is_python) {
      const std::size_t colon = part.find(':');
      if (colon != part.npos) parameter.type = Trim(part.substr(colon + 1));
      std::string_view name = Trim(part.substr(0, colon));
      while (name.starts_with('*')) name.remove_prefix(1);
      parameter.name = name;
    } else {
      // "cudaStream_t stream __dv(0)"
      if (const std::size_t macro = part.rfind(" __"); macro != part.npos && part.ends_with(')')) {
        const std::size_t open = part.find('(', macro);
        if (open != part.npos) parameter.value = part.substr(open + 1, part.size() - open - 2);
        part = Trim(part.substr(0, macro));
      }
      const std::string_view name = LastName(part.substr(0, part.find('[')));
      parameter.name = name;
      parameter.type = Trim(part.substr(0, part.size() - std::min(part.size(), name.size())));
      if (parameter.type.empty()) continue;  // "void"
    }
    const bool is_own = parameter.name == "self" || parameter.name == "cls" ||
                        parameter.name == "/" || parameter.name.empty();
    if (!is_own) card.parameters.push_back(std::move(parameter));
  }
}

class FileReader {
 public:
  explicit FileReader(const CardFile& file) : file_(file), lines_(file.text) {
    passages::SplitPassages(file.language, lines_, notes_);
    std::vector<std::size_t> open;
    parents_.reserve(notes_.spans.size());
    for (std::size_t i = 0; i < notes_.spans.size(); ++i) {
      while (!open.empty() && notes_.spans[open.back()].end <= notes_.spans[i].first)
        open.pop_back();
      parents_.push_back(open.empty() ? kNoSpan : open.back());
      open.push_back(i);
    }
  }

  std::vector<CardSpot> Spots() const {
    return SpotCards({file_.path, file_.language, lines_, notes_});
  }

  Card Read(const CardPlace& place) const {
    Card card;
    card.kind = place.kind;
    card.name = place.name;
    CardValue value = CleanCardValue(place.value);
    card.value = std::move(value.text);
    card.is_text = value.is_text;
    card.first_line = place.first_line;
    card.last_line = place.last_line;
    if (lines_.count() == 0 || place.first_line == 0 || place.first_line > lines_.count())
      return card;
    const std::size_t first = place.first_line - 1;
    const std::size_t last =
        std::clamp<std::size_t>(place.last_line, place.first_line, lines_.count()) - 1;
    const std::string_view unit =
        file_.text.substr(lines_.begin(first), lines_.end(last) - lines_.begin(first));
    const std::size_t in_unit = NameIn(unit, place);
    card.offset = lines_.begin(first) + in_unit;
    card.owner = OwnerAt(lines_.LineAt(card.offset), card);
    constexpr std::array<std::string_view, 3> kC = {"c", "c++", "cuda"};
    if (IsOneOf(file_.language, kC)) {
      ReadC(unit, card);
    } else if (file_.language == "python") {
      ReadPython(unit, card);
    } else if (file_.language == "cmake" && place.kind == CardKind::kCMakeOption) {
      ReadCMake(unit, card);
    } else {
      ReadMarkup(unit, first, card);
    }
    return card;
  }

 private:
  // Its last whole occurrence in code is the one that was spotted; in prose the first.
  static std::size_t NameIn(std::string_view unit, const CardPlace& place) {
    std::size_t found = unit.find(place.name);
    for (std::optional<std::size_t> at = FindWholeWord(unit, place.name); at;
         at = FindWholeWord(unit, place.name, *at + place.name.size())) {
      found = *at;
      const std::size_t line = unit.rfind('\n', *at) + 1;
      const std::string_view before = Trim(unit.substr(line, *at - line));
      const bool is_comment =
          before.starts_with('*') || before.starts_with('/') || before.starts_with('#');
      if (!is_comment || before.starts_with("#define")) break;
    }
    return found == unit.npos ? 0 : found;
  }

  // The innermost span that has the line; spans nest.
  std::size_t SpanAt(std::size_t line) const {
    const std::vector<OutlineSpan>& spans = notes_.spans;
    const auto after = std::upper_bound(
        spans.begin(), spans.end(), line,
        [](std::size_t value, const OutlineSpan& span) { return value < span.first; });
    std::size_t at = static_cast<std::size_t>(after - spans.begin());
    if (at == 0) return kNoSpan;
    --at;
    while (at != kNoSpan && spans[at].end <= line) at = parents_[at];
    return at;
  }

  std::string OwnerAt(std::size_t line, const Card& card) const {
    std::size_t at = SpanAt(line);
    while (at != kNoSpan) {
      const std::string_view label = notes_.spans[at].label;
      const std::size_t cut = label.find_last_of(":.");
      if ((cut == label.npos ? label : label.substr(cut + 1)) != card.name)
        return std::string(label);
      at = parents_[at];
    }
    return {};
  }

  static bool HasSignature(CardKind kind) {
    return kind == CardKind::kFunction || kind == CardKind::kMethod || kind == CardKind::kType ||
           kind == CardKind::kMacro || kind == CardKind::kAssignment ||
           kind == CardKind::kEnumerator || kind == CardKind::kErrorCode;
  }

  void ReadC(std::string_view unit, Card& card) const {
    const SplitText split = SplitComments(unit);
    const bool has_body = card.kind == CardKind::kFunction || card.kind == CardKind::kMethod ||
                          card.kind == CardKind::kType;
    if (HasSignature(card.kind)) {
      card.signature = Collapse(
          std::string_view(split.code).substr(0, has_body ? BraceIn(split.code) : split.code.npos));
    }
    if (card.kind == CardKind::kFunction || card.kind == CardKind::kMethod) {
      AddParameters(ParametersAfter(card.signature, card.name), false, card);
    }
    if (card.kind == CardKind::kOption) {  // DEFINE_bool(x, true, "text")
      card.documentation = LastText(split.code);
      return;
    }
    if (card.kind == CardKind::kEnvironment || card.kind == CardKind::kInstruction) {
      card.signature = Collapse(unit);
      card.documentation = CommentText(CommentsAbove(card.first_line));
      return;
    }
    if (card.kind == CardKind::kType) {  // its body has other comments
      const SplitText head = SplitComments(unit.substr(0, BraceIn(unit)));
      return ReadDocumentation(CommentText(head.comments), card);
    }
    ReadDocumentation(CommentText(split.comments), card);
  }

  // The first brace that is not in a comment; the size of the text if there is none.
  static std::size_t BraceIn(std::string_view text) {
    const std::string code = WithoutComments(text, Syntax::kC);
    return std::min(code.find('{'), code.size());
  }

  // The last text in quotes; those that follow each other are one.
  static std::string LastText(std::string_view code) {
    std::string text;
    bool is_open = false;
    for (std::size_t i = 0; i < code.size(); ++i) {
      if (code[i] == '"') {
        is_open = !is_open;
      } else if (is_open) {
        text += code[i];
      } else if (code[i] == ',') {
        text.clear();
      }
    }
    return text;
  }

  std::string CommentsAbove(std::uint32_t line) const {
    constexpr std::size_t kMost = 20;
    std::size_t first = line - 1;
    while (first > 0 && line - first < kMost) {
      const std::string_view above = Trim(lines_.text(first - 1));
      if (!above.starts_with("//") && !above.starts_with('#') && !above.starts_with('*')) break;
      --first;
    }
    std::string comments;
    for (std::size_t i = first; i + 1 < line; ++i) {
      comments += lines_.text(i);
      comments += '\n';
    }
    return comments;
  }

  void ReadPython(std::string_view unit, Card& card) const {
    if (card.kind == CardKind::kOption) return ReadArgument(unit, card);
    const bool is_definition = card.kind == CardKind::kFunction || card.kind == CardKind::kMethod ||
                               card.kind == CardKind::kType;
    if (!is_definition) {
      card.signature = Collapse(lines_.text(lines_.LineAt(card.offset)));
      card.choices = ChoicesIn(unit);
      // x: int = Field(4, description="…"), field(default=4, metadata={"help": "…"})
      for (const std::string_view key : {"description=", "help=", "\"help\":"}) {
        AddLiteral(unit, key, card.documentation);
      }
      if (!card.documentation.empty()) return;
      std::string about = CommentText(CommentsAbove(card.first_line));
      for (std::size_t at = unit.find('#'); at != unit.npos; at = unit.find('#', at + 1)) {
        const std::size_t end = std::min(unit.find('\n', at), unit.size());
        about += CommentText(unit.substr(at, end - at));
        at = end - 1;
      }
      const std::size_t quotes = unit.find("\"\"\"");
      if (quotes != unit.npos) about += DocstringText(DocstringAt(unit, quotes));
      return ReadDocumentation(about, card);
    }
    const std::size_t line = lines_.begin(lines_.LineAt(card.offset));
    const std::size_t head = file_.text.find_first_not_of(" \t", line);
    if (file_.text.substr(line, card.offset - line).find("add_docstr") != std::string_view::npos ||
        !Starts(head)) {
      const std::size_t quotes = unit.find("\"\"\"");
      const std::size_t from = quotes == unit.npos ? 0 : quotes;
      ReadDocumentation(
          DocstringText(DocstringAt(unit, from > 0 && unit[from - 1] == 'r' ? from - 1 : from)),
          card);
      card.signature = card.documentation.substr(0, card.documentation.find('\n'));
      return;
    }
    ReadPythonDefinition(head, card);
    if (card.kind == CardKind::kType) ReadConstructor(card);
  }

  bool Starts(std::size_t head) const {
    const std::string_view rest = file_.text.substr(std::min(head, file_.text.size()));
    return rest.starts_with("def ") || rest.starts_with("class ") || rest.starts_with("async ") ||
           rest.starts_with("cdef ") || rest.starts_with("cpdef ");
  }

  void ReadPythonDefinition(std::size_t head, Card& card) const {
    const std::size_t end = EndOfPythonHead(file_.text, head);
    std::string_view signature = file_.text.substr(head, end - head);
    if (signature.ends_with(':')) signature.remove_suffix(1);
    card.signature = Collapse(WithoutHashComments(signature));
    if (card.kind != CardKind::kType) {
      AddParameters(ParametersAfter(card.signature, card.name), true, card);
    }
    ReadDocumentation(DocstringText(DocstringAt(file_.text, end)), card);
  }

  static std::string WithoutHashComments(std::string_view text) {
    std::string code;
    for (const std::string_view line : SplitLines(text)) {
      const std::size_t sign = line.find(" #");
      code += line.substr(0, sign);
      code += '\n';
    }
    return code;
  }

  // Of a class, what is passed to its constructor.
  void ReadConstructor(Card& card) const {
    const std::size_t type = SpanAt(lines_.LineAt(card.offset));
    if (type == kNoSpan) return;
    const std::string wanted = notes_.spans[type].label + ".__init__";
    for (std::size_t i = type + 1;
         i < notes_.spans.size() && notes_.spans[i].first < notes_.spans[type].end; ++i) {
      const OutlineSpan& span = notes_.spans[i];
      if (span.label != wanted) continue;
      Card constructor;
      constructor.name = "__init__";
      constructor.kind = CardKind::kMethod;
      ReadPythonDefinition(span.head, constructor);
      for (CardParameter& parameter : constructor.parameters) {
        for (const CardParameter& known : card.parameters) {
          if (known.name == parameter.name && parameter.documentation.empty()) {
            parameter.documentation = known.documentation;
            if (parameter.type.empty()) parameter.type = known.type;
          }
        }
      }
      card.parameters = std::move(constructor.parameters);
      card.signature += ": " + constructor.signature;
      return;
    }
  }

  // add_argument("--depth", type=int, choices=[1, 2], help="…")
  static void ReadArgument(std::string_view unit, Card& card) {
    card.signature = Collapse(unit);
    card.choices = ChoicesIn(unit);
    AddLiteral(unit, "help=", card.documentation);
  }

  // The text in quotes after the key; adjacent literals are one.
  static void AddLiteral(std::string_view unit, std::string_view key, std::string& text) {
    const std::size_t at = unit.find(key);
    if (at == unit.npos) return;
    char quote = '\0';
    std::string found;
    for (std::size_t i = at + key.size(); i < unit.size(); ++i) {
      const char c = unit[i];
      if (quote != '\0') {
        if (c == quote) {
          quote = '\0';
        } else {
          found += c;
        }
      } else if (IsQuote(c)) {
        quote = c;
      } else if ((c == ',' || c == ')' || c == '}') && !found.empty()) {
        break;
      } else if (c == ',' || c == ')') {
        return;
      }
    }
    text += found;
  }

  // option(X "text" ON) with the comment above it
  static void ReadCMake(std::string_view unit, Card& card) {
    std::string comments;
    std::string code;
    for (const std::string_view line : SplitLines(unit)) {
      const bool is_comment = Trim(line).starts_with('#');
      (is_comment ? comments : code) += line;
      (is_comment ? comments : code) += '\n';
    }
    card.signature = Collapse(code);
    const std::size_t open = code.find('"');
    const std::size_t close = open == code.npos ? open : code.find('"', open + 1);
    if (close != code.npos) card.documentation = code.substr(open + 1, close - open - 1);
    const std::string about = CommentText(comments);
    if (!Trim(about).empty()) card.documentation += "\n" + std::string(Trim(about));
  }

  void ReadMarkup(std::string_view unit, std::size_t first, Card& card) const {
    const std::vector<std::string_view> all = SplitLines(unit);
    if (all.empty()) return;
    const std::string_view head = Trim(all[0]);
    if (head.starts_with('|')) {
      card.signature = HeaderAbove(first);
      card.documentation = head;
      return;
    }
    std::string body;
    // What follows the name on its line; a title or directive has nothing.
    const bool is_directive = head.starts_with(".. ");
    if (is_directive) {
      const std::size_t colons = head.find("::");
      card.signature =
          colons == head.npos ? std::string() : std::string(Trim(head.substr(colons + 2)));
    } else if (const std::size_t at = head.find(card.name); at != head.npos) {
      std::string_view rest = head.substr(at + card.name.size());
      rest = Trim(rest.substr(std::min(rest.find_first_not_of("`*: "), rest.size())));
      body = std::string(rest) + "\n";
    }
    std::size_t indent = unit.size();
    for (std::size_t i = 1; i < all.size(); ++i) {
      if (!Trim(all[i]).empty())
        indent = std::min(indent, std::min(all[i].find_first_not_of(" \t"), all[i].size()));
    }
    for (std::size_t i = 1; i < all.size(); ++i) {
      const std::string_view line = Trim(all[i]);
      const bool is_rule =
          i == 1 && line.size() > 2 && line.find_first_not_of("-=~^\"'") == line.npos;
      if (!is_rule) body += all[i].substr(std::min(indent, all[i].size()));
      body += '\n';
    }
    if (card.kind == CardKind::kEntry || card.kind == CardKind::kDockerArgument ||
        card.kind == CardKind::kDockerStage) {
      card.signature = Collapse(all.back());
      card.documentation = std::string(Trim(
          CommentText(unit.substr(0, static_cast<std::size_t>(all.back().data() - unit.data())))));
      return;
    }
    ReadDocumentation(body, card);
  }

  // The header of the table whose row is on this line.
  std::string HeaderAbove(std::size_t line) const {
    constexpr std::size_t kMost = 400;
    std::size_t top = line;
    while (top > 0 && line - top < kMost && Trim(lines_.text(top - 1)).starts_with('|')) --top;
    return std::string(Trim(lines_.text(top)));
  }

  CardFile file_;
  passages::LineTable lines_;
  passages::OutlineNotes notes_;
  std::vector<std::size_t> parents_;  // of each span
};

}  // namespace

std::vector<Card> ReadFileCards(const CardFile& file) {
  if (file.text.size() >= std::numeric_limits<std::uint32_t>::max()) return {};
  const FileReader reader(file);
  std::vector<Card> cards;
  const std::vector<CardSpot> spots = reader.Spots();
  cards.reserve(spots.size());
  for (const CardSpot& spot : spots) {
    cards.push_back(reader.Read({.kind = spot.kind,
                                 .name = file.text.substr(spot.name, spot.name_bytes),
                                 .value = file.text.substr(spot.value, spot.value_bytes),
                                 .first_line = spot.first_line,
                                 .last_line = spot.last_line}));
  }
  return cards;
}

std::vector<CardSpot> SpotsOf(const CardFile& file) {
  if (file.text.size() >= std::numeric_limits<std::uint32_t>::max()) return {};
  return FileReader(file).Spots();
}

Card ReadFileCard(const CardFile& file, const CardPlace& place) {
  if (file.text.size() >= std::numeric_limits<std::uint32_t>::max()) return {};
  return FileReader(file).Read(place);
}

}  // namespace sibyl::cards
