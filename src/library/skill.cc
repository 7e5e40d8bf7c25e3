// SPDX-License-Identifier: Apache-2.0
#include "library/skill.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/numbers.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "library/blocks.h"
#include "library/front_matter.h"
#include "library/page_text.h"
#include "plan/starter.h"

namespace sibyl::library {
namespace {

constexpr std::size_t kMostTopics = 40;
constexpr std::size_t kLongestName = 64;
constexpr std::size_t kLongestDescription = 1024;
constexpr std::size_t kLongestCompatibility = 500;
constexpr std::size_t kMostBodyLines = 500;
// 5,000 tokens of about four bytes.
constexpr std::size_t kMostBodyBytes = 20'000;
constexpr std::array<std::string_view, 6> kFields = {
    "name", "description", "license", "compatibility", "metadata", "allowed-tools"};

// What older versions wrote for every oracle.
constexpr std::string_view kFirstDescription =
    "Knowledge with receipts. Every statement cites a pinned line of source. Use it for questions "
    "that its topics cover.";
constexpr std::string_view kMadeStart = "Cited knowledge on these subjects: ";
constexpr std::string_view kMadeEnd =
    ". Every statement cites a pinned line of source. Use it for questions about them.";

constexpr std::string_view kUse = R"(
**How to use it**

1. Open the INDEX.md of a topic: it lists the files and what each one answers.
2. Read the file. Each footnote cites exact lines of a pinned source.
3. *Not found* at the end of a file lists what no source supports. It is not known here; do not answer it from memory.
4. With the `sibyl` program: `sibyl ask` answers with citations, `sibyl search` searches the sources, `sibyl verify` checks the citations.
)";

class Checks {
 public:
  void Say(std::string_view code, std::string message, std::string hint, std::size_t line) {
    findings_.push_back({.severity = Severity::kWarning,
                         .code = fmt::format("skill/{}", code),
                         .message = std::move(message),
                         .hint = std::move(hint),
                         .place = {.file = std::string(kSkillFile), .line = line}});
  }
  std::vector<Finding> Take() { return std::move(findings_); }

 private:
  std::vector<Finding> findings_;
};

bool IsSkillName(std::string_view name) {
  return !name.empty() && name.size() <= kLongestName && name.front() != '-' &&
         name.back() != '-' && name.find("--") == std::string_view::npos &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

std::size_t Characters(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); at += DecodeUtf8(text.substr(at)).bytes) ++count;
  return count;
}

void CheckFields(const FrontMatter& front, std::string_view folder, Checks& checks) {
  const auto field = [&](const std::string& name) -> std::string_view {
    const FrontMatterField* found = front.Find(name);
    return found == nullptr ? std::string_view() : found->value;
  };
  const auto line = [&](const std::string& name) -> std::size_t {
    const FrontMatterField* found = front.Find(name);
    return found == nullptr ? 1 : found->line;
  };
  const std::string_view name = field("name");
  if (!IsSkillName(name)) {
    checks.Say("name", fmt::format("'{}' is not a valid skill name", PlainLine(name, 80)),
               "use 1 to 64 of a-z, 0-9 and single hyphens", line("name"));
  } else if (name != folder) {
    checks.Say("name", fmt::format("SKILL.md says '{}'; its folder is named '{}'", name, folder),
               "give both the same name, or agents may refuse to load it", line("name"));
  }
  const std::string_view description = field("description");
  if (description.empty() || Characters(description) > kLongestDescription) {
    checks.Say("description",
               description.empty() ? "missing description" : "the description is too long",
               "use 1 to 1024 characters: what it covers and when to use it", line("description"));
  }
  const FrontMatterField* raw = front.Find("description");
  if (raw != nullptr && raw->is_plain && Contains(description, ": ")) {
    checks.Say("description", "a description that contains ': ' must be quoted in YAML",
               "put the description in double quotes", line("description"));
  }
  if (Characters(field("compatibility")) > kLongestCompatibility) {
    checks.Say("compatibility", "the compatibility is longer than 500 characters", "shorten it",
               line("compatibility"));
  }
  for (const auto& [key, value] : front.fields) {
    if (std::find(kFields.begin(), kFields.end(), key) != kFields.end()) continue;
    checks.Say("field",
               fmt::format("'{}' is not a field of the Agent Skills format", PlainLine(key, 60)),
               "put it under metadata:", line(key));
  }
}

}  // namespace

