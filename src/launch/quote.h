// SPDX-License-Identifier: Apache-2.0
// Values in the texts of other programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"

namespace sibyl::launch {

/// One word of a POSIX shell, whatever is in it.
std::string ShellWord(std::string_view text);
/// The words with spaces between them.
std::string ShellLine(const std::vector<std::string>& words);

/// "$$" for every "$": systemd and Kubernetes replace "$NAME" and "$(NAME)".
std::string WithDoubledDollars(std::string_view text);

/// In block style. Every text is written as in JSON, which YAML reads in the
/// same way; keys too, unless they consist of letters, digits, '-' and '.'.
std::string Yaml(const Json& json);

/// kUsage for text with a control character: it could end a line or control a
/// terminal. `what` names it.
Status CheckText(std::string_view what, std::string_view text);
/// kUsage for characters other than letters, digits and those of `others`, for
/// text that begins with '-', and for empty text.
Status CheckWord(std::string_view what, std::string_view text, std::string_view others);

}  // namespace sibyl::launch
