// SPDX-License-Identifier: Apache-2.0
#include "statement/atom_context.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "base/whole_word.h"
#include "base/work.h"

namespace sibyl::statement {
namespace {

bool IsWord(char c) { return IsWordByte(c); }

constexpr std::array<std::string_view, 13> kReadsEnvironment = {
    "export ",     "ENV ",      "setenv ",      "$ENV{",  "getenv(", "setenv(",
    "environ[",    "env::var(", "environ.get(", "unset ", "putenv(", "environ.setdefault(",
    "environ.pop("};

constexpr std::array<std::string_view, 12> kDefinesInCMake = {"set(",
                                                              "option(",
                                                              "find_library(",
                                                              "find_path(",
                                                              "find_program(",
                                                              "find_file(",
                                                              "function(",
                                                              "macro(",
                                                              "foreach(",
                                                              "unset(",
                                                              "cmake_dependent_option(",
                                                              "list(APPEND "};

constexpr std::array<std::string_view, 9> kDefinesAnywhere = {"#define ", "def ",       "class ",
                                                              "struct ",  "namespace ", "enum ",
                                                              "typedef ", "using ",     "#undef "};

// Words in front of a program that are not the program.
constexpr std::array<std::string_view, 12> kBeforeProgram = {
    "sudo", "RUN", "time", "exec", "env", "nohup", "CMD", "ENTRYPOINT", "$", "%", ">", "then"};

std::string_view WithoutQuote(std::string_view before) {
  while (!before.empty() && (before.back() == '"' || before.back() == '\'')) {
    before.remove_suffix(1);
  }
  return before;
}

// "X=1 Y=2 python setup.py": whether there are only assignments before it.
bool OnlyAssignments(std::string_view before) {
  before = Trim(before);
  if (before == "$" || before.starts_with("$ ")) before = Trim(before.substr(1));
  while (!before.empty()) {
    const std::size_t space = before.find(' ');
    const std::string_view word = before.substr(0, space);
    if (word.find('=') == word.npos && word != "RUN" && word != "env" && word != "sudo") {
      return false;
    }
    if (space == before.npos) break;
    before = Trim(before.substr(space));
  }
  return true;
}

bool Assigns(std::string_view after) {
  return after.size() > 1 && after[0] == '=' && after[1] != '=';
}

// Programs that start a script: what follows the script is the script's.
bool IsLauncher(std::string_view tool) {
  return tool == "torchrun" || tool == "accelerate" || tool == "deepspeed" || tool == "mpirun" ||
         tool == "srun" || tool == "torch.distributed.run" || tool == "torch.distributed.launch" ||
         tool == "nsys" || tool == "ncu" || tool == "compute-sanitizer";
}

// The script or module among the launcher's arguments; the launcher without one.
std::string LaunchedTool(std::string launcher, std::string_view arguments) {
  bool is_module = false;
  while (!(arguments = Trim(arguments)).empty()) {
    const std::size_t end = std::min(arguments.find_first_of(" \t\n"), arguments.size());
    const std::string_view word = arguments.substr(0, end);
    if (is_module || (word.ends_with(".py") && !word.starts_with("-"))) return std::string(word);
    is_module = word == "-m";
    arguments.remove_prefix(end);
  }
  return launcher;
}

}  // namespace

Around LineAround(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::size_t kBefore = 2048;
  constexpr std::size_t kAfter = 256;
  const std::size_t first = begin > kBefore ? begin - kBefore : 0;
  std::string_view before = text.substr(first, begin - first);
  std::string_view after = text.substr(end, kAfter);
  const std::size_t line = before.rfind('\n');
  const bool has_start = line != before.npos || first == 0;
  if (line != before.npos) before.remove_prefix(line + 1);
  after = after.substr(0, after.find('\n'));
  Work::Add(before.size() + after.size());
  return {.before = before, .after = after, .from_line_start = has_start};
}

AtomUse UseOf(std::string_view text, std::size_t begin, std::size_t end, CodeLanguage language) {
  const Around line = LineAround(text, begin, end);
  const std::string_view before = WithoutQuote(line.before);
  for (const std::string_view mark : kReadsEnvironment) {
    if (before.ends_with(mark)) return AtomUse::kEnvironment;
  }
  for (const std::string_view mark : kDefinesAnywhere) {
    if (before.ends_with(mark) && !before.ends_with("using namespace ")) {
      return AtomUse::kDefinition;
    }
  }
  if (language == CodeLanguage::kCMake) {
    for (const std::string_view mark : kDefinesInCMake) {
      if (Trim(before).ends_with(Trim(mark))) return AtomUse::kDefinition;
    }
  }
  if (before.ends_with("-D")) return AtomUse::kSetting;
  const bool may_be_shell = language == CodeLanguage::kShell || language == CodeLanguage::kNone ||
                            language == CodeLanguage::kDockerfile;
  if (may_be_shell && Assigns(line.after)) {
    const bool is_first = line.from_line_start && OnlyAssignments(line.before);
    return is_first ? AtomUse::kEnvironment : AtomUse::kSetting;
  }
  if (line.after.starts_with(":BOOL=") || line.after.starts_with(":STRING=") ||
      line.after.starts_with(":PATH=") || line.after.starts_with(":FILEPATH=")) {
    return AtomUse::kSetting;
  }
  if (line.after.starts_with("(")) return AtomUse::kCall;
  return AtomUse::kMention;
}

std::string ToolAt(std::string_view text, std::size_t at) {
  constexpr std::size_t kFurthest = 4096;
  const std::size_t first = at > kFurthest ? at - kFurthest : 0;
  std::size_t start = at;
  while (start > first) {
    const char c = text[start - 1];
    if (c == ';' || c == '|' || c == '&' || c == '(' || c == '`') break;
    if (c == '\n') {
      std::size_t back = start - 1;
      while (back > 0 && (text[back - 1] == ' ' || text[back - 1] == '\r')) --back;
      if (back == 0 || text[back - 1] != '\\') break;
    }
    --start;
  }
  Work::Add(at - start);
  if (start == first && first > 0) return {};
  std::string_view command = Trim(text.substr(start, at - start));
  while (!command.empty()) {
    const std::size_t space = command.find_first_of(" \t\n");
    const std::string_view word = command.substr(0, space);
    bool skip = word.find('=') != word.npos || word == "\\" || word.starts_with("-");
    for (const std::string_view before : kBeforeProgram) skip = skip || word == before;
    if (!skip) {
      const std::size_t slash = word.rfind('/');
      std::string tool(slash == word.npos ? word : word.substr(slash + 1));
      const std::string_view rest = space == command.npos ? "" : Trim(command.substr(space));
      const bool is_python = tool.starts_with("python");
      if (IsLauncher(tool)) return LaunchedTool(std::move(tool), rest);
      if (!is_python || rest.empty()) return tool;
      if (rest.starts_with("-m ")) {
        const std::string_view module = Trim(rest.substr(3));
        const std::size_t end = std::min(module.find_first_of(" \t\n\\"), module.size());
        std::string name(module.substr(0, end));
        if (!IsLauncher(name)) return name;
        return LaunchedTool(std::move(name), module.substr(end));
      }
      return std::string(rest.substr(0, rest.find_first_of(" \t\n\\")));
    }
    if (space == command.npos) break;
    command = Trim(command.substr(space));
  }
  return {};
}

bool IsInComment(std::string_view text, std::size_t at, CodeLanguage language) {
  const Around around = LineAround(text, at, at);
  const std::string_view before = around.before;
  if (language == CodeLanguage::kCpp) {
    const std::string_view line = Trim(before);
    return before.find("//") != before.npos ||
           (around.from_line_start && (line.starts_with("*") || line.starts_with("/*")));
  }
  const std::size_t hash = before.find('#');
  return hash != before.npos && (hash == 0 || !IsWord(before[hash - 1])) &&
         before.substr(hash, 9) != "#include " && before.substr(hash, 8) != "#define ";
}

}  // namespace sibyl::statement
