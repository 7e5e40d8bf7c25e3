// SPDX-License-Identifier: Apache-2.0
#include "draft/extract/option_rows.h"

#include <algorithm>
#include <optional>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::draft {
namespace {

constexpr std::size_t kMostValueBytes = 60;
constexpr std::size_t kMostMeaningBytes = 240;

bool IsUpperName(std::string_view name) {
  return name.size() >= 3 && name[0] >= 'A' && name[0] <= 'Z' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
         });
}

std::string_view NameAt(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && IsNameByte(text[end])) ++end;
  return text.substr(0, end);
}

// Words of a call: strings without their quotes, and whatever is between blanks
// and commas. Brackets inside a word stay in it.
struct CallWord {
  std::string text;
  bool is_string = false;
};

std::vector<CallWord> CallWords(std::string_view text, std::string_view separators) {
  std::vector<CallWord> words;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (separators.find(c) != std::string_view::npos) {
      ++at;
      continue;
    }
    if (c == '"' || c == '\'') {
      const std::size_t end = text.find(c, at + 1);
      if (end == std::string_view::npos) break;
      words.push_back({.text = std::string(text.substr(at + 1, end - at - 1)), .is_string = true});
      at = end + 1;
      continue;
    }
    std::size_t end = at;
    int depth = 0;
    while (end < text.size() &&
           (depth > 0 || separators.find(text[end]) == std::string_view::npos)) {
      depth += text[end] == '(' || text[end] == '[' ? 1 : 0;
      depth -= text[end] == ')' || text[end] == ']' ? 1 : 0;
      ++end;
    }
    words.push_back({.text = std::string(Trim(text.substr(at, end - at)))});
    at = end;
  }
  return words;
}

// A call that begins in a line and ends where its bracket closes.
struct Call {
  std::string inside;
  std::size_t last_line = 0;  // from zero
};

std::optional<Call> ReadCall(const std::vector<std::string_view>& lines, std::size_t line,
                             std::size_t column) {
  constexpr std::size_t kMostRowLines = 16;
  Call call;
  int depth = 0;
  char quote = 0;
  for (std::size_t i = line; i < std::min(lines.size(), line + kMostRowLines); ++i) {
    const std::string_view text = i == line ? lines[i].substr(column) : lines[i];
    for (const char c : text) {
      if (quote != 0) {
        if (c == quote) quote = 0;
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (c == '(') {
        if (++depth == 1) continue;
      } else if (c == ')' && --depth == 0) {
        call.last_line = i;
        return call;
      }
      if (depth > 0) call.inside += c;
    }
    call.inside += ' ';
  }
  return std::nullopt;
}

std::string WithSingleBlanks(std::string_view text) {
  std::string folded;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    if (blank && (folded.empty() || folded.ends_with(' '))) continue;
    folded += blank ? ' ' : c;
  }
  return std::string(Trim(folded));
}

class OptionReader {
 public:
  OptionReader(std::string_view language, std::string_view text)
      : language_(language), lines_(SplitLines(text)) {}

