// SPDX-License-Identifier: Apache-2.0
#include "inspect/artifact_file.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <utility>

#include "base/os_error.h"

namespace sibyl::inspect {
namespace {

// The signal handler may access only this: atomics, nothing allocated.
struct Guard {
  std::atomic<bool> is_taken{false};
  std::atomic<char*> begin{nullptr};  // null: ignored
  std::atomic<char*> end{nullptr};
  std::atomic<bool> was_cut{false};
};
static_assert(std::atomic<char*>::is_always_lock_free);

constexpr std::size_t kMostGuards = 1024;
Guard guards[kMostGuards];      // NOLINT: a handler cannot reach anything else
struct sigaction before_us {};  // NOLINT
std::size_t page_bytes = 4096;  // NOLINT: set before the handler is installed

// Maps zeros from the fault to the end of the mapping: if the file ends before this page, later
// pages are missing too.
bool CoverWithZeros(char* fault) {
  for (Guard& guard : guards) {
    char* const begin = guard.begin.load();
    char* const end = guard.end.load();
    // Read again: another mapping may have taken the place meanwhile.
    if (begin == nullptr || fault < begin || fault >= end || guard.begin.load() != begin) continue;
    guard.was_cut = true;
    char* const page = fault - static_cast<std::size_t>(fault - begin) % page_bytes;
    return ::mmap(page, static_cast<std::size_t>(end - page), PROT_READ,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
  }
  return false;
}

void OnBusError(int number, siginfo_t* about, void* context) {
  const int saved = errno;
  // A code of zero or less means that a process sent the signal and the address is invalid.
  const bool is_covered = about->si_code > 0 && CoverWithZeros(static_cast<char*>(about->si_addr));
  errno = saved;
  if (is_covered) return;
  if ((before_us.sa_flags & SA_SIGINFO) != 0) {
    before_us.sa_sigaction(number, about, context);
  } else if (before_us.sa_handler != SIG_DFL && before_us.sa_handler != SIG_IGN) {
    before_us.sa_handler(number);
  } else {
    // Restores the previous handler: the fault is raised again and ends the process.
    ::sigaction(SIGBUS, &before_us, nullptr);
    if (about->si_code <= 0) ::raise(SIGBUS);
  }
}

void InstallHandler() {
  static std::once_flag once;
  std::call_once(once, [] {
    page_bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction ours {};
    ours.sa_sigaction = OnBusError;
    ours.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    ::sigemptyset(&ours.sa_mask);
    ::sigaction(SIGBUS, &ours, &before_us);
  });
}

std::optional<std::size_t> TakeGuard(char* data, std::size_t size) {
  for (std::size_t i = 0; i < kMostGuards; ++i) {
    Guard& guard = guards[i];
    if (guard.is_taken.exchange(true)) continue;
    guard.was_cut = false;
    guard.end = data + (size + page_bytes - 1) / page_bytes * page_bytes;
    guard.begin = data;
    return i;
  }
  return std::nullopt;
}

std::int64_t ModifiedNs(const struct stat& about) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  return about.st_mtim.tv_sec * kSecond + about.st_mtim.tv_nsec;
}

}  // namespace

Result<ArtifactFile> ArtifactFile::Open(const std::filesystem::path& path) {
  const std::string doing = fmt::format("mapping {}", path.string());
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(path, error);
  if (error) return OsError(doing, error.value());
  const Root folder = SIBYL_TRY(Root::Open(real.parent_path()));
  return Of(SIBYL_TRY(folder.OpenFile(real.filename())), doing);
}

Result<ArtifactFile> ArtifactFile::Open(const Root& root, const std::filesystem::path& relative) {
  return Of(SIBYL_TRY(root.OpenFile(relative)),
            fmt::format("mapping {}", root.Shown(relative).string()));
}

Result<ArtifactFile> ArtifactFile::Of(FileDescriptor file, const std::string& doing) {
  struct stat about {};
  if (::fstat(file.number(), &about) != 0) return OsError(doing, errno);
  ArtifactFile opened(std::move(file), static_cast<std::size_t>(about.st_size), ModifiedNs(about));
  if (const Status mapped = opened.Map(); !mapped.ok()) return While(doing, mapped.error());
  return opened;
}

Status ArtifactFile::Map() {
  if (size_ == 0) return {};
  InstallHandler();
  void* data = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file_.number(), 0);
  if (data == MAP_FAILED) return OsError("mmap", errno);
  const auto guard = TakeGuard(static_cast<char*>(data), size_);
  if (!guard) {
    ::munmap(data, size_);
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = fmt::format("{} files are already open", kMostGuards)};
  }
  data_ = static_cast<const char*>(data);
  guard_ = *guard;
  return {};
}

void ArtifactFile::Unmap() {
  if (data_ == nullptr) return;
  guards[guard_].begin = nullptr;
  ::munmap(const_cast<char*>(data_), size_);
  guards[guard_].is_taken = false;
  data_ = nullptr;
}

ArtifactFile::ArtifactFile(ArtifactFile&& other) noexcept
    : file_(std::move(other.file_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      modified_ns_(other.modified_ns_),
      guard_(other.guard_) {}

ArtifactFile& ArtifactFile::operator=(ArtifactFile&& other) noexcept {
  if (this == &other) return *this;
  Unmap();
  file_ = std::move(other.file_);
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  modified_ns_ = other.modified_ns_;
  guard_ = other.guard_;
  return *this;
}

ArtifactFile::~ArtifactFile() { Unmap(); }

std::optional<std::string> ArtifactFile::WhatChanged() const {
  struct stat about {};
  if (::fstat(file_.number(), &about) != 0) return "its size cannot be read any more";
  const auto size = static_cast<std::size_t>(about.st_size);
  if (size != size_) return fmt::format("its size changed from {} to {} bytes", size_, size);
  if (data_ != nullptr && guards[guard_].was_cut) return "a part of it could not be read";
  if (ModifiedNs(about) != modified_ns_) return "it was written to";
  return std::nullopt;
}

}  // namespace sibyl::inspect
