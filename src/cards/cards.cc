// SPDX-License-Identifier: Apache-2.0
#include "cards/cards.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ascii.h"
#include "base/strings.h"
#include "cards/card_text.h"

namespace sibyl::cards {
namespace {

constexpr std::size_t kMostCards = 2000;

class CardReader {
 public:
  explicit CardReader(std::string_view text) : text_view_(text) {}

  std::vector<Card> Take() {
    for (std::size_t at = 0; at < text_view_.size() && cards_.size() < kMostCards;) {
      const std::size_t end = std::min(text_view_.find('\n', at), text_view_.size());
      Line(at, end);
      at = end + 1;
    }
    return std::move(cards_);
  }

 private:
  void Add(CardKind kind, std::string_view name, std::string_view raw, std::size_t offset) {
    while (name.starts_with('-')) name.remove_prefix(1);
    if (name.size() < 2 || IsDigit(name[0])) return;
    CardValue value = CleanCardValue(raw);
    if (value.text.empty() && !value.is_text) return;
    cards_.push_back({.kind = kind,
                      .name = std::string(name),
                      .value = std::move(value.text),
                      .is_text = value.is_text,
                      .choices = ChoicesIn(around_view_),
                      .offset = offset});
  }

  void Line(std::size_t begin, std::size_t end) {
    const std::string_view line = text_view_.substr(begin, end - begin);
    const std::string_view trimmed = Trim(line);
    if (trimmed.empty()) return;
    around_view_ = line;
    if (TableRow(trimmed, begin)) return;
    Documentation(line, begin);
    if (Macro(trimmed, begin)) return;
    if (Initialiser(trimmed, begin)) return;
    if (Calls(line, begin)) return;
    Assignment(line, begin);
  }

  // "depth_(64)," of a constructor, "constexpr seconds kDelay(5);"
  bool Initialiser(std::string_view trimmed, std::size_t begin) {
    const bool is_first = trimmed.starts_with(": ") || trimmed.starts_with(", ");
    std::string_view rest = is_first ? Trim(trimmed.substr(1)) : trimmed;
    const std::size_t open = rest.find_first_of("({");
    if (open == std::string_view::npos || open == 0 || !IsNameByte(rest[open - 1])) return false;
    const std::size_t close = rest.find(rest[open] == '(' ? ')' : '}', open);
    if (close == std::string_view::npos) return false;
    const std::string_view name = CardNameBefore(rest, open);
    const std::string_view value = Trim(rest.substr(open + 1, close - open - 1));
    const std::string_view after = Trim(rest.substr(close + 1));
    const bool is_alone = name.size() == open;
    const bool is_member = is_alone &&
                           (name.ends_with('_') || name.starts_with("m_") || is_first) &&
                           (after.empty() || after[0] == ',' || after[0] == '{');
    constexpr std::array<std::string_view, 6> kVerbs = {"return ", "throw ",    "new ",
                                                        "delete ", "co_await ", "else "};
    const bool is_statement = std::any_of(kVerbs.begin(), kVerbs.end(), [&](std::string_view verb) {
      return rest.starts_with(verb);
    });
    const bool is_declared = !is_alone && !is_statement && after.starts_with(';') &&
                             rest[open] == '(' && IsBlank(rest[open - name.size() - 1]) &&
                             IsNameStart(rest[0]) &&
                             rest.substr(0, open).find('=') == std::string_view::npos;
    if ((!is_member && !is_declared) || !IsPlain(value)) return false;
    Add(CardKind::kAssignment, name, value, begin);
    return true;
  }

  // A number, a truth value or a text.
  static bool IsPlain(std::string_view value) {
    if (value.empty()) return false;
    const std::string lower = LowerCase(value);
    const bool is_number =
        IsDigit(value[0]) || (value[0] == '-' && value.size() > 1 && IsDigit(value[1]));
    return is_number || lower == "true" || lower == "false" ||
           (value.size() > 1 && IsQuote(value[0]) && value.back() == value[0]);
  }

