// SPDX-License-Identifier: Apache-2.0
#include "engine/lab/lab_operations.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "base/files/files.h"
#include "engine/evidence_operations.h"
#include "engine/test_operations.h"
#include "engine/verify_operations.h"

namespace sibyl::engine {
namespace {

namespace fs = std::filesystem;

// A program that speaks as a lab does, since tests have no GPU.
constexpr std::string_view kLab = R"(#!/bin/sh
case "$1" in --list) echo 'How fast is a copy?'; exit 0 ;; esac
time=${COPY_TIME:-2.0}
noise=${COPY_NOISE:-0.001}
clocks='"clocks":{"sm_mhz":1410,"memory_mhz":3201,"throttle":"'${COPY_THROTTLE:-none}'"}'
if [ "$COPY_WRONG" = yes ]; then
  echo '{"lab":"copy","variant":"wide","params":{"bytes":64},"failure":"the error is inf"}'
  exit 1
fi
echo '{"lab":"copy","variant":"wide","params":{"bytes":64},"metric":"time","value":'$time',"unit":"ms","floor":1.6,"x_floor":1.25,"samples":9,"noise":'$noise',"max_rel_err":0,"device":"NVIDIA H200","driver":"580.1","toolkit":"13.0",'$clocks'}'
echo '{"lab":"copy","variant":"torch-eager","params":{"bytes":64},"metric":"time","value":15.2,"unit":"ms","floor":1.6,"x_floor":9.5,"samples":9,"noise":0.001,"max_rel_err":null,"device":"NVIDIA H200","driver":"580.1","toolkit":"13.0"}'
)";

