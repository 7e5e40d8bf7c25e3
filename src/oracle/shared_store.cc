// SPDX-License-Identifier: Apache-2.0
#include "oracle/shared_store.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "base/process/environment.h"
#include "base/telemetry/families.h"
#include "base/telemetry/metrics.h"

namespace sibyl::oracle {
namespace {

std::optional<std::filesystem::path> StoreFolder(const Context& context) {
  if (context.shared_store) return context.shared_store;
  const std::optional<std::string> folder = EnvironmentVariable(kStoreVariable);
  if (!folder || folder->empty()) return std::nullopt;
  return std::filesystem::path(*folder);
}

}  // namespace

Result<evidence::SharedStore> OpenSharedStore(const Context& context) {
  const std::optional<std::filesystem::path> folder = StoreFolder(context);
  if (!folder) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = "opening the shared store: SIBYL_STORE is not set",
                 .hint = "set it to a folder that 'sibyl store init' made"};
  }
  return evidence::SharedStore::Open(*folder);
}

void UseSharedStore(const Context& context, evidence::Surroundings& around) {
  if (!StoreFolder(context)) return;
  Result<evidence::SharedStore> store = OpenSharedStore(context);
  if (store.ok()) {
    around.shared = std::make_shared<const evidence::SharedStore>(std::move(store).value());
    return;
  }
  Metrics::OfProcess().Add(kStoreUnavailable);
  around.shared_trouble = std::move(store).error();
}

}  // namespace sibyl::oracle
