// SPDX-License-Identifier: Apache-2.0
#include "postgres_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <utility>

#include "base/files/files.h"
#include "base/process/subprocess.h"
#include "runner/postgres/connection.h"

namespace sibyl::runner {
namespace {

namespace fs = std::filesystem;

// More than any test makes.
constexpr std::uint64_t kWritesOfDisk = 1'000'000'000'000;

constexpr int kDefaultPort = 5432;

// At the moment.
int FreePort() {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* raw = reinterpret_cast<sockaddr*>(&address);
  if (::bind(descriptor, raw, size) != 0 || ::getsockname(descriptor, raw, &size) != 0)
    std::abort();
  ::close(descriptor);
  return ntohs(address.sin_port);
}

Error Missing(std::string why) {
  return {.kind = ErrorKind::kUnavailable, .message = std::move(why)};
}

// The server refuses to run as root. Debian's package makes the user.
const passwd* UnprivilegedUser() {
  if (::geteuid() != 0) return nullptr;
  const passwd* user = ::getpwnam("postgres");           // NOLINT(concurrency-mt-unsafe)
  return user != nullptr ? user : ::getpwnam("nobody");  // NOLINT(concurrency-mt-unsafe)
}

Result<fs::path> FindPrograms() {
  const fs::path versions = "/usr/lib/postgresql";
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& each : fs::directory_iterator(versions, error)) {
    if (fs::exists(each.path() / "bin/postgres")) found.push_back(each.path() / "bin");
  }
  if (found.empty()) return Missing("no PostgreSQL server is installed (package postgresql)");
  return *std::max_element(found.begin(), found.end());
}

}  // namespace

Result<PostgresServer*> PostgresServer::Shared() {
  static Result<std::unique_ptr<PostgresServer>> server = []() -> decltype(server) {
    std::unique_ptr<PostgresServer> fresh(new PostgresServer(SIBYL_TRY(FindPrograms())));
    SIBYL_TRY(fresh->Initialize());
    SIBYL_TRY(fresh->Start());
    return fresh;
  }();
  if (!server.ok()) return server.error();
  return server->get();
}

Result<std::unique_ptr<PostgresServer>> PostgresServer::WithDisk(const ServerDisk& disk) {
  std::unique_ptr<PostgresServer> fresh(new PostgresServer(SIBYL_TRY(FindPrograms())));
  SIBYL_TRY(fresh->Initialize());
  // Where the server's user can read them.
  const fs::path folder = fresh->folder_.path();
  fs::copy_file(disk.module, folder / "full_disk.so");
  fs::permissions(folder / "full_disk.so", fs::perms::all);
  fresh->disk_below_ = (fs::canonical(folder) / "data" / disk.below).string();
  fresh->SetSpace(Space::kFree);
  fs::permissions(folder / "counter", fs::perms::all);
  SIBYL_TRY(fresh->Start());
  return fresh;
}

Result<std::unique_ptr<PostgresServer>> PostgresServer::OverTcp(
    const std::function<void(const fs::path& data)>& prepare, std::vector<std::string> settings) {
  std::unique_ptr<PostgresServer> fresh(new PostgresServer(SIBYL_TRY(FindPrograms())));
  SIBYL_TRY(fresh->Initialize());
  const fs::path data = fresh->folder_.path() / "data";
  prepare(data);
  // The server's user owns what was written, or it is refused.
  if (const passwd* user = UnprivilegedUser()) {
    for (const fs::directory_entry& each : fs::directory_iterator(data)) {
      if (::lchown(each.path().c_str(), user->pw_uid, user->pw_gid) != 0) {
        return Missing("cannot give a file to another user");
      }
    }
  }
  fresh->port_ = FreePort();
  fresh->settings_ = std::move(settings);
  fresh->settings_.emplace_back("listen_addresses=127.0.0.1");
  fresh->settings_.push_back(fmt::format("port={}", fresh->port_));
  SIBYL_TRY(fresh->Start());
  return fresh;
}

void PostgresServer::SetSpace(Space space) const {
  const std::uint64_t writes = space == Space::kNone ? kWritesOfDisk : 0;
  const std::string file = (folder_.path() / "counter").string();
  const int counter = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  const ssize_t written = ::pwrite(counter, &writes, sizeof(writes), 0);
  ::close(counter);
  if (written != sizeof(writes)) std::abort();
}

bool PostgresServer::HasPanicked() const {
  const Result<std::string> log = ReadFile(folder_.path() / "data/log");
  return log.ok() && log->find("PANIC:") != std::string::npos;
}