class LabOperations : public OperationTest {
 protected:
  LabOperations() {
    const fs::path labs = folder_.path() / "labs";
    fs::create_directories(labs);
    std::ofstream(labs / "lab_copy") << kLab;
    fs::permissions(labs / "lab_copy", fs::perms::owner_all);
    ::setenv("SIBYL_LABS", labs.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
    MakeOracle();
  }
  ~LabOperations() override {
    ::unsetenv("SIBYL_LABS");  // NOLINT(concurrency-mt-unsafe)
    for (const char* name : {"COPY_TIME", "COPY_NOISE", "COPY_THROTTLE", "COPY_WRONG"}) {
      ::unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
    }
  }

  static void Set(const char* name, const char* value) {
    ::setenv(name, value, 1);  // NOLINT(concurrency-mt-unsafe)
  }

  void WritePage(std::string_view sentence, std::string_view citation) const {
    const fs::path page = *oracle_ / "gpu/01-copies.md";
    EXPECT_TRUE(CreateFolders(page.parent_path()).ok());
    EXPECT_TRUE(WriteFileAtomically(page, "# Copies\n\n" + std::string(sentence) +
                                              "[^1]\n\n## Sources\n[^1]: lab <!-- " +
                                              std::string(citation) + " -->\n")
                    .ok());
    EXPECT_TRUE(
        WriteFileAtomically(*oracle_ / "gpu/INDEX.md", "# GPU\n\n- [Copies](01-copies.md)\n").ok());
  }
};

// A clone may bring executable files under any name.
TEST_F(LabOperations, ACloneBringsNoLabsWithIt) {
  ::unsetenv("SIBYL_LABS");  // NOLINT(concurrency-mt-unsafe)
  const fs::path ran = folder_.path() / "ran";
  for (const fs::path& folder : {folder_.path() / "build/labs", *oracle_ / "build/labs"}) {
    fs::create_directories(folder);
    std::ofstream(folder / "lab_evil") << "#!/bin/sh\ntouch " << ran.string() << "\n";
    fs::permissions(folder / "lab_evil", fs::perms::owner_all);
  }
  EXPECT_TRUE(Run(kLabList, {}).ok());
  EXPECT_FALSE(Run(kLabRun, {{"name", "evil"}}).ok());
  EXPECT_FALSE(fs::exists(ran));
}

TEST_F(LabOperations, ListsWhatCanBeRunAndWhatIsKept) {
  const Json before = Answer(kLabList, {});
  EXPECT_EQ(before["labs"][0]["question"], "How fast is a copy?");
  EXPECT_TRUE(before["runs"].empty());
  Answer(kLabRun, {{"name", "copy"}});
  EXPECT_EQ(Answer(kLabList, {})["runs"][0]["device"], "NVIDIA H200");
}

TEST_F(LabOperations, ARunIsKeptAndCanBeShownAndDrawn) {
  const Json run = Answer(kLabRun, {{"name", "copy"}, {"svg", "copy.svg"}});
  const std::string id = run["run"];
  EXPECT_TRUE(fs::exists(*oracle_ / "_labs" / (id + ".jsonl")));
  EXPECT_TRUE(fs::exists(folder_.path() / "copy.svg"));
  EXPECT_EQ(Answer(kLabShow, {{"run", id.substr(0, 6)}})["measurements"], run["measurements"]);
}

TEST_F(LabOperations, APageMayStateWhatWasMeasuredAndTheGateFindsIt) {
  const Json run = Answer(kLabRun, {{"name", "copy"}});
  const std::string citation = run["measurements"][0]["citation"];
  WritePage("The wide copy takes 2 ms, 7.6x faster than PyTorch.", citation);
  const auto verified = Run(kVerify, {});
  ASSERT_TRUE(verified.ok()) << verified.error().message;
  EXPECT_TRUE(verified->holds) << (verified->findings.empty() ? "" : verified->findings[0].message);
  WritePage("The wide copy takes 3 ms.", citation);
  EXPECT_FALSE(Run(kVerify, {})->holds);
}

TEST_F(LabOperations, ACitationOfNoKeptRunOrOfAChangedOneDoesNotHold) {
  const Json run = Answer(kLabRun, {{"name", "copy"}});
  const std::string id = run["run"];
  WritePage("The wide copy takes 2 ms.", "lab:0123456789abcdef;metric=wide/bytes=64/time");
  EXPECT_FALSE(Run(kVerify, {})->holds);
  WritePage("The wide copy takes 2 ms.", run["measurements"][0]["citation"].get<std::string>());
  EXPECT_TRUE(Run(kVerify, {})->holds);
  std::ofstream(*oracle_ / "_labs" / (id + ".jsonl"), std::ios::app) << "\n";
  EXPECT_FALSE(Run(kVerify, {})->holds);
  EXPECT_EQ(Run(kLabShow, {{"run", id}}).error().kind, ErrorKind::kCorrupt);
}

// The id of a run is the hash of its bytes: a clone can bring any run. It is the
// oracle's record then, and never said to be measured here.
TEST_F(LabOperations, ARunOfACloneIsNotTakenForOneOfThisMachine) {
  const auto what_is_said = [this] {
    for (const Finding& finding : Done(kVerify, {{"all", ""}}).findings) {
      if (finding.message.find("made on this machine") != std::string::npos) return finding.message;
    }
    return std::string("nothing");
  };
  const Json run = Answer(kLabRun, {{"name", "copy"}});
  const std::string id = run["run"];
  WritePage("The wide copy takes 2 ms.", run["measurements"][0]["citation"].get<std::string>());
  EXPECT_EQ(run["measured_here"], true);
  EXPECT_NE(what_is_said().find(", made on this machine"), std::string::npos) << what_is_said();
  fs::remove_all(folder_.path() / "state");
  EXPECT_NE(what_is_said().find("not made on this machine"), std::string::npos) << what_is_said();
  EXPECT_EQ(Answer(kLabShow, {{"run", id}})["measured_here"], false);
  EXPECT_EQ(Answer(kLabList, {})["runs"][0]["measured_here"], false);
}

TEST_F(LabOperations, WhatALabPrintedElsewhereIsKeptARunForEachLab) {
  const std::string line =
      R"("variant":"wide","params":{"bytes":64},"metric":"time","value":2,"unit":"ms","floor":1.6,"x_floor":1.25,"samples":9,"noise":0.001,"max_rel_err":0,"device":"NVIDIA H200","driver":"580.1","toolkit":"13.0"})"
      "\n";
  const fs::path printed = folder_.path() / "h200.jsonl";
  std::ofstream(printed) << R"({"lab":"copy",)" + line + R"({"lab":"scan",)" + line;
  const Json kept = Answer(kLabKeep, {{"file", "h200.jsonl"}, {"measured", "2026-11-15"}});
  ASSERT_EQ(kept["runs"].size(), 2U);
  EXPECT_EQ(kept["runs"][1]["command"], "sibyl lab run scan");
  EXPECT_EQ(kept["runs"][1]["time"], "2026-11-15");
  EXPECT_EQ(kept["runs"][1]["measured_here"], false);
  const std::string id = kept["runs"][0]["run"];
  WritePage("The wide copy takes 2 ms.", "lab:" + id + ";metric=wide/bytes=64/time");
  EXPECT_TRUE(Run(kVerify, {})->holds);
}

TEST_F(LabOperations, ARunOfAnotherOracleKeepsItsId) {
  const std::string id = Answer(kLabRun, {{"name", "copy"}})["run"];
  const fs::path file = *oracle_ / "_labs" / (id + ".jsonl");
  fs::rename(file, folder_.path() / "other.jsonl");
  EXPECT_EQ(Answer(kLabKeep, {{"file", "other.jsonl"}})["runs"][0]["run"], id);
  EXPECT_TRUE(fs::exists(file));
  EXPECT_FALSE(Run(kLabKeep, {{"file", "other.jsonl"}, {"measured", "2026-11-15"}}).ok());
}

TEST_F(LabOperations, LinesWithoutADayOrAMeasurementAreNotKept) {
  std::ofstream(folder_.path() / "skips.jsonl")
      << R"({"lab":"copy","variant":"wide","params":{},"skip":"no sm_90"})"
      << "\n";
  std::ofstream(folder_.path() / "empty.jsonl") << "\n";
  EXPECT_EQ(Run(kLabKeep, {{"file", "skips.jsonl"}}).error().hint,
            "give the day: --measured 2026-11-15");
  EXPECT_EQ(Run(kLabKeep, {{"file", "skips.jsonl"}, {"measured", "2026-02-30"}}).error().message,
            "keeping skips.jsonl: '2026-02-30' is not a day that exists");
  EXPECT_FALSE(Run(kLabKeep, {{"file", "empty.jsonl"}, {"measured", "2026-11-15"}}).ok());
  EXPECT_FALSE(fs::exists(*oracle_ / "_labs"));
}

TEST_F(LabOperations, CiteSaysAMeasurementInWords) {
  const Json run = Answer(kLabRun, {{"name", "copy"}});
  const Json cited =
      Answer(kCite, {{"target", run["measurements"][0]["citation"].get<std::string>()}});
  EXPECT_NE(cited["text"].get<std::string>().find("7.6x torch-eager"), std::string::npos);
}

TEST_F(LabOperations, TwoRunsAreComparedBeyondTheirNoise) {
  const std::string first = Answer(kLabRun, {{"name", "copy"}})["run"];
  ::setenv("COPY_TIME", "1.0", 1);  // NOLINT(concurrency-mt-unsafe)
  const std::string second = Answer(kLabRun, {{"name", "copy"}})["run"];
  const Json compared = Answer(kLabCompare, {{"before", first}, {"after", second}});
  EXPECT_EQ(compared["compared"][0]["times_better"], 2.0);
  EXPECT_EQ(compared["compared"][0]["beyond_noise"], true);
  EXPECT_EQ(compared["compared"][1]["beyond_noise"], false);
}

// Issue 22: unlike runs gave an empty comparison.
TEST_F(LabOperations, RunsWithNothingInCommonAreNotComparedAndWhyIsSaid) {
  const std::string copy = Answer(kLabRun, {{"name", "copy"}})["run"];
  const auto keep = [this](const std::string& from, const std::string& to) {
    std::string line =
        R"({"lab":"copy","variant":"wide","params":{"bytes":64},"metric":"time","value":2,"unit":"ms","floor":null,"x_floor":null,"samples":9,"noise":0.001,"max_rel_err":0,"device":"NVIDIA H200","driver":"580.1","toolkit":"13.0"})";
    line.replace(line.find(from), from.size(), to);
    std::ofstream(folder_.path() / "other.jsonl") << line << "\n";
    return Answer(kLabKeep, {{"file", "other.jsonl"}, {"measured", "2026-11-15"}})["runs"][0]["run"]
        .get<std::string>();
  };
  const auto compare = [&](const std::string& other) {
    return Run(kLabCompare, {{"before", copy}, {"after", other}}).value();
  };
  const Outcome labs = compare(keep("\"copy\"", "\"gemm\""));
  EXPECT_EQ(labs.data["unlike"], "the first run measured copy, the second gemm");
  EXPECT_FALSE(labs.holds);
  EXPECT_EQ(compare(keep("64", "128")).data["unlike"],
            "no variant, case and metric was measured in both");
  EXPECT_EQ(compare(copy).data["unlike"], "both are the same run");
  const Outcome devices = compare(keep("H200", "L4"));
  EXPECT_FALSE(devices.data.contains("unlike"));
  EXPECT_EQ(devices.data["differences"],
            Json::array({"measured with different devices: NVIDIA H200, and NVIDIA L4"}));
  EXPECT_TRUE(devices.holds);
}

// Issue 27: a run whose clocks were reduced was kept like any other.
TEST_F(LabOperations, ARunWithReducedClocksIsShownAndNotKept) {
  Set("COPY_THROTTLE", "power+thermal");
  const Outcome refused = Run(kLabRun, {{"name", "copy"}}).value();
  EXPECT_FALSE(refused.holds);
  ASSERT_EQ(refused.findings.size(), 1U);
  EXPECT_EQ(refused.findings[0].code, "lab/throttled");
  EXPECT_EQ(refused.findings[0].message,
            "the run is not kept: the GPU reduced its clocks in 1 of 2 measurements: "
            "wide/bytes=64/time by power, thermal to 1410 MHz");
  EXPECT_TRUE(refused.data["run"].is_null());
  EXPECT_EQ(refused.data["measurements"].size(), 2U);
  EXPECT_FALSE(fs::exists(*oracle_ / "_labs"));
  const Json kept = Answer(kLabRun, {{"name", "copy"}, {"accept-throttled", ""}});
  EXPECT_TRUE(fs::exists(*oracle_ / "_labs" / (kept["run"].get<std::string>() + ".jsonl")));
  const Json cited =
      Answer(kCite, {{"target", kept["measurements"][0]["citation"].get<std::string>()}});
  EXPECT_NE(cited["text"].get<std::string>().find("clocks reduced by power, thermal to 1410 MHz"),
            std::string::npos);
}

TEST_F(LabOperations, ClocksThatSomebodySetAreNotReduced) {
  Set("COPY_THROTTLE", "application-clocks");
  EXPECT_FALSE(Answer(kLabRun, {{"name", "copy"}})["run"].is_null());
}

TEST_F(LabOperations, ANoisyRunIsKeptOnlyIfThatMuchNoiseIsAccepted) {
  Set("COPY_NOISE", "0.144");
  const Outcome refused = Run(kLabRun, {{"name", "copy"}}).value();
  EXPECT_FALSE(refused.holds);
  ASSERT_EQ(refused.findings.size(), 1U);
  EXPECT_EQ(refused.findings[0].message,
            "the run is not kept: 1 of 2 measurements noisier than 5 %: wide/bytes=64/time by "
            "14.4 %");
  EXPECT_EQ(refused.findings[0].severity, Severity::kError);
  const Outcome forgotten = Run(kLabRun, {{"name", "copy"}, {"forget", ""}}).value();
  EXPECT_TRUE(forgotten.holds);
  EXPECT_EQ(forgotten.findings[0].severity, Severity::kWarning);
  EXPECT_FALSE(Run(kLabRun, {{"name", "copy"}, {"max-noise", "14"}})->holds);
  EXPECT_TRUE(Run(kLabRun, {{"name", "copy"}, {"max-noise", "15"}})->holds);
}

// Issue 27: a comparison that is to guard against regressions has to fail.
TEST_F(LabOperations, AWorseRunFailsTheComparisonAndABetterOneDoesNot) {
  const std::string stored = Answer(kLabRun, {{"name", "copy"}})["run"];
  Set("COPY_TIME", "2.2");
  const std::string slower = Answer(kLabRun, {{"name", "copy"}})["run"];
  const Outcome worse = Run(kLabCompare, {{"before", stored}, {"after", slower}}).value();
  EXPECT_FALSE(worse.holds);
  EXPECT_EQ(worse.data["worse"], 1);
  EXPECT_TRUE(Run(kLabCompare, {{"before", slower}, {"after", stored}})->holds);
  EXPECT_TRUE(
      Run(kLabCompare, {{"before", stored}, {"after", slower}, {"tolerance", "12"}})->holds);
  Set("COPY_NOISE", "0.05");
  const std::string noisy = Answer(kLabRun, {{"name", "copy"}})["run"];
  EXPECT_FALSE(Run(kLabCompare, {{"before", stored}, {"after", noisy}})->holds);
  Set("COPY_TIME", "2.1");
  const std::string near = Answer(kLabRun, {{"name", "copy"}})["run"];
  EXPECT_TRUE(Run(kLabCompare, {{"before", stored}, {"after", near}})->holds);
}

TEST_F(LabOperations, AnAnswerThatIsWrongNowFailsTheComparison) {
  const std::string stored = Answer(kLabRun, {{"name", "copy"}})["run"];
  Set("COPY_WRONG", "yes");
  const Outcome wrong = Run(kLabRun, {{"name", "copy"}}).value();
  EXPECT_FALSE(wrong.holds);
  const Outcome compared =
      Run(kLabCompare, {{"before", stored}, {"after", wrong.data["run"].get<std::string>()}})
          .value();
  EXPECT_FALSE(compared.holds);
  EXPECT_EQ(compared.data["broken"][0]["failure"], "the error is inf");
}

TEST_F(LabOperations, AnUnknownLabIsAnsweredWithTheNearest) {
  const auto unknown = Run(kLabRun, {{"name", "copi"}});
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().hint, "did you mean 'copy'?");
}

}  // namespace
}  // namespace sibyl::engine