  bool Macro(std::string_view trimmed, std::size_t offset) {
    constexpr std::string_view kDefine = "#define ";
    if (!trimmed.starts_with(kDefine)) return false;
    const std::string_view rest = Trim(trimmed.substr(kDefine.size()));
    const std::string_view name = CardNameAt(rest, 0);
    if (name.size() < rest.size() && rest[name.size()] == '(') return true;
    Add(CardKind::kMacro, name, CardValueAt(rest, name.size()), offset);
    return true;
  }

  bool Calls(std::string_view line, std::size_t begin) {
    bool found = false;
    for (std::size_t open = line.find('('); open != std::string_view::npos;
         open = line.find('(', open + 1)) {
      const std::string_view function = CardNameBefore(line, open);
      if (!function.empty()) found = Call(function, line, begin, open) || found;
    }
    for (std::size_t at = line.find("${"); at != std::string_view::npos;
         at = line.find("${", at + 2)) {
      const std::string_view name = CardNameAt(line, at + 2);
      const std::size_t mark = at + 2 + name.size();
      const std::string_view sign = line.substr(mark, 2);
      if (sign != ":-" && sign != ":=") continue;
      const std::size_t close = line.find('}', mark);
      if (close == std::string_view::npos) break;
      Add(CardKind::kEnvironment, name, line.substr(mark + 2, close - mark - 2), begin + at + 2);
      found = true;
    }
    return found;
  }

  // env_int("DEPTH", 4), _get_env_bool("WIDE", False)
  static bool IsEnvironmentHelper(const std::string& lower) {
    return lower.starts_with("env_") || lower.find("_env_") != lower.npos ||
           lower.ends_with("_env");
  }

  // getenv("DEPTH", "4"), kwargs.pop("depth", 4)
  static bool HasFallback(const std::string& lower) {
    return lower == "env" || lower.ends_with("environ.get") || lower == "get" || lower == "pop" ||
           lower == "getattr" || lower == "setdefault" || lower.starts_with("getenv");
  }

  // SETTING(uint64_t, pool_depth, 4): a list of settings, each a call of one macro.
  bool TypedSetting(std::string_view function, std::size_t open) {
    constexpr std::array<std::string_view, 5> kTypes = {"bool", "int", "float", "double", "string"};
    constexpr std::size_t kShortest = 4;
    if (function.size() < kShortest || std::any_of(function.begin(), function.end(), IsLower)) {
      return false;
    }
    const std::vector<std::string_view> arguments = CallArguments(text_view_, open);
    if (arguments.size() != 3 || !IsPlain(arguments[2])) return false;
    const std::string_view type = arguments[0];
    const bool is_type = std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end() ||
                         type == "std::string" || type.ends_with("_t");
    const std::string_view name = arguments[1];
    if (!is_type || !std::all_of(name.begin(), name.end(), IsNameByte)) return false;
    Add(CardKind::kOption, name, arguments[2], open);
    return true;
  }

