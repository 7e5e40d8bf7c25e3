// SPDX-License-Identifier: Apache-2.0
#include "audit/values/definitions.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "base/work.h"
#include "cards/cards.h"
#include "passages/enclosing.h"

namespace sibyl::audit {
namespace {

using cards::Card;
using cards::CardKind;

constexpr std::size_t kMaxDefinitionPlaces = 600;
constexpr std::size_t kMostHomes = 24;

bool IsTestPath(std::string_view path) {
  return path.starts_with("test") || path.find("/test") != path.npos ||
         path.find("_test.") != path.npos || path.find("/third_party/") != path.npos;
}

// Programs that only use a project give its options whatever values they need.
bool IsSecondary(std::string_view path) {
  for (const std::string_view folder :
       {"benchmark", "example", ".ci", ".github", ".circleci", "scripts", "tutorial"}) {
    if (path.starts_with(folder) || path.find("/" + std::string(folder)) != path.npos) return true;
  }
  return false;
}

struct Signature {
  bool is_open = false;  ///< The place is between parentheses.
  bool is_definition = false;
  std::string function;
  bool in_braces = false;
  bool is_unknown = true;  ///< The text begins before anything opens.
};

// What the place at `at` is in: a signature, a call, braces.
Signature SignatureAt(std::string_view text, std::size_t at) {
  constexpr std::size_t kFurthest = 6000;
  const std::size_t first = at > kFurthest ? at - kFurthest : 0;
  std::size_t round = 0;
  std::size_t curly = 0;
  Work::Add(at - first);
  for (std::size_t i = at; i-- > first;) {
    const char c = text[i];
    if (c == ')') ++round;
    if (c == '}') ++curly;
    if (c == '{') {
      if (curly == 0) return {.in_braces = true, .is_unknown = false};
      --curly;
    }
    if (c != '(') continue;
    if (round > 0) {
      --round;
      continue;
    }
    std::size_t end = i;
    while (end > 0 && text[end - 1] == ' ') --end;
    std::size_t begin = end;
    while (begin > 0 && IsNameByte(text[begin - 1])) --begin;
    const std::size_t line = begin == 0 ? 0 : text.rfind('\n', begin - 1) + 1;
    const std::string_view before = Trim(text.substr(line, begin - line));
    return {.is_open = true,
            .is_definition = before.ends_with("def") || before.ends_with("class"),
            .function = std::string(text.substr(begin, end - begin)),
            .is_unknown = false};
  }
  return {};
}

bool IsConstantLine(std::string_view line, std::string_view name) {
  const std::size_t at = line.find(name);
  if (at == line.npos) return false;
  const std::string_view before = line.substr(0, at);
  return before.find("constexpr") != before.npos || before.find("const ") != before.npos ||
         before.find("#define") != before.npos;
}

// Whether the card is a definition, and of what kind.
void Classify(std::string_view text, const Card& card, std::string_view path,
              Definition& definition) {
  const std::size_t start = card.offset == 0 ? 0 : text.rfind('\n', card.offset - 1) + 1;
  const std::size_t end = std::min(text.find('\n', card.offset), text.size());
  const std::string_view line = text.substr(start, end - start);
  switch (card.kind) {
    case CardKind::kMacro:
      definition.is_constant = definition.is_default = true;
      return;
    case CardKind::kOption:
      definition.is_default = true;
      return;
    case CardKind::kEnvironment:
      definition.is_default = std::none_of(card.name.begin(), card.name.end(), IsLower);
      return;
    case CardKind::kAssignment:
      break;
    default:  // documentation, and what has no value
      return;
  }
  // set(NAME value CACHE …): the offset is that of the parenthesis.
  if (line.substr(card.offset - start).starts_with("(")) {
    const std::size_t close = std::min(text.find(')', card.offset), text.size());
    definition.is_default =
        text.substr(card.offset, close - card.offset).find(" CACHE ") != text.npos;
    return;
  }
  const bool at_margin =
      line.starts_with(card.name) || line.starts_with("ARG ") || line.starts_with("ENV ");
  const Signature signature = at_margin ? Signature{} : SignatureAt(text, card.offset);
  if (signature.is_open) {
    definition.is_default = signature.is_definition;
    definition.function = signature.function;
    return;
  }
  const std::string_view left = line.substr(0, card.offset - start);
  const bool is_typed = left.find(": ") != left.npos && path.ends_with(".py");
  // A passage may begin in the middle of an enumeration.
  const bool is_list =
      signature.in_braces || (signature.is_unknown && Trim(line).find(',') != line.npos);
  std::string_view listed = Trim(left);
  if (listed.starts_with(',')) listed = Trim(listed.substr(1));
  const bool is_enumerator = is_list && listed == card.name;
  definition.is_constant =
      IsConstantLine(line, card.name) || (is_enumerator && !path.ends_with(".py"));
  definition.is_default = is_typed || at_margin || IsConstantLine(line, card.name);
}

void ReadDefinitions(std::string_view text, const Sighting& base, std::size_t first_line,
                     std::string_view name, std::vector<Definition>& out) {
  Work::Add(text.size());
  for (const Card& card : cards::ReadCards(text)) {
    if (PlainName(card.name) != name) continue;
    Definition definition{
        .sighting = base, .value = card.value, .literal = ReadDefined(card.value, card.is_text)};
    Classify(text, card, base.path, definition);
    if (!definition.is_default && !definition.is_constant) continue;
    const std::size_t start = card.offset == 0 ? 0 : text.rfind('\n', card.offset - 1) + 1;
    const std::size_t end = std::min(text.find('\n', card.offset), text.size());
    definition.sighting.line =
        first_line + static_cast<std::size_t>(std::count(
                         text.begin(), text.begin() + static_cast<std::ptrdiff_t>(start), '\n'));
    definition.sighting.text = std::string(text.substr(start, end - start));
    out.push_back(std::move(definition));
  }
}

// The same line is in one passage only, but may have been read twice.
void DropRepeated(std::vector<Definition>& all) {
  std::set<std::tuple<std::size_t, std::string, std::size_t>> seen;
  std::erase_if(all, [&](const Definition& one) {
    return !seen.emplace(one.sighting.source, one.sighting.path, one.sighting.line).second;
  });
}

std::optional<Witness::File> FileOf(const Witness& witness, const Sighting& sighting) {
  for (const Witness::File& file : witness.FindFiles(sighting.path)) {
    if (file.source == sighting.source && file.path == sighting.path) return file;
  }
  return std::nullopt;
}

}  // namespace

std::string PlainName(std::string_view name) {
  while (name.starts_with('-')) name.remove_prefix(1);
  if (const std::size_t part = name.find_last_of(".:"); part != name.npos) {
    name.remove_prefix(part + 1);
  }
  std::string plain(name);
  std::ranges::replace(plain, '-', '_');
  return plain;
}

Definitions FindDefinitions(const Witness& witness, std::string_view name,
                            std::optional<std::size_t> source) {
  Definitions found;
  const std::string plain = PlainName(name);
  std::set<std::pair<std::uint32_t, std::uint32_t>> read;
  std::size_t places = 0;
  const auto visit = [&](const Sighting& sighting) {
    if (++places >= kMaxDefinitionPlaces) found.is_complete = false;
    if (IsTestPath(sighting.path) || (source && sighting.source != *source)) return true;
    if (!read.emplace(sighting.passage.part, sighting.passage.passage).second) return true;
    std::size_t first_line = 0;
    const std::string passage = witness.PassageOf(sighting, first_line);
    ReadDefinitions(passage, sighting, first_line, plain, found.all);
    return places < kMaxDefinitionPlaces;
  };
  witness.VisitWord(plain, source, kMaxDefinitionPlaces, visit);
  if (name.substr(std::min<std::size_t>(2, name.size())).find('-') != name.npos) {
    std::vector<std::string> words;
    std::string lower = LowerCase(plain);
    for (std::size_t at = 0; at < lower.size();) {
      const std::size_t end = std::min(lower.find('_', at), lower.size());
      if (end > at) words.push_back(lower.substr(at, end - at));
      at = end + 1;
    }
    witness.VisitLines(words, kMaxDefinitionPlaces, visit);
  }
  DropRepeated(found.all);
  const auto is_secondary = [](const Definition& one) { return IsSecondary(one.sighting.path); };
  if (!std::ranges::all_of(found.all, is_secondary)) std::erase_if(found.all, is_secondary);
  return found;
}

std::vector<Definition> FindDefinitionsIn(const Witness& witness, const Witness::File& file,
                                          std::string_view name) {
  constexpr std::size_t kBefore = 6000;
  constexpr std::size_t kAfter = 2000;
  constexpr std::size_t kMostPlaces = 40;
  std::vector<Definition> all;
  const std::string text = witness.ReadText(file);
  const std::string plain = PlainName(name);
  std::string dashed = plain;
  std::ranges::replace(dashed, '_', '-');
  const Sighting base{.source = file.source, .path = file.path};
  std::size_t done = 0;
  std::size_t places = 0;
  for (std::size_t at = 0; at < text.size() && places < kMostPlaces; ++places) {
    const auto one = FindWholeWord(text, plain, at);
    const auto two = dashed == plain ? std::nullopt : FindWholeWord(text, dashed, at);
    if (!one && !two) break;
    const std::size_t found = std::min(one.value_or(text.size()), two.value_or(text.size()));
    at = found + plain.size();
    if (found < done) continue;
    const std::size_t from = found > kBefore ? text.rfind('\n', found - kBefore) + 1 : 0;
    const std::size_t to =
        std::min(text.find('\n', std::min(found + kAfter, text.size())), text.size());
    const auto line = static_cast<std::size_t>(
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(from), '\n'));
    ReadDefinitions(std::string_view(text).substr(from, to - from), base, line + 1, plain, all);
    done = found + kAfter / 2;
  }
  DropRepeated(all);
  return all;
}

