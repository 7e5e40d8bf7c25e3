// SPDX-License-Identifier: Apache-2.0
// For tests: a disk under SQLite that counts what is written and, at the N-th
// time, is full, fails to sync, or ends the process in the middle of a write.
#pragma once

#include <sqlite3.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstddef>
#include <new>

namespace sibyl::runner {

/// Process-wide, since SQLite's file systems are. Reset by Disarm.
class TestDisk {
 public:
  enum class Trouble { kNone, kFull, kKill };

  /// From now on all databases of this process are on it.
  static void Install() {
    static sqlite3_vfs vfs = *sqlite3_vfs_find(nullptr);
    if (Real() != nullptr) return;
    Real() = sqlite3_vfs_find(nullptr);
    vfs.zName = "sibyl-test-disk";
    vfs.szOsFile += static_cast<int>(sizeof(File));
    vfs.xOpen = Open;
    sqlite3_vfs_register(&vfs, 1);
  }

  /// The `at`-th operation from now, counted from one.
  static void Arm(Trouble trouble, int at) {
    Left() = at;
    Kind() = trouble;
  }
  static void Disarm() { Kind() = Trouble::kNone; }
  static int operations() { return Count(); }
  static bool has_struck() { return Struck(); }

 private:
  struct File {
    sqlite3_file base;
    sqlite3_file* real;
  };

  static sqlite3_vfs*& Real() {
    static sqlite3_vfs* real = nullptr;
    return real;
  }
  static std::atomic<int>& Left() {
    static std::atomic<int> left = 0;
    return left;
  }
  static std::atomic<int>& Count() {
    static std::atomic<int> count = 0;
    return count;
  }
  static std::atomic<Trouble>& Kind() {
    static std::atomic<Trouble> kind = Trouble::kNone;
    return kind;
  }
  static std::atomic<bool>& Struck() {
    static std::atomic<bool> struck = false;
    return struck;
  }
  // Once: what follows a failure is let through.
  static bool IsTime() {
    ++Count();
    if (Kind() == Trouble::kNone || --Left() != 0) return false;
    Struck() = true;
    return true;
  }
  [[noreturn]] static void Die() {
    ::kill(::getpid(), SIGKILL);
    while (true) ::pause();
  }

  static sqlite3_file* Of(sqlite3_file* file) { return reinterpret_cast<File*>(file)->real; }

  static int Write(sqlite3_file* file, const void* bytes, int size, sqlite3_int64 offset) {
    sqlite3_file* real = Of(file);
    if (IsTime()) {
      if (Kind() == Trouble::kFull) return SQLITE_FULL;
      real->pMethods->xWrite(real, bytes, size / 2, offset);  // torn
      Die();
    }
    return real->pMethods->xWrite(real, bytes, size, offset);
  }
  static int Sync(sqlite3_file* file, int flags) {
    sqlite3_file* real = Of(file);
    if (IsTime()) {
      if (Kind() == Trouble::kFull) return SQLITE_IOERR_FSYNC;
      Die();
    }
    return real->pMethods->xSync(real, flags);
  }
  static int Truncate(sqlite3_file* file, sqlite3_int64 size) {
    sqlite3_file* real = Of(file);
    if (IsTime()) {
      if (Kind() == Trouble::kFull) return SQLITE_IOERR_TRUNCATE;
      Die();
    }
    return real->pMethods->xTruncate(real, size);
  }

  static int Open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out) {
    static const sqlite3_io_methods kMethods = {
        .iVersion = 2,
        .xClose = [](sqlite3_file* f) { return Of(f)->pMethods->xClose(Of(f)); },
        .xRead = [](sqlite3_file* f, void* to, int size,
                    sqlite3_int64 at) { return Of(f)->pMethods->xRead(Of(f), to, size, at); },
        .xWrite = Write,
        .xTruncate = Truncate,
        .xSync = Sync,
        .xFileSize = [](sqlite3_file* f,
                        sqlite3_int64* size) { return Of(f)->pMethods->xFileSize(Of(f), size); },
        .xLock = [](sqlite3_file* f, int lock) { return Of(f)->pMethods->xLock(Of(f), lock); },
        .xUnlock = [](sqlite3_file* f, int lock) { return Of(f)->pMethods->xUnlock(Of(f), lock); },
        .xCheckReservedLock =
            [](sqlite3_file* f, int* is) { return Of(f)->pMethods->xCheckReservedLock(Of(f), is); },
        .xFileControl = [](sqlite3_file* f, int op,
                           void* with) { return Of(f)->pMethods->xFileControl(Of(f), op, with); },
        .xSectorSize = [](sqlite3_file* f) { return Of(f)->pMethods->xSectorSize(Of(f)); },
        .xDeviceCharacteristics =
            [](sqlite3_file* f) { return Of(f)->pMethods->xDeviceCharacteristics(Of(f)); },
        .xShmMap =
            [](sqlite3_file* f, int page, int size, int extend, void volatile** to) {
              return Of(f)->pMethods->xShmMap(Of(f), page, size, extend, to);
            },
        .xShmLock = [](sqlite3_file* f, int offset, int n,
                       int lock) { return Of(f)->pMethods->xShmLock(Of(f), offset, n, lock); },
        .xShmBarrier = [](sqlite3_file* f) { Of(f)->pMethods->xShmBarrier(Of(f)); },
        .xShmUnmap = [](sqlite3_file* f,
                        int remove) { return Of(f)->pMethods->xShmUnmap(Of(f), remove); },
        .xFetch = nullptr,
        .xUnfetch = nullptr,
    };
    auto* own = new (file) File{};
    own->real = reinterpret_cast<sqlite3_file*>(own + 1);
    const int code = Real()->xOpen(Real(), name, own->real, flags, out);
    own->base.pMethods = own->real->pMethods != nullptr ? &kMethods : nullptr;
    return code;
  }
};

}  // namespace sibyl::runner
