// SPDX-License-Identifier: Apache-2.0
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <fstream>
#include <stop_token>
#include <thread>

#include "base/files/file_descriptor.h"
#include "evidence/evidence.h"
#include "evidence/test_oracle.h"
#include "git/fetch.h"
#include "git/test_git.h"

namespace sibyl::evidence {
namespace {

sockaddr_in Loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

// A port that was free a moment ago.
std::uint16_t FreePort() {
  const FileDescriptor listener(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof(address);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  EXPECT_EQ(::bind(listener.number(), generic, size), 0);
  EXPECT_EQ(::getsockname(listener.number(), generic, &size), 0);
  return ntohs(address.sin_port);
}

bool Answers(std::uint16_t port) {
  const FileDescriptor client(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const sockaddr_in address = Loopback(port);
  return ::connect(client.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) ==
         0;
}

/// git's own server over a folder of repositories, on this machine only.
class Server {
 public:
  explicit Server(const std::filesystem::path& folder) : port_(FreePort()) {
    const Command command{
        .program = "git",
        .arguments = {"daemon", "--reuseaddr", "--export-all", "--listen=127.0.0.1",
                      "--port=" + std::to_string(port_), "--base-path=" + folder.string()},
        .environment = {{"GIT_CONFIG_COUNT", "1"},
                        {"GIT_CONFIG_KEY_0", "safe.directory"},
                        {"GIT_CONFIG_VALUE_0", "*"}}};
    thread_ = std::jthread([command](const std::stop_token& stop) {
      (void)RunProgram(command, stop).ok();  // ends by being stopped
    });
    for (int i = 0; i < 500 && !(running_ = Answers(port_)); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  bool running() const { return running_; }
  std::string Url(const std::string& name) const {
    return "git://127.0.0.1:" + std::to_string(port_) + "/" + name;
  }

 private:
  std::uint16_t port_;
  bool running_ = false;
  std::jthread thread_;
};

class FetchTest : public testing::Test {
 protected:
  FetchTest() : git_(oracle_.folder() / "served" / "r"), server_(oracle_.folder() / "served") {}

  void SetUp() override {
    if (!server_.running()) GTEST_SKIP() << "git daemon does not start here";
  }

  SourceSpec Spec(std::string ref) const {
    return {.name = "r", .kind = SourceKind::kGit, .origin = server_.Url("r"), .ref = ref};
  }

  TestOracle oracle_;
  git::TestGit git_;
  Server server_;
};

TEST_F(FetchTest, FetchesPinsAndMoves) {
  git_.Write("a.c", "one\n");
  const std::string first = git_.Commit();
  git_.Run({"tag", "-a", "v1", "-m", "first"});
  const Surroundings around = oracle_.around();
  const Result<SourceChange> added = AddSource(Spec("main"), around);
  ASSERT_TRUE(added.ok()) << added.error().message;
  EXPECT_EQ(added->pin.commit->Hex(), first);
  EXPECT_EQ(MakeCitation("a.c:1", around)->text, "one\n");

  git_.Write("a.c", "two\n");
  const std::string second = git_.Commit();
  const Result<SourceChange> moved = SyncSource("r", around);
  ASSERT_TRUE(moved.ok()) << moved.error().message;
  EXPECT_EQ(moved->pin.commit->Hex(), second);
  EXPECT_EQ(moved->changes->examples, (std::vector<std::string>{"~ a.c"}));
  EXPECT_TRUE(OpenSnapshot(added->pin, around).ok());
}

// After a fetch that was cut off the next one completes.
TEST_F(FetchTest, FetchesOneCommitAndSweepsWhatAKilledFetchLeft) {
  git_.Write("a.txt", "one\n");
  git_.Commit("first");
  git_.Write("a.txt", "two\n");
  const std::string second = git_.Commit("second");
  const std::filesystem::path mirror = oracle_.folder() / "mirror";
  git_.Run({"init", "-q", "--bare", mirror.string()});
  const std::filesystem::path pack = mirror / "objects" / "pack";
  std::ofstream(pack / "tmp_pack_x1") << "half a pack";
  std::ofstream(mirror / "shallow.lock") << "";
  std::filesystem::create_directories(mirror / "objects" / "incoming-y");

  const Result<git::ObjectId> commit = git::FetchCommit(mirror, server_.Url("r"), "main", {});
  ASSERT_TRUE(commit.ok()) << commit.error().message;
  EXPECT_EQ(commit->Hex(), second);
  EXPECT_TRUE(std::filesystem::exists(mirror / "shallow")) << "history was fetched too";
  EXPECT_FALSE(std::filesystem::exists(pack / "tmp_pack_x1"));
  EXPECT_FALSE(std::filesystem::exists(mirror / "objects" / "incoming-y"));
}

TEST_F(FetchTest, KnowsTagsCommitsAndTheServersHead) {
  git_.Write("a.c", "one\n");
  const std::string first = git_.Commit();
  git_.Run({"tag", "-a", "v1", "-m", "first"});
  git_.Write("a.c", "two\n");
  const std::string second = git_.Commit();
  const Mirror mirror(oracle_.folder() / "mirror.git");
  ASSERT_TRUE(mirror.Create("test").ok());
  const std::string url = server_.Url("r");
  EXPECT_EQ(git::FetchCommit(mirror.folder(), url, "v1", {})->Hex(), first);
  EXPECT_EQ(git::FetchCommit(mirror.folder(), url, "", {})->Hex(), second);
  EXPECT_EQ(git::FetchCommit(mirror.folder(), url, first, {})->Hex(), first);
  EXPECT_EQ(git::FetchCommit(mirror.folder(), url, std::string(40, 'a'), {}).error().kind,
            ErrorKind::kNotFound);
  const Error unknown = git::FetchCommit(mirror.folder(), url, "v9", {}).error();
  EXPECT_EQ(unknown.kind, ErrorKind::kNotFound);
  EXPECT_NE(unknown.message.find("unknown ref 'v9'"), std::string::npos);
  EXPECT_EQ(git::FetchCommit(mirror.folder(), server_.Url("none"), "", {}).error().kind,
            ErrorKind::kUnavailable);
}

TEST_F(FetchTest, SaysThatARepositoryIsEmpty) {
  const Mirror mirror(oracle_.folder() / "mirror.git");
  ASSERT_TRUE(mirror.Create("test").ok());
  const Result<git::ObjectId> commit = git::FetchCommit(mirror.folder(), server_.Url("r"), "", {});
  ASSERT_FALSE(commit.ok());
  EXPECT_NE(commit.error().message.find("empty"), std::string::npos);
}

TEST_F(FetchTest, CanBeRestoredAndCancelled) {
  git_.Write("a.c", "one\n");
  git_.Commit();
  Surroundings around = oracle_.around();
  const Pin pin = AddSource(Spec("main"), around)->pin;
  git_.Write("a.c", "two\n");
  git_.Commit();
  std::filesystem::remove_all(around.store.folder());
  around.cancelled = [] { return true; };
  EXPECT_FALSE(RestoreSource(pin, around).ok());
  around.cancelled = {};
  ASSERT_TRUE(RestoreSource(pin, around).ok());
  EXPECT_TRUE(OpenSnapshot(pin, around).ok());
}

}  // namespace
}  // namespace sibyl::evidence
