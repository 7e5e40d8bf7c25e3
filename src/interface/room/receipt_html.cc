// SPDX-License-Identifier: Apache-2.0
#include "interface/room/receipt_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/whole_word.h"
#include "interface/room/frame.h"
#include "interface/room/json_text.h"
#include "interface/room/text/highlight.h"
#include "interface/room/text/markdown_html.h"

namespace sibyl::interface {
namespace {

std::string LinesText(const Json& place) {
  const std::uint64_t first = JsonNumber(place, "first_line");
  const std::uint64_t last = JsonNumber(place, "last_line");
  if (first == 0) return {};
  return first == last ? fmt::format(":{}", first) : fmt::format(":{}-{}", first, last);
}

std::string_view StateClass(std::string_view state) {
  if (state == "holds") return "ok";
  if (state == "missing") return "away";
  return state == "stale" ? "old" : "bad";
}

std::string NameOf(const Json& receipt) {
  const std::string_view kind = JsonText(receipt, "kind");
  if (kind == "source") {
    const std::string_view source = JsonText(receipt, "source");
    return fmt::format("{}{}{}", source.empty() ? "" : fmt::format("{} ", source),
                       JsonText(receipt, "path"), LinesText(receipt));
  }
  if (kind == "page") return std::string(JsonText(receipt, "link"));
  if (kind == "fact") {
    const std::string_view path = JsonText(JsonObject(receipt, "artifact"), "path");
    if (!path.empty()) {
      return fmt::format("{}: {} {}", path.substr(path.rfind('/') + 1),
                         JsonText(receipt, "inspector"), JsonText(receipt, "key"));
    }
    return fmt::format("{} {} of {}", JsonText(receipt, "inspector"), JsonText(receipt, "key"),
                       JsonText(receipt, "sha256").substr(0, 12));
  }
  if (kind == "lab") {
    return fmt::format("lab run {}, {}", JsonText(receipt, "run"), JsonText(receipt, "metric"));
  }
  return std::string(JsonText(receipt, "label"));
}

// What was cited, of all receipts; not the lines that are shown around it.
std::string CitedText(const Json& receipts) {
  std::string text;
  for (const Json& receipt : receipts) {
    const std::uint64_t first = JsonNumber(receipt, "first_line");
    const std::uint64_t last = JsonNumber(receipt, "last_line");
    for (const Json& line : JsonList(receipt, "lines")) {
      if (!line.is_array() || line.size() != 2) continue;
      const bool is_cited = first == 0 || (line[0] >= first && line[0] <= last);
      if (is_cited) text += line[1].get_ref<const std::string&>() + '\n';
    }
    text.append(JsonText(receipt, "text")).append("\n");
  }
  return text;
}

bool IsBeyondAscii(std::string_view word) {
  return std::any_of(word.begin(), word.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= 0x80U; });
}

// What support does not list as words: numbers, which it compares by their value, and words
// beyond ASCII, which it divides. Views of the text.
std::vector<std::string_view> OtherWords(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    if (!IsWordByte(text[at])) {
      ++at;
      continue;
    }
    const bool is_number = IsDigit(text[at]);
    const auto belongs = [&](char c) {
      return IsWordByte(c) || (is_number && (c == '.' || c == ','));
    };
    std::size_t end = at;
    while (end < text.size() && belongs(text[end])) ++end;
    while (!IsWordByte(text[end - 1])) --end;
    const std::string_view word = text.substr(at, end - at);
    if (is_number || IsBeyondAscii(word)) words.push_back(word);
    at = end;
  }
  return words;
}

// Those that the cited text has as they are in bold.
void AddOtherWords(std::string_view text, std::string_view cited, Html& html) {
  std::size_t done = 0;
  for (const std::string_view word : OtherWords(text)) {
    if (!FindWholeWord(cited, word)) continue;
    const auto at = static_cast<std::size_t>(word.data() - text.data());
    html.Text(text.substr(done, at - done));
    html.Element("b", {{"class", "g"}, {"title", "in the cited lines"}}, word);
    done = at + word.size();
  }
  html.Text(text.substr(done));
}