  bool Call(std::string_view function, std::string_view line, std::size_t begin, std::size_t open) {
    const std::string lower = LowerCase(function);
    const bool is_method = function.data() != line.data() && function.data()[-1] == '.';
    const bool is_cmake = lower == "option" || lower == "cmake_dependent_option" || lower == "set";
    if (is_cmake && !is_method) {  // not click.option("--depth", …)
      return CMake(lower, begin + open);
    }
    const bool is_helper = IsEnvironmentHelper(lower);
    const bool is_environment = is_helper || HasFallback(lower);
    const bool is_option = lower.ends_with("add_argument") || lower.ends_with("option") ||
                           lower.starts_with("define_") || lower.ends_with("_param") ||
                           lower == "field" || lower == "absl_flag" ||
                           lower.ends_with("cmd_line_argument");
    if (lower == "value_or") return ValueOr(line, begin, open);
    if (is_method && GoFlag(function, begin + open)) return true;
    if (!is_environment && !is_option) {
      return TypedSetting(function, begin + open) || NamedState(line, begin, open);
    }
    const std::vector<std::string_view> arguments = CallArguments(text_view_, begin + open);
    if (arguments.empty()) return false;
    // enable_option(USE_X ON "…") is a command of CMake.
    if (lower.ends_with("option") && arguments.size() == 1 && !arguments[0].empty() &&
        !IsQuote(arguments[0][0])) {
      return CMake("enable_option", begin + open);
    }
    const std::size_t from = begin + open;
    const auto last = static_cast<std::size_t>(arguments.back().data() - text_view_.data());
    around_view_ = text_view_.substr(from, last + arguments.back().size() - from);
    if (lower == "field") return Field(line, begin, arguments);
    std::string_view name;
    for (const std::string_view argument : arguments) {
      if (argument.size() > 2 && IsQuote(argument[0]) && argument.find(' ') == argument.npos) {
        name = argument.substr(1, argument.size() - 2);
        if (!name.starts_with('-') || name.starts_with("--")) break;  // not its short form
      }
    }
    if (lower.starts_with("define_")) name = arguments[0];
    constexpr std::size_t kFlagValue = 2;  // ABSL_FLAG(int, depth, 4, "…")
    if (lower == "absl_flag" && arguments.size() > kFlagValue) {
      Add(CardKind::kOption, arguments[1], arguments[kFlagValue], begin + open);
      return true;
    }
    if (name.empty()) return false;
    if (is_helper && std::any_of(name.begin(), name.end(), IsLower)) return false;
    for (const std::string_view argument : arguments) {
      const std::size_t equals = argument.find('=');
      if (equals == argument.npos || Trim(argument.substr(0, equals)) != "default") continue;
      Add(CardKind::kOption, name, argument.substr(equals + 1), begin + open);
      return true;
    }
    if (lower.ends_with("register_option") && arguments.size() > 1) {
      return RegisteredOption(name, arguments[1], begin + open);
    }
    const bool is_positional = is_environment || lower.starts_with("define_") ||
                               lower.ends_with("_param") || lower.ends_with("cmd_line_argument");
    if (!is_positional || arguments.size() < 2) return false;
    const std::size_t value = lower.starts_with("define_") ? 1 : arguments.size() - 1;
    Add(is_environment ? CardKind::kEnvironment : CardKind::kOption, name, arguments[value],
        begin + open);
    return true;
  }

  // bool_state(name="wide", default=False, …), whatever the function is called
  bool NamedState(std::string_view line, std::size_t begin, std::size_t open) {
    constexpr std::size_t kFew = 300;
    const std::string_view near = text_view_.substr(begin + open, kFew);
    const bool may_be = line.find("name=") != line.npos || Trim(line).ends_with('(');
    if (!may_be || near.find("default=") == near.npos) return false;
    std::string_view name;
    std::string_view value;
    for (const std::string_view argument : CallArguments(text_view_, begin + open)) {
      if (argument.starts_with("name=")) name = Trim(argument.substr(5));
      if (argument.starts_with("default=")) value = Trim(argument.substr(8));
    }
    if (name.size() < 3 || !IsQuote(name[0]) || !IsPlain(value)) return false;
    Add(CardKind::kOption, name.substr(1, name.size() - 2), value, begin + open);
    return true;
  }

  // register_option("depth", 4, "…"), register_option("depth", env_int("DEPTH", 4), "…")
  bool RegisteredOption(std::string_view name, std::string_view value, std::size_t offset) {
    if (const std::size_t open = value.find('('); open != value.npos && value.ends_with(')')) {
      const std::size_t comma = value.rfind(',');
      if (comma == value.npos || comma < open) return false;
      value = Trim(value.substr(comma + 1, value.size() - comma - 2));
    }
    if (!IsPlain(value)) return false;
    Add(CardKind::kOption, name, value, offset);
    return true;
  }

