// SPDX-License-Identifier: Apache-2.0
// Values beside words that describe a setting of something that the text names, whatever the form
// of the sentence: "`SWALR` anneals over 20 epochs" is about its parameter `anneal_epochs`, and
// "logs every 100 updates (`--log-interval`)" about the option.
//
// The form says little, so a claim counts only if the owner's definition has the setting, and the
// sentence is neither about a choice ("use 20 epochs") nor about a limit ("at least 20").
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "audit/values/value_claims.h"
#include "statement/statement.h"

namespace sibyl::audit {

/// Something that has settings: a class, a function, a script.
struct SettingOwner {
  std::string name;                   ///< As the text writes it.
  std::vector<std::string> settings;  ///< "anneal_epochs", "num-heads"
  bool is_here = false;               ///< The statement itself names it.
};

/// At most 50, each with its owner. The nearest owner that has a fitting setting is meant. Takes
/// time in proportion to the words and to the settings near each value.
std::vector<ValueClaim> MatchClaims(const statement::Statement& statement,
                                    const std::vector<SettingOwner>& owners);

/// Whether the statement has anything that may be a value.
bool HasValues(const statement::Statement& statement);

/// Whether the words may describe the setting: all its parts but "num" occur among them.
/// Returns how many parts do; zero if one is missing.
std::size_t CountParts(std::string_view setting, const std::vector<std::string>& lower_words);

}  // namespace sibyl::audit
