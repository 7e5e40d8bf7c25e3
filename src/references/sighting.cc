// SPDX-License-Identifier: Apache-2.0
#include "references/sighting.h"

#include <algorithm>

namespace sibyl::references {
namespace {

// Above this share of all places, a name in the lines is no evidence.
constexpr double kCommonChance = 0.5;
// "`Reader` (a.rs:10-60)" cites the definition of Reader, not a use of it.
constexpr std::size_t kBeside = 6;
constexpr std::size_t kDefinitionLines = 5;

struct Places {
  std::vector<LineRange> direct;
  std::vector<LineRange> bodies;
  const std::vector<DefinitionPlace>* definitions = nullptr;
};

// "no such file: a.txt": the file has only the part before the colon; the rest was
// made when the program ran.
const std::vector<std::size_t>& LinesWithText(const ClaimedName& name, const CodeFile& file) {
  constexpr std::size_t kShortestMessage = 16;
  const std::vector<std::size_t>& whole = file.LinesWith(name.text);
  if (!whole.empty() || name.kind == ClaimedName::Kind::kBlock) return whole;
  std::string_view text = name.text;
  for (const std::string_view mark : {"...", "…", ": "}) {
    const std::size_t at = text.rfind(mark);
    if (at != std::string_view::npos) text = text.substr(0, at);
  }
  const bool is_message = text.size() >= kShortestMessage && text.size() < name.text.size() &&
                          std::count(text.begin(), text.end(), ' ') >= 2;
  return is_message ? file.LinesWith(text) : whole;
}

Places PlacesOf(const ClaimedName& name, const CodeFile& file) {
  Places places;
  if (name.kind != ClaimedName::Kind::kName) {
    for (const std::size_t line : LinesWithText(name, file)) places.direct.push_back({line, line});
    return places;
  }
  const NameUses& uses = file.UsesOf(name.text);
  for (const std::size_t line : uses.lines) places.direct.push_back({line, line});
  places.definitions = &uses.definitions;
  for (const DefinitionPlace& definition : uses.definitions) {
    if (definition.kind == DefinitionPlace::Kind::kFunction) {
      places.bodies.push_back(definition.lines);
    }
  }
  return places;
}

// The proof that a name gives, before it is asked how common it is.
Proof ProofOf(const ClaimedName& name, const Places& places, const LineRange& lines,
              const LineRange& cited) {
  const auto overlaps = [&](const LineRange& place) { return Overlap(place, lines); };
  const bool is_direct = std::any_of(places.direct.begin(), places.direct.end(), overlaps);
  const bool in_body = std::any_of(places.bodies.begin(), places.bodies.end(), overlaps);
  if (name.kind != ClaimedName::Kind::kName) return is_direct ? Proof::kDefinition : Proof::kNone;
  bool is_defined = false;
  bool has_definition = false;
  for (const DefinitionPlace& definition : *places.definitions) {
    const LineRange& place = definition.lines;
    // The comment above a definition is a part of it.
    const bool in_comment = definition.comment <= cited.first + kNear && cited.first <= place.first;
    const bool starts_here =
        place.first >= lines.first && (place.first <= lines.last || in_comment);
    is_defined = is_defined || starts_here;
    if (definition.kind == DefinitionPlace::Kind::kMember) continue;
    has_definition = true;
    // Lines of a long function or class are its lines.
    if (cited.first < cited.last && Overlap(place, lines)) is_defined = true;
  }
  if (is_defined) return Proof::kDefinition;
  const bool is_whole =
      name.distance <= kBeside && cited.last - cited.first + 1 >= kDefinitionLines;
  const bool means_definition = has_definition && is_whole;
  if (is_direct && !means_definition) return Proof::kUse;
  if (in_body) return cited.first < cited.last ? Proof::kUse : Proof::kBody;
  return Proof::kNone;
}

bool StartsAt(const Places& places, std::size_t line) {
  if (places.definitions == nullptr) return false;
  const LineRange near = Widened({line, line});
  return std::any_of(places.definitions->begin(), places.definitions->end(),
                     [&](const DefinitionPlace& definition) {
                       return definition.kind != DefinitionPlace::Kind::kMember &&
                              near.first <= definition.lines.first &&
                              definition.comment <= near.last;
                     });
}

NameSighting SightingOf(const ClaimedName& name, const CodeFile& file, const LineRange& lines,
                        const LineRange& cited) {
  NameSighting sighting;
  Places places = PlacesOf(name, file);
  sighting.is_in_file = !places.direct.empty();
  if (!sighting.is_in_file) return sighting;
  sighting.proof = ProofOf(name, places, lines, cited);
  sighting.starts_there = StartsAt(places, cited.first);
  sighting.is_inside = std::any_of(places.direct.begin(), places.direct.end(),
                                   [&](const LineRange& place) { return Overlap(place, cited); });
  if (places.definitions != nullptr) {
    const LineRange near = Widened({cited.first, cited.first});
    for (const DefinitionPlace& definition : *places.definitions) {
      if (definition.kind == DefinitionPlace::Kind::kMember) continue;
      const std::size_t first = definition.lines.first;
      sighting.is_defined_first = sighting.is_defined_first || first == cited.first;
      sighting.is_defined_near =
          sighting.is_defined_near || (near.first <= first && first <= near.last);
    }
  }
  const bool is_direct = std::any_of(places.direct.begin(), places.direct.end(),
                                     [&](const LineRange& place) { return Overlap(place, lines); });
  sighting.is_only_body = sighting.proof != Proof::kNone && !is_direct && !sighting.starts_there;
  std::vector<LineRange> all = std::move(places.direct);
  if (cited.first < cited.last) {
    all.insert(all.end(), places.bodies.begin(), places.bodies.end());
  }
  sighting.chance = ShareOfPlaces(std::move(all), lines.last - lines.first + 1, file.line_count());
  if (sighting.proof != Proof::kNone && sighting.chance > kCommonChance &&
      sighting.proof != Proof::kDefinition) {
    sighting.proof = Proof::kCommon;
  }
  return sighting;
}

// Where a piece of code is found as a whole, its parts say nothing more.
void IgnoreParts(const Claim& claim, std::vector<NameSighting>& names) {
  bool has_whole = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    has_whole = has_whole || (claim.names[i].kind == ClaimedName::Kind::kCode &&
                              claim.names[i].is_own && names[i].is_in_file);
  }
  if (!has_whole) return;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (claim.names[i].is_part) names[i].is_ignored = true;
  }
}