  // flag.Bool("wide", false, "…"), flags.IntVarP(&depth, "depth", "d", 4, "…")
  bool GoFlag(std::string_view function, std::size_t open) {
    constexpr std::array<std::string_view, 9> kTypes = {
        "Bool", "String", "Int", "Int32", "Int64", "Uint", "Uint64", "Float64", "Duration"};
    const bool has_short = function.ends_with('P');
    if (has_short) function.remove_suffix(1);
    const bool has_variable = function.ends_with("Var");
    if (has_variable) function.remove_suffix(3);
    if (std::find(kTypes.begin(), kTypes.end(), function) == kTypes.end()) return false;
    const std::vector<std::string_view> arguments = CallArguments(text_view_, open);
    const std::size_t name = has_variable ? 1 : 0;
    const std::size_t value = name + (has_short ? 2 : 1);
    if (arguments.size() != value + 2 || arguments[name].size() < 3) return false;
    if (!IsQuote(arguments[name][0])) return false;
    Add(CardKind::kOption, arguments[name].substr(1, arguments[name].size() - 2), arguments[value],
        open);
    return true;
  }

  // depth.value_or(4)
  bool ValueOr(std::string_view line, std::size_t begin, std::size_t open) {
    constexpr std::string_view kCall = ".value_or";
    const std::size_t at = line.rfind(kCall, open);
    if (at == std::string_view::npos) return false;
    const std::vector<std::string_view> arguments = CallArguments(text_view_, begin + open);
    if (arguments.size() != 1) return false;
    Add(CardKind::kAssignment, CardNameBefore(line, at), arguments[0], begin + open);
    return true;
  }

  // A row of a table whose header has a column "Default": the first cell with a
  // name is what it is of.
  bool TableRow(std::string_view trimmed, std::size_t begin) {
    if (!trimmed.starts_with('|')) {
      default_column_ = 0;
      return false;
    }
    std::vector<std::string_view> cells;
    constexpr std::size_t kMostCells = 30;
    for (std::size_t at = 1; at < trimmed.size() && cells.size() < kMostCells;) {
      const std::size_t end = std::min(trimmed.find('|', at), trimmed.size());
      cells.push_back(Trim(trimmed.substr(at, end - at)));
      at = end + 1;
    }
    for (std::size_t i = 1; i < cells.size(); ++i) {
      const std::string lower = LowerCase(cells[i]);
      if (lower == "default" || lower == "default value" || lower == "defaults") {
        default_column_ = i;
        return true;
      }
    }
    if (default_column_ == 0 || default_column_ >= cells.size()) return false;
    std::string_view name = cells[0];
    while (!name.empty() && !IsNameByte(name[0])) name.remove_prefix(1);
    Add(CardKind::kDocumentation, NameWithHyphens(name), cells[default_column_], begin);
    return true;
  }

  static std::string_view NameWithHyphens(std::string_view text) {
    std::size_t end = 0;
    while (end < text.size() && (IsNameByte(text[end]) || text[end] == '-' || text[end] == '.')) {
      ++end;
    }
    return text.substr(0, end);
  }

  // name: int = Field(4, ge=0)
  bool Field(std::string_view line, std::size_t begin,
             const std::vector<std::string_view>& arguments) {
    const std::string_view trimmed = Trim(line);
    const std::string_view name = CardNameAt(trimmed, 0);
    if (name.empty() || arguments[0].empty()) return false;
    std::string_view value = arguments[0];
    for (const std::string_view argument : arguments) {
      if (argument.starts_with("default=")) value = argument.substr(8);
    }
    if (value.find('=') != value.npos) return false;
    Add(CardKind::kAssignment, name, value, begin);
    return true;
  }

