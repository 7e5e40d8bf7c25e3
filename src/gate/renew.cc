// SPDX-License-Identifier: Apache-2.0
#include "gate/renew.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "evidence/footnote.h"
#include "evidence/origins/permalink.h"
#include "gate/structure.h"

namespace sibyl::gate {
namespace {

using evidence::SourceCitation;
using evidence::Whereabouts;

// The visible part of a citation: "[path#L1-L2](link)".
std::string Visible(const SourceCitation& citation) {
  constexpr std::string_view kStart = "[^x]: ";
  const std::string line = evidence::FormatFootnote({.id = "x", .label = {}, .citation = citation});
  return line.substr(kStart.size(), line.rfind(" <!--") - kStart.size());
}

void ReplaceFirst(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = from.empty() ? std::string::npos : text.find(from);
  if (at != std::string::npos) text.replace(at, from.size(), to);
}

std::string StampPin(const Receipt& receipt, const SourceCitation& citation) {
  constexpr std::size_t kShort = 7;
  return receipt.resolution.pin->name + "@" + citation.anchor_id.Hex().substr(0, kShort);
}

// The lines of a text with their ends, to be changed one by one.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      lines_.emplace_back(text.substr(0, end));
      text.remove_prefix(end);
    }
  }

  std::string* At(std::size_t number) {
    return number >= 1 && number <= lines_.size() ? &lines_[number - 1] : nullptr;
  }

  std::string Join() const {
    std::string text;
    for (const std::string& line : lines_) text += line;
    return text;
  }

 private:
  std::vector<std::string> lines_;
};

LeftStale Leave(const Receipt& receipt) {
  LeftStale left{.label = receipt.label, .line = receipt.line, .citation = *receipt.source()};
  if (!receipt.refound) {
    left.why = "unknown, because the source could not be read";
  } else {
    left.why = evidence::WhereaboutsText(receipt.refound->whereabouts);
    left.candidates = receipt.refound->candidates;
  }
  return left;
}

bool CanRenew(const Receipt& receipt) {
  if (!receipt.refound) return false;
  const Whereabouts how = receipt.refound->whereabouts;
  return how == Whereabouts::kUnchanged || how == Whereabouts::kMovedInFile ||
         how == Whereabouts::kMovedToFile;
}

// The pins of the stamp, old and new. An old one stays as long as something
// still cites it.
void RenewStamp(std::string& line, const std::map<std::string, std::string>& moved,
                const std::set<std::string>& kept) {
  for (const auto& [from, to] : moved) {
    if (line.find(to) != std::string::npos) continue;
    ReplaceFirst(line, from, kept.contains(from) ? fmt::format("{}, {}", from, to) : to);
  }
}

}  // namespace

namespace {

// The two parts of a definition; the machine-readable one starts at its
// comment.
struct Definition {
  std::string visible;
  std::string machine;
};

std::optional<Definition> SplitDefinition(std::string_view line) {
  const std::size_t comment = line.rfind("<!--");
  if (comment == std::string_view::npos) return std::nullopt;
  return Definition{std::string(line.substr(0, comment)), std::string(line.substr(comment))};
}

std::string RenewMachine(std::string machine, const evidence::Citation& from,
                         const evidence::Citation& to) {
  // A citation that was written in another order of its qualifiers is not found
  // by its canonical text; its comment is written anew.
  const std::string canonical = evidence::FormatCitation(from);
  if (machine.find(canonical) != std::string::npos) {
    ReplaceFirst(machine, canonical, evidence::FormatCitation(to));
  } else {
    const std::size_t end = machine.find("-->");
    machine = "<!-- " + evidence::FormatCitation(to) + " " + machine.substr(end);
  }
  return machine;
}

// A page that changed but still contains the cited words once is cited in its
// new version.
void RenewPageCitation(const Receipt& receipt, Lines& lines, Renewal& renewal) {
  std::string* line = lines.At(receipt.line);
  if (receipt.page() == nullptr || !receipt.other || line == nullptr) return;
  const OtherAnswer& answer = *receipt.other;
  if (answer.verdict == statement::Verdict::kStale) {
    renewal.left.push_back({.label = receipt.label,
                            .line = receipt.line,
                            .citation = *receipt.page(),
                            .why = "gone from the page",
                            .candidates = {}});
  } else if (answer.renewed) {
    *line = RenewDefinition(*line, *receipt.page(), *answer.renewed);
    renewal.renewed.push_back({.label = receipt.label,
                               .line = receipt.line,
                               .from = *receipt.page(),
                               .to = *answer.renewed,
                               .how = Whereabouts::kMovedInFile});
  }
}

}  // namespace

std::string RenewDefinition(std::string_view line, const SourceCitation& from,
                            const SourceCitation& to) {
  std::optional<Definition> parts = SplitDefinition(line);
  if (!parts) return std::string(line);
  ReplaceFirst(parts->visible, Visible(from), Visible(to));
  return parts->visible + RenewMachine(std::move(parts->machine), from, to);
}

std::string RenewDefinition(std::string_view line, const evidence::WebCitation& from,
                            const evidence::WebCitation& to) {
  constexpr std::size_t kDate = 10;
  std::optional<Definition> parts = SplitDefinition(line);
  if (!parts) return std::string(line);
  if (!from.accessed.empty() && !to.accessed.empty()) {
    ReplaceFirst(parts->visible, ", accessed " + from.accessed.substr(0, kDate),
                 ", accessed " + to.accessed.substr(0, kDate));
  }
  return parts->visible + RenewMachine(std::move(parts->machine), from, to);
}

Renewal RenewPage(const Page& page) {
  Renewal renewal;
  Lines lines(page.source.text);
  std::map<std::string, std::string> moved;
  std::set<std::string> kept;
  for (const auto& [label, receipt] : page.receipts) {
    RenewPageCitation(receipt, lines, renewal);
    if (!receipt.resolution.ok()) continue;
    if (!receipt.resolution.is_stale) {
      kept.insert(StampPin(receipt, *receipt.source()));
      continue;
    }
    std::string* line = lines.At(receipt.line);
    if (!CanRenew(receipt) || line == nullptr) {
      renewal.left.push_back(Leave(receipt));
      kept.insert(StampPin(receipt, *receipt.source()));
      continue;
    }
    const SourceCitation& to = receipt.refound->citation;
    *line = RenewDefinition(*line, *receipt.source(), to);
    moved[StampPin(receipt, *receipt.source())] = StampPin(receipt, to);
    renewal.renewed.push_back({.label = label,
                               .line = receipt.line,
                               .from = *receipt.source(),
                               .to = to,
                               .how = receipt.refound->whereabouts});
  }
  if (const statement::Statement* stamp = FindStamp(page.statements); stamp != nullptr) {
    for (std::size_t at = stamp->span.first_line; at <= stamp->span.last_line; ++at) {
      if (std::string* line = lines.At(at)) RenewStamp(*line, moved, kept);
    }
  }
  renewal.text = lines.Join();
  return renewal;
}

}  // namespace sibyl::gate
