// SPDX-License-Identifier: Apache-2.0
#include "interface/lsp/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::interface::lsp {
namespace {

constexpr std::size_t kMostChoices = 200;
constexpr std::size_t kMostDefinitions = 1'000;
constexpr std::size_t kMostLineChoices = 111;  // 1, 10 to 19, 100 to 199
constexpr std::size_t kShortestName = 2;
constexpr std::size_t kLongestTyped = 400;
constexpr std::size_t kLongestDetail = 80;

enum class ItemKind : int { kFunction = 3, kClass = 7, kValue = 12, kFile = 17, kFolder = 19 };

bool EndsPath(char c) {
  return IsBlank(c) || std::string_view("`()[]<>\"'|*,;").find(c) != std::string_view::npos;
}

/// The sorted paths that start with a prefix, up to the next "/".
void AddSteps(const std::vector<std::string>& paths, const std::string& prefix,
              std::string_view written, std::vector<std::string>& steps) {
  auto at = std::lower_bound(paths.begin(), paths.end(), prefix);
  while (at != paths.end() && at->starts_with(prefix) && steps.size() < kMostChoices) {
    const std::size_t slash = at->find('/', prefix.size());
    const std::size_t size = slash == std::string::npos ? at->size() : slash + 1;
    steps.push_back(std::string(written) + at->substr(prefix.size(), size - prefix.size()));
    if (slash == std::string::npos) {
      ++at;
      continue;
    }
    // All that is in this folder sorts before the character after "/".
    const std::string after = at->substr(0, slash) + static_cast<char>('/' + 1);
    at = std::lower_bound(at, paths.end(), after);
  }
}

// Where a path that is written relative to the document begins in the
// repository; nothing if it leads out.
std::optional<std::string> FromDocument(std::string_view document, std::string_view written) {
  const std::size_t slash = document.rfind('/');
  const std::string folder(slash == std::string_view::npos ? "" : document.substr(0, slash + 1));
  const std::size_t last = written.rfind('/');
  const std::string_view down = last == std::string_view::npos ? "" : written.substr(0, last + 1);
  const std::string_view name = written.substr(down.size());
  const std::filesystem::path joined =
      std::filesystem::path(folder + std::string(down)).lexically_normal();
  std::string clean = joined == "." ? std::string() : joined.generic_string();
  if (clean.starts_with("..") || clean.starts_with('/')) return std::nullopt;
  if (clean == "./") clean.clear();
  if (!clean.empty() && !clean.ends_with('/')) clean += '/';
  return clean + std::string(name);
}

std::string RelativeTo(std::string_view document, const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(document).parent_path();
  return std::filesystem::path(path)
      .lexically_relative(folder.empty() ? "." : folder)
      .generic_string();
}

std::string LinesText(const LineRange& lines, char separator) {
  const std::string_view letter = separator == '#' ? "L" : "";
  if (lines.first == lines.last) return fmt::format("{}{}", letter, lines.first);
  return fmt::format("{}{}-{}{}", letter, lines.first, letter, lines.last);
}

Json ItemOf(std::string label, ItemKind kind, std::string detail, Json edit) {
  Json item = {{"label", std::move(label)}, {"kind", static_cast<int>(kind)}};
  if (!detail.empty()) item["detail"] = std::move(detail);
  item["textEdit"] = std::move(edit);
  return item;
}

class LineCompleter {
 public:
  LineCompleter(const references::CodeFile& file, const TypedCitation& typed, Json range)
      : file_(file), typed_(typed), range_(std::move(range)) {}

  Json Symbols() const {
    Json items = Json::array();
    for (const references::NamedDefinition& one : file_.Definitions(kMostDefinitions)) {
      if (!typed_.lines.empty() && !ContainsIgnoringCase(one.name, typed_.lines)) continue;
      if (items.size() >= kMostChoices) break;
      const bool is_function = one.place.kind == references::DefinitionPlace::Kind::kFunction;
      Json item = ItemOf(one.name, is_function ? ItemKind::kFunction : ItemKind::kClass,
                         LinesText(one.place.lines, ':'), Edit(one.place.lines));
      item["filterText"] = one.name;
      item["sortText"] = fmt::format("{:08}", one.place.lines.first);
      items.push_back(std::move(item));
    }
    return items;
  }

  // Lines whose number starts with the digits.
  Json Numbers(std::string_view digits) const {
    Json items = Json::array();
    std::size_t number = 0;
    for (const char c : digits) number = 10 * number + static_cast<std::size_t>(c - '0');
    for (std::size_t width = 1; number > 0 && number * width <= file_.line_count(); width *= 10) {
      for (std::size_t line = number * width;
           line < (number + 1) * width && line <= file_.line_count(); ++line) {
        if (items.size() >= kMostLineChoices) return items;
        const LineRange lines{.first = line, .last = line};
        const std::string text = LinesText(lines, typed_.separator);
        Json item = ItemOf(text, ItemKind::kValue, Detail(line), Edit(lines));
        item["filterText"] = text;
        item["sortText"] = fmt::format("{:08}", line);
        items.push_back(std::move(item));
      }
    }
    return items;
  }

