// SPDX-License-Identifier: Apache-2.0
#include "draft/point/point.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "draft/extract/terms.h"

namespace sibyl::draft {
namespace {

// "Simple matrix multiplication" of "Example: Simple matrix multiplication".
std::string_view WithoutLabel(std::string_view text) {
  const std::size_t colon = text.find(": ");
  const bool is_label =
      colon != std::string_view::npos && text.substr(0, colon).find(' ') == std::string_view::npos;
  return is_label && !IsUpper(text[std::min<std::size_t>(1, colon)]) ? Trim(text.substr(colon + 1))
                                                                     : text;
}

// "CMAKE_FIND_DEBUG_MODE" of "CMAKE_FIND_DEBUG_MODE=ON": a value says how it is used.
std::string WithoutValues(std::string_view text) {
  std::string plain(text);
  for (std::size_t at = plain.find('='); at != std::string::npos; at = plain.find('=', at)) {
    const bool is_value = at > 0 && (IsUpper(plain[at - 1]) || plain[at - 1] == '_') &&
                          at + 1 < plain.size() && IsAlphanumeric(plain[at + 1]);
    const std::size_t end = std::min(plain.find_first_of(" ,)", at), plain.size());
    if (is_value) plain.erase(at, end - at);
    if (!is_value) at = end;
  }
  return plain;
}

// "install EXPORT" of "install(EXPORT)": the argument says which of its forms is meant.
std::string WithArguments(std::string text) {
  const std::size_t open = text.find('(');
  const std::size_t close = text.find(')', open);
  if (open == std::string::npos || close == std::string::npos || open == 0) return text;
  const std::string_view inside = std::string_view(text).substr(open + 1, close - open - 1);
  const bool is_keyword = inside.size() > 1 && std::all_of(inside.begin(), inside.end(), IsUpper);
  if (!IsAlphanumeric(text[open - 1]) || !is_keyword) return text;
  text[open] = ' ';
  text[close] = ' ';
  return text;
}

std::string_view InBrackets(std::string_view text) {
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  return text.substr(open + 1, close - open - 1);
}

// "usage", "example": what is written shows it.
bool AsksForCode(std::string_view lower) {
  constexpr std::array<std::string_view, 12> kWords = {
      "example", "examples", "pattern", "patterns",   "usage",       "code",
      "loop",    "snippet",  "kernel",  "invocation", "invocations", "implementation"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return FindWholeWord(lower, word).has_value(); });
}

// "USE_CUDA", "cpp_extension"; not "FP32".
bool IsCodeName(std::string_view name) {
  return name.starts_with('-') || name.find_first_of("_.:") != std::string_view::npos;
}

// An option is described where it is used.
bool IsNameOfThing(const std::string& name) { return !name.starts_with('-'); }

bool IsPartOfName(const PlanPoint& point, const QuestionWord& word) {
  return std::any_of(
      point.subject.names.begin(), point.subject.names.end(),
      [&](const std::string& name) { return FindWholeWord(name, word.written).has_value(); });
}

bool IsContent(const QuestionWord& word) { return !word.is_frame && !word.is_everyday; }

Question ReadWords(std::string_view text) {
  Question question = ReadQuestion(text, Asker::kPlan);
  for (QuestionWord& word : question.words) {
    const bool is_plan_word = !word.is_name && IsPlanWord(LowerCase(word.written));
    word.is_everyday = word.is_everyday || is_plan_word;
  }
  return question;
}

void KeepContent(Question& question) {
  std::erase_if(question.words, [](const QuestionWord& word) { return !IsContent(word); });
}

// What the sources are called says which of them are meant, not what is asked for.
void LeaveOutSources(const evidence::Lock& lock, Question& topic) {
  const auto is_source = [&](const QuestionWord& word) {
    return std::any_of(lock.pins.begin(), lock.pins.end(), [&](const evidence::Pin& pin) {
      return EqualsIgnoringCase(pin.name, word.written) ||
             EqualsIgnoringCase(pin.name.substr(0, pin.name.find('-')), word.written);
    });
  };
  if (std::all_of(topic.words.begin(), topic.words.end(), is_source)) return;
  std::erase_if(topic.words, is_source);
  // "CUDA" and "GPU" are names, but do not tell what a page is about.
  for (QuestionWord& word : topic.words) word.is_name = false;
}

void Append(const Question& from, bool as_everyday, Question& to) {
  for (QuestionWord word : from.words) {
    const bool is_known = std::any_of(
        to.words.begin(), to.words.end(),
        [&](const QuestionWord& other) { return EqualsIgnoringCase(other.written, word.written); });
    if (is_known) continue;
    if (as_everyday && !word.is_frame) word.is_everyday = true;
    if (as_everyday) word.is_name = false;
    to.words.push_back(std::move(word));
  }
}

// "cuda" of "cuda-samples"; "transformerengine" of "Transformer Engine".
bool Names(std::string_view lower, std::string_view joined, const std::string& pin) {
  constexpr std::size_t kLongName = 8;
  const std::string name = LowerCase(pin);
  const std::string first = name.substr(0, name.find('-'));
  return FindWholeWord(lower, name).has_value() || FindWholeWord(lower, first).has_value() ||
         (name.size() >= kLongName && Contains(joined, name));
}

// "FusedAdam" below "apex optimizers", on a page about more than apex.
std::set<std::string> ForeignToSection(std::string_view text, std::string_view section,
                                       const evidence::Lock& lock) {
  const std::string lower = LowerCase(fmt::format("{}\n{}", text, section));
  std::string joined = lower;
  std::erase(joined, ' ');
  std::set<std::string> foreign;
  for (const evidence::Pin& pin : lock.pins) {
    const std::string name = LowerCase(pin.name);
    const bool is_named = FindWholeWord(lower, name) || Contains(joined, name);
    if (pin.pages.empty() && !is_named) foreign.insert(pin.name);
  }
  if (foreign.size() == lock.pins.size()) foreign.clear();
  return foreign;
}

std::set<std::string> ForeignSources(std::string_view text, const PointPlace& place,
                                     std::string_view title, const evidence::Lock& lock) {
  std::string lower = LowerCase(
      fmt::format("{}\n{}\n{}\n{}", text, place.section.title, place.section.cite, title));
  for (const plan::Text& repository : place.part.repositories) {
    lower += "\n" + LowerCase(repository.text);
  }
  std::string joined = lower;
  std::erase(joined, ' ');
  std::set<std::string> foreign;
  for (const evidence::Pin& pin : lock.pins) {
    // Pages of the web were searched for the plan.
    if (pin.pages.empty() && !Names(lower, joined, pin.name)) foreign.insert(pin.name);
  }
  if (foreign.size() == lock.pins.size()) foreign.clear();
  foreign.merge(ForeignToSection(text, place.section.title, lock));
  return foreign;
}

}  // namespace

