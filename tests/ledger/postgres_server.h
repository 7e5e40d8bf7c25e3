// SPDX-License-Identifier: Apache-2.0
// For tests: a PostgreSQL server from the machine's package, in a temporary
// folder, on a Unix socket, as an unprivileged user.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/files/temporary_folder.h"
#include "base/result.h"

namespace sibyl::runner {

/// A disk that can become full: writes of the server below a folder of its data then
/// fail. See tests/full_disk/full_disk.cc.
struct ServerDisk {
  std::filesystem::path module;  ///< Loaded into the server.
  std::string below;             ///< "base": tables; "pg_wal": the write-ahead log.
};

class PostgresServer {
 public:
  /// One for the process, started the first time; an Error says why it cannot be
  /// started, for GTEST_SKIP.
  static Result<PostgresServer*> Shared();

  /// Another one, with its own disk.
  static Result<std::unique_ptr<PostgresServer>> WithDisk(const ServerDisk& disk);

  /// Another one, which is reached over TCP on 127.0.0.1 too. `prepare` writes into the folder
  /// of its data; `settings` are "name=value".
  static Result<std::unique_ptr<PostgresServer>> OverTcp(
      const std::function<void(const std::filesystem::path& data)>& prepare,
      std::vector<std::string> settings);

  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;
  ~PostgresServer() { Stop(SIGQUIT_); }

  /// The address of a new, empty database.
  std::string NewDatabase();
  /// Waits until it accepts connections.
  Status Start();
  /// 9 kills it, 2 ends its sessions and stops cleanly.
  void Stop(int signal);

  /// Of WithDisk.
  enum class Space { kFree, kNone };
  void SetSpace(Space space) const;
  /// Whether the server has ended all sessions because it could not write its log. It
  /// starts again by itself once there is space.
  bool HasPanicked() const;

  /// Of OverTcp.
  int port() const { return port_; }
  std::filesystem::path socket() const;
  std::string AddressOf(const std::string& database, const std::filesystem::path& folder) const;

 private:
  static constexpr int SIGQUIT_ = 3;
  explicit PostgresServer(std::filesystem::path programs) : programs_(std::move(programs)) {}
  Status Initialize();
  void LoadDisk() const;
  [[noreturn]] void BecomeServer() const;

  TemporaryFolder folder_;
  std::filesystem::path programs_;
  std::string disk_below_;  // empty: no such disk
  std::vector<std::string> settings_;
  int port_ = 5432;  // of the socket's name too
  pid_t pid_ = -1;
  int databases_ = 0;
};

}  // namespace sibyl::runner
