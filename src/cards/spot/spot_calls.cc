// SPDX-License-Identifier: Apache-2.0
// Calls that define an option, an environment variable or a metric, and names
// with a special form, found by a few rare words of the text.
#include <algorithm>
#include <array>
#include <cstring>

#include "base/ascii.h"
#include "base/work.h"
#include "cards/card_text.h"
#include "cards/fold.h"
#include "cards/spot/spot_sink.h"

namespace sibyl::cards {
namespace {

constexpr std::size_t kMostOfOneName = 3;  // of a file: a name is often looked up again

bool IsEnvironmentName(std::string_view name) {
  return name.size() > 2 && name.size() < 80 && std::all_of(name.begin(), name.end(), [](char c) {
           return IsUpper(c) || IsDigit(c) || c == '_';
         });
}

// In quotes; without them. Empty if it is something else.
std::string_view Quoted(std::string_view argument) {
  if (argument.size() < 3 || !IsQuote(argument[0]) || argument.back() != argument[0]) return {};
  return argument.substr(1, argument.size() - 2);
}

class CallSpotter {
 public:
  CallSpotter(std::string_view language, SpotSink& sink)
      : language_(language), sink_(sink), text_(sink.text()) {}

  void Run() {
    const bool is_prose = language_ == "markdown" || language_ == "rst" || language_ == "text";
    if (!is_prose) {
      Each("getenv", [this](std::size_t at) { Environment(at); });
      Each("_env(", [this](std::size_t at) { Environment(at); });
    }
    if (language_ == "python") {
      Each("environ", [this](std::size_t at) { Environment(at); });
      Each("add_argument(", [this](std::size_t at) { Option(at); });
      Each(".option(", [this](std::size_t at) { Option(at); });
      if (text_.find("prometheus") != text_.npos) {  // collections.Counter is something else
        for (const std::string_view metric : {"Gauge(", "Counter(", "Histogram("}) {
          Each(metric, [this](std::size_t at) { Metric(at); });
        }
      }
    }
    if (language_ == "go") {
      Each("Getenv", [this](std::size_t at) { Environment(at); });
      Each("Flag{", [this](std::size_t at) { GoFlag(at); });
    }
    if (language_ == "shell") {
      Each(":-", [this](std::size_t at) { Fallback(at); });
    }
    const bool is_c = language_ == "c" || language_ == "c++" || language_ == "cuda";
    if (is_c) {
      Each("_argument", [this](std::size_t at) { LongOption(at); });
      Each("CmdLine", [this](std::size_t at) { ReadOption(at); });
    }
    if (is_c || is_prose) {
      Each(".aligned.", [this](std::size_t at) { Instruction(at); });
    }
    if (is_prose || language_ == "shell") {  // in Python, ".sum" is in every file
      for (const std::string_view part : {".avg", ".sum"}) {
        Each(part, [this](std::size_t at) { CounterName(at); });
      }
    }
  }

 private:
  template <typename Take>
  void Each(std::string_view word, const Take& take) {
    constexpr std::size_t kMost = 2000;
    std::size_t count = 0;
    for (std::size_t at = 0; at < text_.size() && count < kMost; ++count) {
      const void* found = memmem(text_.data() + at, text_.size() - at, word.data(), word.size());
      if (found == nullptr) return;
      at = static_cast<std::size_t>(static_cast<const char*>(found) - text_.data());
      take(at);
      at += word.size();
    }
  }

  void AddFew(CardKind kind, std::string_view name, std::string_view value, SpotSink::Lines unit) {
    std::size_t& count = CountOf(name);
    if (++count <= kMostOfOneName) sink_.Add(kind, name, value, unit);
  }

  std::size_t& CountOf(std::string_view name) {
    // Few names; the last ones are enough.
    constexpr std::size_t kKept = 16;
    for (auto& [known, count] : recent_) {
      if (known == name) return count;
    }
    if (recent_.size() >= kKept) recent_.erase(recent_.begin());
    return recent_.emplace_back(name, 0).second;
  }

  SpotSink::Lines LinesOf(std::size_t begin, std::size_t end) const {
    const std::size_t first = sink_.lines().LineAt(begin);
    return {first, sink_.lines().LineAtFrom(first, end)};
  }