// "`parse` (a.rs:10)": what is beside the citation is what it means, unless it is
// everywhere in the file, or another name of the sentence is defined right there:
// "`Handler` takes no `Request` (a.rs:10)".
void IgnoreDistant(const Claim& claim, std::vector<NameSighting>& names) {
  if (claim.is_list) return;
  const auto is_beside = [&](std::size_t i) {
    const ClaimedName& name = claim.names[i];
    return name.is_own && name.distance <= kBeside && name.kind != ClaimedName::Kind::kBlock &&
           names[i].is_in_file && !names[i].is_ignored && names[i].chance <= kCommonChance &&
           !name.is_part;
  };
  bool has_beside = false;
  for (std::size_t i = 0; i < names.size() && !has_beside; ++i) has_beside = is_beside(i);
  if (!has_beside) return;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_block = claim.names[i].kind == ClaimedName::Kind::kBlock;
    const bool is_defined = claim.names[i].is_own && names[i].starts_there;
    if (!is_beside(i) && !is_block && !is_defined) names[i].is_ignored = true;
  }
}

// "`run()` calls `next(state, 3)` (a.rs:20)": somewhere in run() is not enough if the
// file has that code elsewhere.
void OutweighBody(const Claim& claim, Sighting& sighting) {
  constexpr double kRare = 0.3;
  for (std::size_t i = 0; i < sighting.names.size(); ++i) {
    const ClaimedName& name = claim.names[i];
    const NameSighting& one = sighting.names[i];
    const bool is_code = name.kind == ClaimedName::Kind::kCode && name.is_own && one.is_in_file;
    if (!is_code || one.proof != Proof::kNone || one.chance > kRare) continue;
    sighting.best = Proof::kNone;
    sighting.deciding = i;
    return;
  }
}