  std::vector<OptionRow> Read() {
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string_view line = Trim(lines_[i]);
      if (language_ == "cmake") {
        ReadCMake(line, i);
      } else if (language_ == "python") {
        ReadArgument(line, i);
        ReadEnvironment(i, "environ.get(");
        ReadEnvironment(i, "getenv(");
        ReadListed(line, i);
      } else if (language_ == "dockerfile") {
        ReadDockerfile(line, i);
      } else if (language_ == "c++" || language_ == "c" || language_ == "cuda") {
        ReadEnvironment(i, "getenv(");
        ReadEnvironment(i, "get_env(");
        ReadEnvironment(i, "check_env(");
      } else if (language_ == "shell") {
        ReadShell(line, i);
      }
    }
    return std::move(rows_);
  }

 private:
  void Add(OptionRow row) {
    row.meaning = WithSingleBlanks(row.meaning);
    if (row.name.empty() || row.value.size() > kMostValueBytes) return;
    if (row.meaning.size() > kMostMeaningBytes) row.meaning.clear();
    const bool is_known = std::any_of(
        rows_.begin(), rows_.end(), [&](const OptionRow& other) { return other.name == row.name; });
    if (!is_known) rows_.push_back(std::move(row));
  }

  void ReadCMake(std::string_view line, std::size_t number) {
    const bool is_option = StartsWithIgnoringCase(line, "option(") ||
                           StartsWithIgnoringCase(line, "cmake_dependent_option(");
    const bool is_set = StartsWithIgnoringCase(line, "set(");
    if (!is_option && !is_set) return;
    const auto call = ReadCall(lines_, number, lines_[number].find('('));
    if (!call) return;
    const std::vector<CallWord> words = CallWords(call->inside, " \t");
    OptionRow row{.first_line = number + 1, .last_line = call->last_line + 1};
    if (is_option && words.size() >= 2 && words[1].is_string) {
      row.name = words[0].text;
      row.meaning = words[1].text;
      row.value = words.size() > 2 ? words[2].text : "OFF";
      Add(std::move(row));
      return;
    }
    for (std::size_t i = 2; is_set && i + 2 < words.size(); ++i) {
      if (words[i].text != "CACHE") continue;
      row.name = words[0].text;
      row.value = i == 2 ? words[1].text : "";
      row.meaning = words[i + 2].text;
      Add(std::move(row));
      return;
    }
  }

  // parser.add_argument('--amp', default=False, help='…')
  void ReadArgument(std::string_view line, std::size_t number) {
    const std::size_t at = line.find("add_argument(");
    if (at == std::string_view::npos) return;
    const auto call = ReadCall(lines_, number, lines_[number].find("add_argument("));
    if (!call) return;
    OptionRow row{.first_line = number + 1, .last_line = call->last_line + 1};
    std::string key;
    for (const CallWord& word : CallWords(call->inside, ", \t")) {
      if (word.is_string && key.empty() && word.text.starts_with('-')) {
        if (row.name.size() < word.text.size()) row.name = word.text;
        continue;
      }
      if (!word.is_string) {
        const std::size_t equals = word.text.find('=');
        if (equals == std::string::npos) continue;
        key = word.text.substr(0, equals);
        const std::string value = word.text.substr(equals + 1);
        if (key == "default" && row.value.empty()) row.value = value;
        // help='…' is one word up to a blank: the text between its quotes.
        continue;
      }
    }
    const std::size_t help = call->inside.find("help=");
    if (help != std::string::npos) {
      for (const CallWord& word :
           CallWords(std::string_view(call->inside).substr(help + 5), " \t")) {
        if (!word.is_string) break;
        row.meaning += word.text;
      }
    }
    // A default in quotes with a blank in it was cut: better none than half.
    if (std::count(row.value.begin(), row.value.end(), '\'') % 2 != 0 ||
        std::count(row.value.begin(), row.value.end(), '"') % 2 != 0) {
      row.value.clear();
    }
    Add(std::move(row));
  }

  void ReadEnvironment(std::size_t number, std::string_view function) {
    const std::size_t at = lines_[number].find(function);
    if (at == std::string_view::npos) return;
    const auto call = ReadCall(lines_, number, at + function.size() - 1);
    if (!call) return;
    const std::vector<CallWord> words = CallWords(call->inside, ", \t");
    if (words.empty() || !words[0].is_string || !IsUpperName(words[0].text)) return;
    OptionRow row{
        .name = words[0].text, .first_line = number + 1, .last_line = call->last_line + 1};
    if (words.size() > 1) row.value = words[1].text;
    Add(std::move(row));
  }

  // "#   USE_CUDNN=0" and below it "#     disables the cuDNN build"
  void ReadListed(std::string_view line, std::size_t number) {
    if (!line.starts_with('#')) return;
    const std::string_view words = Trim(line.substr(1));
    const std::string_view name = NameAt(words);
    if (!IsUpperName(name) || name.find('_') == std::string_view::npos) return;
    std::string_view rest = Trim(words.substr(name.size()));
    OptionRow row{.name = std::string(words), .first_line = number + 1, .last_line = number + 1};
    if (!rest.empty() && rest[0] != '=') return;
    if (rest.find(' ') != std::string_view::npos) return;
    const std::size_t indent = lines_[number].find(name);
    for (std::size_t i = number + 1; i < lines_.size(); ++i) {
      const std::string_view below = lines_[i];
      const std::size_t text = below.find_first_not_of("# \t");
      if (!Trim(below).starts_with('#') || text == std::string_view::npos || text <= indent) break;
      row.meaning += std::string(Trim(below.substr(text))) + " ";
      row.last_line = i + 1;
    }
    if (!row.meaning.empty()) Add(std::move(row));
  }

  void ReadDockerfile(std::string_view line, std::size_t number) {
    const bool is_variable = line.starts_with("ARG ") || line.starts_with("ENV ");
    if (!is_variable) return;
    const std::string_view words = Trim(line.substr(4));
    const std::string_view name = NameAt(words);
    std::string_view value = words.substr(name.size());
    if (!value.empty() && value[0] != '=' && value[0] != ' ') return;
    value = value.empty() ? value : Trim(value.substr(1));
    if (name.empty() || value.ends_with('\\')) return;
    Add({.name = std::string(name),
         .value = std::string(value),
         .first_line = number + 1,
         .last_line = number + 1});
  }

  // export TORCH_CUDA_ARCH_LIST="7.0 8.0"
  void ReadShell(std::string_view line, std::size_t number) {
    if (!line.starts_with("export ")) return;
    const std::string_view words = Trim(line.substr(7));
    const std::string_view name = NameAt(words);
    if (!IsUpperName(name) || words.size() <= name.size() + 1 || words[name.size()] != '=') return;
    std::string_view value = words.substr(name.size() + 1);
    if (std::count(value.begin(), value.end(), '"') % 2 != 0) return;
    Add({.name = std::string(name),
         .value = std::string(value),
         .first_line = number + 1,
         .last_line = number + 1});
  }

  std::string_view language_;
  std::vector<std::string_view> lines_;
  std::vector<OptionRow> rows_;
};

}  // namespace

std::vector<OptionRow> ReadOptions(std::string_view language, std::string_view text) {
  return OptionReader(language, text).Read();
}

}  // namespace sibyl::draft