// In the process that becomes the server.
void PostgresServer::LoadDisk() const {
  if (disk_below_.empty()) return;
  const std::string folder = folder_.path().string();
  // NOLINTBEGIN(concurrency-mt-unsafe)
  ::setenv("LD_PRELOAD", (folder + "/full_disk.so").c_str(), 1);
  ::setenv("FULL_DISK_BELOW", disk_below_.c_str(), 1);
  ::setenv("FULL_DISK_COUNTER", (folder + "/counter").c_str(), 1);
  ::setenv("FULL_DISK_AFTER", std::to_string(kWritesOfDisk).c_str(), 1);
  // NOLINTEND(concurrency-mt-unsafe)
}

Status PostgresServer::Initialize() {
  Command command{.program = (programs_ / "initdb").string(),
                  .arguments = {"-D", (folder_.path() / "data").string(), "-A", "trust", "-U",
                                "sibyl", "-E", "UTF8", "--locale=C", "--no-sync"},
                  .folder = folder_.path()};
  if (const passwd* user = UnprivilegedUser()) {
    if (::chown(folder_.path().c_str(), user->pw_uid, user->pw_gid) != 0) {
      return Missing("cannot give a folder to another user");
    }
    command.arguments.insert(command.arguments.begin(), {fmt::format("--reuid={}", user->pw_uid),
                                                         fmt::format("--regid={}", user->pw_gid),
                                                         "--clear-groups", command.program});
    command.program = "setpriv";
  }
  const Outcome made = SIBYL_TRY(RunProgram(command));
  if (made.succeeded()) return {};
  return Error{.kind = ErrorKind::kCorrupt, .message = "initdb failed: " + made.errors};
}

void PostgresServer::BecomeServer() const {
  ::setpgid(0, 0);
  if (const passwd* user = UnprivilegedUser()) {
    if (::setgroups(0, nullptr) != 0 || ::setgid(user->pw_gid) != 0 ||
        ::setuid(user->pw_uid) != 0) {
      ::_exit(126);
    }
  }
  ::prctl(PR_SET_PDEATHSIG, SIGQUIT);
  LoadDisk();
  const std::string log = (folder_.path() / "data/log").string();
  const int descriptor = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  ::dup2(descriptor, 1);
  ::dup2(descriptor, 2);
  const std::string program = (programs_ / "postgres").string();
  const std::string data = (folder_.path() / "data").string();
  const std::string socket_folder = folder_.path().string();
  std::vector<std::string> settings = {"fsync=off",
                                       "max_connections=120",
                                       "shared_buffers=32MB",
                                       "restart_after_crash=on",
                                       "autovacuum_naptime=5s",
                                       "max_wal_size=256MB",
                                       "listen_addresses="};
  settings.insert(settings.end(), settings_.begin(), settings_.end());
  std::vector<const char*> words = {program.c_str(), "-D", data.c_str(), "-k",
                                    socket_folder.c_str()};
  for (const std::string& setting : settings) {
    words.insert(words.end(), {"-c", setting.c_str()});
  }
  words.push_back(nullptr);
  ::execv(program.c_str(), const_cast<char* const*>(words.data()));
  ::_exit(127);
}

Status PostgresServer::Start() {
  constexpr int kTries = 600;
  for (int i = 0; i < kTries; ++i) {
    if (pid_ < 0) {
      pid_ = ::fork();
      if (pid_ == 0) BecomeServer();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (Connection::Open(AddressOf("postgres", folder_.path())).ok()) return {};
    // After a kill, sessions of the old server may still be ending.
    int status = 0;
    if (::waitpid(pid_, &status, WNOHANG) == pid_) pid_ = -1;
  }
  return Error{.kind = ErrorKind::kCorrupt, .message = "the server does not start"};
}

void PostgresServer::Stop(int signal) {
  if (pid_ < 0) return;
  ::kill(pid_, signal);
  ::waitpid(pid_, nullptr, 0);
  pid_ = -1;
}

fs::path PostgresServer::socket() const {
  return folder_.path() / fmt::format(".s.PGSQL.{}", port_);
}

std::string PostgresServer::AddressOf(const std::string& database, const fs::path& folder) const {
  const std::string port = port_ == kDefaultPort ? "" : fmt::format("&port={}", port_);
  return fmt::format("postgresql://sibyl@/{}?host={}{}", database, folder.string(), port);
}

std::string PostgresServer::NewDatabase() {
  const std::string name = fmt::format("t{}_{}", ::getpid(), ++databases_);
  Result<Connection> connection = Connection::Open(AddressOf("postgres", folder_.path()));
  if (!connection.ok() || !connection->RunAll("CREATE DATABASE " + name).ok()) return {};
  return AddressOf(name, folder_.path());
}

}  // namespace sibyl::runner
