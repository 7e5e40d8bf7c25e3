// SPDX-License-Identifier: Apache-2.0
// For tests: nginx on a free port of loopback, with a configuration of the
// test's own in a temporary folder. Gone with the object.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/files/file_descriptor.h"
#include "base/files/temporary_folder.h"
#include "base/process/subprocess.h"

namespace sibyl::net {

/// nginx where Debian puts it, which is in no user's PATH.
inline std::optional<std::filesystem::path> FindNginx() {
  if (auto found = FindProgram("nginx")) return found;
  const std::filesystem::path usual = "/usr/sbin/nginx";
  return std::filesystem::exists(usual) ? std::optional(usual) : std::nullopt;
}

class TestNginx {
 public:
  /// `http` goes into the http block, `server` into the server block; "@ROOT@" is
  /// replaced by the folder of the pages, "@PORT@" by the port.
  struct Setup {
    std::string server;
    std::string http = {};
    bool is_tls = false;  ///< With a certificate that nobody signed but itself.
  };

  /// There must be an nginx: ask FindNginx first, and skip the test.
  explicit TestNginx(const Setup& setup) {
    std::filesystem::create_directories(root());
    if (setup.is_tls) MakeCertificate();
    // Somebody else may take the port between our look and nginx's bind.
    for (int attempt = 0; attempt < 5; ++attempt) {
      port_ = FreePort();
      Write(folder_.path() / "nginx.conf", Configuration(setup));
      Start();
      if (WaitUntilItListens()) return;
      Stop();
    }
    std::abort();
  }
  ~TestNginx() { Stop(); }
  TestNginx(const TestNginx&) = delete;
  TestNginx& operator=(const TestNginx&) = delete;

  std::filesystem::path root() const { return folder_.path() / "pages"; }
  std::filesystem::path certificate() const { return folder_.path() / "certificate.pem"; }
  std::uint16_t port() const { return port_; }
  std::string host() const { return "localhost:" + std::to_string(port_); }
  std::string url(std::string_view path) const { return "http://" + host() + std::string(path); }

  void AddPage(std::string_view path, std::string_view bytes) const {
    const std::filesystem::path file = root() / path;
    std::filesystem::create_directories(file.parent_path());
    Write(file, bytes);
  }

  /// "GET /a 200" for every request so far, once there are `count`: nginx writes
  /// its log a moment after it answers.
  std::vector<std::string> log(std::size_t count) const {
    std::vector<std::string> lines;
    for (int i = 0; i < 1000; ++i) {
      std::ifstream file(folder_.path() / "access.log");
      lines.clear();
      for (std::string line; std::getline(file, line);) lines.push_back(line);
      if (lines.size() >= count) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return lines;
  }

 private:
  static void Write(const std::filesystem::path& path, std::string_view bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  static std::uint16_t FreePort() {
    const FileDescriptor descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    auto* raw = reinterpret_cast<sockaddr*>(&address);
    if (::bind(descriptor.number(), raw, length) != 0 ||
        ::getsockname(descriptor.number(), raw, &length) != 0) {
      std::abort();
    }
    return ntohs(address.sin_port);
  }

  std::string Filled(std::string text) const {
    const auto replace = [&text](std::string_view what, const std::string& with) {
      for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
        text.replace(at, what.size(), with);
        at += with.size();
      }
    };
    replace("@ROOT@", root().string());
    replace("@FOLDER@", folder_.path().string());
    replace("@PORT@", std::to_string(port_));
    return text;
  }

  std::string Configuration(const Setup& setup) const {
    return Filled(R"(
daemon off;
master_process off;
worker_processes 1;
pid @FOLDER@/nginx.pid;
error_log @FOLDER@/error.log;
events { worker_connections 512; }
http {
  types { text/html html; text/plain txt; application/pdf pdf; }
  default_type application/octet-stream;
  log_format short '$request_method $request_uri $status';
  access_log @FOLDER@/access.log short;
  client_body_temp_path @FOLDER@/tmp-body;
  proxy_temp_path @FOLDER@/tmp-proxy;
  fastcgi_temp_path @FOLDER@/tmp-fastcgi;
  uwsgi_temp_path @FOLDER@/tmp-uwsgi;
  scgi_temp_path @FOLDER@/tmp-scgi;
)" + setup.http + "\nserver {\n  listen 127.0.0.1:@PORT@" +
                  (setup.is_tls ? " ssl;\n  ssl_certificate @FOLDER@/certificate.pem;\n"
                                  "  ssl_certificate_key @FOLDER@/key.pem;\n"
                                : ";\n") +
                  "  root @ROOT@;\n" + setup.server + "\n}\n}\n");
  }

  void MakeCertificate() const {
    const Result<Outcome> made = RunProgram(
        {.program = "openssl",
         .arguments = {"req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                       "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                       "subjectAltName=DNS:localhost", "-keyout",
                       (folder_.path() / "key.pem").string(), "-out", certificate().string()}});
    if (!made.ok() || !made->succeeded()) std::abort();
  }

  // Not through RunProgram, which waits for the end: the server has none.
  void Start() {
    const std::string program = FindNginx()->string();
    const std::string configuration = (folder_.path() / "nginx.conf").string();
    const std::string folder = folder_.path().string();
    const std::string log = (folder_.path() / "error.log").string();
    process_ = ::fork();
    if (process_ == 0) {
      // Gone with us however we end, and nobody waits for what it holds open.
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      const int nowhere = ::open("/dev/null", O_RDWR);
      for (const int stream : {0, 1, 2}) ::dup2(nowhere, stream);
      ::execl(program.c_str(), "nginx", "-p", folder.c_str(), "-c", configuration.c_str(), "-e",
              log.c_str(), static_cast<char*>(nullptr));
      ::_exit(127);
    }
  }

  bool WaitUntilItListens() const {
    for (int i = 0; i < 2000; ++i) {
      if (::waitpid(process_, nullptr, WNOHANG) == process_) return false;
      const FileDescriptor descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
      sockaddr_in address{};
      address.sin_family = AF_INET;
      address.sin_port = htons(port_);
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      if (::connect(descriptor.number(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) ==
          0) {
        return true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  void Stop() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
  }

  TemporaryFolder folder_;
  std::uint16_t port_ = 0;
  pid_t process_ = -1;
};

}  // namespace sibyl::net
