// SPDX-License-Identifier: Apache-2.0
// What several machines share beside the parts: leases of agents behind several servers, and
// what is fetched for a store.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <thread>

#include "base/files/files.h"
#include "base/numbers.h"
#include "engine/test_git_http.h"
#include "ledgers.h"
#include "team.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;
using runner::Eventually;
using runner::PostgresServer;

constexpr const char* kToken = "0123456789abcdef0123";

// A `sibyl serve` of the oracle.
class Server {
 public:
  Server(const Team& team, const fs::path& log) {
    const std::vector<std::string> words = {SIBYL_PROGRAM, "serve", "--port", "0"};
    std::map<std::string, std::string> environment = team.environment();
    environment["SIBYL_TOKEN"] = kToken;
    program_ = std::make_unique<RunningProgram>(words, environment, team.oracle(), log);
    EXPECT_TRUE(Eventually([&] {
      const Result<std::string> text = ReadFile(log);
      const std::size_t at = text.ok() ? text->find("127.0.0.1:") : std::string::npos;
      if (at == std::string::npos) return false;
      const std::string rest = text->substr(at + 10);
      port_ = ParseNumber<std::uint16_t>(rest.substr(0, rest.find('/'))).value_or(0);
      return port_ != 0;
    }));
  }

  // The answer of an operation; null if it is not an object.
  Json Call(const std::string& operation, const Json& arguments) const {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port_);
    EXPECT_EQ(::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    const std::string body = FormatJson(arguments, JsonLayout::kCompact);
    const std::string request =
        "POST /api/" + operation + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
        "Authorization: Bearer " + kToken + "\r\nContent-Type: application/json\r\n" +
        "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
    EXPECT_EQ(::send(socket, request.data(), request.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(request.size()));
    std::string answer;
    std::array<char, 4096> bytes{};
    for (ssize_t got = 0; (got = ::recv(socket, bytes.data(), bytes.size(), 0)) > 0;) {
      answer.append(bytes.data(), static_cast<std::size_t>(got));
    }
    ::close(socket);
    const std::size_t blank = answer.find("\r\n\r\n");
    Result<Json> json = ParseJson(blank == std::string::npos ? "" : answer.substr(blank + 4));
    return json.ok() ? *std::move(json) : Json();
  }

 private:
  std::unique_ptr<RunningProgram> program_;
  std::uint16_t port_ = 0;
};

class TeamShares : public testing::Test {
 protected:
  void SetUp() override {
    const Result<PostgresServer*> server = PostgresServer::Shared();
    if (!server.ok()) GTEST_SKIP() << server.error().message;
    address_ = (*server)->NewDatabase();
  }

  std::string address_;
};

TEST_F(TeamShares, AgentsBehindTwoServersHaveTheSameLeases) {
  Team team(2);
  team.UseLedger(address_);
  const Server one(team, team.folder() / "one");
  const Server two(team, team.folder() / "two");
  const Json plan = {{"plan", Team::kPlan}};
  const Json first = one.Call("claim_part", plan);
  const Json second = two.Call("claim_part", plan);
  ASSERT_TRUE(first.contains("lease") && second.contains("lease")) << first << second;
  EXPECT_NE(first["part"]["number"], second["part"]["number"]) << "each part once";
  EXPECT_TRUE(one.Call("claim_part", plan)["lease"].is_null()) << "both are held";
  // What was claimed behind one server is drafted and submitted behind the other, by turns.
  for (const Json* claimed : {&first, &second}) {
    const std::string lease = (*claimed)["lease"];
    const int number = (*claimed)["part"]["number"].get<int>();
    const Json read =
        two.Call("read_source", {{"target", fmt::format("widget{:03}.md:3", number)}});
    const std::string text =
        fmt::format("The buffer of Widget{0:03} has {1} slots.[^a]\n\n[^a]: {2}\n", number,
                    number + 8, read.value("citation", ""));
    const Json drafted =
        two.Call("draft_section", {{"lease", lease}, {"section", 1}, {"text", text}});
    EXPECT_EQ(drafted.value("holds", false), true) << drafted;
    const Json shown = one.Call("show_part", {{"lease", lease}});
    EXPECT_NE(shown.dump().find("slots"), std::string::npos) << "kept in the ledger: " << shown;
    EXPECT_EQ(one.Call("submit_part", {{"lease", lease}}).value("holds", false), true);
    EXPECT_NE(two.Call("submit_part", {{"lease", lease + "0"}}).value("holds", false), true)
        << "a lease that nobody signed";
  }
  const Json published = two.Call("finalize", plan);
  EXPECT_EQ(published.value("holds", false), true) << published;
  EXPECT_TRUE(team.Everything().contains("widgets/002-widget.md"));
}

// Four machines that have nothing, and one store that has nothing either.
TEST_F(TeamShares, WhatIsMissingIsFetchedOncePerStore) {
  Team team(1);
  const fs::path root = team.folder() / "served";
  fs::create_directories(root / "gadget.git");
  std::ofstream(root / "gadget.git/notes.md") << "# Gadget\n\nThe gadget has nine slots.\n";
  const auto made = RunProgram(
      {.program = "/bin/sh",
       .arguments = {"-c",
                     "git init -q -b main && git config uploadpack.allowFilter true && git add . "
                     "&& git -c user.name=a -c user.email=a@example.org commit -qm one"},
       .folder = root / "gadget.git"});
  ASSERT_TRUE(made.ok() && made->succeeded());
  std::atomic<int> packs = 0;
  net::TestServer origin([&](const std::string& request) {
    net::TestAnswer answer = engine::ServeGit(root, request);
    if (answer.bytes.find("packfile\n") != std::string::npos) {
      ++packs;
      std::this_thread::sleep_for(std::chrono::milliseconds(300));  // the others come meanwhile
    }
    return answer;
  });
  team.environment()["SIBYL_WEB_ALLOW"] = origin.host();
  const Outcome added = team.Sibyl({"source", "add", "-q", origin.url("/gadget.git")});
  ASSERT_TRUE(added.succeeded()) << added.errors;
  EXPECT_TRUE(team.Sibyl({"trust", "--yes"}).succeeded());
  const fs::path store = team.folder() / "store";
  EXPECT_TRUE(team.Sibyl({"store", "init", store.string()}).succeeded());
  team.UseStore(store);
  team.UseLedger(address_);
  const int before = packs;
  EXPECT_GT(before, 0);
  std::vector<std::unique_ptr<RunningProgram>> machines;
  for (int i = 0; i < 4; ++i) {
    team.environment()["XDG_CACHE_HOME"] =
        (team.folder() / ("machine-" + std::to_string(i))).string();
    machines.push_back(team.StartWorker({"--until-idle"}));
  }
  for (const auto& machine : machines) EXPECT_EQ(machine->Wait(), 0) << team.Logs();
  const int first = packs - before;
  EXPECT_GT(first, 0);
  // One of them has fetched; how many packs that takes is what one machine took before.
  EXPECT_LE(first, before) << team.Logs();
  const int then = packs;
  team.environment()["XDG_CACHE_HOME"] = (team.folder() / "machine-5").string();
  EXPECT_EQ(team.StartWorker({"--until-idle"})->Wait(), 0) << team.Logs();
  EXPECT_EQ(packs, then) << "a later machine asks the origin for nothing";
}

}  // namespace
}  // namespace sibyl
