// SPDX-License-Identifier: Apache-2.0
#include "runner/postgres/address.h"

#include <libpq-fe.h>

#include <memory>
#include <string>
#include <utility>

#include "base/strings.h"

namespace sibyl::runner {
namespace {

struct FreeOptions {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};
using Options = std::unique_ptr<PQconninfoOption, FreeOptions>;

Error BadAddress(std::string message, std::string hint) {
  return {.kind = ErrorKind::kUsage, .message = std::move(message), .hint = std::move(hint)};
}

}  // namespace

Status CheckAddress(std::string_view address) {
  char* said = nullptr;
  const Options options(PQconninfoParse(std::string(address).c_str(), &said));
  PQfreemem(said);  // it repeats the address, which may contain a password
  if (!options) {
    return BadAddress("the ledger's address is not a PostgreSQL connection string",
                      "for example: postgresql://db.example.org/sibyl, or service=sibyl");
  }
  for (const PQconninfoOption* each = options.get(); each->keyword != nullptr; ++each) {
    const std::string_view keyword = each->keyword;
    const bool is_secret = keyword == "password" || keyword == "sslpassword";
    if (!is_secret || each->val == nullptr || *each->val == '\0') continue;
    return BadAddress("the ledger's address contains a password",
                      "put it into ~/.pgpass or a service file; addresses appear in process lists "
                      "and logs");
  }
  return {};
}

bool IsAddress(std::string_view text) {
  if (text.starts_with("postgresql://") || text.starts_with("postgres://")) return true;
  const std::string_view keyword = Trim(text.substr(0, text.find('=')));
  if (keyword.size() >= text.size()) return false;
  const Options options(PQconninfoParse("", nullptr));
  for (const PQconninfoOption* each = options.get(); each != nullptr && each->keyword != nullptr;
       ++each) {
    if (keyword == each->keyword) return true;
  }
  return false;
}

}  // namespace sibyl::runner
