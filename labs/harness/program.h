// SPDX-License-Identifier: Apache-2.0
// What a lab is, and the program around it: command line, cases, variants, lines, exit code. Start
// here to write one; docs/labs.md has an example from beginning to end.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/line.h"
#include "harness/params.h"
#include "harness/timer.h"

namespace sibyl::lab {

/// docs/formats/lab.md promises these to whoever runs a lab.
enum class ExitCode : int {
  kDone = 0,
  kWrongAnswer = 1,  ///< Something was measured or checked, and an answer was wrong.
  kCannot = 2,       ///< Usage, or a CUDA call failed.
  kNoGpu = 3,        ///< No GPU this program can use; stderr says why.
};

struct Arguments {
  bool list = false;
  bool quick = false;
  bool check_only = false;
  bool help = false;
  std::string variant;  ///< Only this one; empty: all.
  std::optional<std::uint64_t> seed;
  std::string mistake;  ///< What is wrong with the command line; empty: nothing.
};
Arguments ParseArguments(const std::vector<std::string>& words);

class Session;

struct Lab {
  std::string name;
  std::string question;               ///< One line, for people.
  std::vector<std::string> variants;  ///< What --list shows and --variant accepts.
  std::vector<Params> cases;          ///< The sizes the README speaks of.
  std::vector<Params> quick_cases;    ///< Small, awkward ones: what --quick and the sanitizer run.
  std::function<void(Session&, const Params&)> measure;
};

/// What a lab measured about one variant; the session turns it into a Measurement and prints it.
struct Answer {
  std::string variant;
  double max_rel_err = 0;
  double tolerance = 0;
};

/// One run of a lab. Given to Lab::measure once per case.
class Session {
 public:
  Session(const Lab& lab, const Arguments& arguments);

  bool Wants(const std::string& variant) const;
  bool check_only() const { return arguments_.check_only; }
  bool quick() const { return arguments_.quick; }
  /// Fresh in every run unless --seed was given; printed on stderr, so that a failure can be
  /// repeated.
  std::uint64_t NextSeed() { return seed_++; }
  const DeviceLimits& limits() const { return limits_; }
  const ClockReader& clocks() const { return clocks_; }
  /// Measured when first asked for. GB/s, reads and writes counted.
  double CopyCeiling();

  /// True when the answer is good enough to be worth timing. Prints the failure otherwise. Pending
  /// device errors end the program here, where the variant's name is known.
  bool Accept(const Params& params, const Answer& answer);
  /// Times it and prints a line in ms, with the floor of moving these bytes at the copy ceiling.
  /// Nothing happens under --check.
  Timing TimeBytes(const Params& params, const Answer& answer, double bytes, const Launch& launch,
                   const TimingOptions& options = {});
  void Report(const Measurement& measurement);
  void Skip(const std::string& variant, const Params& params, const std::string& reason);
  void Fail(const std::string& variant, const Params& params, const std::string& reason);

  ExitCode exit_code() const { return failed_ ? ExitCode::kWrongAnswer : ExitCode::kDone; }

 private:
  const Lab& lab_;
  const Arguments& arguments_;
  ClockReader clocks_;
  Platform platform_;
  DeviceLimits limits_;
  std::uint64_t seed_;
  std::optional<double> copy_ceiling_;
  bool failed_ = false;
};

/// The whole of a lab's main().
int RunLab(const Lab& lab, int argc, char** argv);

}  // namespace sibyl::lab
