// SPDX-License-Identifier: Apache-2.0
// A server that is reached over TCP with TLS and SCRAM passwords, as at a site: passwords from
// pgpass and service files, certificates that are checked, and the program with each.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/files/files.h"
#include "base/process/subprocess.h"
#include "ledgers.h"

namespace sibyl::runner {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPassword = "hunter2-of-ada";

// A certificate authority and a certificate for 127.0.0.1.
bool MakeCertificates(const fs::path& folder) {
  const std::string script =
      "set -e; cd \"$1\"\n"
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out "
      "ca.pem\n"
      "openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout server.key -out server.csr\n"
      "printf 'subjectAltName=IP:127.0.0.1' >names\n"
      "openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile "
      "names -out server.pem\n"
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=stranger -keyout other.key -out "
      "other.pem\n"
      "chmod 644 *.pem; chmod 600 *.key";
  const auto made =
      RunProgram({.program = "sh", .arguments = {"-c", script, "sh", folder.string()}});
  return made.ok() && made->succeeded();
}

class LedgerAccess : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(MakeCertificates(folder_.path()));
    const auto prepare = [this](const fs::path& data) {
      for (const char* name : {"server.pem", "server.key"}) {
        fs::copy_file(folder_.path() / name, data / name);
      }
      std::ofstream(data / "pg_hba.conf") << "local all sibyl trust\n"
                                             "hostssl all ada 127.0.0.1/32 scram-sha-256\n";
    };
    Result<std::unique_ptr<PostgresServer>> server = PostgresServer::OverTcp(
        prepare, {"ssl=on", "ssl_cert_file=server.pem", "ssl_key_file=server.key",
                  "password_encryption=scram-sha-256"});
    if (!server.ok()) GTEST_SKIP() << server.error().message;
    server_ = std::move(server).value();
    local_ = server_->NewDatabase();
    ASSERT_FALSE(local_.empty());
    name_ = local_.substr(local_.find("@/") + 2, local_.find('?') - local_.find("@/") - 2);
    Connection admin = std::move(Connection::Open(local_)).value();
    ASSERT_TRUE(admin
                    .RunAll(fmt::format("CREATE ROLE ada LOGIN PASSWORD '{}'; GRANT CREATE ON "
                                        "DATABASE {} TO ada",
                                        kPassword, name_))
                    .ok());
    Write("pgpass", fmt::format("127.0.0.1:{}:{}:ada:{}\n", server_->port(), name_, kPassword));
    Write("wrong", fmt::format("127.0.0.1:*:*:ada:{}x\n", kPassword));
    Write("services",
          fmt::format("[team]\nhost=127.0.0.1\nport={}\ndbname={}\nuser=ada\npassword={}\n"
                      "sslmode=verify-full\nsslrootcert={}\n",
                      server_->port(), name_, kPassword, (folder_.path() / "ca.pem").string()));
  }
  void TearDown() override {
    for (const char* name : {"PGPASSFILE", "PGSERVICEFILE"}) {
      ::unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
    }
  }

  void Write(const char* name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
    fs::permissions(folder_.path() / name, fs::perms::owner_read | fs::perms::owner_write);
  }
  void Set(const char* variable, const char* file) const {
    ::setenv(variable, (folder_.path() / file).c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  }
  std::string Address(std::string_view mode, std::string_view root = "ca.pem") const {
    return fmt::format("host=127.0.0.1 port={} dbname={} user=ada sslmode={} sslrootcert={}",
                       server_->port(), name_, mode, (folder_.path() / root).string());
  }
  static Result<std::unique_ptr<PostgresLedger>> Open(const std::string& address) {
    return PostgresLedger::Open(
        {.address = address, .oracle = "oracle", .patience = std::chrono::milliseconds(200)},
        kTestClock);
  }
  static void ExpectRefused(const std::string& address, ErrorKind kind, std::string_view hint) {
    const auto ledger = Open(address);
    ASSERT_FALSE(ledger.ok()) << address;
    EXPECT_EQ(ledger.error().kind, kind) << ledger.error().message;
    EXPECT_NE(ledger.error().hint.find(hint), std::string::npos) << ledger.error().hint;
    EXPECT_EQ((ledger.error().message + ledger.error().hint).find(kPassword), std::string::npos);
  }

  TemporaryFolder folder_;
  std::unique_ptr<PostgresServer> server_;
  std::string local_;
  std::string name_;  // of the database
};

