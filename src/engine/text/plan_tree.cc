// SPDX-License-Identifier: Apache-2.0
#include "engine/text/plan_tree.h"

#include <fmt/format.h>

#include "engine/text/columns.h"
#include "engine/text/json_field.h"

namespace sibyl::engine {
namespace {

/// One line of the tree: an indent, a mark such as "- ", and wrapped text.
std::string Branch(std::size_t indent, std::string_view mark, std::string_view text,
                   const RenderOptions& options) {
  const std::size_t hang = indent + mark.size();
  return fmt::format(
      "{}{}{}\n", std::string(indent, ' '), mark,
      Wrap(text, {.columns = options.columns(), .first_indent = hang, .indent = hang}));
}

std::string_view Box(const Json& done) {
  if (done.is_null()) return "- ";
  return done == true ? "[x] " : "[ ] ";
}

std::string BudgetOf(const Json& thing) {
  return thing["line_budget"].is_number()
             ? fmt::format(" (~{} lines)", thing["line_budget"].get<std::size_t>())
             : std::string();
}

std::string Steps(const Json& steps, const RenderOptions& options) {
  std::string text;
  for (const Json& step : steps) {
    const std::string title = TextOf(step["title"]);
    text += Branch(2, "",
                   step["number"].is_number()
                       ? fmt::format("step {}: {}", step["number"].get<int>(), title)
                       : title,
                   options);
    for (const Json& item : step["items"]) {
      text += Branch(4, Box(item["done"]), TextOf(item["text"]), options);
      for (const Json& detail : item["details"]) text += Branch(8, "- ", TextOf(detail), options);
    }
  }
  return text;
}

std::string Sections(const Json& sections, const RenderOptions& options) {
  std::string text;
  if (!sections.empty()) text += "  sections\n";
  for (const Json& section : sections) {
    const std::string mark = section["number"].is_number()
                                 ? fmt::format("{}. ", section["number"].get<int>())
                                 : std::string("- ");
    text += Branch(4, mark, TextOf(section["title"]) + BudgetOf(section), options);
    for (const Json& point : section["points"]) text += Branch(7, "- ", TextOf(point), options);
    if (section["cite"].is_string()) {
      text += Branch(7, "cite: ", TextOf(section["cite"]), options);
    }
  }
  return text;
}

std::string Strings(std::string_view title, const Json& values, const RenderOptions& options) {
  if (values.empty()) return {};
  std::string text = fmt::format("  {}\n", title);
  for (const Json& value : values) text += Branch(4, "- ", TextOf(value), options);
  return text;
}

std::string Reads(const Json& reads, const RenderOptions& options) {
  std::string text;
  if (!reads.empty()) text += "  reads\n";
  for (const Json& read : reads) {
    std::string what = TextOf(read["path"]);
    if (read["from"].is_number()) what += fmt::format(" lines {}", read["from"].get<std::size_t>());
    if (read["to"].is_number()) what += fmt::format("-{}", read["to"].get<std::size_t>());
    text += Branch(4, "- ", what, options);
  }
  return text;
}

}  // namespace

std::string RenderPartTree(const Json& part, const RenderOptions& options) {
  std::string number = std::to_string(part["number"].get<int>());
  if (part["through"].is_number()) number += fmt::format("-{}", part["through"].get<int>());
  std::string status = part["status"];
  if (part["completed"].is_string()) status += " " + TextOf(part["completed"]);
  std::string text = Styled(Wrap(fmt::format("PART {}: {}", number, TextOf(part["title"])),
                                 {.columns = options.columns(), .indent = 2}),
                            Style::kBold, options.terminal);
  text += '\n';
  text +=
      Branch(2, "", fmt::format("{}, line {}", status, part["line"].get<std::size_t>()), options);
  if (part["goal"].is_string()) text += Branch(2, "goal: ", TextOf(part["goal"]), options);
  for (const Json& target : part["targets"]) {
    text += Branch(2, "writes: ", TextOf(target) + BudgetOf(part), options);
  }
  text += Steps(part["steps"], options);
  text += Strings("queries", part["queries"], options);
  text += Strings("pages", part["urls"], options);
  text += Strings("repositories", part["repositories"], options);
  text += Reads(part["reads"], options);
  text += Sections(part["sections"], options);
  if (part["drop"].is_string()) text += Branch(2, "drop: ", TextOf(part["drop"]), options);
  return text;
}

std::string RenderCriteria(const Json& criteria, const RenderOptions& options) {
  if (criteria.empty()) return {};
  std::string text = '\n' + Styled("Completion criteria", Style::kBold, options.terminal) + '\n';
  for (const Json& item : criteria) {
    text += Branch(2, Box(item["done"]), TextOf(item["text"]), options);
  }
  return text;
}

}  // namespace sibyl::engine
