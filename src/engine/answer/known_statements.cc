// SPDX-License-Identifier: Apache-2.0
#include "engine/answer/known_statements.h"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "base/line_span.h"
#include "base/strings.h"
#include "engine/answer/page_search.h"
#include "engine/answer/receipt_json.h"
#include "evidence/citation.h"
#include "gate/cited/cited_instructions.h"
#include "oracle/lab_runs.h"

namespace sibyl::engine {
namespace {

// The header of the table that a line is a row of, or nothing.
std::string HeaderOf(std::string_view page, std::size_t line) {
  const auto is_row = [](std::string_view text) { return Trim(text).starts_with('|'); };
  std::vector<std::string_view> lines = SplitLines(page);
  if (line == 0 || line > lines.size() || !is_row(lines[line - 1])) return {};
  std::size_t top = line - 1;
  while (top > 0 && is_row(lines[top - 1])) --top;
  if (top + 1 >= line) return {};
  return fmt::format("{}\n{}\n", lines[top], lines[top + 1]);
}

// Of a run in the oracle, which is kept under the hash of its bytes.
bool IsKeptMeasurement(const gate::Receipt& receipt, const oracle::Context& context) {
  const auto* lab =
      receipt.citation ? std::get_if<evidence::LabCitation>(&*receipt.citation) : nullptr;
  if (lab == nullptr) return false;
  const Result<oracle::KeptRun> kept = oracle::ReadKeptRun(context, lab->run);
  return kept.ok() && kept->run.Find(lab->metric) != nullptr;
}

// Facts are checked by `verify`, which can read what they are about.
bool IsNotHere(const gate::Receipt& receipt) {
  if (receipt.source() == nullptr) return receipt.page() == nullptr;
  using State = gate::Resolution::State;
  return receipt.resolution.state == State::kNoStore;
}

}  // namespace

KnownStatements::KnownStatements(const oracle::Context& context,
                                 const std::vector<draft::KnowledgeFile>& knowledge,
                                 const evidence::Lock& lock, const evidence::Surroundings& around)
    : context_(context),
      knowledge_(knowledge),
      resolver_(gate::CitationResolver::Open(lock, around)) {}

void KnownStatements::Add(const draft::AnswerUnit& known, Json& statements) {
  gate::Page* page = PageOf(known.excerpt.path);
  if (page == nullptr) return;
  const LineRange span{known.unit.first_line, known.unit.last_line};
  const std::optional<std::string_view> lines = TextOfLines(page->source.text, span);
  if (!lines) return;
  gate::Receipts cited;
  for (const auto& [label, receipt] : page->receipts) {
    if (lines->find("[^" + label + "]") != std::string::npos) cited.emplace(label, receipt);
  }
  gate::ResolveReceipts({&cited}, resolver_);
  const PlaceOnPage place =
      FindPlaceOnPage(page->source.text, static_cast<std::uint32_t>(span.first));
  Json json = {{"kind", "known"},
               {"section", place.heading},
               {"anchor", place.anchor},
               {"text", HeaderOf(page->source.text, span.first) + known.unit.text},
               {"lead", known.unit.lead},
               {"page", known.excerpt.path},
               {"page_line", known.unit.first_line},
               {"page_last", known.unit.last_line},
               {"checked", true}};
  const gate::Receipt* first = nullptr;
  for (const auto& [label, receipt] : cited) {
    if (!receipt.citation) return;
    if (!receipt.Resolves() && !IsNotHere(receipt)) return;
    if (receipt.Resolves() && !gate::CitedInstruction(receipt).empty()) return;
    if (!receipt.Resolves() && !IsKeptMeasurement(receipt, context_)) json["checked"] = false;
    const bool is_earlier = first == nullptr || lines->find("[^" + label + "]") <
                                                    lines->find("[^" + first->label + "]");
    if (is_earlier) first = &receipt;
  }
  if (first == nullptr) return;
  AddReceipt(*first, json);
  statements.push_back(std::move(json));
}

gate::Page* KnownStatements::PageOf(const std::string& path) {
  for (const auto& page : pages_) {
    if (page->source.path == path) return page.get();
  }
  for (const draft::KnowledgeFile& file : knowledge_) {
    if (file.path != path) continue;
    gate::Pages read = gate::ReadPages({{.path = path, .name = path, .text = file.text}}, 1);
    if (read.front()->problem) return nullptr;
    pages_.push_back(std::move(read.front()));
    return pages_.back().get();
  }
  return nullptr;
}

}  // namespace sibyl::engine