  // option(NAME "doc" ON), set(NAME value …)
  bool CMake(const std::string& command, std::size_t open) {
    std::size_t close = open;
    char quote = 0;
    for (; close < text_view_.size() && close < open + kLongestCall; ++close) {
      const char c = text_view_[close];
      if (c == '"') quote = quote == 0 ? '"' : 0;
      if (c == ')' && quote == 0) break;
    }
    if (close >= text_view_.size() || text_view_[close] != ')') return false;
    std::vector<std::string_view> words;
    for (std::size_t at = open + 1; at < close;) {
      if (IsBlank(text_view_[at])) {
        ++at;
        continue;
      }
      std::size_t end = at + 1;
      if (text_view_[at] == '"') {
        end = std::min(text_view_.find('"', at + 1), close - 1) + 1;
      } else {
        while (end < close && !IsBlank(text_view_[end])) ++end;
      }
      words.push_back(text_view_.substr(at, end - at));
      at = end;
    }
    if (words.size() < 2) return false;
    if (command == "set" || command == "enable_option") {
      Add(command == "set" ? CardKind::kAssignment : CardKind::kOption, words[0], words[1], open);
    } else if (words.size() >= 3) {
      Add(CardKind::kOption, words[0], words[2], open);
    } else {
      Add(CardKind::kOption, words[0], "OFF", open);  // CMake's own default
    }
    return true;
  }

  // Also several on one line: f(a=1, b=2).
  void Assignment(std::string_view line, std::size_t begin) {
    bool found = false;
    for (std::size_t at = line.find('='); at != std::string_view::npos;
         at = line.find('=', at + 1)) {
      const char before = at > 0 ? line[at - 1] : '\0';
      const char after = at + 1 < line.size() ? line[at + 1] : '\0';
      if (after == '=') {
        ++at;
        continue;
      }
      if (std::string_view("!<>+-*/%&|^=:?").find(before) != std::string_view::npos &&
          before != '\0') {
        if (before != ':' && before != '?') continue;
      }
      const bool has_mark = before == ':' || before == '?';  // of make: X ?= 4
      std::string_view name = CardNameBefore(line, has_mark ? at - 1 : at);
      // "name: type = value"
      if (!has_mark) {
        if (const std::size_t colon = TypeColon(line, at); colon != std::string_view::npos) {
          if (const std::string_view typed = CardNameBefore(line, colon); !typed.empty())
            name = typed;
        }
      }
      if (name.empty()) continue;
      Add(CardKind::kAssignment, name, CardValueAt(text_view_, begin + at + 1), begin + at);
      found = true;
    }
    if (found) return;
    // int x{4};
    if (const std::size_t brace = line.find('{'); brace != std::string_view::npos) {
      const std::size_t close = line.find('}', brace);
      if (close != std::string_view::npos && line.find(';', close) != std::string_view::npos) {
        Add(CardKind::kAssignment, CardNameBefore(line, brace),
            line.substr(brace + 1, close - brace - 1), begin + brace);
      }
      return;
    }
    Entry(line, begin);
  }

  // Keys without a value, with their indentation: what the keys below belong to.
  void KeepParent(std::string_view line, std::size_t indent) {
    constexpr std::size_t kDeepest = 32;
    while (!parents_.empty() && parents_.back().indent >= indent) parents_.pop_back();
    const std::string_view trimmed = Trim(line);
    if (!trimmed.ends_with(':') || parents_.size() >= kDeepest) return;
    const std::string_view key = NameWithHyphens(trimmed);
    if (key.size() + 1 == trimmed.size()) parents_.push_back({.indent = indent, .key = key});
  }

