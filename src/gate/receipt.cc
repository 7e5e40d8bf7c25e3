// SPDX-License-Identifier: Apache-2.0
#include "gate/receipt.h"

#include <fmt/format.h>

#include <utility>

#include "evidence/footnote.h"
#include "evidence/look_up.h"
#include "evidence/snapshot.h"
#include "git/object_reader.h"
#include "passages/enclosing.h"

namespace sibyl::gate {
namespace {

using evidence::SourceCitation;

// All that moved from one commit to one pin.
struct Move {
  const evidence::Pin* pin = nullptr;
  git::ObjectId anchor;
  auto operator<=>(const Move&) const = default;  // NOLINT(modernize-use-nullptr)
};

// The old source, to distinguish a new location from an existing copy.
std::optional<evidence::Snapshot> OpenBefore(
    const std::shared_ptr<const git::ObjectDatabase>& objects, const Move& move) {
  git::ObjectReader reader(*objects);
  const auto tree = evidence::TreeOf(reader, move.anchor);
  if (!tree) return std::nullopt;
  auto snapshot = evidence::Snapshot::List(objects, *tree, move.pin->filter);
  if (!snapshot.ok()) return std::nullopt;
  return *std::move(snapshot);
}

void RefindMove(const Move& move, const std::vector<Receipt*>& receipts,
                const CitationResolver& resolver) {
  const auto objects = resolver.ObjectsOf(*move.pin);
  if (objects == nullptr) return;
  const auto now = evidence::Snapshot::List(objects, *move.pin->tree, move.pin->filter);
  if (!now.ok()) return;
  const std::optional<evidence::Snapshot> before = OpenBefore(objects, move);
  std::vector<evidence::RefindRequest> requests;
  requests.reserve(receipts.size());
  for (const Receipt* receipt : receipts) {
    requests.push_back({.citation = *receipt->source(), .file_text = *receipt->resolution.file});
  }
  std::vector<evidence::Refound> found =
      evidence::Refind(requests, *now, *move.pin, {.before = before ? &*before : nullptr});
  for (std::size_t i = 0; i < receipts.size(); ++i) receipts[i]->refound = std::move(found[i]);
}

}  // namespace

Receipts ReadReceipts(const statement::Statements& statements) {
  Receipts receipts;
  for (const auto& [label, footnote] : statements.footnotes) {
    Receipt receipt{.label = label, .line = footnote.line_number, .uses = footnote.uses};
    Result<evidence::Footnote> read = evidence::ParseFootnote(footnote.line);
    if (read.ok()) {
      receipt.citation = std::move(read->citation);
    } else {
      receipt.problem = read.error().message;
    }
    receipts.emplace(label, std::move(receipt));
  }
  return receipts;
}

void AddContext(Receipt& receipt) {
  const Resolution& resolution = receipt.resolution;
  if (!resolution.ok() || receipt.source() == nullptr) return;
  const std::string_view file = *resolution.file;
  const auto begin = static_cast<std::size_t>(resolution.span_view.data() - file.data());
  receipt.context = resolution.pin != nullptr ? resolution.pin->name + "/" : "";
  receipt.context += receipt.source()->path + "\n";
  receipt.context += passages::EnclosingText(receipt.source()->path, file, begin,
                                             begin + resolution.span_view.size());
}

void ResolveReceipts(const std::vector<Receipts*>& files, const CitationResolver& resolver,
                     const OtherResolver& other) {
  std::vector<SourceCitation> citations;
  std::vector<Receipt*> wanted;
  for (Receipts* receipts : files) {
    for (auto& [label, receipt] : *receipts) {
      if (const SourceCitation* citation = receipt.source()) {
        citations.push_back(*citation);
        wanted.push_back(&receipt);
      } else if (const auto* page = receipt.page()) {
        receipt.other = resolver.ResolvePage(*page);
        receipt.context = receipt.other->context;
      } else if (receipt.citation && other) {
        receipt.other = other(*receipt.citation);
      }
    }
  }
  std::vector<Resolution> answers = resolver.Resolve(citations);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i]->resolution = std::move(answers[i]);
    AddContext(*wanted[i]);
  }
}

void RefindStale(const std::vector<Receipts*>& files, const CitationResolver& resolver) {
  std::map<Move, std::vector<Receipt*>> moves;
  for (Receipts* receipts : files) {
    for (auto& [label, receipt] : *receipts) {
      if (!receipt.resolution.ok() || !receipt.resolution.is_stale) continue;
      const evidence::Pin* pin = resolver.PinOf(receipt.source()->origin);
      if (pin != nullptr) moves[{pin, receipt.source()->anchor_id}].push_back(&receipt);
    }
  }
  for (const auto& [move, receipts] : moves) RefindMove(move, receipts, resolver);
}

std::string DescribeSource(const SourceCitation& citation, const evidence::Pin* pin) {
  constexpr std::size_t kShort = 7;
  std::string text = pin != nullptr ? pin->name : citation.origin;
  if (citation.anchor != SourceCitation::Anchor::kNone) {
    text += "@" + citation.anchor_id.Hex().substr(0, kShort);
  }
  text += " " + (citation.path.empty() ? citation.blob.Hex() : citation.path);
  if (!citation.lines.IsWhole()) text += ":" + evidence::FormatLineRange(citation.lines);
  return text;
}

}  // namespace sibyl::gate
