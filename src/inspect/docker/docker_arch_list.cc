// SPDX-License-Identifier: Apache-2.0
#include "inspect/docker/docker_arch_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::inspect {
namespace {

struct ListVariable {
  std::string_view name;
  ArchSyntax syntax;
};

constexpr ListVariable kListVariables[] = {
    {"TORCH_CUDA_ARCH_LIST", ArchSyntax::kTorch},
    {"CMAKE_CUDA_ARCHITECTURES", ArchSyntax::kCMake},
    {"CUDAARCHS", ArchSyntax::kCMake},
};

// The quote that is open at a place of a script, or '\0'.
char OpenQuote(std::string_view script, std::size_t end) {
  char open = '\0';
  for (std::size_t i = 0; i < end; ++i) {
    const char c = script[i];
    if (c == '\\' && open != '\'') {
      ++i;
    } else if (open == '\0' && (c == '"' || c == '\'')) {
      open = c;
    } else if (c == open) {
      open = '\0';
    }
  }
  return open;
}

// Where the value of "NAME=", "-DNAME=" or "-DNAME:STRING=" begins.
std::size_t FindValue(std::string_view script, std::string_view name) {
  for (std::size_t at = script.find(name); at != script.npos; at = script.find(name, at + 1)) {
    const bool is_defined = at >= 2 && script.substr(at - 2, 2) == "-D";
    const bool is_alone = at == 0 || !IsNameByte(script[at - 1]);
    if (!is_defined && !is_alone) continue;
    if (at > 0 && (script[at - 1] == '$' || script[at - 1] == '{')) continue;
    std::size_t end = at + name.size();
    for (const std::string_view type : {":STRING", ":INTERNAL"}) {
      if (is_defined && script.substr(end).starts_with(type)) end += type.size();
    }
    if (end < script.size() && (script[end] == '=' || (at == 0 && script[end] == ' '))) {
      return end + 1;
    }
  }
  return script.npos;
}

struct FoundValue {
  std::string text;
  bool is_cut = false;
};

FoundValue ReadValue(std::string_view script, std::size_t at, bool is_shell) {
  char quote = OpenQuote(script, at);
  if (quote == '\0' && at < script.size() && (script[at] == '"' || script[at] == '\'')) {
    quote = script[at++];
  }
  if (quote != '\0') {
    return {.text = std::string(script.substr(at, script.find(quote, at) - at))};
  }
  const std::size_t end =
      std::min(script.find_first_of(is_shell ? " \t\n&|;)" : " \t\n", at), script.size());
  const bool is_cut =
      end + 1 < script.size() && script[end] == ';' && IsDigit(script[end + 1]) && end > at;
  return {.text = std::string(script.substr(at, end - at)), .is_cut = is_cut};
}

// False for an item that is not a number: "native", "Hopper", "$ARCH".
bool AddItem(std::string_view item, ArchList& list) {
  const bool has_ptx = item.ends_with("+PTX");
  if (has_ptx) item.remove_suffix(4);
  const bool is_virtual = item.ends_with("-virtual");
  if (is_virtual) item.remove_suffix(8);
  const bool is_real = item.ends_with("-real");
  if (is_real) item.remove_suffix(5);
  const std::optional<field::Architecture> architecture = field::ParseArchitecture(item);
  if (!architecture) return false;
  if (!is_virtual) list.cubins.push_back(*architecture);
  // CMake compiles PTX too, unless it is told not to.
  if (has_ptx || is_virtual || (list.syntax == ArchSyntax::kCMake && !is_real)) {
    list.ptx.push_back(*architecture);
  }
  return true;
}

bool AddItems(ArchList& list) {
  std::string item;
  for (const char c : list.value + ";") {
    if (c != ';' && c != ' ' && c != ',') {
      item += c;
      continue;
    }
    if (!item.empty() && !AddItem(item, list)) return false;
    item.clear();
  }
  return !list.cubins.empty() || !list.ptx.empty();
}

// "sm_80", "compute_80" or "[sm_80,compute_80]" after "code=".
bool AddCode(std::string_view codes, ArchList& list) {
  std::string item;
  for (const char c : std::string(codes) + ",") {
    if (IsNameByte(c)) {
      item += c;
      continue;
    }
    if (item.empty()) continue;
    const std::optional<field::Architecture> architecture = field::ParseArchitecture(item);
    if (!architecture) return false;
    if (item.starts_with("sm_")) list.cubins.push_back(*architecture);
    if (item.starts_with("compute_")) list.ptx.push_back(*architecture);
    item.clear();
  }
  return true;
}

// "-gencode arch=compute_80,code=sm_80", "-arch=sm_80": without a code, that also gives PTX.
bool ReadNvcc(const std::vector<std::string>& words, ArchList& list) {
  // Also those that make is given: NVCC_GENCODE="-gencode=arch=compute_90,code=sm_90".
  const bool calls = std::ranges::any_of(words, [](const std::string& word) {
    return word == "nvcc" || word.ends_with("/nvcc") || Contains(word, "-gencode");
  });
  if (!calls) return false;
  std::string arch;
  std::string code;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::size_t in_pair = word.find(",code=");
    if (in_pair != std::string::npos && Contains(word, "arch=")) {
      if (!AddCode(std::string_view(word).substr(in_pair + 6), list)) return false;
      continue;
    }
    for (const std::string_view option : {"-arch", "--gpu-architecture", "-code", "--gpu-code"}) {
      std::string value;
      if (word.starts_with(std::string(option) + "=")) value = word.substr(option.size() + 1);
      if (word == option && i + 1 < words.size()) value = words[i + 1];
      if (!value.empty()) (option.ends_with("code") ? code : arch) = value;
    }
  }
  if (!code.empty()) return AddCode(code, list);
  if (arch.empty()) return !list.cubins.empty() || !list.ptx.empty();
  const std::optional<field::Architecture> one = field::ParseArchitecture(arch);
  if (!one) return false;  // native, all
  if (arch.starts_with("sm_")) list.cubins.push_back(*one);
  list.ptx.push_back(*one);
  return true;
}

