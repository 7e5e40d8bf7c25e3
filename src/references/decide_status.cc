// SPDX-License-Identifier: Apache-2.0
#include "references/decide_status.h"

#include <algorithm>

#include "references/place/claimed_place.h"

namespace sibyl::references {
namespace {

// The nearest name that the lines had then, and that proved something, is not
// there now; if the very lines are elsewhere, any name will do.
bool LostNames(const Claim& claim, const Sighting& then, const Sighting& now,
               const Followed& followed) {
  for (std::size_t i = 0; i < claim.names.size(); ++i) {
    if (!claim.names[i].is_own || then.names[i].is_ignored) continue;
    if (then.names[i].proof <= Proof::kCommon) continue;
    // Other lines of a long function are still its lines; those that were meant are
    // elsewhere.
    const bool is_other_part =
        followed.movement == Movement::kMoved &&
        (then.names[i].is_only_body || (now.names[i].is_only_body && followed.is_found));
    const bool is_lost = now.names[i].proof < then.names[i].proof || is_other_part;
    if (is_lost || !followed.is_exact) return is_lost;
  }
  return false;
}

// One line is cited that began a function or type which the text names: that is what was
// meant, and it is not there any more, whatever other names are.
bool LeftItsLine(const Claim& claim, const Sighting& then, const Sighting& now,
                 const Followed& followed) {
  if (!followed.is_line || followed.movement == Movement::kNone) return false;
  for (std::size_t i = 0; i < claim.names.size(); ++i) {
    if (then.names[i].is_defined_first) return !now.names[i].is_defined_near;
  }
  return false;
}

// Whether the lines held by names beside them, and none of the claim was in the lines
// themselves: those have not changed.
bool WasOnlyNear(const Claim& claim, const Sighting& then) {
  for (std::size_t i = 0; i < claim.names.size(); ++i) {
    if (claim.names[i].is_own && then.names[i].is_inside) return false;
  }
  return true;
}

// JupyterHub: written like code, and not as code.
bool IsProductName(const ClaimedName& name) {
  return name.kind == ClaimedName::Kind::kName && !name.in_code && !name.is_call &&
         name.text.find('_') == std::string::npos;
}

// Whether a name that is elsewhere in the file is reason enough to call a
// citation wrong that was never seen to hold.
bool IsClear(const Claim& claim, const Sighting& sighting, const CodeFile& file) {
  constexpr double kRare = 0.3;
  constexpr std::size_t kFar = 80;
  constexpr std::size_t kShortestCode = 12;
  if (sighting.deciding >= claim.names.size()) return false;
  const ClaimedName& name = claim.names[sighting.deciding];
  if (!name.is_own || name.distance > kFar) return false;
  if (claim.is_list || (claim.is_shared && name.distance > kNextTo)) return false;
  const bool is_short = name.kind != ClaimedName::Kind::kName && name.text.size() < kShortestCode;
  if (is_short && name.distance > kNextTo) return false;
  if (IsProductName(name) && file.UsesOf(name.text).definitions.empty()) return false;
  if (sighting.names[sighting.deciding].chance <= kRare) return true;
  if (name.kind != ClaimedName::Kind::kName || name.distance > kNextTo) return false;
  const DefinitionPlace* only = OnlyDefinition(file.UsesOf(name.text));
  return only != nullptr && only->kind != DefinitionPlace::Kind::kMember;
}

}  // namespace

CitationStatus StatusOf(const Claim& claim, const SeenIn& now, const SeenIn* then,
                        const Followed& followed) {
  const Movement movement = followed.movement;
  const Fit fit = now.sighting.fit;
  const bool held = then != nullptr && then->sighting.fit == Fit::kHolds;
  if (then != nullptr && LeftItsLine(claim, then->sighting, now.sighting, followed)) {
    return CitationStatus::kDrifted;
  }
  if (held) {
    if (movement == Movement::kNone) {
      // The lines are where they were; the file may no longer have what they had.
      if (followed.is_exact && WasOnlyNear(claim, then->sighting)) {
        return CitationStatus::kHolds;
      }
      const bool is_lost = fit == Fit::kFails || (fit == Fit::kUnknown && !followed.is_exact);
      return is_lost ? CitationStatus::kDrifted : CitationStatus::kHolds;
    }
    const bool holds = fit == Fit::kHolds || (fit == Fit::kWeak && movement == Movement::kShifted);
    if (!holds) return CitationStatus::kDrifted;
    if (followed.is_off) return CitationStatus::kDrifted;
    if (movement == Movement::kShifted && now.sighting.best >= Proof::kUse) {
      return CitationStatus::kHolds;
    }
    return LostNames(claim, then->sighting, now.sighting, followed) ? CitationStatus::kDrifted
                                                                    : CitationStatus::kHolds;
  }
  if (fit == Fit::kHolds) return CitationStatus::kHolds;
  if (then != nullptr && then->sighting.fit != Fit::kFails) {
    // Nothing that can be compared is claimed, but what was cited is elsewhere.
    const bool is_gone = movement == Movement::kMoved && !followed.is_near;
    return is_gone ? CitationStatus::kDrifted : CitationStatus::kUndecided;
  }
  const SeenIn& failing = fit == Fit::kFails || then == nullptr ? now : *then;
  if (failing.sighting.fit != Fit::kFails) return CitationStatus::kUndecided;
  if (IsClear(claim, failing.sighting, failing.file)) return CitationStatus::kWrong;
  // What is claimed may never have been there; what was cited is elsewhere.
  const bool is_gone = then != nullptr && movement == Movement::kMoved && !followed.is_near;
  return is_gone ? CitationStatus::kDrifted : CitationStatus::kUndecided;
}

CitationStatus StatusByWords(const NamesSaid& names, const WordSighting& now,
                             const WordSighting* then) {
  constexpr std::size_t kClear = 3;
  constexpr std::size_t kSome = 2;
  constexpr std::size_t kFarMore = 4;
  if (names.status == CitationStatus::kWrong) {
    if (then != nullptr && then->there >= kClear && now.there == 0) return CitationStatus::kDrifted;
    const bool is_doubtful = now.there >= kClear && 2 * now.there >= now.best;
    return is_doubtful ? CitationStatus::kUndecided : names.status;
  }
  const std::size_t there = std::max(now.there, then == nullptr ? 0 : then->there);
  if (now.there == 0 && then != nullptr && then->there >= kSome) return CitationStatus::kDrifted;
  if (there == 0 && now.best >= kFarMore) return CitationStatus::kWrong;
  // The names are not in the lines, and the words are together somewhere else.
  const bool is_elsewhere = names.fit == Fit::kFails && there < kSome;
  return is_elsewhere && now.best >= there + kFarMore ? CitationStatus::kWrong : names.status;
}

}  // namespace sibyl::references
