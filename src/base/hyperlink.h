// SPDX-License-Identifier: Apache-2.0
// Hyperlinks of terminals (OSC 8): a text with an address behind it. They are
// written only to terminals that are known to show them, and never to pipes and
// files.
//
// Every link that we write carries a random mark of this process (in its id),
// so that a link in a foreign text is not taken for one of ours: the command
// line makes all other escape sequences visible before it prints them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/terminal.h"

namespace sibyl {

/// The variables by which terminals are recognised.
struct LinkEnvironment {
  std::optional<std::string> force;            ///< FORCE_HYPERLINK: "0" is never, else always.
  std::optional<std::string> term;             ///< TERM
  std::optional<std::string> program;          ///< TERM_PROGRAM
  std::optional<std::string> vte_version;      ///< VTE_VERSION: GNOME Terminal, Tilix, …
  std::optional<std::string> konsole_version;  ///< KONSOLE_VERSION
  bool names_itself =
      false;  ///< A variable of kitty, Alacritty, Ghostty or Windows Terminal is set.
};

LinkEnvironment ReadLinkEnvironment();

/// Whether a terminal with these variables shows links.
bool ShowsLinks(const LinkEnvironment& environment);

/// `text`, which must be harmless (base/terminal.h), as a link to `address`
/// (http, https or file). Unchanged if the terminal shows no links, or if the
/// address is of another kind or too long. Bytes that could end the sequence
/// are percent-encoded.
std::string Linked(std::string_view text, std::string_view address, const Terminal& terminal);

/// The same to a file; a relative path starts at the terminal's folder. `line`
/// 0 means the whole file; some terminals open an editor at the line.
std::string LinkedFile(std::string_view text, const std::filesystem::path& path, std::size_t line,
                       const Terminal& terminal);

/// The length of the sequence that begins or ends a link of ours at the start of
/// `text`; 0 if there is none.
std::size_t LinkLength(std::string_view text);

}  // namespace sibyl
