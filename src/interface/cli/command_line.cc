// SPDX-License-Identifier: Apache-2.0
#include "interface/cli/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/nearest_name.h"
#include "interface/reports/reports.h"

namespace sibyl::interface {
namespace {

using engine::Arguments;
using engine::GivenValue;
using engine::Operation;
using engine::Parameter;
using engine::ParameterKind;
using engine::ValueType;

bool IsOption(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

/// The words before "--": words after it are never options.
std::span<const std::string_view> BeforeDashes(std::span<const std::string_view> words) {
  const auto end = std::ranges::find(words, "--");
  return words.first(static_cast<std::size_t>(end - words.begin()));
}

Error Usage(std::string message, std::string hint = {}) {
  return {.kind = ErrorKind::kUsage, .message = std::move(message), .hint = std::move(hint)};
}

class Parser {
 public:
  explicit Parser(std::span<const std::string_view> words) : words_(words) {}

  Result<CommandLine> Run() {
    while (at_ < words_.size()) {
      const std::string_view word = words_[at_++];
      if (only_values_ || !IsOption(word)) {
        SIBYL_TRY(TakeWord(word));
      } else if (word == "--") {
        only_values_ = true;
      } else if (word.starts_with("--")) {
        SIBYL_TRY(TakeLong(word.substr(2)));
      } else {
        SIBYL_TRY(TakeShort(word.substr(1)));
      }
    }
    if (command_ == nullptr) return Usage("missing operation", "'sibyl -h' lists them");
    auto globals = Arguments::Make(GlobalOptions(), std::move(globals_));
    if (!globals.ok()) return std::move(globals).error();
    for (const ReportFormat& format : ReportFormats()) {
      if (!globals->Has(format.name) || command_->reports_findings) continue;
      return Usage(fmt::format("'{}' has no {} output", command_->name, format.title));
    }
    auto arguments = Arguments::Make(*command_, std::move(values_));
    if (!arguments.ok()) {
      Error error = std::move(arguments).error();
      if (error.hint.empty()) error.hint = HintForOptions();
      return error;
    }
    SIBYL_TRY(CheckFormats(*globals, *arguments));
    return CommandLine{
        .command = command_, .arguments = *std::move(arguments), .globals = *std::move(globals)};
  }

 private:
  Status CheckFormats(const Arguments& globals, const Arguments& arguments) const {
    std::vector<std::string_view> formats;
    const auto collect = [&formats](const Operation& operation, const Arguments& given) {
      for (const Parameter& parameter : operation.parameters) {
        if (parameter.is_format && given.Has(parameter.name)) formats.push_back(parameter.name);
      }
    };
    collect(GlobalOptions(), globals);
    collect(*command_, arguments);
    if (formats.size() < 2) return {};
    return Usage(fmt::format("--{} and --{} cannot be combined", formats[0], formats[1]),
                 "run the operation once for each format");
  }

  Status TakeWord(std::string_view word) {
    if (command_ != nullptr) return TakePositional(word);
    const bool has_second = at_ < words_.size() && !IsOption(words_[at_]);
    const std::string_view second = has_second ? words_[at_] : std::string_view();
    if (has_second) {
      command_ = FindCommand(fmt::format("{} {}", word, second));
      if (command_ != nullptr) {
        ++at_;
        return {};
      }
    }
    command_ = FindCommand(word);
    if (command_ == nullptr) return UnknownOperation(word, second);
    return {};
  }

  Status TakePositional(std::string_view word) {
    const auto& parameters = command_->parameters;
    std::size_t place = 0;
    std::string quote;
    for (const Parameter& parameter : parameters) {
      if (parameter.kind != ParameterKind::kPositional) continue;
      if (place == positionals_ || parameter.repeated) {
        ++positionals_;
        values_.push_back({std::string(parameter.name), std::string(word)});
        return {};
      }
      if (parameter.takes_words) {
        const auto given = std::ranges::find(values_, parameter.name, &GivenValue::name);
        given->value += ' ';
        given->value += word;
        return {};
      }
      ++place;
      if (parameter.type == ValueType::kText) {
        quote = fmt::format("put {} in quotes when it has several words; ", parameter.value_name);
      }
    }
    return Usage(fmt::format("unexpected argument '{}'", word),
                 fmt::format("{}see 'sibyl help {}'", quote, command_->name));
  }

  Status TakeLong(std::string_view word) {
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const Parameter* parameter = FindOption([name](const Parameter& p) { return p.name == name; });
    if (parameter == nullptr) {
      // "ask what does --use_fast_math do"; a slip of the pen is still told.
      const bool is_word = TakesWords() && !NearestOption(name);
      return is_word ? TakePositional(words_[at_ - 1]) : Status(UnknownOption(name));
    }
    if (parameter->kind == ParameterKind::kFlag) {
      if (equals != std::string_view::npos) {
        return Usage(fmt::format("--{} takes no value", name));
      }
      return Give(*parameter, {});
    }
    if (equals != std::string_view::npos) return Give(*parameter, word.substr(equals + 1));
    return TakeNextAsValue(*parameter, fmt::format("--{}", name));
  }

  /// "-v", "-vq", "-oFILE", "-o FILE".
  Status TakeShort(std::string_view cluster) {
    for (std::size_t i = 0; i < cluster.size(); ++i) {
      const char letter = cluster[i];
      const Parameter* parameter =
          FindOption([letter](const Parameter& p) { return p.short_name == letter; });
      if (parameter == nullptr) {
        // "ask what does -gencode do"
        if (i == 0 && cluster.size() > 1 && TakesWords()) return TakePositional(words_[at_ - 1]);
        return Usage(fmt::format("unknown option '-{}'", letter), HintForOptions());
      }
      if (parameter->kind == ParameterKind::kFlag) {
        SIBYL_TRY(Give(*parameter, {}));
        continue;
      }
      const std::string_view rest = cluster.substr(i + 1);
      if (!rest.empty()) return Give(*parameter, rest);
      return TakeNextAsValue(*parameter, fmt::format("-{}", letter));
    }
    return {};
  }

  Status TakeNextAsValue(const Parameter& parameter, std::string_view as_typed) {
    if (at_ >= words_.size()) {
      return Usage(fmt::format("{} needs a value: {}", as_typed, parameter.value_name),
                   HintForOptions());
    }
    return Give(parameter, words_[at_++]);
  }

  /// The last one counts, so that an alias's options can be overridden.
  Status Give(const Parameter& parameter, std::string_view value) {
    const bool global = IsGlobal(parameter);
    std::vector<GivenValue>& values = global ? globals_ : values_;
    if (!parameter.repeated) {
      std::erase_if(values, [&](const GivenValue& given) { return given.name == parameter.name; });
    }
    values.push_back({std::string(parameter.name), std::string(value)});
    return {};
  }

  static bool IsGlobal(const Parameter& parameter) {
    const auto& globals = GlobalOptions().parameters;
    return &parameter >= globals.data() && &parameter < globals.data() + globals.size();
  }

  template <typename Matches>
  const Parameter* FindOption(const Matches& matches) const {
    for (const Operation* operation : OperationsInReach()) {
      for (const Parameter& parameter : operation->parameters) {
        if (parameter.kind != ParameterKind::kPositional && matches(parameter)) return &parameter;
      }
    }
    return nullptr;
  }

  std::vector<const Operation*> OperationsInReach() const {
    std::vector<const Operation*> reach;
    if (command_ != nullptr) reach.push_back(command_);
    reach.push_back(&GlobalOptions());
    return reach;
  }

  // Whether a question, or the like, has begun.
  bool TakesWords() const {
    return command_ != nullptr && positionals_ > 0 &&
           std::ranges::any_of(command_->parameters, &Parameter::takes_words);
  }

  std::optional<std::string> NearestOption(std::string_view name) const {
    std::vector<std::string> names;
    for (const Operation* operation : OperationsInReach()) {
      for (const Parameter& parameter : operation->parameters) {
        if (parameter.kind != ParameterKind::kPositional) names.emplace_back(parameter.name);
      }
    }
    return NearestName(name, names);
  }

  Error UnknownOption(std::string_view name) const {
    const auto nearest = NearestOption(name);
    return Usage(fmt::format("unknown option '--{}'{}", name,
                             nearest ? fmt::format("; did you mean '--{}'?", *nearest) : ""),
                 HintForOptions());
  }

  std::string HintForOptions() const {
    if (command_ == nullptr) {
      return "'sibyl -h' lists the operations; their options come after their name";
    }
    return fmt::format("see 'sibyl help {}'", command_->name);
  }

  std::span<const std::string_view> words_;
  std::size_t at_ = 0;
  std::size_t positionals_ = 0;
  bool only_values_ = false;
  const engine::Operation* command_ = nullptr;
  std::vector<GivenValue> values_;
  std::vector<GivenValue> globals_;
};

/// `help` with the words that named an operation, and nothing else.
Result<CommandLine> AskForHelp(std::span<const std::string_view> words) {
  std::vector<GivenValue> topic;
  std::vector<GivenValue> globals;
  for (std::size_t i = 0; i < words.size() && topic.size() < 2; ++i) {
    if (words[i] == "-C" || words[i] == "--oracle") {
      ++i;  // its value is not an operation
    } else if (words[i] == "--json") {
      globals.push_back({"json", ""});
    } else if (!IsOption(words[i]) && words[i] != "help") {
      topic.push_back({"operation", std::string(words[i])});
    }
  }
  // "plan show x.md -h" and "version -h": only as many words as name something.
  if (topic.size() == 2 && FindCommand(topic[0].value + " " + topic[1].value) == nullptr &&
      (FindCommand(topic[0].value) != nullptr || !CommandsIn(topic[0].value).empty())) {
    topic.pop_back();
  }
  const engine::Operation* help = FindCommand("help");
  Arguments arguments = SIBYL_TRY(Arguments::Make(*help, std::move(topic)));
  Arguments general = SIBYL_TRY(Arguments::Make(GlobalOptions(), std::move(globals)));
  return CommandLine{
      .command = help, .arguments = std::move(arguments), .globals = std::move(general)};
}

}  // namespace

Result<CommandLine> ParseCommandLine(std::span<const std::string_view> words) {
  const auto options = BeforeDashes(words);
  const auto asks = [options](std::string_view word) {
    return std::ranges::find(options, word) != options.end();
  };
  if (asks("-h") || asks("--help")) return AskForHelp(options);
  if (asks("--version") || asks("-V")) {
    const std::vector<std::string_view> version =
        asks("--json") ? std::vector<std::string_view>{"version", "--json"}
                       : std::vector<std::string_view>{"version"};
    return Parser(version).Run();
  }
  return Parser(words).Run();
}

bool WantsJson(std::span<const std::string_view> words) {
  const auto options = BeforeDashes(words);
  return std::ranges::find(options, "--json") != options.end();
}

}  // namespace sibyl::interface
