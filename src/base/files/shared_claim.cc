// SPDX-License-Identifier: Apache-2.0
#include "base/files/shared_claim.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "base/files/file_descriptor.h"
#include "base/files/files.h"
#include "base/files/write_all.h"
#include "base/os_error.h"
#include "base/secret.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

constexpr std::size_t kMostClaimBytes = 256;

std::string ReadClaim(const fs::path& file) {
  Result<std::string> text = ReadFile(file, {.max_bytes = kMostClaimBytes});
  return text.ok() ? std::move(text).value() : std::string();
}

bool IsThere(const fs::path& file) {
  struct stat about {};
  return ::lstat(file.c_str(), &about) == 0;
}

// The length never changes, so that a rewrite needs no truncation and a reader
// sees the old count or the new one.
std::string ClaimText(std::string_view owner, std::uint64_t count) {
  return fmt::format("{} {:020}\n", owner, count);
}

}  // namespace

// Renews the claim from a thread of its own.
class SharedClaim::Holder {
 public:
  Holder(FileDescriptor claim, fs::path file, std::string owner, std::chrono::milliseconds renewal)
      : claim_(std::move(claim)),
        file_(std::move(file)),
        owner_(std::move(owner)),
        thread_([this, renewal](const std::stop_token& stop) { Renew(stop, renewal); }) {}
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  ~Holder() {
    thread_.request_stop();
    thread_.join();
    if (ReadClaim(file_).starts_with(owner_)) ::unlink(file_.c_str());
  }

 private:
  void Renew(const std::stop_token& stop, std::chrono::milliseconds renewal) {
    std::mutex mutex;
    std::condition_variable_any wake;
    std::unique_lock lock(mutex);
    for (std::uint64_t count = 1;; ++count) {
      wake.wait_for(lock, stop, renewal, [] { return false; });
      if (stop.stop_requested()) return;
      // A failure costs the claim, and that is all.
      (void)WriteAllAt(claim_.number(), ClaimText(owner_, count), 0);
      (void)::fsync(claim_.number());
    }
  }

  FileDescriptor claim_;
  fs::path file_;
  std::string owner_;
  std::jthread thread_;  // last: it uses the others
};

SharedClaim::SharedClaim(std::unique_ptr<Holder> holder) : holder_(std::move(holder)) {}
SharedClaim::SharedClaim(SharedClaim&&) noexcept = default;
SharedClaim& SharedClaim::operator=(SharedClaim&&) noexcept = default;
SharedClaim::~SharedClaim() = default;

Result<std::optional<SharedClaim>> SharedClaim::Take(const fs::path& file,
                                                     const std::function<bool()>& is_done,
                                                     const SharedClaimOptions& options) {
  const std::string owner = SIBYL_TRY(RandomHex(16));
  const auto deadline = steady_clock::now() + options.patience;
  std::string seen;
  auto seen_since = steady_clock::now();
  while (true) {
    if (is_done()) return std::optional<SharedClaim>();
    FileDescriptor claim(
        ::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (claim.is_open()) {
      if (const int error = WriteAllAt(claim.number(), ClaimText(owner, 0), 0); error != 0) {
        ::unlink(file.c_str());
        return OsError("writing " + file.string(), error);
      }
      return std::optional(
          SharedClaim(std::make_unique<Holder>(std::move(claim), file, owner, options.renewal)));
    }
    if (errno != EEXIST) return OsError("writing " + file.string(), errno);
    if (options.cancelled && options.cancelled()) {
      return Error{.kind = ErrorKind::kCancelled,
                   .message = "waiting for another machine: cancelled"};
    }
    const auto now = steady_clock::now();
    if (now >= deadline) return std::optional<SharedClaim>();
    const std::string text = ReadClaim(file);
    if (text != seen) {
      seen = text;
      seen_since = now;
    } else if (now - seen_since >= options.abandoned && IsThere(file)) {
      // Its holder is gone. Of several waiters one removes it; another may remove the
      // claim that the first one then creates, and both do the work.
      ::unlink(file.c_str());
      continue;
    }
    std::this_thread::sleep_for(options.poll);
  }
}

}  // namespace sibyl