  // After the word: os.environ.get("X", "4"), os.environ["X"], getenv("X")
  void Environment(std::size_t at) {
    constexpr std::size_t kReach = 40;
    const std::size_t open =
        text_.substr(0, std::min(text_.size(), at + kReach)).find_first_of("([\n;", at);
    if (open == text_.npos || text_[open] == '\n' || text_[open] == ';') return;
    std::size_t quote = open + 1;
    while (quote < text_.size() && IsBlank(text_[quote])) ++quote;
    if (quote >= text_.size() || !IsQuote(text_[quote])) return;
    const std::size_t close =
        text_.substr(0, std::min(text_.size(), quote + 100)).find(text_[quote], quote + 1);
    if (close == text_.npos) return;
    const std::string_view name = text_.substr(quote + 1, close - quote - 1);
    if (!IsEnvironmentName(name)) return;
    std::string_view value;
    if (text_[open] == '(') {
      const std::vector<std::string_view> arguments = CallArguments(text_, open);
      if (arguments.size() > 1) value = arguments[1];
    } else if (IsAssignedTo(close + 1)) {
      return;
    }
    AddFew(CardKind::kEnvironment, name, value, LinesOf(at, close));
  }

  // os.environ["X"] = …
  bool IsAssignedTo(std::size_t at) const {
    while (at < text_.size() && (text_[at] == ']' || text_[at] == ' ')) ++at;
    return at + 1 < text_.size() && text_[at] == '=' && text_[at + 1] != '=';
  }

  // add_argument("-d", "--depth", default=4, help="…")
  void Option(std::size_t at) {
    const std::size_t open = text_.find('(', at);
    const std::vector<std::string_view> arguments = CallArguments(text_, open);
    std::string_view name;
    std::string_view value;
    for (const std::string_view argument : arguments) {
      if (const std::string_view quoted = Quoted(argument); !quoted.empty()) {
        const bool is_better =
            name.empty() || (quoted.starts_with("--") && !name.starts_with("--"));
        if (is_better && quoted.find(' ') == quoted.npos) name = quoted;
      } else if (argument.starts_with("default")) {
        const std::size_t equals = argument.find('=');
        if (equals != argument.npos) value = Trim(argument.substr(equals + 1));
      }
    }
    if (name.empty()) return;
    const std::size_t end = sink_.OffsetOf(arguments.back()) + arguments.back().size();
    sink_.Add(CardKind::kOption, name, value, LinesOf(at, std::min(end, text_.size() - 1)));
  }

  // Gauge(name="vllm:requests", documentation="…"), Counter("requests", "…")
  void Metric(std::size_t at) {
    const std::size_t open = text_.find('(', at);
    const std::vector<std::string_view> arguments = CallArguments(text_, open);
    if (arguments.size() < 2) return;
    std::string_view name = arguments[0];
    if (name.starts_with("name=")) name = name.substr(5);
    name = Quoted(name);
    const bool has_form = name.find_first_of("_:") != name.npos && name.find(' ') == name.npos;
    if (!has_form) return;
    const std::size_t end = sink_.OffsetOf(arguments.back()) + arguments.back().size();
    sink_.Add(CardKind::kMetric, name, {}, LinesOf(at, std::min(end, text_.size() - 1)));
  }

  // &cli.StringFlag{Name: "depth", Value: 4, Usage: "…"}
  void GoFlag(std::size_t at) {
    const std::size_t close = text_.find('}', at);
    if (close == text_.npos || close - at > kLongestCall) return;
    const std::string_view body = text_.substr(at, close - at);
    const auto field = [&](std::string_view key) -> std::string_view {
      const std::size_t from = body.find(key);
      if (from == body.npos) return {};
      const std::string_view rest = Trim(body.substr(from + key.size()));
      const std::size_t end = std::min(rest.find_first_of(",\n"), rest.size());
      return Trim(rest.substr(0, end));
    };
    const std::string_view name = Quoted(field("Name:"));
    if (!name.empty()) sink_.Add(CardKind::kOption, name, field("Value:"), LinesOf(at, close));
  }

