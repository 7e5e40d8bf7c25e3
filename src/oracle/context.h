// SPDX-License-Identifier: Apache-2.0
// The context of an operation: its folders, its clock, and where progress goes.
// Tests, the command line and servers each supply their own. Environment
// variables are not part of it: they are read where they are used.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
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
class InspectedFiles;
class LeaseMonitor;

struct Context {
  /// Relative paths in arguments start here; findings name files from here.
  std::filesystem::path working_folder;
  /// The oracle that was chosen, or found above the working folder.
  std::optional<std::filesystem::path> oracle;
  /// The oracle was chosen with -C.
  bool is_chosen = false;
  /// The oracle was chosen as @NAME. It belongs to the installation: it is read only.
  bool is_installed = false;
  const Clock& clock;
  /// Where mirrors, snapshots and indexes are kept; the user's cache by default.
  std::optional<std::filesystem::path> store = {};
  /// The store that machines share (oracle/shared_store.h); SIBYL_STORE by default.
  std::optional<std::filesystem::path> shared_store = {};
  /// Where the user's key and consents are kept (base/files/user_state.h); the
  /// user's state folder by default.
  std::optional<std::filesystem::path> state = {};
  /// The folder of the user's configuration (base/files/user_config.h) by default.
  std::optional<std::filesystem::path> config = {};
  /// Receives one short line of progress; may be called often, from the thread
  /// that runs the operation. May be empty.
  std::function<void(std::string_view)> progress = {};
  /// Receives events of an expansion, called like `progress`. May be empty.
  std::function<void(const RunEvent&)> event = {};
  /// After this call an interrupt requests a stop instead of ending the
  /// process. May be empty.
  std::function<std::stop_token()> catch_interrupt = {};
  /// Whether nobody waits for the answer any more, or for no longer: an operation that can, ends
  /// early then and says what it did not look at. May be empty; called from several threads.
  std::function<bool()> is_over = {};
  /// The folders that the caller may read; empty: everywhere, for a person. An
  /// agent gets the oracle and what a person allowed. Enforced by
  /// oracle/argument_file.h.
  std::vector<std::filesystem::path> roots = {};
  /// The caller ends with this process, so its leases are free when the process
  /// exits. Not true for a server, nor for a single command.
  bool caller_is_process_scoped = false;
  /// State that a server keeps between calls; null for a single command.
  /// Borrowed.
  LeaseMonitor* lease_monitor = nullptr;
  /// Of a server: artifacts that it inspected, shared by all its calls; null for a single
  /// command.
  std::shared_ptr<InspectedFiles> inspected = {};
  /// Serves the process's metrics on an address, such as "127.0.0.1:9469", until what it
  /// returns is destroyed. May be empty.
  std::function<Result<std::shared_ptr<void>>(std::string_view address)> serve_metrics = {};
  /// Whether connections may be opened. Set by the front end; RunOperation
  /// restricts it to what the row of the operation declares.
  Network network = Network::kForbidden;
  /// Shows lines at the terminal and asks a yes-or-no question. Empty if there
  /// is no terminal.
  std::function<bool(const std::vector<std::string>& lines, std::string_view question)> confirm =
      {};
};

/// The nearest of `folder` and its parents that has a sibyl.toml.
std::optional<std::filesystem::path> FindOracle(const std::filesystem::path& folder);

/// The oracle given by its folder, which must exist; it need not have a
/// sibyl.toml, since reading plans needs none. "@cuda" is the one that was installed with
/// sibyl (oracle/installed_folders.h).
Result<std::filesystem::path> ChooseOracle(const std::filesystem::path& working_folder,
                                           const std::filesystem::path& chosen);

/// A path for messages: relative to the working folder if inside it, otherwise
/// unchanged.
std::filesystem::path ShownPath(const Context& context, const std::filesystem::path& path);

}  // namespace sibyl::oracle