// The words of the statement, those that the cited lines have in bold.
void AddStatement(const Json& statement, const Json& receipts, Html& html) {
  const std::string_view verdict = JsonText(statement, "verdict");
  html.Open("p", {{"class", "said " + std::string(VerdictClass(verdict))}});
  html.Open("strong", {}).Text(VerdictSign(verdict)).Text(" ");
  // Without a citation nothing was searched.
  html.Text(receipts.empty() && verdict == "absent" ? "no citation" : VerdictWord(verdict));
  html.Close("strong").Markup("</p><blockquote class=\"words\">");
  const std::string_view text = Trim(JsonText(statement, "text"));
  const std::string cited = CitedText(receipts);
  std::size_t at = 0;
  for (const Json& word : JsonList(statement, "words")) {
    const std::string_view name = JsonText(word, "text");
    const std::optional<std::size_t> found = FindWholeWord(text, name, at);
    if (!found) continue;
    const std::string_view ground = JsonText(word, "ground");
    AddOtherWords(text.substr(at, *found - at), cited, html);
    const std::string title = ground == "none" ? "not in the cited lines"
                              : ground == "word"
                                  ? "in the cited lines"
                                  : fmt::format("{}: {}", ground, JsonText(word, "by"));
    if (ground == "none") {
      html.Element("span", {{"class", "miss"}, {"title", title}}, name);
    } else {
      html.Element("b", {{"class", "g"}, {"title", title}}, name);
    }
    at = *found + name.size();
  }
  AddOtherWords(text.substr(at), cited, html);
  html.Markup("</blockquote>\n");
  for (const Json& check : JsonList(statement, "checks")) {
    if (JsonText(check, "verdict") == "supported") continue;
    html.Markup("<p class=\"why\">");
    // The code of a check names its fault; of code that was not checked, there is none.
    const std::string_view code = JsonText(check, "code");
    const bool has_fault =
        JsonText(check, "verdict") != "undecidable" || !code.starts_with("code/");
    if (has_fault) html.Element("code", {}, code).Text(" ");
    html.Text(JsonText(check, "message"));
    if (const auto nearest = JsonText(check, "nearest"); !nearest.empty()) {
      html.Markup(" <span class=\"near\">nearest: ");
      html.Text(nearest).Markup("</span>");
    }
    html.Markup("</p>\n");
  }
}

void AddFact(HtmlLiteral name, std::string_view value, Html& html) {
  if (value.empty()) return;
  html.Markup("<dt>").Markup(name).Markup("</dt><dd>").Text(value).Markup("</dd>");
}

std::string NewestText(const Json& newest) {
  const std::string_view state = JsonText(newest, "state");
  if (state == "fixed") return "not known: the source is pinned to this commit, not to a branch";
  if (state == "unknown") return "not known: no newer commit was fetched";
  if (state == "pin") return "the pin is the newest commit that was fetched";
  const std::string commit =
      fmt::format("{} {}: ", JsonText(newest, "commit"), JsonText(newest, "date").substr(0, 10));
  if (state == "holds") return commit + "still holds";
  if (state == "gone") return commit + "the file is gone";
  if (state == "moved") {
    return fmt::format("{}the same lines, now from line {}", commit,
                       JsonNumber(newest, "first_line"));
  }
  return commit + "the lines have changed";
}

// Whether it holds as cited, at the pin and at the newest commit.
void AddSourceState(const Json& receipt, Html& html) {
  const std::string_view state = JsonText(receipt, "state");
  const bool is_there = state == "holds" || state == "stale";
  AddFact("cited commit", JsonText(receipt, "cited_at").substr(0, 10), html);
  AddFact("as cited", is_there ? "the same bytes" : JsonText(receipt, "message"), html);
  const std::string pin =
      fmt::format("{} {}", JsonText(receipt, "pin"), JsonText(receipt, "pinned").substr(0, 10));
  if (pin.size() > 1) AddFact("pin", pin, html);
  if (!is_there) return;
  const Json& now = JsonObject(receipt, "now");
  const std::string moved = now.empty() ? std::string("the file has changed")
                                        : fmt::format("{} {}{}", JsonText(now, "whereabouts"),
                                                      JsonText(now, "path"), LinesText(now));
  AddFact("at the pin", state == "holds" ? "still holds" : moved, html);
  const Json& newest = JsonObject(receipt, "newest");
  AddFact(
      "newest commit",
      newest.empty() ? "the source has no commits: it is not a git repository" : NewestText(newest),
      html);
}

