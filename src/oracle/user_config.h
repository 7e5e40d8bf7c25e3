// SPDX-License-Identifier: Apache-2.0
// The text of the user's configuration file, for the readers of its tables.
#pragma once

#include <string>

#include "base/result.h"
#include "oracle/context.h"

namespace sibyl::oracle {

struct UserConfigText {
  std::string text;   ///< Empty if there is no file.
  std::string shown;  ///< Its path, for messages.
};

Result<UserConfigText> ReadUserConfig(const Context& context);

}  // namespace sibyl::oracle
