// SPDX-License-Identifier: Apache-2.0
#include "oracle/oracle.h"

#include <fmt/format.h>

#include "base/shown_text.h"
#include "oracle/installed_folders.h"
#include "oracle/mirrors.h"
#include "oracle/shared_store.h"
#include "oracle/source_admission.h"

namespace sibyl::oracle {
namespace {

std::string HowToChoose() {
  std::string hint = "create an oracle with 'sibyl init', or choose one with -C DIR";
  const std::vector<InstalledOracle> installed = FindInstalledOracles(ThisProgram());
  if (!installed.empty()) hint += ", such as -C @" + installed.front().name;
  return hint;
}

}  // namespace

Result<std::filesystem::path> RequireOracle(const Context& context) {
  if (!context.oracle) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "no sibyl.toml in this folder or any above it",
                 .hint = HowToChoose()};
  }
  const Root root = SIBYL_TRY(Root::Open(*context.oracle));
  if (!root.Exists(evidence::kConfigFile)) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = context.oracle->string() + " is not an oracle: it has no sibyl.toml",
                 .hint = "turn it into one with 'sibyl init " + context.oracle->string() + "'"};
  }
  return *context.oracle;
}

Status RequireOracleFor(const Context& context, std::string_view command) {
  if (context.oracle) return {};
  Error error = RequireOracle(context).error();
  const std::vector<InstalledOracle> installed = FindInstalledOracles(ThisProgram());
  if (!installed.empty()) {
    error.hint = fmt::format(
        "'sibyl -C @{} {}' uses the oracle that comes with sibyl; 'sibyl init' creates your own",
        installed.front().name, command);
  }
  return error;
}

Result<OwnFolder> OpenOwnFolder(const Context& context) {
  const std::filesystem::path oracle = SIBYL_TRY(RequireOracle(context));
  const UserState state = SIBYL_TRY(OpenState(context));
  return OwnFolder::Open(oracle, state);
}

Result<std::optional<OwnFolder>> FindOwnFolder(const Context& context) {
  const std::filesystem::path oracle = SIBYL_TRY(RequireOracle(context));
  const Root root = SIBYL_TRY(Root::Open(oracle));
  if (!root.Exists(kOwnFolder)) return std::optional<OwnFolder>();
  const UserState state = SIBYL_TRY(OpenState(context));
  return OwnFolder::Find(oracle, state);
}

Result<Root> OpenOracle(const Context& context) {
  const std::filesystem::path oracle = SIBYL_TRY(RequireOracle(context));
  return Root::Open(oracle);
}

Result<UserState> OpenState(const Context& context) {
  return UserState::Open(context.state ? *context.state : SIBYL_TRY(UserState::DefaultFolder()));
}

Result<evidence::Surroundings> EvidenceAround(const Context& context) {
  const std::filesystem::path oracle = SIBYL_TRY(RequireOracle(context));
  evidence::Store store =
      context.store ? evidence::Store(*context.store) : SIBYL_TRY(evidence::Store::Default());
  evidence::Surroundings around{
      .oracle = oracle,
      .store = std::move(store),
      .clock = context.clock,
      .progress = context.progress,
      .network = context.network,
      .admit = MakeAdmitter(context),
      .mirror_of = [context](const std::string& origin) -> Result<std::string> {
        return SIBYL_TRY(Mirrors::Read(context)).PlaceOf(origin);
      },
      .follow_redirect =
          [context](const std::string& url) { return FollowGitRedirect(context, url); }};
  UseSharedStore(context, around);
  return around;
}

}  // namespace sibyl::oracle
