// SPDX-License-Identifier: Apache-2.0
// For tests: the program on several "machines" that share a ledger, with a model that
// answers when the test lets it. All work on one oracle, or on clones of it.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <climits>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/files/temporary_folder.h"
#include "base/json.h"
#include "base/process/subprocess.h"
#include "library/test_oracle.h"
#include "net/test_server.h"

namespace sibyl {

/// A program that runs beside the test; killed when it is destroyed.
class RunningProgram {
 public:
  /// Its output goes to `log`.
  RunningProgram(const std::vector<std::string>& words,
                 const std::map<std::string, std::string>& environment,
                 const std::filesystem::path& folder, const std::filesystem::path& log);
  RunningProgram(const RunningProgram&) = delete;
  RunningProgram& operator=(const RunningProgram&) = delete;
  ~RunningProgram();

  void Signal(int signal) const;
  bool IsRunning();
  /// The exit code, or minus the signal.
  int Wait();

 private:
  pid_t pid_ = -1;
  int ended_ = 0;
};

/// An oracle with a source and a plan of `parts` parts, each of which asks a model once or
/// twice, and the machine on which the program runs.
class Team {
 public:
  explicit Team(int parts);
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() { is_over_ = true; }  // answers that are held end

  static constexpr const char* kPlan = "_ingest-auto/expansion-widgets/ingestion.md";

  const std::filesystem::path& oracle() const { return oracle_; }
  std::filesystem::path folder() const { return folder_.path(); }
  int parts() const { return parts_; }

  /// The ledger and the store of all that is started from now on; empty: none.
  void UseLedger(std::string address) { environment_["SIBYL_LEDGER"] = std::move(address); }
  void UseStore(const std::filesystem::path& store) {
    environment_["SIBYL_STORE"] = store.string();
  }
  std::map<std::string, std::string>& environment() { return environment_; }
  const std::map<std::string, std::string>& environment() const { return environment_; }

  /// Runs to its end, in the oracle.
  Outcome Sibyl(std::vector<std::string> words) const;
  /// As Sibyl, which must succeed; its answer with --json.
  Json Answer(std::vector<std::string> words) const;
  std::unique_ptr<RunningProgram> Start(std::vector<std::string> words) const;
  std::unique_ptr<RunningProgram> StartWorker(std::vector<std::string> more = {}) const;
  std::unique_ptr<RunningProgram> StartPublisher() const;

  /// Begins the run in the ledger; its publisher ends without having written a part.
  void BeginRun();
  /// The states of its parts; empty before it has begun.
  std::vector<std::string> PartStates() const;
  std::size_t CountOf(std::string_view state) const;

  /// Requests are answered at once, after a while, or not before it is let go.
  void AnswerAfter(std::chrono::milliseconds time) { pause_ = time; }
  void HoldAnswers() { is_holding_ = true; }
  /// As HoldAnswers, after this many requests more.
  void HoldAfter(int requests) { held_after_ = requests_ + requests; }
  void LetGo() {
    is_holding_ = false;
    held_after_ = INT_MAX;
  }
  /// Requests that wait for an answer.
  int held() const { return held_; }
  int requests() const { return requests_; }
  /// Of the undisturbed run.
  int usual_requests() const { return usual_requests_; }

  /// Every file, the history and git's status. Must not be called while something runs.
  std::map<std::string, std::string> Everything() const;
  /// What an undisturbed run on one machine, with a journal, makes of a copy.
  std::map<std::string, std::string> Undisturbed();
  /// The newest lines that the started programs have written.
  std::string Logs() const;

 private:
  void MakeOracle();
  net::TestAnswer Answer(const std::string& request);

  int parts_;
  library::MemoryFolder folder_;
  std::filesystem::path oracle_;
  std::map<std::string, std::string> environment_;
  std::atomic<bool> is_holding_ = false;
  std::atomic<int> held_after_ = INT_MAX;
  int usual_requests_ = 0;
  std::atomic<bool> is_over_ = false;
  std::atomic<int> held_ = 0;
  std::atomic<int> requests_ = 0;
  std::atomic<std::chrono::milliseconds> pause_{};
  mutable int started_ = 0;
  // Its threads use the members above.
  std::unique_ptr<net::TestServer> server_;
};

}  // namespace sibyl
