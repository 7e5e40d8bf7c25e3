// SPDX-License-Identifier: Apache-2.0
#include "interface/lsp/citation_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "engine/citations/code_citations.h"
#include "interface/lsp/fenced_lines.h"
#include "interface/lsp/file_uri.h"

namespace sibyl::interface::lsp {
namespace {

using references::CheckedReference;
using references::CitationStatus;
using references::Target;

constexpr std::size_t kMostDiagnostics = 1'000;
constexpr std::size_t kMostLinks = 2'000;

enum class DiagnosticSeverity : int { kError = 1, kWarning = 2, kInformation = 3 };

std::string TargetUri(const CheckedView& view, const Target& target) {
  return UriOfPath(view.located.repository->files->location().work_tree / target.path);
}

// Lines of a file count from zero; the end is the start of the line after them.
Json LinesAsRange(const LineRange& lines) {
  const std::size_t first = lines.IsWhole() ? 0 : lines.first - 1;
  const std::size_t last = lines.IsWhole() ? 0 : lines.last;
  return {{"start", {{"line", first}, {"character", 0}}},
          {"end", {{"line", last}, {"character", 0}}}};
}

Json DiagnosticOf(const CheckedView& view, std::size_t index) {
  const references::Judged& judged = view.checked.references[index].judged;
  std::string message = engine::CitationMessage(judged);
  if (judged.suggestion) {
    message += "; " + engine::SuggestionText(judged);
  }
  const bool is_wrong = judged.status == CitationStatus::kWrong;
  const DiagnosticSeverity severity =
      view.checked.is_record && !is_wrong         ? DiagnosticSeverity::kInformation
      : judged.status == CitationStatus::kDrifted ? DiagnosticSeverity::kWarning
                                                  : DiagnosticSeverity::kError;
  Json diagnostic = {{"range", view.text.RangeAsJson(MarkedRange(view, index))},
                     {"severity", static_cast<int>(severity)},
                     {"code", engine::CitationCode(judged.status)},
                     {"source", "sibyl"},
                     {"message", std::move(message)}};
  if (judged.suggestion && view.client.shows_related) {
    diagnostic["relatedInformation"] =
        Json::array({{{"location",
                       {{"uri", TargetUri(view, *judged.suggestion)},
                        {"range", LinesAsRange(judged.suggestion->lines)}}},
                      {"message", judged.is_certain ? "the cited lines are here now"
                                                    : "the cited lines may be here now"}}});
  }
  return diagnostic;
}

// The number of the citation at this byte.
std::optional<std::size_t> ReferenceAt(const CheckedView& view, std::size_t offset) {
  const std::vector<CheckedReference>& all = view.checked.references;
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (offset < all[i].reference.begin || offset > all[i].reference.end) continue;
    const ByteRange marked = MarkedRange(view, i);
    if (offset >= marked.begin && offset <= marked.end) return i;
    if (!found) found = i;
  }
  return found;
}

const Target& MeantTarget(const CheckedReference& one) {
  return one.judged.suggestion && one.judged.is_certain ? *one.judged.suggestion
                                                        : one.judged.target;
}

}  // namespace

ByteRange MarkedRange(const CheckedView& view, std::size_t index) {
  const std::vector<CheckedReference>& all = view.checked.references;
  const references::Reference& reference = all[index].reference;
  const auto is_same_text = [&](std::size_t other) {
    return other < all.size() && all[other].reference.begin == reference.begin;
  };
  const ByteRange whole{.begin = reference.begin, .end = reference.end};
  if (reference.numbers.empty() || (!is_same_text(index + 1) && !is_same_text(index - 1))) {
    return whole;
  }
  return {.begin = reference.numbers.front().begin,
          .end = std::max(reference.numbers.front().end, reference.numbers.back().end)};
}

Json DiagnosticsOf(const CheckedView& view) {
  Json diagnostics = Json::array();
  for (std::size_t i = 0; i < view.checked.references.size(); ++i) {
    if (!IsNotOk(view.checked.references[i].judged.status)) continue;
    if (diagnostics.size() >= kMostDiagnostics) break;
    diagnostics.push_back(DiagnosticOf(view, i));
  }
  return diagnostics;
}

Json HoverAt(const CheckedView& view, std::size_t offset) {
  const std::optional<std::size_t> index = ReferenceAt(view, offset);
  if (!index) return nullptr;
  const references::CheckedReference& one = view.checked.references[*index];
  const references::Judged& judged = one.judged;
  const Markup markup = view.client.shows_markdown ? Markup::kMarkdown : Markup::kPlain;
  std::string text = engine::CitationMessage(judged) + "\n";
  const references::Repository& files = *view.located.repository->files;
  text += FencedLines({.files = files, .commit = one.reference.commit}, judged.target, markup);
  if (judged.suggestion) {
    text += fmt::format("\n{} {}\n", judged.is_certain ? "Now" : "Perhaps now",
                        engine::TargetText(*judged.suggestion));
    text += FencedLines({.files = files}, *judged.suggestion, markup);
  }
  return {{"contents",
           {{"kind", markup == Markup::kMarkdown ? "markdown" : "plaintext"},
            {"value", std::move(text)}}},
          {"range", view.text.RangeAsJson(MarkedRange(view, *index))}};
}

Json DefinitionAt(const CheckedView& view, std::size_t offset) {
  const std::optional<std::size_t> index = ReferenceAt(view, offset);
  if (!index) return nullptr;
  const Target& target = MeantTarget(view.checked.references[*index]);
  if (!view.located.repository->files->paths().Has(target.path)) return nullptr;
  return {{"uri", TargetUri(view, target)}, {"range", LinesAsRange(target.lines)}};
}

Json LinksOf(const CheckedView& view) {
  Json links = Json::array();
  std::size_t end = 0;
  for (std::size_t i = 0; i < view.checked.references.size(); ++i) {
    const CheckedReference& one = view.checked.references[i];
    const Target& target = MeantTarget(one);
    const ByteRange range = MarkedRange(view, i);
    if (one.reference.form == references::Form::kPermalink || range.begin < end ||
        links.size() >= kMostLinks || !view.located.repository->files->paths().Has(target.path)) {
      continue;
    }
    end = range.end;
    std::string uri = TargetUri(view, target);
    if (!target.lines.IsWhole()) uri += fmt::format("#L{}", target.lines.first);
    links.push_back({{"range", view.text.RangeAsJson(range)},
                     {"target", std::move(uri)},
                     {"tooltip", engine::TargetText(target)}});
  }
  return links;
}

}  // namespace sibyl::interface::lsp
