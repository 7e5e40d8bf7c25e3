// SPDX-License-Identifier: Apache-2.0
// The code actions of citation_answers.h.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include "engine/citations/code_citations.h"
#include "interface/lsp/citation_answers.h"
#include "references/rewrite.h"

namespace sibyl::interface::lsp {
namespace {

using references::CheckedDocument;
using references::CheckedReference;
using references::Edit;

constexpr std::size_t kMostActions = 50;
constexpr std::string_view kQuickFix = "quickfix";
constexpr std::string_view kRewrite = "refactor.rewrite";
constexpr std::string_view kFixAll = "source.fixAll.sibyl";

// A kind includes those that start with it and a dot.
bool IsWanted(const Json& only, std::string_view kind) {
  if (!only.is_array()) return true;
  return std::any_of(only.begin(), only.end(), [&](const Json& wanted) {
    if (!wanted.is_string()) return false;
    const auto& name = wanted.get_ref<const std::string&>();
    return kind.starts_with(name) &&
           (kind.size() == name.size() || name.empty() || kind[name.size()] == '.');
  });
}

Json WorkspaceEdit(const CheckedView& view, const std::vector<Edit>& edits) {
  Json changes = Json::array();
  for (const Edit& edit : edits) {
    changes.push_back({{"range", view.text.RangeAsJson({.begin = edit.begin, .end = edit.end})},
                       {"newText", edit.text}});
  }
  if (!view.client.has_versioned_edits) return {{"changes", {{view.uri, std::move(changes)}}}};
  return {{"documentChanges",
           Json::array({{{"textDocument", {{"uri", view.uri}, {"version", view.version}}},
                         {"edits", std::move(changes)}}})}};
}

// Files are named in links relative to the document, in text from the root.
std::string WrittenPath(const CheckedView& view, const references::Reference& reference,
                        const std::string& path) {
  if (reference.form != references::Form::kLink) return path;
  const std::filesystem::path folder = std::filesystem::path(view.located.path).parent_path();
  return std::filesystem::path(path)
      .lexically_relative(folder.empty() ? "." : folder)
      .generic_string();
}

// Whoever chooses the action has read the suggestion, so it need not be certain.
std::vector<Edit> EditsOfOne(const CheckedView& view, std::size_t index) {
  CheckedReference one = view.checked.references[index];
  if (!one.judged.suggestion) return {};
  const std::string before = std::exchange(one.judged.target.path, one.judged.suggestion->path);
  one.judged.is_certain = true;
  std::vector<Edit> edits =
      references::CorrectNumbers({.path = view.checked.path, .references = {one}});
  if (before == one.judged.suggestion->path) return edits;
  const references::Reference& reference = one.reference;
  const ByteRange marked = MarkedRange(view, index);
  const bool has_path = reference.path_begin < reference.path_end &&
                        marked.begin == reference.begin && marked.end == reference.end;
  if (!has_path) return {};
  edits.insert(edits.begin(), {.begin = reference.path_begin,
                               .end = reference.path_end,
                               .text = WrittenPath(view, reference, one.judged.suggestion->path)});
  return edits;
}

void AddFix(const CheckedView& view, std::size_t index, Json& actions) {
  const references::Judged& judged = view.checked.references[index].judged;
  if (!IsNotOk(judged.status)) return;
  const std::vector<Edit> edits = EditsOfOne(view, index);
  if (edits.empty()) return;
  Json action = {{"title", fmt::format("Change to {}{}", engine::TargetText(*judged.suggestion),
                                       judged.is_certain ? "" : " (not certain)")},
                 {"kind", kQuickFix},
                 {"edit", WorkspaceEdit(view, edits)}};
  if (judged.is_certain) action["isPreferred"] = true;
  actions.push_back(std::move(action));
}

void AddDurable(const CheckedView& view, const ByteRange& citation,
                const std::vector<Edit>& durable, Json& actions) {
  for (const Edit& edit : durable) {
    if (edit.begin < citation.begin || edit.end > citation.end) continue;
    actions.push_back({{"title", edit.text.empty() ? "Remove the line number (the symbol is enough)"
                                                   : "Replace by a permalink"},
                       {"kind", kRewrite},
                       {"edit", WorkspaceEdit(view, {edit})}});
  }
}

std::vector<Edit> DurableEdits(const CheckedView& view) {
  const references::Repository& files = *view.located.repository->files;
  return references::MakeDurable(
      view.checked, files,
      {.origin = files.Origin(), .commit = files.head() ? files.head()->Hex() : ""});
}

}  // namespace

Json ActionsIn(const CheckedView& view, const ByteRange& range, const Json& only) {
  Json actions = Json::array();
  std::optional<std::vector<Edit>> durable;
  bool has_citation = false;
  for (std::size_t i = 0; i < view.checked.references.size(); ++i) {
    const references::Reference& reference = view.checked.references[i].reference;
    if (reference.begin > range.end || reference.end < range.begin) continue;
    const ByteRange marked = MarkedRange(view, i);
    if (marked.begin > range.end || marked.end < range.begin) continue;
    if (actions.size() >= kMostActions) break;
    has_citation = true;
    if (IsWanted(only, kQuickFix)) AddFix(view, i, actions);
    if (IsWanted(only, kRewrite)) {
      if (!durable) durable = DurableEdits(view);
      AddDurable(view, {.begin = reference.begin, .end = reference.end}, *durable, actions);
    }
  }
  // On request for the whole document; otherwise next to the correction of one.
  const bool is_requested = only.is_array() && IsWanted(only, kFixAll);
  if (!is_requested && (!has_citation || !IsWanted(only, kQuickFix))) return actions;
  const std::vector<Edit> edits = references::CorrectNumbers(view.checked);
  if (edits.empty()) return actions;
  actions.push_back({{"title", "Apply all certain corrections in this document"},
                     {"kind", is_requested ? kFixAll : kQuickFix},
                     {"edit", WorkspaceEdit(view, edits)}});
  return actions;
}

}  // namespace sibyl::interface::lsp
