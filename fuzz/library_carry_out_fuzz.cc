// SPDX-License-Identifier: Apache-2.0
// Executes any intent, correctly signed, in an oracle with links to a folder outside:
// nothing outside the oracle and nothing in .git changes, and it ends.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/files/files.h"
#include "base/files/own_folder.h"
#include "base/files/temporary_folder.h"
#include "base/hash.h"
#include "library/carry_out.h"
#include "library/intent.h"
#include "library/library.h"

namespace {

namespace fs = std::filesystem;
using namespace sibyl;           // NOLINT: a fuzz target is one file
using namespace sibyl::library;  // NOLINT: a fuzz target is one file

void Require(bool holds) {
  if (!holds) std::abort();
}

void Put(const fs::path& path, std::string_view text) {
  fs::create_directories(path.parent_path());
  Require(WriteFileAtomically(path, text).ok());
}

void Restore(const fs::path& top) {
  fs::remove_all(top / "oracle");
  Put(top / "oracle/a/01-x.md", "# X\n");
  Put(top / "oracle/a/INDEX.md",
      "# Index\n\n<!-- sibyl:begin files -->\n<!-- sibyl:end files -->\n");
  Put(top / "oracle/.git/config", "mine");
  fs::create_directory_symlink(top / "victim", top / "oracle/out");
  fs::create_directory_symlink("a", top / "oracle/in");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TemporaryFolder folder;
  static const fs::path top = fs::canonical(folder.path());
  static const UserState state = *UserState::Open(top / "state");
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto intent = ParseIntent(text);
  if (!intent.ok()) return 0;
  Put(top / "victim/diary", "private");
  Restore(top);
  const OwnFolder own = *OwnFolder::Open(top / "oracle", state);
  const std::string stage = StageOf(intent->published.id);
  constexpr std::string_view kStaged = "new\n";
  for (Step& step : intent->steps) {
    if (step.staged.size() > 20) return 0;
    // No fuzzer finds a hash; whether they match is a matter of one word.
    if (step.after == "yes") step.after = Sha256(kStaged);
    if (step.before == "yes") step.before = Sha256("# X\n");
    if (!step.staged.empty()) Put(top / "oracle" / stage / step.staged, kStaged);
  }
  Put(top / "oracle" / stage / std::string(kIntentFile),
      own.WithSignature(kIntentPurpose, FormatIntent(*intent)));
  const FixedClock clock(Time(std::chrono::seconds(1'800'000'000)));
  const auto pending =
      FinishPending({.own = own, .clock = clock, .committing = Committing::kLeave});
  if (pending.ok()) Require(pending->findings.empty() == pending->published.has_value());
  Require(ReadFile(top / "victim/diary").value() == "private");
  Require(std::distance(fs::directory_iterator(top / "victim"), {}) == 1);
  Require(ReadFile(top / "oracle/.git/config").value() == "mine");
  return 0;
}
