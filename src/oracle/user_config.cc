// SPDX-License-Identifier: Apache-2.0
#include "oracle/user_config.h"

#include <filesystem>

#include "base/files/root.h"
#include "base/files/user_config.h"

namespace sibyl::oracle {

Result<UserConfigText> ReadUserConfig(const Context& context) {
  constexpr std::size_t kMostBytes = std::size_t{1} << 20;
  UserConfigText config{.text = {}, .shown = std::string(kUserConfigFile)};
  const Result<std::filesystem::path> folder =
      context.config ? Result<std::filesystem::path>(*context.config) : UserConfigFolder();
  if (!folder.ok()) return config;  // no home, no configuration
  config.shown = (*folder / kUserConfigFile).string();
  const Result<Root> root = Root::Open(*folder);
  if (!root.ok() || !root->Exists(kUserConfigFile)) return config;
  config.text = SIBYL_TRY(root->Read(kUserConfigFile, {.max_bytes = kMostBytes}));
  return config;
}

}  // namespace sibyl::oracle
