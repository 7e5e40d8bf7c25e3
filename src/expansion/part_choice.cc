// SPDX-License-Identifier: Apache-2.0
#include "expansion/part_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/files/root.h"
#include "base/line_excerpt.h"
#include "base/strings.h"
#include "plan/oracle_files.h"

namespace sibyl::expansion {
namespace {

class Choice {
 public:
  Choice(const plan::Plan& plan, const ChoiceOptions& options)
      : plan_(plan), options_(options), line_views_(SplitLines(options.plan_text_view)) {}

  PartChoices Choose() {
    for (std::size_t i = 0; i < plan_.parts.size(); ++i) {
      ChosenPart part{.place = i, .existing = options_.existing};
      part.state = StateOf(plan_.parts[i]);
      choices_.parts.push_back(part);
    }
    for (const int number : options_.numbers) FindNumber(number);
    return std::move(choices_);
  }

 private:
  PartState StateOf(const plan::Part& part) {
    const auto& numbers = options_.numbers;
    const bool is_named = std::find(numbers.begin(), numbers.end(), part.number) != numbers.end();
    if (!numbers.empty() && !is_named) return PartState::kNotAsked;
    if (part.status == plan::PartStatus::kDisabled) return PartState::kDisabled;
    if (part.status == plan::PartStatus::kTbd) return PartState::kTbd;
    if (part.target.empty()) {
      Refuse(part, "expand/no-target", "names no file to create",
             "add 'Create topic/NN-name.md' to it");
      return PartState::kRefused;
    }
    const bool replaces = options_.existing == library::ExistingFile::kReplace;
    const Result<Root> oracle = Root::Open(options_.oracle);
    const bool has_file = oracle.ok() && oracle->Exists(part.target);
    // Redone only if requested by number.
    if (part.status == plan::PartStatus::kDone && has_file && !(replaces && is_named)) {
      return PartState::kDone;
    }
    return IsFree(part) ? PartState::kRuns : PartState::kRefused;
  }

  // In the oracle, and among the parts that run with it.
  bool IsFree(const plan::Part& part) {
    const Status target = library::CheckTarget(options_.oracle, part.target, options_.existing);
    if (!target.ok()) {
      Refuse(part, "expand/target", target.error().message, target.error().hint);
      return false;
    }
    std::string key = part.target;
    if (const auto numbered = plan::ReadNumberedPath(part.target)) {
      key = fmt::format("{}{}", numbered->folder, numbered->number);
    }
    const auto [taken, is_new] = targets_.emplace(std::move(key), part.number);
    if (is_new) return true;
    Refuse(
        part, "expand/target",
        fmt::format("{}: PART {} also writes a file with that number", part.target, taken->second),
        "give one of them another number");
    return false;
  }

  void FindNumber(int number) {
    const bool is_there =
        std::any_of(plan_.parts.begin(), plan_.parts.end(),
                    [&](const plan::Part& part) { return part.number == number; });
    if (is_there) return;
    choices_.findings.push_back({.severity = Severity::kError,
                                 .code = "expand/no-part",
                                 .message = fmt::format("the plan has no PART {}", number),
                                 .hint = "'sibyl plan show' lists its parts",
                                 .place = {.file = options_.plan_name}});
  }

  void Refuse(const plan::Part& part, std::string_view code, std::string_view why,
              std::string hint) {
    Place place{.file = options_.plan_name, .line = part.line};
    if (part.line > 0 && part.line <= line_views_.size()) {
      place.text = LineExcerpt(line_views_[part.line - 1], 0);
    }
    choices_.findings.push_back({.severity = Severity::kError,
                                 .code = std::string(code),
                                 .message = fmt::format("PART {}: {}", part.number, why),
                                 .hint = std::move(hint),
                                 .place = std::move(place)});
  }

  const plan::Plan& plan_;
  const ChoiceOptions& options_;
  std::vector<std::string_view> line_views_;  // of the plan's text
  std::map<std::string, int> targets_;
  PartChoices choices_;
};

}  // namespace

std::string_view PartStateName(PartState state) {
  switch (state) {
    case PartState::kRuns:
      return "runs";
    case PartState::kDone:
      return "done";
    case PartState::kDisabled:
      return "disabled";
    case PartState::kTbd:
      return "tbd";
    case PartState::kNotAsked:
      return "not-asked";
    case PartState::kRefused:
      return "refused";
  }
  return "refused";
}

std::size_t PartChoices::running() const {
  return static_cast<std::size_t>(
      std::count_if(parts.begin(), parts.end(),
                    [](const ChosenPart& part) { return part.state == PartState::kRuns; }));
}

PartChoices ChooseParts(const plan::Plan& plan, const ChoiceOptions& options) {
  return Choice(plan, options).Choose();
}

}  // namespace sibyl::expansion