  // key: value
  void Entry(std::string_view line, std::size_t begin) {
    const std::size_t indent = std::min(line.find_first_not_of(" \t"), line.size());
    KeepParent(line, indent);
    std::string_view trimmed = Trim(line);
    while (trimmed.starts_with("- ")) trimmed = Trim(trimmed.substr(2));
    const std::size_t colon = trimmed.find(": ");
    if (colon == std::string_view::npos || colon == 0) return;
    std::string_view key = trimmed.substr(0, colon);
    if (IsQuote(key[0]) && key.size() > 2) key = key.substr(1, key.size() - 2);
    const bool is_key = std::all_of(key.begin(), key.end(),
                                    [](char c) { return IsNameByte(c) || c == '-' || c == '.'; });
    if (!is_key) return;
    const std::string lower = LowerCase(key);
    const std::string_view value = Trim(CardValueAt(trimmed, colon + 2));
    if (lower == "name") named_ = {.at = begin, .name = value};
    // "cache:" and below it "enabled: false"; "depth:" and "default: 4"
    const bool is_switch = lower == "enabled" || lower == "enable" || lower == "default";
    if (is_switch && !parents_.empty() && IsPlain(value)) {
      Add(lower == "default" ? CardKind::kOption : CardKind::kEntry, parents_.back().key, value,
          begin);
      if (lower == "default") return;
    }
    // "name: DEPTH" and "value: 4"
    if ((lower == "value" || lower == "default") && !named_.name.empty() &&
        begin - named_.at < kLongestCall / 4) {
      std::string_view name = named_.name;
      if (IsQuote(name[0]) && name.size() > 2) name = name.substr(1, name.size() - 2);
      if (NameWithHyphens(name).size() == name.size()) Add(CardKind::kOption, name, value, begin);
      named_ = {};
      return;
    }
    if (lower == "default") return;
    // "model: torch.nn.Module," of a signature
    const bool is_type = trimmed.ends_with(',') && key.data() == trimmed.data() &&
                         value.find_first_of(".[") != std::string_view::npos && !IsPlain(value);
    if (!is_type) Add(CardKind::kEntry, key, value, begin);
  }

  // "`4` is the default", "`intervals` (default)", "The default `intervals` mode"
  bool ValueBefore(std::string_view line, const std::string& lower, std::size_t begin) {
    constexpr std::array<std::string_view, 5> kForms = {
        "` is the default", "` (default", "` (the default", "`` (default", "`` (the default"};
    for (const std::string_view form : kForms) {
      const std::size_t at = lower.find(form);
      if (at == std::string::npos || at == 0) continue;
      if (form.ends_with("(default") && at + form.size() < line.size() &&
          line[at + form.size()] != ')') {
        continue;
      }
      const std::size_t open = line.rfind('`', at - 1);
      if (open == std::string_view::npos) continue;
      const std::string_view value = line.substr(open + 1, at - open - 1);
      if (const std::size_t equals = value.find('='); equals != value.npos) {
        Add(CardKind::kDocumentation, value.substr(0, equals), value.substr(equals + 1),
            begin + open);
      } else {
        Add(CardKind::kDocumentation, NameInText(line, open, begin), value, begin + open);
      }
      return true;
    }
    return false;
  }

  // "`1` - enabled (default)"
  bool SignBefore(std::string_view line, const std::string& lower, std::size_t begin) {
    constexpr std::array<std::string_view, 6> kWords = {"enabled", "disabled", "on",
                                                        "off",     "true",     "false"};
    for (const std::string_view form : {" (default)", " (the default)", " by default"}) {
      const std::size_t at = lower.find(form);
      if (at == std::string::npos) continue;
      const std::string_view word = CardNameBefore(lower, at);
      if (std::find(kWords.begin(), kWords.end(), word) == kWords.end()) continue;
      const bool is_on = word == "enabled" || word == "on" || word == "true";
      Add(CardKind::kDocumentation, NameInText(line, at, begin), is_on ? "on" : "off", begin + at);
      return true;
    }
    return false;
  }

  // "(default: 4)", "defaults to 4", "default is 4", "default value of 4".
  void Documentation(std::string_view line, std::size_t begin) {
    const std::string lower = LowerCase(line);
    if (lower.find("default") == std::string::npos || ValueBefore(line, lower, begin)) return;
    if (SignBefore(line, lower, begin)) return;
    constexpr std::array<std::string_view, 7> kForms = {
        "default: ",       "default is ",       "defaults to ", "default value is ",
        "default value: ", "default value of ", "default "};
    for (const std::string_view form : kForms) {
      const std::size_t at = lower.find(form);
      if (at == std::string::npos) continue;
      std::size_t value = at + form.size();
      while (value < line.size() && (line[value] == ' ' || line[value] == '*')) ++value;
      std::size_t end = value;
      if (value < line.size() && line[value] == '`') {
        end = line.find_first_not_of('`', value);
        end = end == line.npos ? line.size() : std::min(line.find('`', end), line.size());
        value = std::min(line.find_first_not_of('`', value), line.size());
      } else {
        while (end < line.size() && (IsNameByte(line[end]) || line[end] == '.' ||
                                     line[end] == '-' || IsQuote(line[end]))) {
          ++end;
        }
        while (end > value && line[end - 1] == '.') --end;
      }
      const std::string_view raw = line.substr(value, end - value);
      const bool is_value = form != "default " || IsLiteral(raw);
      if (raw.empty() || !is_value) continue;
      Add(CardKind::kDocumentation, NameInText(line, at, begin), raw, begin + at);
      return;
    }
  }

