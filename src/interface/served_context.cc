// SPDX-License-Identifier: Apache-2.0
#include "interface/served_context.h"

#include <fmt/format.h>

#include <memory>
#include <system_error>

#include "oracle/inspected_files.h"

namespace sibyl::interface {

Result<oracle::Context> ServedContext(const oracle::Context& context,
                                      const std::vector<std::string>& allowed) {
  namespace fs = std::filesystem;
  oracle::Context served = context;
  served.progress = {};
  served.event = {};
  served.catch_interrupt = {};
  served.confirm = {};
  served.inspected = std::make_shared<oracle::InspectedFiles>();
  for (const std::string& folder : allowed) {
    const fs::path path = (context.working_folder / folder).lexically_normal();
    std::error_code ignored;
    if (!fs::is_directory(path, ignored)) {
      return Error{.kind = ErrorKind::kUsage,
                   .message = fmt::format("--allow {}: no such folder", folder)};
    }
    served.roots.push_back(path);
  }
  if (served.oracle) served.working_folder = *served.oracle;
  served.roots.insert(served.roots.begin(), served.working_folder);
  return served;
}

}  // namespace sibyl::interface
