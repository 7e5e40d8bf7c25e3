// SPDX-License-Identifier: Apache-2.0
#include "audit/owners/cmake_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "audit/family.h"
#include "audit/nearest.h"
#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/work.h"

namespace sibyl::audit {
namespace {

constexpr std::size_t kMaxCMakeNames = 500;

struct Word {
  std::string_view text;
  std::size_t begin = 0;
  bool opens = false;   ///< Followed by "(".
  bool closes = false;  ///< ")" stands before it.
};

std::vector<Word> WordsOfCode(std::string_view code) {
  std::vector<Word> words;
  bool closes = false;
  for (std::size_t at = 0; at < code.size();) {
    Work::Add(1);
    if (code[at] == '#') {
      at = std::min(code.find('\n', at), code.size());
    } else if (code[at] == '"') {
      at = std::min(code.find('"', at + 1), code.size() - 1) + 1;
      words.push_back({.text = "", .begin = at, .closes = std::exchange(closes, false)});
    } else if (IsBlank(code[at]) || code[at] == '(' || code[at] == ')') {
      closes = closes || code[at] == ')';
      ++at;
    } else {
      std::size_t end = at;
      while (end < code.size() && !IsBlank(code[end]) && code[end] != '(' && code[end] != ')' &&
             code[end] != '"') {
        ++end;
      }
      std::size_t next = end;
      while (next < code.size() && code[next] == ' ') ++next;
      words.push_back({.text = code.substr(at, end - at),
                       .begin = at,
                       .opens = next < code.size() && code[next] == '(',
                       .closes = std::exchange(closes, false)});
      at = end;
    }
  }
  return words;
}

bool IsPropertyName(std::string_view word) {
  return word.size() > 4 && word.find('_') != word.npos && IsUpper(word[0]) &&
         std::ranges::all_of(word, [](char c) { return IsUpper(c) || IsDigit(c) || c == '_'; });
}

std::optional<std::size_t> CMakeHome(const Witness& witness) {
  const std::vector<Witness::File> files = witness.FindFiles("Help/manual/cmake.1.rst");
  if (files.empty()) return std::nullopt;
  return files[0].source;
}

// "CUDA_ARCHITECTURES.rst" without its ending.
std::vector<std::string> NamesIn(const Witness& witness, std::size_t home,
                                 const std::string& folder) {
  std::vector<std::string> names = witness.FilesIn(home, folder);
  std::erase_if(names, [](const std::string& name) { return !name.ends_with(".rst"); });
  for (std::string& name : names) name.resize(name.size() - 4);
  return names;
}

}  // namespace

std::vector<CMakeName> FindCMakeNames(std::string_view code) {
  constexpr std::array<std::string_view, 6> kSetters = {
      "set_target_properties", "set_property",         "set_source_files_properties",
      "get_target_property",   "set_tests_properties", "get_property"};
  std::vector<CMakeName> names;
  std::string_view command;
  std::size_t argument = 0;    // of the command
  std::size_t property = ~0U;  // the argument that is one, and then every second
  for (const Word& word : WordsOfCode(code)) {
    if (names.size() >= kMaxCMakeNames) break;
    if (word.opens && (word.closes || command.empty() || argument == 0)) {
      command = word.text;
      argument = 0;
      property = command == "get_target_property" ? 3 : ~0U;
      if (std::ranges::all_of(command, [](char c) { return IsLower(c) || c == '_'; })) {
        names.push_back({.name = std::string(command), .offset = word.begin, .is_command = true});
      }
      continue;
    }
    ++argument;
    if (!IsOneOf(command, kSetters)) continue;
    if (word.text == "PROPERTIES" || word.text == "PROPERTY") {
      property = argument + 1;
    } else if (argument == property) {
      if (IsPropertyName(word.text)) {
        names.push_back({.name = std::string(word.text), .offset = word.begin});
      }
      // A property may have a list of values, and then the next name is not certain.
      const bool has_pairs = command.ends_with("_properties");
      property = has_pairs ? argument + 2 : ~0U;
    }
  }
  return names;
}

std::map<std::size_t, statement::Judgement> JudgeCMakeCode(const statement::Statement& block,
                                                           const Witness& witness,
                                                           const statement::OwnNames& own) {
  constexpr std::size_t kFamily = 4;
  std::map<std::size_t, statement::Judgement> judged;
  if (block.kind != statement::StatementKind::kCode ||
      statement::LanguageOf(block) != statement::CodeLanguage::kCMake) {
    return judged;
  }
  const std::optional<std::size_t> home = CMakeHome(witness);
  if (!home) return judged;
  std::vector<std::string> properties;
  for (const std::string_view kind : {"prop_tgt", "prop_sf", "prop_dir", "prop_gbl", "prop_test"}) {
    for (std::string& name : NamesIn(witness, *home, fmt::format("Help/{}", kind))) {
      properties.push_back(std::move(name));
    }
  }
  const std::vector<std::string> commands = NamesIn(witness, *home, "Help/command");
  for (const CMakeName& one : FindCMakeNames(block.text)) {
    const std::vector<std::string>& all = one.is_command ? commands : properties;
    const std::string prefix = one.name.substr(0, one.name.find('_') + 1);
    // Words that a project's own commands begin with are no family.
    const bool is_family = prefix.size() > 3 &&
                           (!one.is_command || prefix == "target_" || prefix == "cmake_") &&
                           std::ranges::count_if(all, [&](const std::string& name) {
                             return name.starts_with(prefix);
                           }) >= static_cast<std::ptrdiff_t>(kFamily);
    if (!is_family || own.names.contains(one.name) || witness.FindWord(one.name)) continue;
    const std::vector<std::string> patterns = TemplateNames(one.name);
    if (std::ranges::any_of(patterns, [&](const std::string& name) {
          return witness.FindWord(name).has_value();
        })) {
      continue;
    }
    statement::Judgement judgement{
        .verdict = statement::Verdict::kAbsent,
        .code = "ident/unknown",
        .kind = "identifier",
        .text = one.name,
        .message = fmt::format("`{}` is not a {} of CMake ({})", one.name,
                               one.is_command ? "command" : "property", witness.ShowSource(*home)),
        .reason =
            fmt::format("its help has {} of them that begin with {}",
                        std::ranges::count_if(
                            all, [&](const std::string& name) { return name.starts_with(prefix); }),
                        prefix)};
    if (const auto nearest = NearestOf(one.name, all)) {
      judgement.nearest = *nearest;
      judgement.where = fmt::format("{} Help", witness.ShowSource(*home));
    }
    judged.emplace(one.offset, std::move(judgement));
  }
  return judged;
}

}  // namespace sibyl::audit