std::string SkillBlock(const std::vector<Topic>& topics) {
  if (topics.empty()) return "No topics yet.\n";
  std::string block =
      "| topic | files | lines | citations | what it covers |\n"
      "| --- | ---: | ---: | ---: | --- |\n";
  std::size_t shown = 0;
  for (const Topic& topic : topics) {
    if (shown++ == kMostTopics) break;
    const std::string target = topic.has_index ? topic.folder + "/INDEX.md" : topic.folder + "/";
    block += fmt::format("| [{}]({}) | {} | {} | {} | {} |\n", PlainLine(topic.folder, 80),
                         LinkFrom("", target), Grouped(topic.files), Grouped(topic.lines),
                         Grouped(topic.citations), PlainLine(Join(topic.titles, "; "), 160));
  }
  if (topics.size() > kMostTopics) {
    block +=
        fmt::format("\nAnd {} in other folders.\n", Count(topics.size() - kMostTopics, "topic"));
  }
  return block + std::string(kUse);
}

std::string SkillName(std::string_view folder) {
  std::string name;
  for (const char c : plan::SlugOf(folder)) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (is_plain) name += c;
    if (!is_plain && !name.empty() && name.back() != '-') name += '-';
  }
  name = name.substr(0, kLongestName);
  while (name.ends_with('-')) name.pop_back();
  return name.empty() ? "oracle" : name;
}

std::string SkillDescription(const std::vector<Topic>& topics) {
  constexpr std::size_t kMostTitles = 760;
  std::vector<std::string> titles;
  for (const Topic& topic : topics) {
    titles.insert(titles.end(), topic.titles.begin(), topic.titles.end());
  }
  std::string subjects = PlainLine(Join(titles, "; "), kMostTitles);
  // Of the text in double quotes of YAML.
  for (char& c : subjects) c = c == '"' || c == '\\' ? '\'' : c;
  return fmt::format("{}{}{}", kMadeStart, subjects, kMadeEnd);
}

std::string StarterSkill(std::string_view name, std::string_view block,
                         std::string_view description) {
  return fmt::format("---\nname: {0}\ndescription: \"{2}\"\n---\n\n# {0}\n\n{1}", name,
                     MakeBlock(kSkillBlock, block), description);
}

std::string WithDescription(std::string_view text, std::string_view description) {
  const FrontMatter front = ReadFrontMatter(text);
  const FrontMatterField* field = front.is_whole ? front.Find("description") : nullptr;
  if (field == nullptr) return std::string(text);
  const std::string_view value = field->value;
  const bool is_ours =
      value == kFirstDescription || (value.starts_with(kMadeStart) && value.ends_with(kMadeEnd));
  std::size_t begin = 0;
  for (std::size_t line = 1; line < field->line; ++line) begin = text.find('\n', begin) + 1;
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  const std::string_view line = text.substr(begin, end - begin);
  // All of it on one line, as sibyl writes it.
  if (!is_ours || !Contains(line, value)) return std::string(text);
  return fmt::format("{}description: \"{}\"{}", text.substr(0, begin), description,
                     text.substr(end));
}

std::vector<Finding> CheckSkill(std::string_view text, std::string_view folder) {
  Checks checks;
  const FrontMatter front = ReadFrontMatter(text);
  if (!front.is_whole) {
    checks.Say("front-matter", "missing front matter", "start with ---, name, description, ---", 1);
    return checks.Take();
  }
  CheckFields(front, folder, checks);
  std::size_t bytes = 0;
  for (const std::string_view line : front.body) bytes += line.size() + 1;
  if (front.body.size() >= kMostBodyLines || bytes > kMostBodyBytes) {
    checks.Say("body", fmt::format("the body has {} lines and {} bytes", front.body.size(), bytes),
               "agents load all of it: keep it under 500 lines and 20,000 bytes", 1);
  }
  return checks.Take();
}

}  // namespace sibyl::library