std::vector<Definition> FindDefinitionsOf(std::string_view text, const Sighting& at,
                                          std::string_view name) {
  std::vector<Definition> all;
  ReadDefinitions(text, at, at.line, PlainName(name), all);
  DropRepeated(all);
  std::erase_if(all, [](const Definition& one) { return !one.is_default; });
  const bool is_read =
      std::ranges::any_of(all, [](const Definition& one) { return one.literal.has_value(); });
  if (is_read) return all;
  // "algo: Union[Literal["max", "last"], Callable] = "max"": after the whole type.
  std::size_t line = at.line;
  const std::string mark = PlainName(name) + ":";
  for (const std::string_view whole : SplitLines(text)) {
    std::string_view code = Trim(whole);
    const std::size_t equals = code.rfind(" = ");
    if (code.starts_with(mark) && equals != code.npos) {
      std::string_view value = Trim(code.substr(equals + 3));
      if (value.ends_with(',')) value.remove_suffix(1);
      const bool is_text = value.starts_with('"') || value.starts_with('\'');
      Definition one{.sighting = at,
                     .value = std::string(value),
                     .literal = ReadDefined(value, is_text),
                     .is_default = true};
      one.sighting.line = line;
      one.sighting.text = std::string(code);
      if (one.literal) return {std::move(one)};
    }
    ++line;
  }
  return all;
}

