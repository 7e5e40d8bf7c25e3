// SPDX-License-Identifier: Apache-2.0
// The tables of a ledger in PostgreSQL, and how one version of them becomes the
// next. docs/formats/ledger.md describes them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "runner/postgres/connection.h"

namespace sibyl::runner {

/// One step to a version. It only adds what the release before it ignores, so
/// that programs of two releases can share a ledger.
struct Migration {
  int version = 0;
  int reads = 0;  ///< The oldest version whose programs may go on using the ledger.
  const char* sql = "";
};

/// In order; the last is the version of this program.
std::span<const Migration> Migrations();

struct SchemaInfo {
  std::string secret;  ///< The key of agents' leases.
  int version = 0;
};

enum class Access : std::uint8_t;

/// Creates or migrates the tables, or only reads: kNotFound if there are none.
/// kUsage if they need a newer program.
Result<SchemaInfo> OpenSchema(Connection& connection, std::span<const Migration> migrations,
                              Access access);

}  // namespace sibyl::runner