  static bool IsLiteral(std::string_view raw) {
    const std::string lower = LowerCase(raw);
    return IsDigit(raw.empty() ? 'x' : raw[0]) || lower == "true" || lower == "false" ||
           lower == "on" || lower == "off";
  }

  // "depth (int): …", or a name that is not a word of a sentence: "numJobs (…".
  static bool IsParameter(std::string_view name, std::string_view rest) {
    const bool looks_like_name = name.find_first_of("_-") != std::string_view::npos ||
                                 std::any_of(name.begin() + 1, name.end(), IsUpper);
    return rest.starts_with(" (") && (looks_like_name || rest.find("):") != std::string_view::npos);
  }

  // "depth (`int`, *optional*, defaults to 4): …"
  static std::string_view ParameterOf(std::string_view part) {
    const std::string_view trimmed = Trim(part);
    const std::string_view name = CardNameAt(trimmed, 0);
    const bool has_type = trimmed.substr(name.size()).starts_with(" (`");
    return name.size() > 1 && has_type ? name : std::string_view();
  }

  // What the default is of: the first name of the line in code font, the flag,
  // or the name above.
  std::string_view NameInText(std::string_view line, std::size_t before, std::size_t begin) const {
    const std::string_view part = line.substr(0, before);
    if (const std::string_view name = ParameterOf(part); !name.empty()) return name;
    if (const std::size_t tick = part.find('`'); tick != std::string_view::npos) {
      const std::size_t from = std::min(part.find_first_not_of('`', tick), part.size());
      const std::size_t flag = std::min(part.find_first_not_of('-', from), part.size());
      const std::string_view name = CardNameAt(part, flag);
      // "``inf``, or ``-inf``. Default: False": the end of the description of a parameter.
      const bool is_before_end = part.substr(flag).find(". ") != std::string_view::npos;
      const std::string_view above =
          is_before_end ? ParameterAbove(line, begin) : std::string_view();
      if (name.size() > 1) return above.empty() ? name : above;
    }
    if (const std::size_t flag = part.find("--"); flag != std::string_view::npos) {
      std::size_t end = flag + 2;
      while (end < part.size() && (IsNameByte(part[end]) || part[end] == '-')) ++end;
      if (end > flag + 2) return part.substr(flag + 2, end - flag - 2);
    }
    const std::size_t first = part.find_first_not_of(" \t*#/-|");
    if (first != std::string_view::npos) {
      const std::string_view name = CardNameAt(part, first);
      const std::size_t end = first + name.size();
      const bool is_defined = name.size() > 1 && !name.ends_with('.') && end < part.size() &&
                              (part[end] == ':' || IsParameter(name, part.substr(end)) ||
                               part.substr(end).starts_with("**:"));
      if (is_defined) return name;
    }
    if (const std::string_view name = ParameterAbove(line, begin); !name.empty()) return name;
    if (const std::string_view name = NameOfEntry(begin); !name.empty()) return name;
    // A description goes on below its name; a comment after a gap is about what follows.
    const std::string_view trimmed = Trim(line);
    const bool is_comment = trimmed.starts_with("//") || trimmed.starts_with("# ");
    for (auto card = cards_.rbegin(); card != cards_.rend(); ++card) {
      if (begin - card->offset >= kLongestCall / 4) continue;
      const std::string_view between = text_view_.substr(card->offset, begin - card->offset);
      if (is_comment && between.find("\n\n") != std::string_view::npos) return {};
      return card->name;
    }
    return {};
  }

