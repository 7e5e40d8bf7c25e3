// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/hyperlink.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "engine/text/columns.h"
#include "engine/text/json_field.h"
#include "engine/text/render.h"
#include "engine/text/render_source.h"

namespace sibyl::engine {
namespace {

std::string PlaceOf(const Json& statement) {
  const Json& lines = statement["lines"];
  // A measurement or a fact is not in a source.
  if (lines.is_null()) return Text(statement, "citation");
  std::string place = Text(statement, "source") + ":" + Text(statement, "path");
  const auto first = lines[0].get<std::size_t>();
  const auto last = lines[1].get<std::size_t>();
  return place + (first == last ? fmt::format(":{}", first) : fmt::format(":{}-{}", first, last));
}

// The place in the form that `cite` accepts, linked to the line. A terminal without links gets
// the address too.
std::string Receipt(const Json& statement, const Terminal& terminal) {
  const std::string link = Text(statement, "link");
  const std::string place = PlaceOf(statement);
  std::string receipt = Linked(place, link, terminal);
  const bool is_linked = receipt != place;
  if (statement.contains("page")) {
    receipt += fmt::format(", in {}:{}", Text(statement, "page"),
                           statement["page_line"].get<std::size_t>());
  }
  if (!link.empty() && !is_linked) receipt += "  " + link;
  if (!statement.value("checked", true)) receipt += "  (not checked here)";
  return "    " + Styled(receipt, Style::kDim, terminal) + '\n';
}

std::string Indented(const std::string& body, std::string_view indent) {
  std::string text;
  for (const std::string_view line : SplitLines(body)) {
    if (!Trim(line).empty()) text += std::string(indent) + Harmless(ReplaceInvalidUtf8(line));
    text += '\n';
  }
  return text;
}

// Text of one paragraph is wrapped; code, lists and tables keep their lines.
std::string RenderText(const std::string& body, std::string_view kind,
                       const RenderOptions& options) {
  constexpr std::size_t kIndent = 2;
  if (kind == "code") return Indented(body, "    ");
  if (Contains(body, "\n")) return Indented(body, "  ");
  return "  " +
         Wrap(Harmless(ReplaceInvalidUtf8(body)),
              {.columns = options.columns(), .first_indent = kIndent, .indent = kIndent}) +
         '\n';
}

std::string RenderStatement(const Json& statement, const RenderOptions& options) {
  const std::string kind = Text(statement, "kind");
  std::string text;
  const std::string lead = statement.value("lead", std::string());
  if (!lead.empty()) text += RenderText(lead, "quote", options);
  text += RenderText(statement.value("text", std::string()), kind, options);
  return text + Receipt(statement, options.terminal);
}

// What a model wrote, and the receipts that its marks refer to.
std::string RenderWritten(const Json& written, const RenderOptions& options) {
  std::string text;
  const std::string body = written["text"].get<std::string>();
  bool is_code = false;
  for (const std::string_view line : SplitLines(body)) {
    is_code = is_code != line.starts_with("```");
    const bool is_wrapped = !is_code && !line.starts_with('|') && !line.starts_with("```");
    text +=
        line.empty() ? "\n" : RenderText(std::string(line), is_wrapped ? "quote" : "code", options);
  }
  text += '\n';
  for (const Json& receipt : written["receipts"]) {
    text += fmt::format("    [{}]", receipt["number"].get<std::size_t>());
    text += Receipt(receipt, options.terminal).substr(3);
  }
  return text;
}

// Why a model was asked and nothing that it wrote is shown.
std::string NotWritten(const Json& written) {
  const std::string model = Text(written, "model");
  if (written.contains("refused")) {
    return fmt::format("sibyl: {}: {}\n", model, Text(written, "refused"));
  }
  const std::size_t refused = written["left_out"].size();
  if (refused == 0) return fmt::format("sibyl: {} found no answer in the sources\n", model);
  return fmt::format("sibyl: nothing that {} wrote passed the checks; --json lists it\n", model);
}

/// Whether a pinned source could not be searched; the talk says how to fetch it.
bool MissesSources(const Outcome& outcome) {
  return std::any_of(outcome.findings.begin(), outcome.findings.end(),
                     [](const Finding& finding) { return finding.code == "source/unsearchable"; });
}

std::string NotKnown(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  std::string text = "sibyl: not known here";
  std::vector<std::string> absent;
  for (const Json& name : data.value("absent", Json::array())) {
    absent.push_back(Harmless(name.get<std::string>()));
  }
  if (!absent.empty()) {
    text += ": no page and no source mentions \"" + Join(absent, "\" or \"") + '"';
  }
  text += '\n';
  std::vector<std::string> missing;
  for (const Json& word : data["missing"]) missing.push_back(Harmless(word.get<std::string>()));
  for (const Json& nearest : data["nearest"]) {
    text += "sibyl: nearest: " + PlaceOf(nearest);
    if (!missing.empty()) {
      text += ", which does not mention \"" + Join(missing, "\", \"") + '"';
      missing.clear();
    }
    text += '\n';
  }
  for (const Json& repository : data["unpinned"]) {
    text +=
        fmt::format("sibyl: a plan names {0}, which is not pinned: sibyl source add github:{0}\n",
                    Harmless(repository.get<std::string>()));
  }
  // An installed oracle is not changed; that of the user is.
  if (!MissesSources(outcome) && data["unpinned"].empty() && !options.oracle.starts_with('@')) {
    text +=
        fmt::format("sibyl: pin a source that covers it: {} source add ORIGIN\n", options.Sibyl());
  }
  return text;
}

}  // namespace

Rendered RenderAsk(const Outcome& outcome, const RenderOptions& options) {
  const Json& data = outcome.data;
  Rendered rendered{.talk = RenderTalk(outcome, options)};
  if (data.contains("written")) {
    const Json& written = data["written"];
    if (written["text"].is_null()) {
      rendered.talk += NotWritten(written);
    } else {
      rendered.results += RenderWritten(written, options);
      rendered.talk += fmt::format("sibyl: written by {} and checked against its receipts{}\n",
                                   Text(written, "model"),
                                   data["statements"].empty() ? "" : "; quotations follow");
    }
  }
  for (const Json& statement : data["statements"]) {
    if (!rendered.results.empty()) rendered.results += '\n';
    rendered.results += RenderStatement(statement, options);
  }
  if (!outcome.holds) rendered.talk += NotKnown(outcome, options);
  for (const Json& page : data["pages"]) {
    rendered.talk +=
        fmt::format("sibyl: see also: {}#{}\n", Text(page, "page"), Text(page, "anchor"));
  }
  return rendered;
}

}  // namespace sibyl::engine
