// SPDX-License-Identifier: Apache-2.0
#include "slurm_cluster.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "base/files/files.h"
#include "base/strings.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

Error Missing(std::string why) {
  return {.kind = ErrorKind::kUnavailable, .message = std::move(why)};
}

// Debian installs the daemons where only root looks.
std::optional<fs::path> FindDaemon(const char* name) {
  if (auto found = FindProgram(name)) return found;
  const fs::path path = fs::path("/usr/sbin") / name;
  return fs::exists(path) ? std::optional(path) : std::nullopt;
}

// Free at the moment.
std::array<int, 2> FreePorts() {
  std::array<int, 2> ports{};
  std::array<int, 2> sockets{};
  for (std::size_t i = 0; i < ports.size(); ++i) {
    sockets.at(i) = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* raw = reinterpret_cast<sockaddr*>(&address);
    if (::bind(sockets.at(i), raw, size) != 0 || ::getsockname(sockets.at(i), raw, &size) != 0)
      std::abort();
    ports.at(i) = ntohs(address.sin_port);
  }
  for (const int each : sockets) ::close(each);
  return ports;
}

std::string HostName() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  const std::string whole = name.data();
  return whole.substr(0, whole.find('.'));
}

std::string UserName() {
  const passwd* user = ::getpwuid(::geteuid());  // NOLINT(concurrency-mt-unsafe)
  return user != nullptr ? user->pw_name : "root";
}

}  // namespace

Result<std::unique_ptr<SlurmCluster>> SlurmCluster::Start() {
  const auto controller = FindDaemon("slurmctld");
  const auto node = FindDaemon("slurmd");
  if (!controller || !node || !FindProgram("sbatch")) {
    return Missing("Slurm is not installed (package slurm-wlm)");
  }
  std::unique_ptr<SlurmCluster> cluster(new SlurmCluster());
  SIBYL_TRY(cluster->Configure());
  const fs::path folder = cluster->folder_.path();
  cluster->controller_ =
      std::make_unique<RunningProgram>(std::vector<std::string>{controller->string(), "-D", "-c"},
                                       cluster->environment_, folder, folder / "controller.log");
  cluster->node_ =
      std::make_unique<RunningProgram>(std::vector<std::string>{node->string(), "-D", "-N", "node"},
                                       cluster->environment_, folder, folder / "node.log");
  SIBYL_TRY(cluster->WaitUntilIdle());
  return cluster;
}

// No munge, no cgroups, no accounting: one user, who is the controller's too.
Status SlurmCluster::Configure() {
  const fs::path folder = folder_.path();
  const std::array<int, 2> ports = FreePorts();
  fs::create_directories(folder / "state");
  fs::create_directories(folder / "spool");
  std::ofstream(folder / "slurm.conf") << fmt::format(
      "ClusterName=test\nSlurmctldHost={0}(127.0.0.1)\nSlurmctldPort={1}\nSlurmdPort={2}\n"
      "AuthType=auth/none\nCredType=cred/none\nSlurmUser={3}\nSlurmdUser={3}\nMailProg=/bin/true\n"
      "StateSaveLocation={4}/state\nSlurmdSpoolDir={4}/spool\nSlurmctldPidFile={4}/controller.pid\n"
      "SlurmdPidFile={4}/node.pid\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
      "MpiDefault=none\nSelectType=select/cons_tres\nSelectTypeParameters=CR_CPU\n"
      "SlurmdParameters=config_overrides\nReturnToService=2\nKillWait=15\n"
      "SchedulerParameters=sched_interval=1,bf_interval=1,sched_min_interval=0\n"
      "PreemptType=preempt/partition_prio\nPreemptMode=REQUEUE\n"
      "NodeName=node NodeHostname={0} NodeAddr=127.0.0.1 CPUs={5} State=UNKNOWN\n"
      "PartitionName=main Nodes=ALL Default=YES PriorityTier=1\n"
      "PartitionName=urgent Nodes=ALL PriorityTier=2 PreemptMode=OFF\n",
      HostName(), ports[0], ports[1], UserName(), folder.string(), kProcessors);
  environment_ = {{"SLURM_CONF", (folder / "slurm.conf").string()}};
  return {};
}

Status SlurmCluster::WaitUntilIdle() const {
  constexpr int kTries = 150;
  for (int i = 0; i < kTries; ++i) {
    const auto info = RunProgram({.program = "sinfo",
                                  .arguments = {"--noheader", "--format=%T"},
                                  .environment = environment_});
    if (info.ok() && info->output.starts_with("idle")) return {};
    std::this_thread::sleep_for(milliseconds(200));
  }
  return Missing("Slurm does not start here: " + Logs());
}

SlurmCluster::~SlurmCluster() {
  if (controller_ == nullptr) return;
  const auto cancelled = RunProgram({.program = "scancel",
                                     .arguments = {"--me", "--signal=KILL", "--full"},
                                     .environment = environment_});
  static_cast<void>(cancelled);
  for (int i = 0; i < 50; ++i) {
    const auto left =
        RunProgram({.program = "squeue", .arguments = {"--noheader"}, .environment = environment_});
    if (!left.ok() || Trim(left->output).empty()) break;
    static_cast<void>(
        RunProgram({.program = "scancel", .arguments = {"--me"}, .environment = environment_}));
    std::this_thread::sleep_for(milliseconds(200));
  }
  for (const auto& daemon : {node_.get(), controller_.get()}) {
    if (daemon == nullptr) continue;
    daemon->Signal(SIGTERM);
    for (int i = 0; i < 50 && daemon->IsRunning(); ++i) {
      std::this_thread::sleep_for(milliseconds(100));
    }
  }
}

std::string SlurmCluster::Run(const std::string& program,
                              std::vector<std::string> arguments) const {
  const auto outcome = RunProgram(
      {.program = program, .arguments = std::move(arguments), .environment = environment_});
  EXPECT_TRUE(outcome.ok() && outcome->succeeded())
      << program << (outcome.ok() ? outcome->errors : "");
  return outcome.ok() ? std::string(Trim(outcome->output)) : "";
}

std::vector<std::string> SlurmCluster::Queue(const std::string& name) const {
  const std::string listed =
      Run("squeue", {"--noheader", "--array", "--format=%i %T", "--name=" + name});
  std::vector<std::string> jobs;
  for (const std::string_view line : SplitLines(listed)) jobs.emplace_back(Trim(line));
  std::sort(jobs.begin(), jobs.end());
  return jobs;
}

std::string SlurmCluster::Logs() const {
  std::string text;
  for (const char* name : {"controller.log", "node.log"}) {
    const Result<std::string> log = ReadFile(folder_.path() / name);
    constexpr std::size_t kMost = 1'500;
    if (log.ok()) text += log->substr(log->size() - std::min(kMost, log->size()));
  }
  return text;
}

}  // namespace sibyl
