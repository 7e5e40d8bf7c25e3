// SPDX-License-Identifier: Apache-2.0
#include "oracle/made_here.h"

#include "base/files/root.h"
#include "base/files/user_state.h"
#include "base/hash.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;

// An empty file whose name is the hash of the text: nothing to read, and nothing
// that two processes could write at the same time.
fs::path PlaceOf(std::string_view purpose, std::string_view text) {
  const std::string hash = Sha256(text);
  return fs::path("made") / purpose / hash.substr(0, 2) / hash.substr(2);
}

}  // namespace

MadeHere::MadeHere(const Context& context) : folder_(context.state) {
  if (folder_) return;
  if (Result<fs::path> folder = UserState::DefaultFolder(); folder.ok()) {
    folder_ = *std::move(folder);
  }
}

Status MadeHere::Remember(std::string_view purpose, std::string_view text) const {
  if (!folder_ || Knows(purpose, text)) return {};
  const UserState state = SIBYL_TRY(UserState::Open(*folder_));
  const fs::path place = PlaceOf(purpose, text);
  SIBYL_TRY(state.root().MakeFolders(place.parent_path()));
  return state.root().Write(place, "", {.mode = 0600});
}

bool MadeHere::Knows(std::string_view purpose, std::string_view text) const {
  if (!folder_) return false;
  const Result<Root> state = Root::Open(*folder_);
  if (!state.ok()) return false;
  const std::optional<FileAbout> about = state->About(PlaceOf(purpose, text));
  return about && about->kind == FileKind::kFile;
}

}  // namespace sibyl::oracle
