// SPDX-License-Identifier: Apache-2.0
#include "engine/own/own_context.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::engine {
namespace {

using WordList = std::span<const std::string_view>;

constexpr std::array<std::string_view, 22> kForeignFolders = {
    "vendor",   "vendored",  "third_party", "third-party",  "thirdparty",   "3rdparty",
    "external", "extern",    "deps",        "node_modules", "submodules",   "test",
    "tests",    "testdata",  "test-data",   "fixtures",     "__fixtures__", "spec",
    "corpus",   "templates", "template",    "snapshots"};

constexpr std::array<std::string_view, 40> kDatedNames = {
    "changelog",  "changes",   "history",    "news",       "release",   "releases",  "migration",
    "migrations", "migrating", "upgrading",  "upgrade",    "roadmap",   "todo",      "todos",
    "backlog",    "plan",      "plans",      "planning",   "proposal",  "proposals", "rfc",
    "rfcs",       "adr",       "adrs",       "decision",   "decisions", "archive",   "archived",
    "archives",   "old",       "legacy",     "deprecated", "obsolete",  "draft",     "drafts",
    "report",     "reports",   "postmortem", "retro",      "handoff"};

constexpr std::array<std::string_view, 40> kMoreDatedNames = {
    "issues",        "tickets",  "tasks",       "task",        "progress",    "status",
    "session",       "sessions", "journal",     "log",         "logs",        "audit",
    "audits",        "review",   "reviews",     "research",    "brainstorms", "ideas",
    "notes",         "summary",  "analysis",    "design",      "designs",     "epics",
    "prompts",       "sprint",   "milestones",  "specs",       "prd",         "checklist",
    "cemetery",      "upstream", "competitive", "postmortems", "fix",         "fixes",
    "investigation", "delivery", "cause",       "completed"};

// In headings: the section is not about what there is.
constexpr std::array<std::string_view, 46> kHeadingWords = {
    "removed",      "removal",        "deprecated", "deprecation",  "renamed",   "history",
    "changelog",    "changes",        "change",     "migration",    "migrating", "upgrading",
    "planned",      "plan",           "plans",      "roadmap",      "future",    "todo",
    "proposal",     "proposed",       "example",    "examples",     "ideas",     "not",
    "old",          "legacy",         "before",     "previously",   "missing",   "gaps",
    "upcoming",     "implementation", "phase",      "step",         "steps",     "tasks",
    "deliverables", "next",           "milestone",  "alternatives", "rejected",  "deleted",
    "obsolete",     "considered",     "open",       "fixed"};

// In the sentence, its paragraph or its row.
constexpr std::array<std::string_view, 78> kLineWords = {
    "removed",    "remove",   "removes",  "deleted",    "delete",    "deletes",    "dropped",
    "renamed",    "rename",   "formerly", "previously", "former",    "old",        "legacy",
    "deprecated", "obsolete", "replaced", "replaces",   "replace",   "superseded", "was",
    "were",       "used",     "longer",   "moved",      "migrated",  "split",      "merged",
    "plan",       "planned",  "plans",    "will",       "future",    "todo",       "would",
    "could",      "might",    "may",      "proposed",   "proposal",  "propose",    "create",
    "creates",    "created",  "add",      "adds",       "added",     "new",        "write",
    "writes",     "written",  "generate", "generated",  "generates", "output",     "outputs",
    "example",    "examples", "e.g",      "eg",         "instead",   "missing",    "not",
    "no",         "never",    "without",  "doesn't",    "don't",     "if",         "optional",
    "like",       "suppose",  "imagine",  "your",       "upstream",  "save",       "saved",
    "call"};

bool HasOne(WordList words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Calls `visit` with each word in lower case, until it returns true.
template <typename Visit>
bool AnyWord(std::string_view text, const Visit& visit) {
  const std::string lower = LowerCase(text);
  std::size_t at = 0;
  const auto is_in_word = [](char c) { return IsLower(c) || c == '\''; };
  while (at < lower.size()) {
    if (!is_in_word(lower[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < lower.size() && is_in_word(lower[end])) ++end;
    if (visit(std::string_view(lower).substr(at, end - at))) return true;
    at = end;
  }
  return false;
}

// Parts of a path in lower case, without the ending of the last.
bool AnyPart(std::string_view path, WordList words) {
  return AnyWord(path, [&](std::string_view word) { return HasOne(words, word); });
}

// "2024-05-17-review.md", "20240517.md"
bool HasWrittenDate(std::string_view path) {
  std::size_t digits = 0;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool goes_on = IsDigit(path[i]) || (digits >= 4 && (path[i] == '-' || path[i] == '_'));
    digits = goes_on ? digits + (IsDigit(path[i]) ? 1 : 0) : 0;
    if (digits == 8) return true;
  }
  return false;
}

}  // namespace

std::string_view ForeignDocument(std::string_view path) {
  // The name of a file counts without its ending.
  const std::string lower = LowerCase(path.substr(0, path.rfind('.'))) + "/";
  for (std::string_view rest = lower; rest.find('/') != rest.npos;) {
    const std::size_t slash = rest.find('/');
    if (HasOne(kForeignFolders, rest.substr(0, slash))) {
      return "the document is test data, a template, or another project's";
    }
    rest.remove_prefix(slash + 1);
  }
  return {};
}

std::string_view DatedDocument(std::string_view path) {
  if (HasWrittenDate(path) || AnyPart(path, kDatedNames) || AnyPart(path, kMoreDatedNames)) {
    return "the document is about the past, or about what is planned";
  }
  return {};
}

OwnContext::OwnContext(std::string_view path, const statement::Statements& statements)
    : document_(DatedDocument(path)) {
  for (const statement::SectionHeading& heading : statements.headings) {
    const bool says =
        AnyWord(heading.text, [](std::string_view w) { return HasOne(kHeadingWords, w); });
    std::string_view excuse = says ? "the section is about the past, a plan or an example" : "";
    if (excuse.empty() && heading.level > 0 && heading.parent < headings_.size()) {
      excuse = headings_[heading.parent];
    }
    headings_.push_back(excuse);
  }
  std::map<std::uint32_t, bool> groups;
  for (const statement::Statement& statement : statements.all) {
    const bool says = statement.IsProse() && AnyWord(statement.text, [](std::string_view w) {
                        return HasOne(kLineWords, w);
                      });
    groups[statement.group] = groups[statement.group] || says;
  }
  lines_.resize(statements.line_starts.size() + 2);
  is_code_.resize(lines_.size());
  for (const statement::Statement& statement : statements.all) {
    // A block is introduced by the text right before it.
    const bool is_code = statement.kind == statement::StatementKind::kCode;
    const bool says =
        groups[statement.group] || (is_code && statement.group > 0 && groups[statement.group - 1]);
    for (std::size_t line = statement.span.first_line;
         line <= statement.span.last_line && line < lines_.size(); ++line) {
      is_code_[line] = is_code;
      if (!headings_[statement.heading].empty()) lines_[line] = headings_[statement.heading];
      if (says) lines_[line] = "the sentence may be about the past, a plan or an example";
    }
  }
}

std::string_view OwnContext::Excuse(std::size_t line) const {
  if (!document_.empty()) return document_;
  return line < lines_.size() ? lines_[line] : std::string_view();
}

bool IsPlaceholder(std::string_view text) {
  if (text.find_first_of("<>{}*$[]|%@…") != text.npos || Contains(text, "...")) return true;
  constexpr std::array<std::string_view, 24> kWords = {
      "foo",   "bar",      "baz",  "qux",  "xxx",   "yyy",       "example", "examples",
      "my",    "your",     "some", "name", "other", "another",   "sample",  "to",
      "dummy", "whatever", "abc",  "nnn",  "nnnn",  "something", "x",       "xyz"};
  return AnyWord(text, [&](std::string_view word) {
    return HasOne(kWords, word) || word.starts_with("your") || word.starts_with("foo");
  });
}

}  // namespace sibyl::engine