std::vector<Witness::File> HomesOf(const Witness& witness, std::string_view owner) {
  constexpr std::size_t kMostPlaces = 1500;
  std::vector<Witness::File> homes;
  const std::size_t part = owner.find_last_of(".:");
  const std::string name(part == owner.npos ? owner : owner.substr(part + 1));
  if (name.size() < 3) return homes;
  std::set<std::string> paths;
  const auto visit = [&](const Sighting& sighting) {
    if (paths.size() >= kMostHomes) return false;
    if (IsTestPath(sighting.path)) return true;
    const std::string_view line = Trim(sighting.text);
    const std::size_t at = FindWholeWord(line, name, 0).value_or(line.npos);
    if (at == line.npos) return true;
    const std::string_view before = line.substr(0, at);
    const std::string_view behind = Trim(line.substr(std::min(at + name.size(), line.size())));
    const bool is_class = before.ends_with("class ") || before.ends_with("struct ");
    const bool is_function = before.ends_with("def ");
    // torchrun = torch.distributed.run:main
    const std::size_t colon = behind.find(":main");
    if ((is_class && !behind.starts_with(";")) || is_function) {
      if (paths.insert(sighting.path).second) {
        if (auto file = FileOf(witness, sighting)) homes.push_back(*std::move(file));
      }
    } else if (behind.starts_with("=") && colon != behind.npos) {
      std::string module(Trim(behind.substr(1, colon - 1)));
      while (!module.empty() && (module[0] == '"' || module[0] == '\'')) module.erase(0, 1);
      std::ranges::replace(module, '.', '/');
      for (Witness::File& file : witness.FindFiles(module + ".py")) {
        if (file.source == sighting.source && paths.insert(file.path).second) {
          homes.push_back(std::move(file));
        }
      }
    }
    return true;
  };
  const std::string lower = LowerCase(name);
  for (const std::string_view word : {"class", "def", "struct", "main"}) {
    witness.VisitLines({lower, std::string(word)}, kMostPlaces, visit);
  }
  return homes;
}

bool IsWithin(const Witness& witness, const Definition& definition, std::string_view owner) {
  const std::size_t part = owner.find_last_of(".:");
  const std::string name(part == owner.npos ? owner : owner.substr(part + 1));
  if (definition.function == name) return true;
  const auto file = FileOf(witness, definition.sighting);
  if (!file) return false;
  const std::string text = witness.ReadText(*file);
  std::size_t begin = 0;
  for (std::size_t line = 1; line < definition.sighting.line && begin < text.size(); ++line) {
    begin = std::min(text.find('\n', begin), text.size() - 1) + 1;
  }
  const std::string around =
      passages::EnclosingText(file->path, text, begin, begin + definition.sighting.text.size());
  return FindWholeWord(around, name, 0).has_value();
}

}  // namespace sibyl::audit