std::string NumberText(const Json& json, const char* name) {
  const auto number = json.find(name);
  return number != json.end() && number->is_number() ? fmt::format("{:g}", number->get<double>())
                                                     : std::string();
}

// What was measured, against what the hardware allows.
void AddMeasurement(const Json& receipt, Html& html) {
  const Json& measured = JsonObject(receipt, "measurement");
  if (measured.empty()) return;
  const std::string_view unit = JsonText(measured, "unit");
  AddFact("measured", fmt::format("{} {}", NumberText(measured, "value"), unit), html);
  const std::string floor = NumberText(measured, "floor");
  const std::string_view distance = JsonText(measured, "of_bound");
  const std::string bound =
      floor.empty() ? "none is known"
                    : fmt::format("{} {}{}", floor, unit,
                                  distance.empty() ? "" : fmt::format(" ({})", distance));
  if (JsonText(measured, "bound") == "ceiling") {
    AddFact("ceiling", bound, html);
  } else {
    AddFact("floor", bound, html);
  }
  AddFact("device",
          fmt::format("{}, driver {}, CUDA {}", JsonText(measured, "device"),
                      JsonText(measured, "driver"), JsonText(measured, "toolkit")),
          html);
  AddFact("samples",
          fmt::format("{}, noise {:.2g} %", JsonNumber(measured, "samples"),
                      100 * measured.value("noise", 0.0)),
          html);
  const Json& how = JsonObject(receipt, "measured");
  AddFact("when",
          fmt::format("{}, {}", JsonText(how, "time"),
                      JsonFlag(how, "here") ? "on this machine" : "on another machine"),
          html);
}

// The case that the measurement belongs to as a plot, and the words that the gate compares.
void AddMeasuredCase(const RoomStyle& style, const Json& receipt, Html& html) {
  const std::string_view run = JsonText(receipt, "run");
  const std::string plot = style.links.LabPlot(run, JsonText(receipt, "metric"));
  if (const std::string lab = style.links.Lab(run); !lab.empty() && !plot.empty()) {
    html.Open("a", {{"href", lab}});
    html.Open("img", {{"class", "case"},
                      {"src", plot},
                      {"alt", "plot of the measurement beside the other variants of its case"}});
    html.Close("a");
  }
  const std::string_view text = JsonText(receipt, "text");
  if (text.empty()) return;
  html.Markup("<details><summary>The measurement in words</summary>");
  html.Element("pre", {{"class", "cited"}, {"tabindex", "0"}}, text);
  html.Markup("</details>\n");
}

void AddState(const RoomStyle& style, const Json& receipt, Html& html) {
  const std::string_view state = JsonText(receipt, "state");
  html.Markup("<dl class=\"facts\">");
  if (JsonText(receipt, "kind") == "source") {
    AddSourceState(receipt, html);
  } else {
    AddFact("state", state == "holds" ? "holds" : JsonText(receipt, "message"), html);
    AddFact("accessed", JsonText(receipt, "accessed"), html);
    AddFact("artifact", JsonText(receipt, "sha256"), html);
    AddFact("seen in", JsonText(receipt, "where"), html);
    AddFact("nearest", JsonText(receipt, "nearest"), html);
    AddMeasurement(receipt, html);
  }
  if (const std::string_view run = JsonText(receipt, "run"); !run.empty()) {
    html.Markup("<dt>run</dt><dd>");
    if (const std::string lab = style.links.Lab(run); lab.empty()) {
      html.Text(run);
    } else {
      html.Element("a", {{"href", lab}}, run);
    }
    html.Markup("</dd>");
  }
  html.Markup("</dl>\n");
}