void Decide(const Claim& claim, Sighting& sighting) {
  bool any_other = false;
  bool any_doubt = false;
  std::size_t parts = 0;
  std::size_t parts_there = 0;
  bool has_beside = false;
  bool any_own_in_file = false;
  bool all_own = true;
  std::size_t nearest = SIZE_MAX;
  for (std::size_t i = 0; i < sighting.names.size(); ++i) {
    const NameSighting& one = sighting.names[i];
    // Code that is there although something nearer is not: a doubt.
    if (one.is_ignored && claim.names[i].is_own &&
        claim.names[i].kind != ClaimedName::Kind::kName) {
      any_doubt = any_doubt || one.proof != Proof::kNone;
    }
    if (claim.names[i].is_part && claim.names[i].is_own) {
      ++parts;
      if (one.proof != Proof::kNone) ++parts_there;
    }
    if (one.is_ignored || !one.is_in_file) continue;
    if (!claim.names[i].is_own) {
      any_other = any_other || one.proof != Proof::kNone;
      continue;
    }
    // Parts of a piece of code that is not there as a whole prove something where
    // they are, and nothing where they are not.
    if (!claim.names[i].is_part) {
      any_own_in_file = true;
      has_beside = has_beside || claim.names[i].distance <= kBeside;
      all_own = all_own && one.proof != Proof::kNone;
      if (nearest == SIZE_MAX) nearest = i;
    }
    if (one.proof > sighting.best) {
      sighting.best = one.proof;
      sighting.deciding = i;
    }
  }
  if (sighting.deciding == SIZE_MAX) sighting.deciding = nearest;
  if (sighting.best == Proof::kBody) OutweighBody(claim, sighting);
  // Code that is written differently there, such as a command as a list of words.
  any_doubt = any_doubt || (parts_there > 1 && 2 * parts_there >= parts);
  if (sighting.best > Proof::kCommon || (any_own_in_file && all_own)) {
    sighting.fit = Fit::kHolds;
  } else if (sighting.best == Proof::kCommon || any_doubt || (any_other && !has_beside)) {
    sighting.fit = Fit::kWeak;
  } else {
    sighting.fit = any_own_in_file ? Fit::kFails : Fit::kUnknown;
  }
}

}  // namespace

double ShareOfPlaces(std::vector<LineRange> ranges, std::size_t size, std::size_t count) {
  if (count <= size) return 1;
  const std::size_t places = count - size + 1;
  std::size_t covered = 0;
  std::size_t next = 1;  // first place that is not counted yet
  std::sort(ranges.begin(), ranges.end(),
            [](const LineRange& a, const LineRange& b) { return a.first < b.first; });
  for (const LineRange& range : ranges) {
    const std::size_t first = range.first >= size ? range.first - size + 1 : 1;
    const std::size_t last = std::min(range.last, places);
    const std::size_t begin = std::max(first, next);
    if (last >= begin) {
      covered += last - begin + 1;
      next = last + 1;
    }
  }
  return static_cast<double>(covered) / static_cast<double>(places);
}

Sighting LookAt(const Claim& claim, const CodeFile& file, const LineRange& lines) {
  const LineRange wide = Widened(lines);
  Sighting sighting;
  for (const ClaimedName& name : claim.names) {
    sighting.names.push_back(SightingOf(name, file, wide, lines));
    NameSighting& one = sighting.names.back();
    if (!name.is_asserted && one.proof == Proof::kNone) one.is_in_file = false;
  }
  IgnoreParts(claim, sighting.names);
  IgnoreDistant(claim, sighting.names);
  Decide(claim, sighting);
  return sighting;
}

}  // namespace sibyl::references
