// SPDX-License-Identifier: Apache-2.0
// The rules of instruction_rules.h as data.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "evidence/instruction_roles.h"

namespace sibyl::evidence {

/// What a rule says about a text. Of one trait only the strongest rule counts.
enum Trait : std::uint8_t {
  kDropsOrders,
  kGivesTask,
  kGivesRole,
  kAddressesModel,
  kReadsThis,
  kSetsCondition,
  kControlsReply,
  kDictates,
  kKeepsSecret,
  kWantsSecrets,
  kUsesTools,
  kClaimsTrust,
  kClaimsAuthority,
  kPromises,
  kPromotes,
  kFakesChat,
  kIsPersonal,
  kObeys,
  kSkipsConsent,
  kCommands,
  kSpeaksToAgent,
  kTraits,
};

/// Points for words with certain roles that are close to each other. English has
/// points of its own: ordinary English text is at hand to measure them with.
struct Rule {
  Trait trait;
  int english;
  int other;                   ///< Where the first part is in another language.
  std::array<Roles, 4> parts;  ///< One word for each; in this order, in English.
  std::uint32_t span;          ///< Words from the first part to the last.
  Roles also = 0;              ///< All of these the first word must have, too.
};

std::span<const Rule> InstructionRules();

}  // namespace sibyl::evidence
