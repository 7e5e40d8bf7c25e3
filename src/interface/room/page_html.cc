// SPDX-License-Identifier: Apache-2.0
// A page of the oracle: its text, the table of contents, its sources.
#include "interface/room/page_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/ascii.h"
#include "base/markdown/heading_anchor.h"
#include "interface/room/frame.h"
#include "interface/room/json_text.h"
#include "interface/room/receipt_html.h"
#include "interface/room/text/markdown_html.h"

namespace sibyl::interface {
namespace {

// Why a statement does not hold: the first check that failed or is not decided.
std::string NoteOf(const Json& statement) {
  const std::string_view verdict = JsonText(statement, "verdict");
  if (verdict == "supported") return {};
  // That nothing could be compared is what a check calls undecidable.
  const std::string_view of_check = verdict.starts_with("unchecked") ? "undecidable" : verdict;
  for (const Json& check : JsonList(statement, "checks")) {
    if (JsonText(check, "verdict") == of_check) {
      return fmt::format("{}: {}", VerdictWord(verdict), JsonText(check, "message"));
    }
  }
  return {};
}

// Where the lines of a stale statement are now: of several receipts, the one that lost most.
std::string WhereaboutsOf(const Json& answer, const Json& statement) {
  const std::map<std::string_view, int> ranks = {{"unchanged", 1},
                                                 {"moved within the file", 2},
                                                 {"moved to another file", 3},
                                                 {"ambiguous", 4},
                                                 {"gone", 5}};
  std::string worst;
  int most = 0;
  const Json& labels = JsonList(statement, "citations");
  for (const Json& receipt : JsonList(answer, "receipts")) {
    const std::string_view now = JsonText(JsonObject(receipt, "now"), "whereabouts");
    const auto rank = ranks.find(now);
    const bool is_cited =
        std::find(labels.begin(), labels.end(), Json(JsonText(receipt, "label"))) != labels.end();
    if (!is_cited || rank == ranks.end() || rank->second <= most) continue;
    most = rank->second;
    worst = now;
  }
  return worst;
}

std::vector<MarkedStatement> MarkedOf(const Json& answer) {
  std::vector<MarkedStatement> marked;
  for (const Json& statement : JsonList(answer, "statements")) {
    MarkedStatement one{.id = JsonNumber(statement, "id"),
                        .begin = JsonNumber(statement, "begin"),
                        .end = JsonNumber(statement, "end"),
                        .verdict = std::string(JsonText(statement, "verdict")),
                        .note = NoteOf(statement)};
    if (one.verdict == "stale") {
      one.whereabouts = WhereaboutsOf(answer, statement);
      if (!one.whereabouts.empty()) one.note += ", its lines: " + one.whereabouts;
    }
    for (const Json& label : JsonList(statement, "citations")) {
      if (label.is_string()) one.labels.push_back(label.get<std::string>());
    }
    marked.push_back(std::move(one));
  }
  return marked;
}

Html Contents(const TableOfContents& contents) {
  Html html;
  // Closed on small screens; the script opens it on others.
  html.Markup(
      "<nav class=\"toc\" aria-label=\"Contents\"><details><summary>Contents</summary><ol>");
  for (const TableOfContents::Entry& entry : contents.entries) {
    if (entry.level < 2 || entry.level > 3) continue;
    html.Open("li", {{"class", entry.level == 3 ? "sub" : ""}});
    html.Element("a", {{"href", "#" + entry.anchor}}, entry.text).Close("li");
  }
  html.Markup("</ol></details></nav>\n");
  return html;
}

void AddCount(std::uint64_t count, std::string_view what, std::string_view kind, Html& html) {
  if (count == 0) return;
  html.Open("span", {{"class", "pill " + std::string(kind)}});
  html.Number(count).Text(" ").Text(what).Close("span");
}

// How many statements hold, and how many do not.
Html Summary(const Json& answer) {
  if (JsonFlag(answer, "unchecked")) {
    Html html;
    html.Markup(
        "<p class=\"sum\" data-unchecked><span class=\"pill zero\">… its statements are being "
        "checked</span><noscript>Reload the page to see which hold. </noscript>");
    html.Element("span", {{"class", "path"}}, JsonText(answer, "file")).Markup("</p>\n");
    return html;
  }
  const Json& marks = JsonObject(answer, "marks");
  const std::uint64_t holds = JsonNumber(marks, "holds");
  Html html;
  html.Markup("<p class=\"sum\">");
  AddCount(holds, holds == 1 ? "statement holds ✓" : "statements hold ✓", "ok", html);
  AddCount(JsonNumber(marks, "undecided"), "not decided ?", "open", html);
  AddCount(JsonNumber(marks, "unchecked"), "not checked here ○", "away", html);
  AddCount(JsonNumber(marks, "stale"), "stale ↻", "old", html);
  const std::uint64_t fails = JsonNumber(marks, "fails");
  AddCount(fails, fails == 1 ? "fails ✗" : "fail ✗", "bad", html);
  const std::uint64_t code = JsonNumber(marks, "unchecked_code");
  AddCount(code, code == 1 ? "block of code not checked ◊" : "blocks of code not checked ◊", "zero",
           html);
  html.Element("span", {{"class", "path"}}, JsonText(answer, "file")).Markup("</p>\n");
  return html;
}

Html SourceList(const RoomStyle& style, const Json& answer, bool has_heading) {
  Html html;
  const Json& receipts = JsonList(answer, "receipts");
  if (receipts.empty()) return html;
  if (!has_heading) html.Markup("<h2 id=\"sources\">Sources</h2>");
  html.Markup("<ol class=\"sources\">");
  std::size_t number = 0;
  for (const Json& receipt : receipts) {
    html.Open("li", {{"id", "r" + std::to_string(++number)}, {"value", std::to_string(number)}});
    html.Add(ReceiptTitle(style, receipt)).Markup("</li>\n");
  }
  html.Markup("</ol>\n");
  return html;
}

struct NumberedReceipt {
  const Json* receipt = nullptr;
  std::size_t number = 0;  // as the marks show it
};
using ReceiptsByLabel = std::map<std::string_view, NumberedReceipt>;

ReceiptsByLabel ByLabel(const Json& answer) {
  ReceiptsByLabel by_label;
  for (const Json& receipt : JsonList(answer, "receipts")) {
    by_label.try_emplace(JsonText(receipt, "label"),
                         NumberedReceipt{.receipt = &receipt, .number = by_label.size() + 1});
  }
  return by_label;
}

Json AnswerOf(const Json& answer, const Json& statement, const ReceiptsByLabel& by_label) {
  Json one = {{"file", JsonText(answer, "file")},
              {"title", JsonText(answer, "title")},
              {"statements", Json::array({statement})},
              {"receipts", Json::array()}};
  for (const Json& label : JsonList(statement, "citations")) {
    if (!label.is_string()) continue;
    const auto found = by_label.find(label.get_ref<const std::string&>());
    if (found == by_label.end()) continue;
    one["receipts"].push_back(*found->second.receipt);
    one["receipts"].back()["number"] = found->second.number;
  }
  return one;
}

// Each statement's receipts as a template: nothing is fetched in a site.
void AddTemplates(const RoomStyle& style, const Json& answer, Html& html) {
  for (const Json& one : AnswersByStatement(answer)) {
    const std::uint64_t id = JsonNumber(one["statements"].front(), "id");
    html.Open("template", {{"id", "t" + std::to_string(id)}});
    html.Add(ReceiptPart(style, one, 0)).Close("template").Markup("\n");
  }
}

// Messages begin with a small letter and have no full stop.
std::string AsSentence(std::string_view message) {
  std::string sentence(message);
  if (sentence.empty()) return sentence;
  // Not "PATH", and not "x is not a number".
  const bool is_word = sentence.size() > 1 && IsLower(sentence[0]) && IsLower(sentence[1]);
  if (is_word) sentence.front() = static_cast<char>(sentence.front() - 'a' + 'A');
  if (!sentence.ends_with('.') && !sentence.ends_with('?')) sentence += '.';
  return sentence;
}

}  // namespace

std::vector<Json> AnswersByStatement(const Json& answer) {
  const ReceiptsByLabel by_label = ByLabel(answer);
  std::vector<Json> answers;
  for (const Json& statement : JsonList(answer, "statements")) {
    answers.push_back(AnswerOf(answer, statement, by_label));
  }
  return answers;
}

std::optional<Json> AnswerOfStatement(const Json& answer, std::size_t statement) {
  for (const Json& one : JsonList(answer, "statements")) {
    if (JsonNumber(one, "id") == statement) return AnswerOf(answer, one, ByLabel(answer));
  }
  return std::nullopt;
}

Result<std::string> KnowledgePage(const RoomStyle& style, const Json& answer, Receipts receipts) {
  MarkdownView view{.links = style.links,
                    .page = std::string(JsonText(answer, "file")),
                    .statements = MarkedOf(answer),
                    .has_page = style.has_page,
                    .is_unchecked = JsonFlag(answer, "unchecked")};
  for (const Json& note : JsonList(answer, "notes")) view.notes.emplace(JsonText(note, "label"));
  for (const Json& receipt : JsonList(answer, "receipts")) {
    view.numbers.try_emplace(std::string(JsonText(receipt, "label")), view.numbers.size() + 1);
  }
  const RenderedMarkdown text = SIBYL_TRY(RenderMarkdown(JsonText(answer, "text"), view));
  const auto& entries = text.contents.entries;
  std::string title(JsonText(answer, "title"));
  for (const TableOfContents::Entry& entry : entries) {
    if (title.empty() && entry.level == 1) title = WithoutNumber(entry.text);
  }
  const bool has_sources =
      std::any_of(entries.begin(), entries.end(),
                  [](const TableOfContents::Entry& entry) { return entry.text == "Sources"; });
  Html html;
  html.Markup("<div class=\"reading\">");
  if (entries.size() > 2) html.Add(Contents(text.contents));
  html.Open("article", {{"class", "text"}, {"data-page", view.page}});
  html.Add(Summary(answer)).Add(text.html).Add(SourceList(style, answer, has_sources));
  html.Markup(
      "</article>\n<aside id=\"receipt\" aria-label=\"Receipt\" tabindex=\"-1\" hidden></aside>");
  if (receipts == Receipts::kIncluded) AddTemplates(style, answer, html);
  html.Markup("</div>\n");
  return FramedPage({.links = style.links,
                     .title = title.empty() ? view.page : title,
                     .oracle = style.oracle,
                     .kind = "page"},
                    html);
}

Html ErrorPart(const Error& error) {
  Html html;
  html.Markup("<p class=\"bad unknown\">✗ ").Text(error.message);
  if (!error.hint.empty()) html.Text("; ").Text(error.hint);
  html.Markup("</p>\n");
  return html;
}

std::string ErrorPage(const RoomStyle& style, int status, const Error& error) {
  constexpr int kNotFound = 404;
  const std::string_view title = status == kNotFound ? "Not found" : "That did not work";
  Html html;
  html.Markup("<div class=\"plain\">").Element("h1", {}, title);
  html.Element("p", {}, AsSentence(error.message));
  if (!error.hint.empty()) html.Element("p", {{"class", "dim"}}, AsSentence(error.hint));
  html.Markup("<p>").Element("a", {{"href", style.links.Home()}}, "All pages");
  html.Text(" · ").Element("a", {{"href", style.links.Search()}}, "Search").Markup("</p></div>\n");
  return FramedPage(
      {.links = style.links, .title = std::string(title), .oracle = style.oracle, .kind = "error"},
      html);
}

}  // namespace sibyl::interface
