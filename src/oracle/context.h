// SPDX-License-Identifier: Apache-2.0
// Where an operation runs: its folders, its clock, and where its talk goes.
// Everything an operation takes from its surroundings comes through here, so
// that a test, the command line and a server can each supply their own.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/network.h"
#include "base/result.h"

namespace sibyl::oracle {

struct RunEvent;
class AgentDesk;

struct Context {
  /// Relative paths in arguments start here; findings name files from here.
  std::filesystem::path working_folder;
  /// The oracle that was chosen, or found above the working folder.
  std::optional<std::filesystem::path> oracle;
  const Clock& clock;
  /// Where mirrors, snapshots and indexes are kept; the user's cache by default.
  std::optional<std::filesystem::path> store = {};
  /// Where the user's key and consents are kept (base/files/user_state.h); the
  /// user's state folder by default.
  std::optional<std::filesystem::path> state = {};
  /// One short line about what is going on; may be called often, from the
  /// thread that runs the operation. Empty when nobody listens.
  std::function<void(std::string_view)> progress = {};
  /// What an expansion is at, called as `progress` is. Empty when nobody listens.
  std::function<void(const RunEvent&)> event = {};
  /// From this call on an interrupt asks instead of ending the process. Empty
  /// when nobody interrupts.
  std::function<std::stop_token()> catch_interrupt = {};
  /// Where the caller may read; empty: everywhere, since a person asks. An agent
  /// gets the oracle and what a person allowed. oracle/argument_file.h holds
  /// every path to it.
  std::vector<std::filesystem::path> roots = {};
  /// The asker ends with this process: what it holds is free when the process
  /// is gone. Not so behind a server, nor of a command that returns at once.
  bool asker_ends_with_process = false;
  /// What a server remembers between calls; null for a single one. Borrowed.
  AgentDesk* desk = nullptr;
  /// Whether connections may be opened at all. A face allows it; RunOperation
  /// narrows it to what the row of the operation declares.
  Network network = Network::kForbidden;
  /// Shows lines to the person at the terminal and asks a question that is answered
  /// with yes or no. Empty when no person can be asked.
  std::function<bool(const std::vector<std::string>& lines, std::string_view question)> confirm =
      {};
};

/// The nearest of `folder` and its parents that has a sibyl.toml.
std::optional<std::filesystem::path> FindOracle(const std::filesystem::path& folder);

/// The oracle that somebody named. The folder must exist; it need not have a
/// sibyl.toml, since reading plans asks for none.
Result<std::filesystem::path> ChooseOracle(const std::filesystem::path& working_folder,
                                           const std::filesystem::path& chosen);

/// How people are told of a path: from the working folder when it is inside,
/// otherwise as it is.
std::filesystem::path ShownPath(const Context& context, const std::filesystem::path& path);

}  // namespace sibyl::oracle