TEST_F(LedgerAccess, APasswordFromPgpassOverATlsConnectionThatIsChecked) {
  Set("PGPASSFILE", "pgpass");
  const auto ledger = Open(Address("verify-full"));
  ASSERT_TRUE(ledger.ok()) << ledger.error().message;
  JobQueue queue = MustBegin(**ledger, SpecOf(1));
  EXPECT_TRUE(IsAccepted(queue.Complete(MustClaim(queue), "A")));
  Connection admin = std::move(Connection::Open(local_)).value();
  const Result<Rows> sessions = admin.Run(
      "SELECT count(*), bool_and(ssl), min(version) FROM pg_stat_ssl JOIN pg_stat_activity USING "
      "(pid) WHERE usename = 'ada'");
  ASSERT_TRUE(sessions.ok());
  EXPECT_GE(sessions->Integer(0, 0), 1);
  EXPECT_TRUE(sessions->Bool(0, 1)) << "over TLS";
  EXPECT_GE(sessions->Text(0, 2), "TLSv1.2");
  const Result<Rows> password =
      admin.Run("SELECT left(rolpassword, 13) FROM pg_authid WHERE rolname = 'ada'");
  EXPECT_EQ(password->Text(0, 0), "SCRAM-SHA-256");
}

TEST_F(LedgerAccess, AServiceFileSaysEverything) {
  Set("PGSERVICEFILE", "services");
  const auto ledger = Open("service=team");
  ASSERT_TRUE(ledger.ok()) << ledger.error().message;
  EXPECT_EQ((*ledger)->place().find(kPassword), std::string::npos);
  ExpectRefused("service=another", ErrorKind::kUsage, "pg_service.conf");
  EXPECT_NE(Open("service=another").error().message.find("the ledger at service=another: "),
            std::string::npos);
}

TEST_F(LedgerAccess, AServerWithTheCertificateOfAStrangerIsNotSentAnything) {
  Set("PGPASSFILE", "pgpass");
  ExpectRefused(Address("verify-full", "other.pem"), ErrorKind::kUsage, "sslrootcert");
  ExpectRefused(Address("verify-ca", "other.pem"), ErrorKind::kUsage, "sslrootcert");
}

TEST_F(LedgerAccess, WhatTheServerRefusesIsAnErrorAtOnce) {
  Set("PGPASSFILE", "wrong");
  ExpectRefused(Address("verify-full"), ErrorKind::kUsage, ".pgpass");
  Set("PGPASSFILE", "none");
  ExpectRefused(Address("verify-full"), ErrorKind::kUsage, ".pgpass");
  Set("PGPASSFILE", "pgpass");
  ExpectRefused(Address("disable"), ErrorKind::kUsage, "sslmode");
  ExpectRefused(Address("never"), ErrorKind::kUsage, "sslmode");
}

TEST_F(LedgerAccess, TheProgramReadsALedgerByAnyFormOfItsAddress) {
  Set("PGPASSFILE", "pgpass");
  Set("PGSERVICEFILE", "services");
  const auto ledger = Open(Address("verify-full"));
  ASSERT_TRUE(ledger.ok()) << ledger.error().message;
  MustBegin(**ledger, SpecOf(2));
  const std::string uri =
      fmt::format("postgresql://ada@127.0.0.1:{}/{}?sslmode=verify-full&sslrootcert={}",
                  server_->port(), name_, (folder_.path() / "ca.pem").string());
  for (const std::string& address : {Address("verify-full"), std::string("service=team"), uri}) {
    const auto dumped = RunProgram(
        {.program = SIBYL_PROGRAM, .arguments = {"dump", address}, .folder = folder_.path()});
    ASSERT_TRUE(dumped.ok());
    EXPECT_TRUE(dumped->succeeded()) << address << ": " << dumped->errors;
    EXPECT_NE(dumped->output.find("plan"), std::string::npos) << dumped->output;
    const auto made = RunProgram(
        {.program = SIBYL_PROGRAM, .arguments = {"init", "-q", "o"}, .folder = folder_.path()});
    const auto status = RunProgram({.program = SIBYL_PROGRAM,
                                    .arguments = {"-C", "o", "status"},
                                    .folder = folder_.path(),
                                    .environment = {{"SIBYL_LEDGER", address}}});
    ASSERT_TRUE(made.ok() && status.ok());
    EXPECT_TRUE(status->succeeded()) << address << ": " << status->errors;
  }
  const auto secret =
      RunProgram({.program = SIBYL_PROGRAM,
                  .arguments = {"dump", std::string("host=db password=") + kPassword},
                  .folder = folder_.path()});
  ASSERT_TRUE(secret.ok());
  EXPECT_EQ(secret->exit_code, 2);
  EXPECT_EQ((secret->output + secret->errors).find(kPassword), std::string::npos);
  EXPECT_NE(secret->errors.find(".pgpass"), std::string::npos) << secret->errors;
}

}  // namespace
}  // namespace sibyl::runner