// All that `inspect` saw of the artifact and that this oracle recorded.
void AddInspected(const Json& receipt, Html& html) {
  const Json& artifact = JsonObject(receipt, "artifact");
  if (artifact.empty()) return;
  html.Markup("<details class=\"seen\" open><summary>What inspect saw</summary><p class=\"dim\">");
  html.Text(fmt::format("{}, {} bytes", JsonText(artifact, "kind"), JsonNumber(artifact, "bytes")));
  html.Markup(
      "</p><div class=\"wide\" tabindex=\"0\"><table><tr><th scope=\"col\">fact</th><th "
      "scope=\"col\">"
      "value</th></tr>\n");
  for (const Json& fact : JsonList(artifact, "facts")) {
    const bool is_cited = JsonText(fact, "key") == JsonText(receipt, "key") &&
                          JsonText(fact, "inspector") == JsonText(receipt, "inspector");
    html.Open("tr", {{"class", is_cited ? "hit" : ""}}).Markup("<td><code>");
    html.Text(fmt::format("{} {}", JsonText(fact, "inspector"), JsonText(fact, "key")));
    html.Markup("</code></td><td>").Add(FactValue(fact)).Markup("</td></tr>\n");
  }
  html.Markup("</table></div></details>\n");
}

// The words of the lines that the statement has too, in lower case.
std::vector<std::string> GroundsOf(const Json& statement) {
  std::vector<std::string> grounds;
  for (const Json& word : JsonList(statement, "words")) {
    const std::string_view ground = JsonText(word, "ground");
    const std::string_view by = JsonText(word, "by");
    if (ground != "none" && ground != "context" && !by.empty()) grounds.push_back(LowerCase(by));
  }
  for (const std::string_view word : OtherWords(JsonText(statement, "text"))) {
    grounds.push_back(LowerCase(word));
  }
  std::sort(grounds.begin(), grounds.end());
  grounds.erase(std::unique(grounds.begin(), grounds.end()), grounds.end());
  return grounds;
}

// As the marks and the list of sources have it.
std::string NumberOf(const Json& receipt) {
  const std::uint64_t number = JsonNumber(receipt, "number");
  return number > 0 ? std::to_string(number) : std::string();
}

// "Receipt 7", "Receipts 7, 8"
std::string HeadingOf(const Json& receipts) {
  std::string numbers;
  for (const Json& receipt : receipts) {
    if (const std::string number = NumberOf(receipt); !number.empty()) {
      numbers += (numbers.empty() ? " " : ", ") + number;
    }
  }
  return (receipts.size() > 1 ? "Receipts" : "Receipt") + numbers;
}

void AddGrounds(std::string_view line, const std::vector<std::string>& grounds,
                std::vector<MarkedBytes>& marks) {
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && IsWordByte(line[end])) ++end;
    const bool is_ground = end > at && std::binary_search(grounds.begin(), grounds.end(),
                                                          LowerCase(line.substr(at, end - at)));
    if (is_ground) marks.push_back({.begin = at, .end = end, .is_ground = true});
    at = end + 1;
  }
  // "7.0" is not one word.
  for (const std::string& ground : grounds) {
    if (ground.find_first_of(".,") == std::string::npos) continue;
    for (auto at = FindWholeWord(line, ground); at; at = FindWholeWord(line, ground, *at + 1)) {
      marks.push_back({.begin = *at, .end = *at + ground.size(), .is_ground = true});
    }
  }
}

void AddReceipt(const RoomStyle& style, const Json& receipt,
                const std::vector<std::string>& grounds, Html& html) {
  const std::string number = NumberOf(receipt);
  html.Markup("<section class=\"rc\"><h3>");
  if (!number.empty()) html.Element("span", {{"class", "dim"}}, number).Text(" ");
  html.Add(ReceiptTitle(style, receipt)).Markup("</h3>\n");
  if (const Json& lines = JsonList(receipt, "lines"); !lines.empty()) {
    html.Add(NumberedLines(lines, JsonList(receipt, "words"),
                           {.path = JsonText(receipt, "path"),
                            .first = JsonNumber(receipt, "first_line"),
                            .last = JsonNumber(receipt, "last_line"),
                            .grounds = grounds}));
    if (JsonFlag(receipt, "cut")) html.Markup("<p class=\"dim\">More lines are not shown.</p>");
  }
  const bool is_measured = !JsonObject(receipt, "measurement").empty();
  const std::string_view text = JsonText(receipt, "text");
  if (!text.empty() && !is_measured) {
    html.Element("pre", {{"class", "cited"}, {"tabindex", "0"}}, text);
  }
  AddState(style, receipt, html);
  if (is_measured) AddMeasuredCase(style, receipt, html);
  AddInspected(receipt, html);
  html.Markup("<p class=\"cite\">");
  html.Element("code", {{"class", "id"}, {"data-n", number}}, JsonText(receipt, "citation"));
  html.Markup(
      "<button type=\"button\" class=\"copy\" hidden>Copy citation</button></p></section>\n");
}

}  // namespace

