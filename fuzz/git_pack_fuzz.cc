// SPDX-License-Identifier: Apache-2.0
// Hostile packs. The input is the length of an index (four bytes, big
// endian), the index and a pack; every object is read within small limits.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "git/delta.h"
#include "git/object_database.h"
#include "git/object_reader.h"
#include "git/tree.h"

namespace {

using namespace sibyl::git;  // NOLINT: a fuzz target is one file

constexpr std::uint64_t kMaxBytes = 1 << 20;

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckParsers(std::string_view bytes) {
  std::string_view rest = bytes;
  while (const auto entry = NextTreeEntry(rest)) Require(entry->name.size() < bytes.size());
  (void)ParseCommit(bytes);
  (void)ParseTagTarget(bytes);
  std::string_view delta = bytes;
  const auto sizes = ReadDeltaSizes(delta);
  if (sizes && sizes->result <= kMaxBytes) {
    std::vector<char> out(static_cast<std::size_t>(sizes->result));
    (void)ApplyDelta(delta, bytes, out.data(), sizes->result);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  CheckParsers(input);
  if (size < 4) return 0;
  const std::size_t length =
      std::size_t{data[0]} << 24 | std::size_t{data[1]} << 16 | std::size_t{data[2]} << 8 | data[3];
  if (length > size - 4) return 0;
  const auto database =
      ObjectDatabase::FromMemory(input.substr(4, length), input.substr(4 + length));
  if (!database.ok()) return 0;
  ObjectReader reader(*database,
                      {.max_chain = 64, .max_base_bytes = kMaxBytes, .cache_bytes = 1 << 16});
  const PackIndex& index = database->index(0);
  for (std::size_t i = 0; i < index.count() && i < 1000; ++i) {
    const ReadState as_text = reader.ReadText(index.id(i), kMaxBytes).state;
    const ObjectView view = reader.ReadVerified(index.id(i), kMaxBytes);
    // What is called binary has a NUL, if it can be read at all.
    Require(as_text != ReadState::kBinary || !view.ok() ||
            view.bytes.find('\0') != std::string_view::npos);
    Require(view.bytes.size() <= kMaxBytes);
    if (view.ok()) CheckParsers(view.bytes);
  }
  (void)database->FindByPrefix("0123");
  return 0;
}
