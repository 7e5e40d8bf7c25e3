// SPDX-License-Identifier: Apache-2.0
// Any bytes as files in an untrusted .sibyl: a staged intent, the record of a
// publication. Without a signature they are never parsed; and if they were, no path
// in them leads out of the oracle or into a folder of git or sibyl.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/files/own_folder.h"
#include "base/files/reserved_name.h"
#include "base/files/temporary_folder.h"
#include "library/carry_out.h"
#include "library/intent.h"
#include "library/library.h"

namespace {

using namespace sibyl;           // NOLINT: a fuzz target is one file
using namespace sibyl::library;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

// One oracle for all runs.
const OwnFolder& Own() {
  static const TemporaryFolder folder;
  static const OwnFolder own =
      *OwnFolder::Open(folder.path(), *UserState::Open(folder.path() / "state"));
  return own;
}

void CheckPath(const std::string& path) {
  Require(!path.empty() && path.front() != '/' && !HasReservedName(path));
  Require(("/" + path + "/").find("/../") == std::string::npos);
}

void CheckIntent(std::string_view text) {
  const auto intent = ParseIntent(text);
  if (!intent.ok()) return;
  const std::string printed = FormatIntent(*intent);
  const auto again = ParseIntent(printed);
  Require(again.ok() && FormatIntent(*again) == printed);
  for (const Step& step : intent->steps) {
    CheckPath(step.path);
    if (IsMove(step.kind)) CheckPath(step.from);
  }
  for (const std::string& path : intent->paths) CheckPath(path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Require(!Own().Verified(kIntentPurpose, text));
  const std::string with_signature = Own().WithSignature(kIntentPurpose, text);
  Require(Own().Verified(kIntentPurpose, with_signature) == text);
  Require(!Own().Verified("published", with_signature));
  CheckIntent(text);
  if (const auto published = ParsePublished(text); published.ok()) {
    const auto again = ParsePublished(FormatPublished(*published));
    Require(again.ok() && FormatPublished(*again) == FormatPublished(*published));
  }
  return 0;
}