namespace {

// "sm_75, sm_100": facts have them in the order of texts.
std::vector<std::string> ValuesInOrder(const Json& values) {
  std::vector<std::string> texts;
  for (const Json& one : values) {
    texts.push_back(one.is_string() ? one.get<std::string>() : one.dump());
  }
  const auto is_architecture = [](const std::string& text) {
    return text.starts_with("sm_") || text.starts_with("compute_");
  };
  if (std::all_of(texts.begin(), texts.end(), is_architecture)) {
    std::stable_sort(texts.begin(), texts.end(), [](const std::string& a, const std::string& b) {
      const auto end_of_number = [](const std::string& text) {
        return std::min(text.find_first_not_of("0123456789", text.find('_') + 1), text.size());
      };
      const std::size_t end_a = end_of_number(a);
      const std::size_t end_b = end_of_number(b);
      return end_a != end_b ? end_a < end_b : a < b;
    });
  }
  return texts;
}

}  // namespace

Html FactValue(const Json& fact) {
  Html html;
  const auto value = fact.find("value");
  if (value == fact.end()) return html;
  if (!value->is_array()) {
    return html.Text(value->is_string() ? value->get<std::string>() : value->dump());
  }
  for (const std::string& one : ValuesInOrder(*value)) {
    html.Element("span", {{"class", "chip"}}, one).Text(" ");
  }
  return html;
}

std::string_view BlobOf(std::string_view citation) {
  constexpr std::string_view kContent = "swh:1:cnt:";
  constexpr std::size_t kDigits = 40;
  return citation.starts_with(kContent) ? citation.substr(kContent.size(), kDigits)
                                        : std::string_view();
}

Html ReceiptTitle(const RoomStyle& style, const Json& receipt) {
  Html html;
  const std::string name = NameOf(receipt);
  const std::string own =
      JsonText(receipt, "kind") == "source" && !JsonList(receipt, "lines").empty()
          ? style.links.Source(JsonText(receipt, "source"), JsonText(receipt, "path"),
                               {.first = JsonNumber(receipt, "first_line"),
                                .last = JsonNumber(receipt, "last_line"),
                                .blob = BlobOf(JsonText(receipt, "citation"))})
          : std::string();
  const std::string link = SafeAddress(JsonText(receipt, "link"));
  const std::string& address = own.empty() ? link : own;
  if (address.empty()) {
    html.Element("span", {{"class", "where"}}, name);
  } else {
    html.Element("a", {{"class", "where"}, {"href", address}, {"rel", "noreferrer"}}, name);
  }
  if (!own.empty() && !link.empty()) {
    html.Text(" ").Element("a", {{"href", link}, {"class", "ext"}, {"rel", "noopener noreferrer"}},
                           "permalink");
  }
  const std::string_view state = JsonText(receipt, "state");
  const std::string_view now = JsonText(JsonObject(receipt, "now"), "whereabouts");
  html.Text(" ").Element("span", {{"class", "pill " + std::string(StateClass(state))}},
                         state == "missing"                 ? std::string("not checked here ○")
                         : state == "stale" && !now.empty() ? fmt::format("stale, {}", now)
                                                            : std::string(state));
  return html;
}