PlanPoint ReadPlanPoint(std::string_view text, const PointPlace& place, std::string_view title,
                        const evidence::Lock& lock) {
  const std::string plain = WithArguments(WithoutValues(PlainPoint(text)));
  const std::string_view whole = WithoutLabel(plain);
  const std::string_view head = WithoutBrackets(whole);
  const std::string section = PlainPoint(place.section.title);
  PlanPoint point{.question = ReadWords(head), .context = section + " " + std::string(title)};
  point.question.want = ReadQuestion(whole, Asker::kPlan).want;
  const Question details = ReadWords(InBrackets(whole));
  point.subject.names = SymbolsIn(head);
  point.listed = point.question.names;
  point.listed.insert(point.listed.end(), details.names.begin(), details.names.end());
  std::erase_if(point.listed, [](const std::string& name) { return !IsCodeName(name); });
  Question topic = ReadWords(section);
  Append(ReadWords(title), false, topic);
  KeepContent(topic);
  LeaveOutSources(lock, topic);
  point.subject.needs_home =
      std::any_of(point.subject.names.begin(), point.subject.names.end(), &IsNameOfThing);
  point.subject.allows_code = point.question.want == Want::kHow || AsksForCode(LowerCase(plain));

  point.subject.core = point.question;
  KeepContent(point.subject.core);
  // "CUDA" is a name, but does not tell what a point is about.
  for (QuestionWord& word : point.subject.core.words) word.is_name = IsPartOfName(point, word);
  point.subject.needs_definition =
      StartsWithIgnoringCase(whole, "what is ") || StartsWithIgnoringCase(whole, "what are ");
  Append(details, true, point.question);
  point.subject.details = details;
  KeepContent(point.subject.details);
  point.asked = ReadQuestion(std::string(whole) + " " + std::string(title));
  point.subject.topic = std::move(topic);
  point.subject.foreign = ForeignSources(whole, place, title, lock);
  return point;
}

PlanPoint PointOfSide(const PlanPoint& point, std::size_t side) {
  PlanPoint one = point;
  one.question = ReadWords(point.question.sides[side]);
  one.question.want = Want::kMeaning;
  one.subject.core = one.question;
  KeepContent(one.subject.core);
  one.subject.names = SymbolsIn(point.question.sides[side]);
  one.subject.needs_home = false;
  one.subject.needs_definition = true;
  one.subject.allows_code = false;
  one.listed.clear();
  return one;
}

}  // namespace sibyl::draft
