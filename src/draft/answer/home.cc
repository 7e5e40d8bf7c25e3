// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/home.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/whole_word.h"

namespace sibyl::draft {
namespace {

constexpr double kPage = 1.25;         // the page or the passage of the name
constexpr double kPageOpening = 1.35;  // its first unit
constexpr double kDescribed = 1.35;    // a declaration below its comment
constexpr double kEntry = 1.25;        // text that opens with the name
constexpr double kDeclared = 1.15;
constexpr double kOwner = 1.12;

// What stands before the name of an option or a variable.
bool OpensOption(std::string_view before) {
  constexpr std::array<std::string_view, 12> kCalls = {"option(",
                                                       "set(",
                                                       "cmake_dependent_option(",
                                                       "add_argument(\"--",
                                                       "add_argument('--",
                                                       "add_argument(\"",
                                                       "getenv(\"",
                                                       "environ.get(\"",
                                                       "environ[\"",
                                                       "define_bool(",
                                                       "define_integer(",
                                                       "env_flag(\""};
  const std::string lower = LowerCase(before);
  return std::any_of(kCalls.begin(), kCalls.end(),
                     [&](std::string_view call) { return lower.ends_with(call); });
}

bool IsTypeText(std::string_view before) {
  constexpr std::array<std::string_view, 8> kNotTypes = {"return", "throw",  "delete", "case",
                                                         "goto",   "import", "from",   "not"};
  const std::size_t end = before.find(' ');
  if (IsOneOf(before.substr(0, end), kNotTypes)) return false;
  return before.find_first_of("(=.,\"'|?!") == std::string_view::npos && !Contains(before, "->");
}

// How many parentheses are open at a place.
int DepthAt(std::string_view code, std::size_t end) {
  int depth = 0;
  for (const std::string_view line : SplitLines(code.substr(0, end))) {
    const std::string_view words = Trim(line);
    if (words.starts_with("//") || words.starts_with('*') || words.starts_with("/*") ||
        words.starts_with('#')) {
      continue;
    }
    depth += static_cast<int>(std::count(words.begin(), words.end(), '('));
    depth -= static_cast<int>(std::count(words.begin(), words.end(), ')'));
  }
  return depth;
}

bool DeclaresInLine(std::string_view line, std::string_view name, std::size_t at) {
  const std::string_view before = Trim(line.substr(0, at));
  const bool is_comment = before.starts_with("//") || before.starts_with('*') ||
                          before.starts_with("/*") || before.starts_with("# ");
  if (is_comment) return false;
  const std::string_view after = Trim(line.substr(at + name.size()));
  if (OpensOption(before)) return true;
  if (before == "#define" || before == "# define") return true;
  // An enumerator, a field, a constant, a parameter with its default.
  if (before.empty()) {
    return after.starts_with('=') ? !after.starts_with("==")
                                  : after.starts_with(',') || after.starts_with(':');
  }
  // "wmma::mma_sync(…)" is a call.
  if (before.find(' ') == std::string_view::npos && before.ends_with("::")) return false;
  const bool ends = after.empty() || after.find_first_of("(=;,{[:<") == 0;
  return ends && IsTypeText(before);
}

// Whether the name is what a text is about: the first name in it, not one of a
// list.
bool Opens(std::string_view text, std::string_view name) {
  constexpr std::size_t kOpening = 32;  // "- ``", "Instances of the class "
  const std::optional<std::size_t> at = FindWholeWord(text.substr(0, kOpening + name.size()), name);
  if (!at) return false;
  const std::string_view before = text.substr(0, *at);
  const std::string_view after = text.substr(*at + name.size());
  if (before.find_first_of(",_=;(") != std::string_view::npos) return false;
  const std::size_t next = after.find_first_not_of("`* >");
  return next == std::string_view::npos || after[next] != ',';
}

}  // namespace

std::string_view LastPart(std::string_view name) {
  const std::size_t at = name.find_last_of(" >:.");
  return at == std::string_view::npos ? name : name.substr(at + 1);
}

std::string_view FileStem(std::string_view path) {
  path.remove_prefix(std::min(path.size(), path.rfind('/') + 1));
  return path.substr(0, path.rfind('.'));
}

bool Declares(std::string_view code, std::string_view name) {
  for (std::size_t from = 0;;) {
    const std::optional<std::size_t> at = FindWholeWord(code, name, from);
    if (!at) return false;
    const std::size_t begin = code.rfind('\n', *at) + 1;
    const std::size_t end = std::min(code.find('\n', *at), code.size());
    const std::string_view line = code.substr(begin, end - begin);
    // A parameter is not what its function declares.
    const bool is_inside = DepthAt(code, begin) > 0;
    if (is_inside ? OpensOption(Trim(line.substr(0, *at - begin)))
                  : DeclaresInLine(line, name, *at - begin)) {
      return true;
    }
    from = *at + name.size();
  }
}

Home HomeOf(const index::Hit& hit, const Unit& unit, std::string_view name) {
  const std::string_view last = LastPart(name);
  Home home;
  const bool is_symbol = EqualsIgnoringCase(LastPart(hit.heading_view), last);
  const bool is_file = EqualsIgnoringCase(FileStem(hit.path_view), last) ||
                       (name != last && hit.path_view.ends_with(name));
  // "DataLoader" of "DataLoader.__init__".
  const bool is_owner = FindWholeWord(hit.heading_view, last).has_value();
  if (is_symbol || (is_file && hit.kind == index::PassageKind::kProse)) {
    home.page = unit.is_first ? kPageOpening : kPage;
  } else if (is_file || is_owner) {
    home.page = kOwner;
  }
  if (unit.kind == UnitKind::kCode) {
    if (Declares(unit.text, last)) home.unit = unit.has_comment ? kDescribed : kDeclared;
  } else if (Opens(unit.text, last)) {
    home.unit = kEntry;
  }
  // "Format" of "Format.E4M3".
  if (last.size() < name.size() && home.unit > 1) {
    const std::string_view owner = LastPart(name.substr(0, name.find_last_of(".:")));
    if (EqualsIgnoringCase(LastPart(hit.heading_view), owner))
      home.page = std::max(home.page, kOwner);
  }
  return home;
}

}  // namespace sibyl::draft
