// SPDX-License-Identifier: Apache-2.0
// Compares what a document claims with the lines that it cites, in one version of
// the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/line_span.h"
#include "references/code_file.h"
#include "references/reference.h"

namespace sibyl::references {

enum class Fit : std::uint8_t {
  kHolds,    ///< The lines have a name that few other lines have.
  kWeak,     ///< They have only names that are everywhere, or that belong to another citation.
  kFails,    ///< The file has the names elsewhere, the lines have none of them.
  kUnknown,  ///< The file has none of the names.
};

/// What a name in the cited lines proves, in increasing order.
enum class Proof : std::uint8_t {
  kNone,
  kCommon,      ///< It is in so many lines that it may be there by accident.
  kBody,        ///< One line, somewhere in the function of that name.
  kUse,         ///< It is there and in few other places.
  kDefinition,  ///< It is defined there, or the text is quoted from there.
};

struct NameSighting {
  Proof proof = Proof::kNone;
  bool is_in_file = false;
  bool is_ignored = false;    ///< A part of something that is compared as a whole.
  bool starts_there = false;  ///< A function or type of that name starts where the citation does.
  /// The lines are in the function or type of that name, and do not have the name.
  bool is_only_body = false;
  bool is_inside = false;  ///< The cited lines themselves have it.
  bool is_defined_first =
      false;  ///< A function or type of that name starts on the first cited line.
  bool is_defined_near = false;  ///< One starts within two lines of it.
  /// The share of the file's places of this size that have the name: how likely
  /// it is to be in the lines by accident.
  double chance = 1;
};

struct Sighting {
  Fit fit = Fit::kUnknown;
  Proof best = Proof::kNone;        ///< Of its own names.
  std::size_t deciding = SIZE_MAX;  ///< The name that has it, or the nearest one in the file.
  std::vector<NameSighting> names;  ///< One for each name of the claim.
};

/// How far from the cited lines a name may be.
inline constexpr std::size_t kNear = 2;

/// Whether two ranges have a line in common.
constexpr bool Overlap(const LineRange& a, const LineRange& b) {
  return a.first <= b.last && b.first <= a.last;
}

/// With the lines that are near enough.
constexpr LineRange Widened(const LineRange& lines) {
  return {lines.first > kNear ? lines.first - kNear : 1, lines.last + kNear};
}

/// How many places of `size` lines have at least one of the ranges, as a share of
/// all places of a file with `count` lines.
double ShareOfPlaces(std::vector<LineRange> ranges, std::size_t size, std::size_t count);

Sighting LookAt(const Claim& claim, const CodeFile& file, const LineRange& lines);

}  // namespace sibyl::references
