// SPDX-License-Identifier: Apache-2.0
// Simulates a full disk (loaded with LD_PRELOAD): after a number of writes, every write
// to a file in a folder fails with ENOSPC, in this process and its children. They share
// one counter, so that "the 37th write" is the same whichever program makes it.
//
//   FULL_DISK_BELOW  the folder          FULL_DISK_COUNTER  a file of eight bytes
//   FULL_DISK_AFTER  writes that succeed
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

struct Settings {
  std::string_view below;
  std::uint64_t after = 0;
  std::atomic<std::uint64_t>* counter = nullptr;
};

Settings ReadSettings() {
  Settings settings;
  const char* below = std::getenv("FULL_DISK_BELOW");
  const char* after = std::getenv("FULL_DISK_AFTER");
  const char* counter = std::getenv("FULL_DISK_COUNTER");
  if (below == nullptr || after == nullptr || counter == nullptr) return settings;
  const int file = ::open(counter, O_RDWR | O_CLOEXEC);
  if (file < 0) return settings;
  void* memory =
      ::mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (memory == MAP_FAILED) return settings;
  settings.below = below;
  settings.after = std::strtoull(after, nullptr, 10);
  settings.counter = static_cast<std::atomic<std::uint64_t>*>(memory);
  return settings;
}

bool IsFull(int descriptor) {
  static const Settings settings = ReadSettings();
  if (settings.counter == nullptr) return false;
  std::array<char, 64> link{};
  std::snprintf(link.data(), link.size(), "/proc/self/fd/%d", descriptor);
  std::array<char, 4096> path{};
  const ssize_t length = ::readlink(link.data(), path.data(), path.size());
  if (length <= 0) return false;
  const std::string_view name(path.data(), static_cast<std::size_t>(length));
  if (!name.starts_with(settings.below)) return false;
  if (settings.counter->fetch_add(1) < settings.after) return false;
  errno = ENOSPC;
  return true;
}

template <typename Function>
Function Next(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

// Replaces functions of the C library.
extern "C" {

ssize_t write(int descriptor, const void* bytes, size_t size) {
  static const auto next = Next<ssize_t (*)(int, const void*, size_t)>("write");
  return IsFull(descriptor) ? -1 : next(descriptor, bytes, size);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t at) {
  static const auto next = Next<ssize_t (*)(int, const void*, size_t, off_t)>("pwrite");
  return IsFull(descriptor) ? -1 : next(descriptor, bytes, size, at);
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t at) {
  static const auto next = Next<ssize_t (*)(int, const void*, size_t, off64_t)>("pwrite64");
  return IsFull(descriptor) ? -1 : next(descriptor, bytes, size, at);
}

ssize_t writev(int descriptor, const iovec* pieces, int count) {
  static const auto next = Next<ssize_t (*)(int, const iovec*, int)>("writev");
  return IsFull(descriptor) ? -1 : next(descriptor, pieces, count);
}

}  // extern "C"