  // {"depth", required_argument, 0, 'd'} of getopt_long
  void LongOption(std::size_t at) {
    constexpr std::size_t kReach = 80;
    if (text_.substr(at).starts_with("_argument(")) return ReadOption(at);
    const std::size_t from = at > kReach ? at - kReach : 0;
    const std::string_view before = text_.substr(from, at - from);
    const std::size_t open = before.rfind("{\"");
    if (open == before.npos || before.find('}', open) != before.npos) return;
    const std::size_t close = before.find('"', open + 2);
    if (close == before.npos) return;
    const std::string_view name = before.substr(open + 2, close - open - 2);
    const bool is_name = name.size() > 1 && name.find_first_of(" \n%") == name.npos;
    if (is_name) sink_.Add(CardKind::kOption, name, {}, LinesOf(from + open, at));
  }

  // cmd.get_cmd_line_argument("depth", depth, 4), checkCmdLineFlag(argc, argv, "depth")
  void ReadOption(std::size_t at) {
    constexpr std::size_t kReach = 60;
    const std::size_t open = text_.substr(0, std::min(text_.size(), at + kReach)).find('(', at);
    if (open == text_.npos) return;
    const std::vector<std::string_view> arguments = CallArguments(text_, open);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string_view name = Quoted(arguments[i]);
      if (name.empty()) continue;
      const bool is_name = name.find_first_of(" %=") == name.npos;
      const bool has_value = i + 2 < arguments.size();  // after the variable that it sets
      if (is_name) {
        AddFew(CardKind::kOption, name, has_value ? arguments[i + 2] : std::string_view(),
               LinesOf(at, open));
      }
      return;
    }
  }

  // ${DEPTH:-4}
  void Fallback(std::size_t at) {
    std::size_t begin = at;
    while (begin > 0 && IsNameByte(text_[begin - 1])) --begin;
    if (begin < 2 || text_.substr(begin - 2, 2) != "${") return;
    const std::string_view name = text_.substr(begin, at - begin);
    const std::size_t close = text_.find_first_of("}\n", at);
    if (!IsEnvironmentName(name) || close == text_.npos || text_[close] != '}') return;
    AddFew(CardKind::kEnvironment, name, text_.substr(at + 2, close - at - 2), LinesOf(at, at));
  }

  static bool IsInstructionByte(char c) {
    return IsLower(c) || IsDigit(c) || c == '.' || c == '_' || c == ':';
  }

  // mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
  void Instruction(std::size_t at) {
    std::size_t begin = at;
    while (begin > 0 && at - begin < kMaxCardNameBytes && IsInstructionByte(text_[begin - 1]))
      --begin;
    std::size_t end = at;
    while (end < text_.size() && end - at < kMaxCardNameBytes && IsInstructionByte(text_[end]))
      ++end;
    while (end > begin && (text_[end - 1] == '.' || text_[end - 1] == ':')) --end;
    const std::string_view name = text_.substr(begin, end - begin);
    if (name.empty() || !IsLower(name[0]) || UpToShape(name).empty()) return;
    AddFew(CardKind::kInstruction, name, {}, LinesOf(begin, end));
  }

  // sm__throughput.avg.pct_of_peak_sustained_elapsed
  void CounterName(std::size_t at) {
    constexpr std::size_t kLongest = 100;
    std::size_t begin = at;
    while (begin > 0 && at - begin < kLongest && (IsNameByte(text_[begin - 1]))) --begin;
    std::size_t end = at;
    while (end < text_.size() && end - at < kLongest && IsInstructionByte(text_[end])) ++end;
    while (end > begin && !IsNameByte(text_[end - 1])) --end;
    const std::string_view name = text_.substr(begin, end - begin);
    const std::size_t unit = text_.substr(begin, at - begin).find("__");
    if (unit == text_.npos || unit == 0 || !IsLower(name[0])) return;
    AddFew(CardKind::kMetric, name, {}, LinesOf(begin, end));
  }

  std::string_view language_;
  SpotSink& sink_;
  std::string_view text_;
  std::vector<std::pair<std::string_view, std::size_t>> recent_;
};

}  // namespace

void SpotCalls(std::string_view language, SpotSink& sink) { CallSpotter(language, sink).Run(); }

}  // namespace sibyl::cards