 private:
  static bool ContainsIgnoringCase(std::string_view text, std::string_view part) {
    const auto same = [](char a, char b) { return ToLower(a) == ToLower(b); };
    return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
  }
  static char ToLower(char c) { return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

  std::string Detail(std::size_t line) const {
    return ElideMiddle(ReplaceInvalidUtf8(Trim(file_.Line(line)).substr(0, kLongestTyped)),
                       kLongestDetail);
  }
  Json Edit(const LineRange& lines) const {
    return {{"range", range_}, {"newText", LinesText(lines, typed_.separator)}};
  }

  const references::CodeFile& file_;
  const TypedCitation& typed_;
  Json range_;
};

Json LineItems(const TypedCitation& typed, const references::Repository& files,
               std::string_view document, Json range) {
  const std::vector<std::string> found =
      ResolvePath(files.paths(), {.written = typed.path, .document = document});
  if (found.size() != 1) return Json::array();
  const references::TreeFile file = files.File(found.front());
  if (!file.file) return Json::array();
  const LineCompleter completer(*file.file, typed, std::move(range));
  std::string_view lines = typed.lines;
  if (lines.starts_with('L') && lines.size() > 1 && IsDigit(lines[1])) lines.remove_prefix(1);
  constexpr std::size_t kMostDigits = 7;
  const bool is_number = !lines.empty() && lines.size() <= kMostDigits &&
                         std::all_of(lines.begin(), lines.end(), IsDigit);
  return is_number ? completer.Numbers(lines) : completer.Symbols();
}

}  // namespace

std::optional<TypedCitation> ReadTyped(std::string_view before) {
  std::size_t begin = before.size();
  while (begin > 0 && !EndsPath(before[begin - 1])) --begin;
  if (begin == 0 || before.size() - begin > kLongestTyped) return std::nullopt;
  const char opener = before[begin - 1];
  if (opener != '`' && opener != '(') return std::nullopt;
  // An even number of backticks: this one ends a piece of code.
  if (opener == '`' && std::count(before.begin(), before.end(), '`') % 2 == 0) return std::nullopt;
  TypedCitation typed{.is_link = opener == '(' && begin >= 2 && before[begin - 2] == ']',
                      .begin = begin};
  const std::string_view text = before.substr(begin);
  if (Contains(text, "://")) return std::nullopt;
  const std::size_t separator = text.find_last_of(":#");
  typed.path = text.substr(0, separator);
  if (separator != std::string_view::npos) {
    typed.separator = text[separator];
    typed.lines = text.substr(separator + 1);
  }
  return typed;
}

std::vector<PathChoice> CompletePath(const references::PathList& paths, std::string_view document,
                                     const TypedCitation& typed) {
  const std::string& written = typed.path;
  std::vector<std::string> from_root;
  std::vector<std::string> near;
  if (!written.starts_with("./") && !written.starts_with("../")) {
    AddSteps(paths.all(), written, written, from_root);
  }
  if (const std::optional<std::string> inside = FromDocument(document, written)) {
    AddSteps(paths.all(), *inside, written, near);
  }
  std::vector<PathChoice> choices;
  std::set<std::string> seen;
  const auto add = [&](std::string text, bool is_near) {
    if (choices.size() >= kMostChoices || !seen.insert(text).second) return;
    choices.push_back({.text = std::move(text), .is_near = is_near});
  };
  // Links start at the document, other citations mostly at the root.
  for (const bool is_near : {typed.is_link, !typed.is_link}) {
    for (std::string& step : is_near ? near : from_root) add(std::move(step), is_near);
  }
  if (written.size() < kShortestName || Contains(written, "/")) return choices;
  for (const std::string& path : paths.all()) {
    const std::size_t slash = path.rfind('/');
    if (slash == std::string::npos) continue;
    if (std::string_view(path).substr(slash + 1).starts_with(written)) {
      add(typed.is_link ? RelativeTo(document, path) : path, typed.is_link);
    }
  }
  return choices;
}

Json CompletionsAt(const TextDocument& text, const Position& position,
                   const references::Repository& files, std::string_view document) {
  const std::size_t offset = text.OffsetOf(position);
  const std::size_t column = offset - text.OffsetOf({.line = position.line});
  const std::optional<TypedCitation> typed = ReadTyped(text.Line(position.line).substr(0, column));
  Json items = Json::array();
  if (typed && typed->separator != '\0') {
    const ByteRange range{.begin = offset - typed->lines.size(), .end = offset};
    items = LineItems(*typed, files, document, text.RangeAsJson(range));
  } else if (typed) {
    const Json range = text.RangeAsJson({.begin = offset - typed->path.size(), .end = offset});
    std::size_t order = 0;
    for (PathChoice& choice : CompletePath(files.paths(), document, *typed)) {
      const bool is_folder = choice.text.ends_with('/');
      Json item = ItemOf(choice.text, is_folder ? ItemKind::kFolder : ItemKind::kFile,
                         choice.is_near ? "from this document" : "", {});
      item["filterText"] = choice.text;
      // A name that is in the middle of a path is filtered by the name.
      if (!choice.text.starts_with(typed->path)) {
        item["filterText"] = choice.text.substr(choice.text.rfind('/') + 1);
      }
      item["sortText"] = fmt::format("{:04}", order++);
      item["textEdit"] = {{"range", range}, {"newText", choice.text}};
      items.push_back(std::move(item));
    }
  }
  // Asked again at every character, since only a part of the choices is sent.
  return {{"isIncomplete", true}, {"items", std::move(items)}};
}

}  // namespace sibyl::interface::lsp
