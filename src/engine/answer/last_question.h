// SPDX-License-Identifier: Apache-2.0
// The last question that this user asked on a command line in this oracle, so that
// `ask --more` can be asked without repeating it.
#pragma once

#include <optional>
#include <string>

#include "oracle/context.h"

namespace sibyl::engine {

struct AskedQuestion {
  std::string text;
  std::string context;  ///< The broader topic; may be empty.
};

/// Nothing if there is none, or for a caller that is a server.
std::optional<AskedQuestion> LastQuestion(const oracle::Context& context);

/// A failure is ignored: only the convenience is lost.
void RememberQuestion(const oracle::Context& context, const AskedQuestion& question);

}  // namespace sibyl::engine