  // "capturable (bool, optional): …", "depth : int, optional" some lines above,
  // indented less than what describes it.
  std::string_view ParameterAbove(std::string_view line, std::size_t begin) const {
    constexpr int kMostLines = 6;
    const auto indent_of = [](std::string_view text) {
      return std::min(text.find_first_not_of(" \t"), text.size());
    };
    std::size_t end = begin;
    for (int lines = 0; lines < kMostLines && end > 0; ++lines) {
      const std::size_t from = end < 2 ? 0 : text_view_.rfind('\n', end - 2) + 1;
      const std::string_view whole = text_view_.substr(from, end - from);
      const std::string_view above = Trim(whole);
      const std::string_view name = CardNameAt(above, 0);
      const std::string_view rest = above.substr(name.size());
      end = from;
      if (name.size() < 2) continue;
      if (rest.starts_with(" : ") && indent_of(whole) < indent_of(line)) return name;
      // Not the last words of a sentence: "… disables split\ncompilation (default)."
      if (IsParameter(name, rest)) return name;
    }
    return {};
  }

  // ".. envvar:: DEPTH", "### DEPTH", "**DEPTH**" some lines above; a line
  // of its own.
  std::string_view NameOfEntry(std::size_t begin) const {
    constexpr int kMostLines = 12;
    std::size_t end = begin;
    for (int lines = 0; lines < kMostLines && end > 0; ++lines) {
      const std::size_t from = end < 2 ? 0 : text_view_.rfind('\n', end - 2) + 1;
      std::string_view above = Trim(text_view_.substr(from, end - from));
      end = from;
      const std::size_t directive = above.find(":: ");
      const bool is_directive = above.starts_with(".. ") && directive != std::string_view::npos;
      if (is_directive) above = Trim(above.substr(directive + 3));
      while (!above.empty() && !IsNameByte(above[0])) above.remove_prefix(1);
      const std::string_view name = NameWithHyphens(above);
      const std::string_view rest = above.substr(name.size());
      const bool is_alone = rest.find_first_not_of("`*:= ") == std::string_view::npos;
      const bool is_name = name.find('_') != std::string_view::npos;
      if (name.size() > 2 && is_alone && (is_directive || is_name)) return name;
    }
    return {};
  }

  std::string_view text_view_;
  std::string_view around_view_;  // of the card that is read: its line or call
  std::size_t default_column_ = 0;
  struct Parent {
    std::size_t indent = 0;
    std::string_view key;
  };
  std::vector<Parent> parents_;  // of the line that is read, the outermost first
  struct Named {
    std::size_t at = 0;
    std::string_view name;
  };
  Named named_;  // by the last "name: …"
  std::vector<Card> cards_;
};

}  // namespace

std::vector<Card> ReadCards(std::string_view text) {
  return ReadCards(text, ReadDefinitions(text));
}

std::vector<Card> ReadCards(std::string_view text, const std::vector<Definition>& definitions) {
  std::vector<Card> cards = CardReader(text).Take();
  std::vector<Card*> by_offset;
  by_offset.reserve(cards.size());
  for (Card& card : cards) by_offset.push_back(&card);
  std::stable_sort(by_offset.begin(), by_offset.end(),
                   [](const Card* a, const Card* b) { return a->offset < b->offset; });
  std::vector<const Definition*> open;
  std::size_t next = 0;
  for (Card* card : by_offset) {
    for (; next < definitions.size() && definitions[next].begin <= card->offset; ++next) {
      while (!open.empty() && open.back()->end <= definitions[next].begin) open.pop_back();
      open.push_back(&definitions[next]);
    }
    while (!open.empty() && open.back()->end <= card->offset) open.pop_back();
    if (!open.empty()) card->owner = open.back()->name;
  }
  return cards;
}

}  // namespace sibyl::cards
