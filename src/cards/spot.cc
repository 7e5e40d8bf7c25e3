// SPDX-License-Identifier: Apache-2.0
#include "cards/spot.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/ascii.h"
#include "base/one_of.h"
#include "cards/spot/spot_sink.h"

namespace sibyl::cards {
namespace {

constexpr std::array<std::string_view, kCardKinds> kNames = {"constant",
                                                             "macro",
                                                             "command-line option",
                                                             "environment variable",
                                                             "key",
                                                             "documentation",
                                                             "function",
                                                             "method",
                                                             "type",
                                                             "enumerator",
                                                             "error code",
                                                             "error text",
                                                             "CMake option",
                                                             "CMake variable",
                                                             "CMake property",
                                                             "CMake command",
                                                             "CMake policy",
                                                             "Docker argument",
                                                             "Docker stage",
                                                             "metric",
                                                             "PTX instruction",
                                                             "table row",
                                                             "term"};

bool IsManualPage(std::string_view path) {
  return path.size() > 2 && path[path.size() - 2] == '.' && IsDigit(path.back());
}

}  // namespace

std::string_view CardKindName(CardKind kind) {
  const auto number = static_cast<std::size_t>(kind);
  return number < kNames.size() ? kNames[number] : "card";
}

std::optional<CardKind> CardKindOf(std::string_view name) {
  const auto* const found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<CardKind>(found - kNames.begin());
}

std::vector<CardSpot> SpotCards(const SpottedFile& file) {
  constexpr std::array<std::string_view, 3> kC = {"c", "c++", "cuda"};
  constexpr std::array<std::string_view, 3> kMarkup = {"markdown", "rst", "text"};
  constexpr std::array<std::string_view, 4> kEntries = {"yaml", "toml", "ini", "json"};
  constexpr std::array<std::string_view, 7> kBraces = {"go",         "rust",       "java", "kotlin",
                                                       "javascript", "typescript", "c#"};
  SpotSink sink(file.lines);
  if (IsOneOf(file.language, kC)) {
    SpotC(file, sink);
    SpotCalls(file.language, sink);
  } else if (file.language == "python") {
    SpotPython(file, sink);
    SpotCalls(file.language, sink);
  } else if (IsOneOf(file.language, kMarkup)) {
    SpotMarkup(file, file.lines.count(), sink);
    SpotCalls(file.language, sink);
  } else if (file.language == "cmake") {
    SpotCMake(file, sink);
  } else if (file.language == "dockerfile") {
    SpotDockerfile(sink);
  } else if (IsOneOf(file.language, kEntries)) {
    SpotEntries(file.language, sink);
  } else if (IsOneOf(file.language, kBraces)) {
    SpotBraces(sink);
    SpotCalls(file.language, sink);
  } else if (file.language == "shell") {
    SpotCalls(file.language, sink);
  } else if (file.language.empty() && IsManualPage(file.path)) {
    SpotManual(sink);
  }
  std::vector<CardSpot> spots = sink.Take();
  const auto place = [](const CardSpot& spot) {
    return std::tuple(spot.name, spot.name_bytes, spot.kind);
  };
  const auto before = [&](const CardSpot& a, const CardSpot& b) { return place(a) < place(b); };
  if (!std::is_sorted(spots.begin(), spots.end(), before)) {
    std::sort(spots.begin(), spots.end(), before);
  }
  spots.erase(std::unique(spots.begin(), spots.end(),
                          [](const CardSpot& a, const CardSpot& b) { return a.name == b.name; }),
              spots.end());
  return spots;
}

}  // namespace sibyl::cards