// One line with another value of the list; empty if the value is not there, or inside other quotes.
std::string LineWithValue(std::string line, const ArchList& list, std::string_view value) {
  std::size_t begin = line.find(list.name);
  begin = begin == line.npos || list.value.empty() ? line.npos : line.find(list.value, begin);
  if (begin == line.npos) return {};
  std::size_t length = list.value.size();
  const bool is_quoted = OpenQuote(line, begin) != '\0';
  if (is_quoted) {
    const char after = begin + length < line.size() ? line[begin + length] : '\0';
    const bool ends_there = after == '"' || after == '\'';
    return ends_there ? line.replace(begin, length, value) : std::string();
  }
  const bool needs_quotes =
      line[begin - 1] == '=' && value.find_first_of("; ") != std::string_view::npos;
  return line.replace(begin, length, needs_quotes ? fmt::format("\"{}\"", value) : value);
}

}  // namespace

std::vector<ArchList> ReadArchLists(const DockerInstruction& at, std::string_view script) {
  std::vector<ArchList> lists;
  for (const ListVariable& variable : kListVariables) {
    const std::size_t begin = FindValue(script, variable.name);
    if (begin == script.npos) continue;
    FoundValue found = ReadValue(script, begin, at.keyword == "RUN");
    ArchList list{.name = std::string(variable.name),
                  .value = std::move(found.text),
                  .syntax = variable.syntax,
                  .is_cut_by_shell = found.is_cut};
    if (AddItems(list)) lists.push_back(std::move(list));
  }
  if (at.keyword == "RUN" && (Contains(script, "nvcc") || Contains(script, "-gencode"))) {
    ArchList list{.name = "nvcc", .syntax = ArchSyntax::kNvcc};
    std::vector<std::string> words;
    for (const std::string& word : ShellWords(script)) {
      for (std::string& option : ShellWords(word)) words.push_back(std::move(option));
    }
    if (ReadNvcc(words, list)) lists.push_back(std::move(list));
  }
  return lists;
}

ArchList WithItems(const ArchList& list, std::string_view value) {
  ArchList other{.name = list.name, .value = std::string(value), .syntax = list.syntax};
  return AddItems(other) ? other : list;
}

std::string WithArchitecture(const ArchList& list, std::string_view value, std::uint32_t number) {
  const bool has_blanks = Contains(value, " ") && !Contains(value, ";");
  const std::string item = list.syntax == ArchSyntax::kTorch
                               ? fmt::format("{}.{}", number / 10, number % 10)
                               : std::to_string(number);
  return fmt::format("{}{}{}", value, has_blanks ? ' ' : ';', item);
}

std::string WithPtx(const ArchList& list, std::string_view value) {
  std::string_view last = value;
  if (const std::size_t at = value.find_last_of("; ,"); at != value.npos) {
    last.remove_prefix(at + 1);
  }
  if (last.ends_with("-real")) last.remove_suffix(5);
  if (last.empty() || !IsDigit(last.back())) return {};
  return list.syntax == ArchSyntax::kTorch ? fmt::format("{}+PTX", value)
                                           : fmt::format("{};{}-virtual", value, last);
}

std::string WithoutArchitecture(const ArchList& list, std::string_view value,
                                const field::Architecture& architecture) {
  const bool has_blanks = Contains(value, " ") && !Contains(value, ";");
  std::vector<std::string> kept;
  std::string item;
  for (const char c : std::string(value) + ";") {
    if (c != ';' && c != ' ' && c != ',') {
      item += c;
      continue;
    }
    ArchList one{.syntax = list.syntax};
    const bool is_it = !item.empty() && AddItem(item, one) &&
                       (one.cubins.empty() ? one.ptx.front() : one.cubins.front()) == architecture;
    if (!item.empty() && !is_it) kept.push_back(item);
    item.clear();
  }
  return Join(kept, has_blanks ? " " : ";");
}

CorrectedLine WithValue(const DockerInstruction& at, const ArchList& list, std::string_view value) {
  if (at.arguments.starts_with('[')) return {};
  for (std::size_t i = 0; i < at.lines.size(); ++i) {
    std::string line = LineWithValue(at.lines[i], list, value);
    if (!line.empty()) return {.line = at.line + i, .text = std::move(line)};
    // Quotations of more than one line are not changed.
    if (OpenQuote(at.lines[i], at.lines[i].size()) != '\0') return {};
  }
  return {};
}

}  // namespace sibyl::inspect
