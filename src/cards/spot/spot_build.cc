// SPDX-License-Identifier: Apache-2.0
// Files of builds and settings: CMake, Dockerfiles, YAML, TOML, INI, JSON; and
// languages with braces that the outline does not know, by the starts of their
// lines.
#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/work.h"
#include "cards/spot/spot_sink.h"

namespace sibyl::cards {
namespace {

constexpr std::size_t kLongestCommand = 3000;

std::size_t Indent(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

// Lines that start with `sign`, right above.
std::size_t WithComments(const passages::LineTable& lines, std::size_t line,
                         std::string_view sign) {
  constexpr std::size_t kMost = 40;
  std::size_t first = line;
  while (first > 0 && line - first < kMost && Trim(lines.text(first - 1)).starts_with(sign))
    --first;
  Work::Add(line - first);
  return first;
}

// The words of a CMake command; quoted texts keep their quotes.
std::vector<std::string_view> Words(std::string_view arguments) {
  constexpr std::size_t kMost = 12;
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < arguments.size() && words.size() < kMost;) {
    if (IsBlank(arguments[at])) {
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    if (arguments[at] == '#') {
      at = std::min(arguments.find('\n', at), arguments.size());
      continue;
    }
    if (arguments[at] == '"') {
      while (end < arguments.size() && arguments[end] != '"') end += arguments[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, arguments.size());
    } else {
      while (end < arguments.size() && !IsBlank(arguments[end])) ++end;
    }
    words.push_back(arguments.substr(at, end - at));
    at = end;
  }
  return words;
}

bool IsCMakeName(std::string_view name) {
  return name.size() > 1 && std::all_of(name.begin(), name.end(), [](char c) {
           return IsNameByte(c) || c == '-' || c == '.';
         });
}

class CMakeSpotter {
 public:
  explicit CMakeSpotter(SpotSink& sink) : sink_(sink), text_(sink.text()) {}

  void Command(std::size_t line, std::string_view name, std::size_t open) {
    const std::string lower = LowerCase(name);
    const bool is_set = lower == "set";
    const bool is_option = lower == "option" || lower == "cmake_dependent_option" ||
                           lower.ends_with("_option") || lower == "add_option";
    const bool is_defined = lower == "function" || lower == "macro";
    if (!is_set && !is_option && !is_defined) return;
    const std::size_t close = Close(open);
    if (close == text_.npos) return;
    const std::vector<std::string_view> words = Words(text_.substr(open + 1, close - open - 1));
    if (words.empty() || !IsCMakeName(words[0])) return;
    const SpotSink::Lines unit = {WithComments(sink_.lines(), line, "#"),
                                  sink_.lines().LineAtFrom(line, close)};
    if (is_defined) {
      sink_.Add(CardKind::kCMakeCommand, words[0], {}, unit);
    } else if (is_set) {
      const auto cache = std::find(words.begin(), words.end(), "CACHE");
      if (cache == words.end() || words.size() < 2) return;
      sink_.Add(CardKind::kCMakeOption, words[0], cache == words.begin() + 1 ? "" : words[1], unit);
    } else {
      const auto plain = std::find_if(words.begin() + 1, words.end(),
                                      [](std::string_view word) { return !word.starts_with('"'); });
      sink_.Add(CardKind::kCMakeOption, words[0],
                plain == words.end() ? std::string_view() : *plain, unit);
    }
  }

 private:
  std::size_t Close(std::size_t open) const {
    bool is_quoted = false;
    std::size_t depth = 0;
    for (std::size_t i = open; i < std::min(text_.size(), open + kLongestCommand); ++i) {
      const char c = text_[i];
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        is_quoted = !is_quoted;
      } else if (!is_quoted && c == '#') {
        i = std::min(text_.find('\n', i), text_.size());
      } else if (!is_quoted && c == '(') {
        ++depth;
      } else if (!is_quoted && c == ')' && --depth == 0) {
        return i;
      }
    }
    return text_.npos;
  }

  SpotSink& sink_;
  std::string_view text_;
};

// The end of the manual in a bracket comment at the start of a CMake module.
std::size_t EndOfManual(const passages::LineTable& lines) {
  constexpr std::size_t kReach = 10;
  for (std::size_t i = 0; i < std::min(lines.count(), kReach); ++i) {
    const std::string_view line = lines.text(i);
    if (!line.starts_with("#[") || line.find(".rst:") == line.npos) continue;
    const std::size_t open = line.find('[', 2);
    if (open == line.npos) return 0;
    const std::string close = "]" + std::string(line.substr(2, open - 2)) + "]";
    for (std::size_t j = i + 1; j < lines.count(); ++j) {
      if (lines.text(j).find(close) != std::string_view::npos) return j;
    }
  }
  return 0;
}

}  // namespace

void SpotCMake(const SpottedFile& file, SpotSink& sink) {
  const passages::LineTable& lines = sink.lines();
  const std::size_t manual = EndOfManual(lines);
  if (manual > 0) SpotMarkup({file.path, "rst", file.lines, file.notes}, manual, sink);
  CMakeSpotter spotter(sink);
  for (std::size_t i = manual; i < lines.count(); ++i) {
    const std::string_view line = lines.text(i);
    const std::size_t indent = Indent(line);
    if (indent == line.size()) continue;
    // option, set, function, macro, cmake_dependent_option, x_option
    if (!IsNameStart(line[indent])) continue;
    const std::size_t open = line.find('(', indent);
    if (open == line.npos) continue;
    const std::string_view name = Trim(line.substr(indent, open - indent));
    spotter.Command(i, name, lines.begin(i) + open);
  }
}

void SpotDockerfile(SpotSink& sink) {
  const passages::LineTable& lines = sink.lines();
  for (std::size_t i = 0; i < lines.count(); ++i) {
    const std::string_view line = Trim(lines.text(i));
    const bool is_argument = StartsWithIgnoringCase(line, "arg ");
    const bool is_environment = StartsWithIgnoringCase(line, "env ");
    const SpotSink::Lines unit = {WithComments(lines, i, "#"), i};
    if (is_argument || is_environment) {
      const std::string_view rest = Trim(line.substr(4));
      std::size_t end = 0;
      while (end < rest.size() && IsNameByte(rest[end])) ++end;
      std::string_view value = rest.substr(end);
      if (value.starts_with('=')) value.remove_prefix(1);
      sink.Add(is_argument ? CardKind::kDockerArgument : CardKind::kEnvironment,
               rest.substr(0, end), value, unit);
    } else if (StartsWithIgnoringCase(line, "from ")) {
      const std::size_t as = LowerCase(line).find(" as ");
      if (as == std::string::npos) continue;
      const std::string_view stage = Trim(line.substr(as + 4));
      sink.Add(CardKind::kDockerStage, stage.substr(0, stage.find(' ')),
               Trim(line.substr(5, as - 5)), unit);
    }
  }
}

void SpotEntries(std::string_view language, SpotSink& sink) {
  constexpr std::size_t kSmall = std::size_t{16} << 10;
  // Larger files are data.
  const std::size_t largest = language == "json" ? kSmall : 4 * kSmall;
  const std::size_t most = language == "json" ? 100 : 400;
  const passages::LineTable& lines = sink.lines();
  if (sink.text().size() > largest) return;
  const char sign = language == "toml" || language == "ini" ? '=' : ':';
  std::size_t found = 0;
  for (std::size_t i = 0; i < lines.count() && found < most; ++i) {
    std::string_view line = Trim(lines.text(i));
    if (line.starts_with("- ")) line = Trim(line.substr(2));
    if (line.empty() || !(IsNameStart(line[0]) || line[0] == '"')) continue;
    const std::size_t at = line.find(sign);
    if (at == line.npos) continue;
    std::string_view name = Trim(line.substr(0, at));
    if (name.size() > 2 && name[0] == '"' && name.back() == '"') {
      name = name.substr(1, name.size() - 2);
    }
    const bool is_name =
        name.size() > 1 && name.size() < 60 && std::all_of(name.begin(), name.end(), [](char c) {
          return IsNameByte(c) || c == '-' || c == '.' || c == '/';
        });
    if (!is_name) continue;
    std::string_view value = Trim(line.substr(at + 1));
    while (value.ends_with(',')) value.remove_suffix(1);
    const bool opens = value.empty() || value == "{" || value == "[" || value == "|";
    if (opens && !Trim(lines.text(i > 0 ? i - 1 : 0)).starts_with('#')) continue;
    sink.Add(CardKind::kEntry, name, opens ? std::string_view() : value,
             {WithComments(lines, i, "#"), i});
    ++found;
  }
}

// "func Name(", "pub fn name(", "type Name struct", "public class Name"
void SpotBraces(SpotSink& sink) {
  struct Start {
    std::string_view word;
    CardKind kind;
  };
  constexpr std::array<Start, 14> kStarts = {{{"func ", CardKind::kFunction},
                                              {"pub fn ", CardKind::kFunction},
                                              {"fn ", CardKind::kFunction},
                                              {"pub async fn ", CardKind::kFunction},
                                              {"function ", CardKind::kFunction},
                                              {"export function ", CardKind::kFunction},
                                              {"type ", CardKind::kType},
                                              {"pub struct ", CardKind::kType},
                                              {"pub enum ", CardKind::kType},
                                              {"pub trait ", CardKind::kType},
                                              {"struct ", CardKind::kType},
                                              {"public class ", CardKind::kType},
                                              {"export class ", CardKind::kType},
                                              {"class ", CardKind::kType}}};
  const passages::LineTable& lines = sink.lines();
  for (std::size_t i = 0; i < lines.count(); ++i) {
    const std::string_view line = lines.text(i);
    if (line.empty() || !IsLetter(line[0])) continue;
    for (const Start& start : kStarts) {
      if (!line.starts_with(start.word)) continue;
      std::string_view rest = Trim(line.substr(start.word.size()));
      const bool is_method = rest.starts_with('(');  // func (r *T) Name(
      if (is_method) rest = Trim(rest.substr(std::min(rest.find(')'), rest.size() - 1) + 1));
      std::size_t end = 0;
      while (end < rest.size() && IsNameByte(rest[end])) ++end;
      sink.Add(is_method ? CardKind::kMethod : start.kind, rest.substr(0, end), {},
               {WithComments(lines, i, "//"), i});
      break;
    }
  }
}

}  // namespace sibyl::cards
