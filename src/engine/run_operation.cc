// SPDX-License-Identifier: Apache-2.0
// The single entry point for running an operation, which decides whether it may
// use the network (docs/decisions/0099), keeps installed oracles as they are and
// removes passwords in addresses from messages.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/process/environment.h"
#include "base/shown_text.h"
#include "engine/arguments.h"
#include "engine/operation.h"
#include "engine/outcome.h"
#include "oracle/context.h"

namespace sibyl::engine {
namespace {

bool IsOfflineInEnvironment() {
  const std::string value = EnvironmentVariable("SIBYL_OFFLINE").value_or("");
  return !value.empty() && value != "0";
}

// The given option that enables the network; null if there is none.
const Parameter* RequestOf(const Operation& operation, const Arguments& arguments) {
  const auto found = std::find_if(operation.parameters.begin(), operation.parameters.end(),
                                  [&](const Parameter& parameter) {
                                    return parameter.uses_network && arguments.Has(parameter.name);
                                  });
  return found == operation.parameters.end() ? nullptr : &*found;
}

Result<Network> NetworkFor(const Operation& operation, const oracle::Context& context,
                           const Arguments& arguments) {
  if (operation.effects.network == NetworkUse::kNone) return Network::kForbidden;
  const Parameter* request = RequestOf(operation, arguments);
  if (context.network == Network::kAllowed && !IsOfflineInEnvironment()) {
    const bool is_asked = operation.effects.network == NetworkUse::kAlways || request != nullptr;
    return is_asked ? Network::kAllowed : Network::kForbidden;
  }
  if (request == nullptr) return Network::kForbidden;
  return Error{
      .kind = ErrorKind::kUsage,
      .message = fmt::format("{} needs the network, which --offline or SIBYL_OFFLINE "
                             "forbids",
                             ParameterLabel(*request)),
      .hint = fmt::format("remove {}, or --offline / SIBYL_OFFLINE", ParameterLabel(*request))};
}

// An update of the package would undo the change, and another user may need the pages as
// they came.
Status RequireOwnOracle(const Operation& operation, const oracle::Context& context) {
  if (!operation.effects.changes_oracle || !context.is_installed || !context.oracle) return {};
  const std::string folder = context.oracle->string();
  return Error{
      .kind = ErrorKind::kUsage,
      .message = fmt::format("'{}' would change an oracle that was installed with sibyl: {}",
                             operation.name, folder),
      .hint = fmt::format("change a copy of your own: cp -r {} {}", folder,
                          context.oracle->filename().string())};
}

}  // namespace

Result<Outcome> RunOperation(const Operation& operation, const oracle::Context& context,
                             const Arguments& arguments) {
  SIBYL_TRY(RequireOwnOracle(operation, context));
  oracle::Context own = context;
  own.network = SIBYL_TRY(NetworkFor(operation, context, arguments));
  Result<Outcome> outcome = operation.run(own, arguments);
  if (!outcome.ok()) {
    Error error = std::move(outcome).error();
    HideUserinfo(error);
    return error;
  }
  for (Finding& finding : outcome->findings) HideUserinfo(finding);
  return outcome;
}

}  // namespace sibyl::engine
