// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/dockerfile.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/numbers.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "inspect/totals.h"

namespace sibyl::inspect {
namespace {

// Each may be four kilobytes long, built from the others.
constexpr std::size_t kMostArguments = 1'000;
constexpr std::size_t kMostExpanded = 4096;

std::string UpperCase(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return upper;
}

// Triggers of ONBUILD that are checked like instructions. Others say what a container does, which
// the image that has the ONBUILD does not do.
constexpr std::array<std::string_view, 5> kTriggers = {"RUN", "COPY", "ADD", "ENV", "ARG"};

// The first word, in upper case.
std::string TakeKeyword(std::string_view& rest) {
  const std::size_t space = std::min(rest.find_first_of(" \t"), rest.size());
  std::string keyword = UpperCase(rest.substr(0, space));
  rest = Trim(rest.substr(space));
  return keyword;
}

// Directives are at the very top, before any other comment.
char EscapeCharacter(const std::vector<std::string_view>& lines) {
  for (const std::string_view raw : lines) {
    std::string_view line = Trim(raw);
    if (!line.starts_with('#')) break;
    line = Trim(line.substr(1));
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) break;
    if (EqualsIgnoringCase(Trim(line.substr(0, equals)), "escape")) {
      const std::string_view value = Trim(line.substr(equals + 1));
      if (value == "`") return '`';
    }
  }
  return '\\';
}

// The delimiters of `<<EOF`, `<<-EOF`, `<<"EOF"` in an instruction.
struct HereMark {
  std::string delimiter;
  bool strips_tabs = false;
};

std::vector<HereMark> HereMarks(std::string_view text) {
  std::vector<HereMark> marks;
  for (std::size_t at = text.find("<<"); at != std::string_view::npos; at = text.find("<<", at)) {
    at += 2;
    if (at < text.size() && text[at] == '<') {  // a here-string of the shell
      while (at < text.size() && text[at] == '<') ++at;
      continue;
    }
    HereMark mark;
    if (at < text.size() && text[at] == '-') {
      mark.strips_tabs = true;
      ++at;
    }
    const char quote = at < text.size() && (text[at] == '"' || text[at] == '\'') ? text[at] : '\0';
    if (quote != '\0') ++at;
    std::size_t end = at;
    while (end < text.size() && IsNameByte(text[end])) ++end;
    mark.delimiter = text.substr(at, end - at);
    at = end;
    if (!mark.delimiter.empty()) marks.push_back(std::move(mark));
  }
  return marks;
}

class Parser {
 public:
  explicit Parser(std::string_view text)
      : lines_(SplitLines(text)), escape_(EscapeCharacter(lines_)) {}
  Dockerfile Parse();

 private:
  bool NextInstruction(DockerInstruction& instruction);
  std::string JoinedLine();
  void ReadHere(DockerInstruction& instruction);
  void Take(DockerInstruction instruction);

  std::vector<std::string_view> lines_;
  char escape_;
  std::size_t at_ = 0;
  Dockerfile file_;
};

// One logical line: continuations joined, comments and empty lines inside dropped.
std::string Parser::JoinedLine() {
  std::string joined;
  bool goes_on = true;
  bool is_first = true;
  while (goes_on && at_ < lines_.size()) {
    std::string_view line = Trim(lines_[at_++]);
    if (!is_first && (line.empty() || line.starts_with('#'))) continue;
    is_first = false;
    goes_on = !line.empty() && line.back() == escape_;
    if (goes_on) line.remove_suffix(1);
    if (!joined.empty()) joined += ' ';
    joined += Trim(line);
  }
  return joined;
}

void Parser::ReadHere(DockerInstruction& instruction) {
  if (instruction.keyword != "RUN" && instruction.keyword != "COPY" &&
      instruction.keyword != "ADD") {
    return;
  }
  for (const HereMark& mark : HereMarks(instruction.arguments)) {
    std::string body;
    while (at_ < lines_.size()) {
      std::string_view line = lines_[at_++];
      if (mark.strips_tabs) line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
      if (line == mark.delimiter) break;
      instruction.here_lines.push_back({.number = at_, .text = std::string(lines_[at_ - 1])});
      body += line;
      body += '\n';
    }
    instruction.here.push_back(std::move(body));
  }
}

bool Parser::NextInstruction(DockerInstruction& instruction) {
  while (at_ < lines_.size()) {
    const std::string_view line = Trim(lines_[at_]);
    if (line.empty() || line.starts_with('#')) {
      ++at_;
      continue;
    }
    instruction = {.line = at_ + 1, .text = std::string(lines_[at_])};
    const std::size_t first = at_;
    const std::string joined = JoinedLine();
    for (std::size_t i = first; i < at_; ++i) instruction.lines.emplace_back(lines_[i]);
    std::string_view rest = joined;
    instruction.keyword = TakeKeyword(rest);
    if (instruction.keyword == "ONBUILD") {
      std::string_view trigger = rest;
      const std::string keyword = TakeKeyword(trigger);
      if (IsOneOf(keyword, kTriggers)) {
        instruction.is_trigger = true;
        instruction.keyword = keyword;
        rest = trigger;
      }
    }
    while (rest.starts_with("--")) {
      const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
      instruction.flags.emplace_back(rest.substr(0, end));
      rest = Trim(rest.substr(end));
    }
    instruction.arguments = rest;
    ReadHere(instruction);
    return true;
  }
  return false;
}

void Parser::Take(DockerInstruction instruction) {
  if (instruction.keyword == "FROM") {
    DockerStage stage;
    const std::vector<std::string> words = ShellWords(instruction.arguments);
    if (!words.empty()) stage.image = ExpandVariables(words[0], file_.arguments, stage.is_resolved);
    if (words.size() >= 3 && EqualsIgnoringCase(words[1], "as")) stage.name = words[2];
    stage.base_stage = file_.FindStage(stage.image);
    stage.instructions.push_back(std::move(instruction));
    file_.stages.push_back(std::move(stage));
    return;
  }
  if (!file_.stages.empty()) {
    file_.stages.back().instructions.push_back(std::move(instruction));
    return;
  }
  if (instruction.keyword != "ARG") {
    file_.before.push_back(std::move(instruction));
    return;
  }
  for (const std::string& word : ShellWords(instruction.arguments)) {
    const std::size_t equals = word.find('=');
    if (file_.declared.size() >= kMostArguments) break;
    file_.declared.insert(word.substr(0, equals));
    if (equals == std::string::npos) continue;
    bool is_resolved = true;
    file_.arguments[word.substr(0, equals)] =
        ExpandVariables(word.substr(equals + 1), file_.arguments, is_resolved);
  }
}

Dockerfile Parser::Parse() {
  DockerInstruction instruction;
  while (NextInstruction(instruction)) {
    if (++file_.instructions > kMostInstructions) {
      file_.is_cut = true;
      break;
    }
    Take(std::move(instruction));
  }
  return std::move(file_);
}

// Expands ${name:-word} and similar; `rest` is between the name and the brace.
std::string Substitute(const std::string* value, std::string_view rest,
                       const std::map<std::string, std::string>& values, bool& is_resolved) {
  const bool is_set = value != nullptr && !value->empty();
  if (rest.starts_with(":-") || rest.starts_with("-")) {
    if (is_set) return *value;
    return ExpandVariables(rest.substr(rest[0] == ':' ? 2 : 1), values, is_resolved);
  }
  if (rest.starts_with(":+") || rest.starts_with("+")) {
    if (!is_set) return {};
    return ExpandVariables(rest.substr(rest[0] == ':' ? 2 : 1), values, is_resolved);
  }
  if (value == nullptr) {
    is_resolved = false;
    return {};
  }
  // Patterns (#, %, /) are rare in FROM, and a wrong guess is worse than none.
  if (!rest.empty()) is_resolved = false;
  return *value;
}

}  // namespace

