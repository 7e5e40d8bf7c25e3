// SPDX-License-Identifier: Apache-2.0
#include "engine/text/audit_badge.h"

#include <fmt/format.h>

#include <algorithm>

namespace sibyl::engine {
namespace {

// White text has a contrast of at least 4.5 on each of them.
constexpr std::string_view kBadgeGreen = "#2e7d32";
constexpr std::string_view kBadgeAmber = "#a35a00";
constexpr std::string_view kBadgeRed = "#c62828";
constexpr std::string_view kBadgeGrey = "#616161";

std::string_view BadgeColour(const BadgeCounts& counts) {
  if (counts.decided == 0) return counts.is_complete ? kBadgeGrey : kBadgeRed;
  if (counts.hold == counts.decided) return counts.is_complete ? kBadgeGreen : kBadgeAmber;
  return counts.hold * 10 >= counts.decided * 9 ? kBadgeAmber : kBadgeRed;
}

// `textLength` makes the text fit, whatever font there is.
std::string BadgeText(std::size_t x, std::size_t width, std::string_view text) {
  return fmt::format("  <text x=\"{}\" y=\"14\" textLength=\"{}\">{}</text>\n", x, width, text);
}

}  // namespace

BadgeCounts CountForBadge(const Outcome& outcome) {
  const bool is_repository = outcome.data.contains("repository");
  const Json& counts = outcome.data[is_repository ? "code_counts" : "counts"];
  BadgeCounts badge{.label = is_repository ? "citations" : "checks"};
  for (const auto& [name, count] : counts.items()) {
    if (!count.is_number_unsigned() && !count.is_number_integer()) continue;
    if (name == "undecided" || name == "undecidable") continue;
    badge.decided += count.get<std::size_t>();
    if (name == "holds" || name == "supported") badge.hold += count.get<std::size_t>();
  }
  badge.is_complete =
      std::none_of(outcome.findings.begin(), outcome.findings.end(), [](const Finding& finding) {
        return finding.code == "audit/unread" || finding.code == "citation/unread";
      });
  return badge;
}

std::string DrawBadge(const BadgeCounts& counts) {
  const std::string value =
      counts.decided == 0 ? "none" : fmt::format("{}/{}", counts.hold, counts.decided);
  constexpr std::size_t kMargin = 6;
  constexpr std::size_t kCharacter = 7;
  const std::size_t label_width = counts.label.size() * kCharacter;
  const std::size_t value_width = value.size() * kCharacter;
  const std::size_t split = label_width + 2 * kMargin;
  const std::size_t width = split + value_width + 2 * kMargin;
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"20\" "
      "viewBox=\"0 0 {0} 20\" role=\"img\" aria-label=\"{1} {2}\">\n"
      "  <title>{1} {2}</title>\n"
      "  <rect width=\"{0}\" height=\"20\" rx=\"4\" fill=\"#424242\"/>\n"
      "  <path d=\"M{3} 0h{4}a4 4 0 0 1 4 4v12a4 4 0 0 1 -4 4h-{4}z\" fill=\"{5}\"/>\n",
      width, counts.label, value, split, width - split - 4, BadgeColour(counts));
  svg +=
      "  <g fill=\"#ffffff\" font-family=\"Verdana, DejaVu Sans, sans-serif\" "
      "font-size=\"11\">\n";
  svg += BadgeText(kMargin, label_width, counts.label);
  svg += BadgeText(split + kMargin, value_width, value);
  return svg + "  </g>\n</svg>\n";
}

}  // namespace sibyl::engine
