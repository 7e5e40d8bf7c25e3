// SPDX-License-Identifier: Apache-2.0
#include "inspect/image/tar.h"

#include <algorithm>
#include <charconv>

#include "base/numbers.h"
#include "inspect/bytes.h"

namespace sibyl::inspect {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::uint64_t kMostSpecial = std::uint64_t{1} << 20;

// Octal text, or binary if the first bit is set.
std::uint64_t OctalNumber(std::string_view field) {
  std::uint64_t value = 0;
  if (!field.empty() && (static_cast<unsigned char>(field[0]) & 0x80U) != 0) {
    for (const char c : field.substr(field.size() - 8)) {
      value = value << 8U | static_cast<unsigned char>(c);
    }
    return value;
  }
  for (const char c : field) {
    if (c == ' ' && value == 0) continue;
    if (c < '0' || c > '7') break;
    value = value << 3U | static_cast<unsigned>(c - '0');
  }
  return value;
}

bool HasChecksum(std::string_view block) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kBlock; ++i) {
    sum += i >= 148 && i < 156 ? 32U : static_cast<unsigned char>(block[i]);
  }
  return sum == OctalNumber(block.substr(148, 8));
}

}  // namespace

bool TarStream::TakeHeader() {
  if (block_.find_first_not_of('\0') == std::string::npos) return true;  // an end mark
  if (!HasChecksum(block_)) return false;
  const Bytes fields(block_);
  entry_ = {.path = std::string(Bytes(fields.Clip(0, 100)).Text(0)),
            .type = block_[156],
            .bytes = OctalNumber(fields.Clip(124, 12)),
            .link = std::string(Bytes(fields.Clip(157, 100)).Text(0))};
  if (fields.Clip(257, 6) == std::string_view("ustar\0", 6)) {
    const std::string_view prefix = Bytes(fields.Clip(345, 155)).Text(0);
    if (!prefix.empty()) entry_.path = std::string(prefix) + '/' + entry_.path;
  }
  const char type = entry_.type;
  is_special_ = type == 'L' || type == 'K' || type == 'x' || type == 'g';
  if (is_special_) {
    if (entry_.bytes > kMostSpecial) return false;
    special_.clear();
  } else {
    if (!long_path_.empty()) entry_.path = std::move(long_path_);
    if (!long_link_.empty()) entry_.link = std::move(long_link_);
    if (pax_bytes_ != UINT64_MAX) entry_.bytes = pax_bytes_;
    long_path_.clear();
    long_link_.clear();
    pax_bytes_ = UINT64_MAX;
    // Links have no content, whatever their size field says.
    if (type == '1' || type == '2' || type == '5') entry_.bytes = 0;
  }
  if (entry_.bytes > UINT64_MAX / 2) return false;
  left_ = entry_.bytes;
  padding_ = RoundUp(left_, kBlock) - left_;
  if (!is_special_) visitor_.Begin(entry_);
  if (left_ == 0) FinishContent();
  return true;
}

// Records of the form "27 path=some/long/name", each ended by a line feed.
void TarStream::TakePax() {
  std::string_view rest = special_;
  while (!rest.empty()) {
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), length);
    const auto digits = static_cast<std::size_t>(end - rest.data());
    if (error != std::errc() || length > rest.size() || length < digits + 3) return;
    const std::string_view record = rest.substr(digits + 1, length - digits - 2);
    const std::size_t equals = record.find('=');
    const std::string_view key = record.substr(0, equals);
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : record.substr(equals + 1);
    if (key == "path") long_path_ = value;
    if (key == "linkpath") long_link_ = value;
    if (key == "size") {
      if (const auto bytes = ParseNumber<std::uint64_t>(value)) pax_bytes_ = *bytes;
    }
    rest.remove_prefix(length);
  }
}

void TarStream::FinishContent() {
  if (!is_special_) {
    visitor_.End();
    return;
  }
  const std::string name = special_.substr(0, special_.find('\0'));
  if (entry_.type == 'L') long_path_ = name;
  if (entry_.type == 'K') long_link_ = name;
  if (entry_.type == 'x') TakePax();
}

bool TarStream::Feed(std::string_view bytes) {
  while (!bytes.empty() && !is_damaged_) {
    if (left_ > 0) {
      const std::string_view piece =
          bytes.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size())));
      if (is_special_) {
        special_ += piece;
      } else {
        visitor_.Content(piece);
      }
      left_ -= piece.size();
      bytes.remove_prefix(piece.size());
      if (left_ == 0) FinishContent();
    } else if (padding_ > 0) {
      const auto skip = static_cast<std::size_t>(std::min<std::uint64_t>(padding_, bytes.size()));
      padding_ -= skip;
      bytes.remove_prefix(skip);
    } else {
      const std::size_t wanted = std::min(kBlock - block_.size(), bytes.size());
      block_ += bytes.substr(0, wanted);
      bytes.remove_prefix(wanted);
      if (block_.size() < kBlock) break;
      is_damaged_ = !TakeHeader();
      block_.clear();
    }
  }
  return !is_damaged_;
}

std::string CleanPath(std::string_view path) {
  std::string clean;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    const std::string_view part = path.substr(start, end - start);
    start = end + 1;
    if (part.empty() || part == ".") continue;
    if (part == "..") return {};
    if (!clean.empty()) clean += '/';
    clean += part;
  }
  return clean;
}

}  // namespace sibyl::inspect