Html NumberedLines(const Json& lines, const Json& words, const ShownLinesOptions& options) {
  Html html;
  html.Markup(
      "<pre class=\"lines\" tabindex=\"0\" role=\"group\" aria-label=\"lines of the "
      "source\"><code>");
  Highlighter highlighter(SyntaxOf(options.path));
  std::vector<std::string_view> texts;
  for (const Json& line : lines) {
    if (line.is_array() && line.size() == 2) texts.push_back(line[1].get_ref<const std::string&>());
  }
  const bool is_within = !lines.empty() && lines.front().is_array() && lines.front()[0] != 1;
  if (is_within) highlighter.BeginWithin(texts);
  for (const Json& line : lines) {
    if (!line.is_array() || line.size() != 2) continue;
    const auto number = line[0].get<std::uint64_t>();
    std::vector<MarkedBytes> marks;
    for (const Json& word : words) {
      if (word[0] == number)
        marks.push_back({.begin = word[1].get<std::size_t>(), .end = word[2].get<std::size_t>()});
    }
    const bool is_cited = number >= options.first && number <= options.last && options.first > 0;
    if (is_cited) AddGrounds(line[1].get_ref<const std::string&>(), options.grounds, marks);
    const std::string id =
        options.anchor.empty() ? std::string() : fmt::format("{}{}", options.anchor, number);
    html.Open("span", {{"class", is_cited ? "ln hit" : "ln"}, {"id", id}});
    if (id.empty()) {
      html.Element("span", {{"class", "no"}}, std::to_string(number));
    } else {
      html.Element("a", {{"class", "no"}, {"href", "#" + id}}, std::to_string(number));
    }
    highlighter.Line(line[1].get_ref<const std::string&>(), marks, html);
    html.Markup("\n</span>");
  }
  html.Markup("</code></pre>\n");
  return html;
}

Html ReceiptPart(const RoomStyle& style, const Json& answer, std::size_t context) {
  Html html;
  const Json& statements = JsonList(answer, "statements");
  if (statements.empty()) return html;
  const Json& statement = statements.front();
  const std::uint64_t id = JsonNumber(statement, "id");
  const std::string_view page = JsonText(answer, "file");
  html.Open("div", {{"class", "receipt"}, {"data-s", std::to_string(id)}});
  const Json& receipts = JsonList(answer, "receipts");
  html.Element("h2", {}, HeadingOf(receipts)).Markup("\n");
  AddStatement(statement, receipts, html);
  if (receipts.empty()) html.Markup("<p class=\"none\">It has no citation.</p>\n");
  const std::vector<std::string> grounds = GroundsOf(statement);
  for (const Json& receipt : receipts) AddReceipt(style, receipt, grounds, html);
  const bool has_lines = std::any_of(receipts.begin(), receipts.end(), [](const Json& receipt) {
    return !JsonList(receipt, "lines").empty();
  });
  if (style.links.is_server() && has_lines) {
    const std::size_t more = context == 0 ? 10 : context >= 160 ? 200 : context * 4;
    html.Open("p", {{"class", "more"}});
    html.Element("a",
                 {{"class", "around"},
                  {"href", fmt::format("{}?context={}", style.links.Receipt(page, id), more)}},
                 context == 0 ? "Show the lines around" : "Show more lines");
    html.Markup("</p>\n");
  }
  html.Markup("</div>\n");
  return html;
}

std::string ReceiptPage(const RoomStyle& style, const Json& answer, std::size_t context) {
  Html html;
  const Json& statements = JsonList(answer, "statements");
  const std::uint64_t id = statements.empty() ? 0 : JsonNumber(statements.front(), "id");
  html.Markup("<div class=\"plain\"><p class=\"back\">");
  html.Element("a",
               {{"href", style.links.Page(JsonText(answer, "file"), "m" + std::to_string(id))}},
               JsonText(answer, "title"));
  html.Markup("</p><h1>Receipt</h1>\n").Add(ReceiptPart(style, answer, context));
  html.Markup("</div>\n");
  return FramedPage({.links = style.links,
                     .title = fmt::format("{} of {}", HeadingOf(JsonList(answer, "receipts")),
                                          JsonText(answer, "title")),
                     .oracle = style.oracle,
                     .kind = "receipts"},
                    html);
}

}  // namespace sibyl::interface