std::string ExpandVariables(std::string_view text, const std::map<std::string, std::string>& values,
                            bool& is_resolved) {
  std::string out;
  for (std::size_t at = 0; at < text.size() && out.size() < kMostExpanded;) {
    if (text[at] != '$' || at + 1 == text.size()) {
      out += text[at++];
      continue;
    }
    const bool is_braced = text[at + 1] == '{';
    const std::size_t start = at + (is_braced ? 2 : 1);
    std::size_t end = start;
    while (end < text.size() && IsNameByte(text[end])) ++end;
    if (end == start) {
      out += text[at++];
      continue;
    }
    const auto found = values.find(std::string(text.substr(start, end - start)));
    const std::string* value = found == values.end() ? nullptr : &found->second;
    if (!is_braced) {
      out += Substitute(value, {}, values, is_resolved);
      at = end;
      continue;
    }
    std::size_t depth = 1;
    std::size_t close = end;
    for (; close < text.size(); ++close) {
      if (text[close] == '{') ++depth;
      if (text[close] == '}' && --depth == 0) break;
    }
    // Expands nested defaults up to three levels.
    const std::string_view rest = text.substr(end, close - end);
    if (depth == 0 && std::count(rest.begin(), rest.end(), '$') <= 3) {
      out += Substitute(value, rest, values, is_resolved);
    } else {
      is_resolved = false;
    }
    at = close < text.size() ? close + 1 : close;
  }
  return out;
}

std::vector<std::string> ShellWords(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool is_open = false;
  char quote = '\0';
  for (const char c : text) {
    if (quote != '\0') {
      if (c == quote) {
        quote = '\0';
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      is_open = true;
    } else if (c == ' ' || c == '\t' || c == '\n') {
      if (is_open || !word.empty()) words.push_back(std::move(word));
      word.clear();
      is_open = false;
    } else {
      word += c;
    }
  }
  if (is_open || !word.empty()) words.push_back(std::move(word));
  return words;
}

std::optional<std::string> DockerInstruction::Flag(std::string_view name) const {
  for (const std::string& flag : flags) {
    const std::string_view given = std::string_view(flag).substr(2);
    if (given.starts_with(name) && given.size() > name.size() && given[name.size()] == '=') {
      return std::string(given.substr(name.size() + 1));
    }
  }
  return std::nullopt;
}

std::string DockerInstruction::Script() const {
  std::string script = arguments;
  for (const std::string& body : here) script += '\n' + body;
  return script;
}

std::vector<DockerLine> DockerInstruction::AllLines() const {
  std::vector<DockerLine> all;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    all.push_back({.number = line + i, .text = lines[i]});
  }
  all.insert(all.end(), here_lines.begin(), here_lines.end());
  return all;
}

std::optional<std::size_t> Dockerfile::FindStage(std::string_view name) const {
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (!stages[i].name.empty() && EqualsIgnoringCase(stages[i].name, name)) return i;
  }
  const std::optional<std::size_t> number = ParseNumber<std::size_t>(name);
  return number && *number < stages.size() ? number : std::nullopt;
}

const DockerStage& Dockerfile::Root(std::size_t stage) const {
  // Ends, because a base is always an earlier stage.
  while (stages[stage].base_stage && *stages[stage].base_stage < stage) {
    stage = *stages[stage].base_stage;
  }
  return stages[stage];
}

Dockerfile ParseDockerfile(std::string_view text) { return Parser(text).Parse(); }

}  // namespace sibyl::inspect
