// SPDX-License-Identifier: Apache-2.0
// A history file of any bytes. Its header would be refused for almost every input, so what
// does not say where the parts are is corrected first; the rest is untrusted.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "evidence/history/history_file.h"
#include "evidence/history/message.h"
#include "git/commit.h"

namespace {

using namespace sibyl;

// Magic, version, byte order and length.
void MendStart(std::vector<std::uint64_t>& words, std::size_t size) {
  auto* bytes = reinterpret_cast<char*>(words.data());
  std::memcpy(bytes, "SIBYLHST", 8);
  const std::uint32_t version = evidence::kHistoryVersion;
  std::memcpy(bytes + 8, &version, sizeof(version));
  const std::uint32_t order = 0x01020304;
  std::memcpy(bytes + 12, &order, sizeof(order));
  const std::uint64_t length = size;
  std::memcpy(bytes + 16, &length, sizeof(length));
}

void ReadAll(const evidence::HistoryFile& file) {
  (void)file.Check().ok();
  std::size_t listed = 0;
  for (std::size_t i = 0; i < file.commit_count(); ++i) {
    listed += file.ChangesOf(i).size();
    const auto number = file.FindCommit(file.commit(i).Id());
    if (number && *number >= file.commit_count()) std::abort();
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(file.path_count(), 4096); ++i) {
    listed += file.CommitsOf(i).size();
    const auto number = file.FindPath(file.path(i));
    if (number && file.path(*number) != file.path(i)) std::abort();
  }
  for (const evidence::HistoryMove& move : file.moves()) listed += move.from;
  if (listed == ~std::size_t{0}) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string words_of_message = evidence::WordsOfMessage(text);
  if (words_of_message.size() > 1200) std::abort();
  (void)evidence::SubjectOf(text);
  (void)evidence::IsRevert(text);
  (void)evidence::IsRobot(text);
  if (const auto commit = git::ParseWholeCommit(text)) {
    if (commit->message_view.size() > size) std::abort();
  }
  constexpr std::size_t kStart = 24;
  if (size < kStart) return 0;
  std::vector<std::uint64_t> words(size / 8 + 1);
  std::memcpy(words.data(), data, size);
  MendStart(words, size);
  const auto file =
      evidence::HistoryFile::FromBytes({reinterpret_cast<const char*>(words.data()), size});
  if (file.ok()) ReadAll(*file);
  return 0;
}
