// SPDX-License-Identifier: Apache-2.0
#include "verify/renew.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "evidence/footnote.h"
#include "evidence/permalink.h"
#include "verify/structure.h"

namespace sibyl::verify {
namespace {

using evidence::SourceCitation;
using evidence::Whereabouts;

// What people see of a citation: "[path#L1-L2](link)".
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
    left.why = "the source could not be read";
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

std::string RenewDefinition(std::string_view line, const SourceCitation& from,
                            const SourceCitation& to) {
  const std::size_t comment = line.rfind("<!--");
  if (comment == std::string_view::npos) return std::string(line);
  std::string visible(line.substr(0, comment));
  std::string machine(line.substr(comment));
  ReplaceFirst(visible, Visible(from), Visible(to));
  // A citation that was written in another order of its qualifiers is not found
  // by its canonical text; its comment is written anew.
  const std::string canonical = evidence::FormatCitation(from);
  if (machine.find(canonical) != std::string::npos) {
    ReplaceFirst(machine, canonical, evidence::FormatCitation(to));
  } else {
    const std::size_t end = machine.find("-->");
    machine = "<!-- " + evidence::FormatCitation(to) + " " + machine.substr(end);
  }
  return visible + machine;
}

Renewal RenewPage(const Page& page) {
  Renewal renewal;
  Lines lines(page.source.text);
  std::map<std::string, std::string> moved;
  std::set<std::string> kept;
  for (const auto& [label, receipt] : page.receipts) {
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
  if (const Statement* stamp = FindStamp(page.statements); stamp != nullptr) {
    for (std::size_t at = stamp->span.first_line; at <= stamp->span.last_line; ++at) {
      if (std::string* line = lines.At(at)) RenewStamp(*line, moved, kept);
    }
  }
  renewal.text = lines.Join();
  return renewal;
}

}  // namespace sibyl::verify
