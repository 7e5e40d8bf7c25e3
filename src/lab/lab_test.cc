// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/process/subprocess.h"
#include "lab/measurement.h"
#include "lab/plot.h"
#include "lab/programs.h"
#include "lab/run.h"
#include "lab/sweep.h"

namespace sibyl::lab {
namespace {

constexpr std::string_view kOurs =
    R"({"lab":"texture","variant":"bulk","params":{"images":32,"mode":"a<b"},"metric":"time","value":0.1834,"unit":"ms","floor":0.1667,"x_floor":1.1,"samples":15,"noise":0.0008,"max_rel_err":0.00031,"device":"NVIDIA H200","driver":"580.1","toolkit":"13.0","clocks":{"sm_mhz":1980}})";
constexpr std::string_view kTorch =
    R"({"lab":"texture","variant":"torch-eager","params":{"images":32,"mode":"a<b"},"metric":"time","value":8.0,"unit":"ms","floor":0.1667,"x_floor":48,"samples":15,"noise":0.001,"max_rel_err":null,"device":"NVIDIA H200","driver":"580.1","toolkit":"13.0"})";
constexpr std::string_view kSkip =
    R"({"lab":"texture","variant":"bulk","params":{"images":3},"skip":"the width is no multiple of 8"})";

Run TestRun() {
  Run run{.command = "sibyl lab run texture", .time = "2026-11-15 09:05"};
  EXPECT_TRUE(
      AddLines(std::string(kOurs) + "\n" + std::string(kTorch) + "\n" + std::string(kSkip) + "\n",
               run)
          .ok());
  return run;
}

TEST(Line, IsReadWithItsParamsInOrder) {
  const Measurement read = ParseLine(kOurs).value();
  EXPECT_EQ(MetricKey(read), "bulk/images=32,mode=a<b/time");
  EXPECT_EQ(read.value, 0.1834);
  EXPECT_EQ(read.x_floor, 1.1);
  EXPECT_EQ(ParseLine(kTorch).value().max_rel_err, std::nullopt);
  EXPECT_EQ(ParseLine(kSkip).value().skip, "the width is no multiple of 8");
}

TEST(Line, SaysWhichClocksAndLibrariesItWasMeasuredWith) {
  std::string line(kOurs);
  line.replace(line.find(R"("clocks":{"sm_mhz":1980})"), 24,
               R"("clocks":{"sm_mhz":1410,"throttle":"display-clock+power"},)"
               R"("libraries":{"PyTorch":"2.11.0+cu130","Triton":"3.6.0"})");
  const Measurement read = ParseLine(line).value();
  EXPECT_EQ(read.sm_mhz, 1410);
  EXPECT_EQ(ReducedBy(read), "power");
  EXPECT_EQ(read.libraries[1].second, "3.6.0");
  const std::string words = InWords(TestRun(), read);
  for (const char* piece :
       {"CUDA 13.0, PyTorch 2.11.0+cu130, Triton 3.6.0", "clocks reduced by power to 1410 MHz"}) {
    EXPECT_NE(words.find(piece), std::string::npos) << words;
  }
  EXPECT_EQ(ReducedBy(ParseLine(kOurs).value()), "");
  line.replace(line.find(R"("3.6.0")"), 7, "3.6");
  EXPECT_NE(ParseLine(line).error().message.find("Triton"), std::string::npos);
}

TEST(Line, ThatIsNoneIsRefusedWithWhatIsWrong) {
  const auto refusal = [](std::string_view line) {
    const Result<Measurement> read = ParseLine(line);
    return read.ok() ? "accepted" : read.error().message;
  };
  EXPECT_NE(refusal("x").find("reading lab output"), std::string::npos);
  EXPECT_NE(refusal("[]").find("not an object"), std::string::npos);
  EXPECT_NE(refusal(R"({"lab":"a","variant":"b","params":[]})").find("'params'"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"lab":"a","variant":"b","params":{}})").find("one of"), std::string::npos);
  EXPECT_NE(refusal(R"({"lab":"a","variant":"b","params":{},"metric":"time"})").find("'value'"),
            std::string::npos);
  EXPECT_NE(
      refusal(R"({"lab":"a","variant":"b","params":{},"metric":"t","skip":"s"})").find("one of"),
      std::string::npos);
}

TEST(Run, IsReadAgainTheSameAndNamedByItsBytes) {
  const lab::Run run = TestRun();
  const std::string text = FormatRun(run);
  const lab::Run again = ParseRun(text).value();
  EXPECT_EQ(FormatRun(again), text);
  EXPECT_EQ(again.measurements.size(), 3U);
  EXPECT_EQ(RunId(text).size(), 16U);
  EXPECT_NE(RunId(text), RunId(text + "x"));
}

TEST(Run, OfANewerSibylOrAStrangerIsRefused) {
  EXPECT_EQ(ParseRun("").error().kind, ErrorKind::kCorrupt);
  EXPECT_EQ(ParseRun("{}\n").error().kind, ErrorKind::kCorrupt);
  EXPECT_EQ(ParseRun("{\"sibyl-lab\":2}\n").error().kind, ErrorKind::kUsage);
  EXPECT_EQ(ParseRun("{\"sibyl-lab\":1,\"command\":1,\"time\":\"\"}\n").error().kind,
            ErrorKind::kCorrupt);
  const auto broken = ParseRun("{\"sibyl-lab\":1,\"command\":\"c\",\"time\":\"t\"}\nnonsense\n");
  EXPECT_NE(broken.error().message.find("(line 2)"), std::string::npos);
}

TEST(Run, SaysAMeasurementInWordsThatASentenceCanBeHeldTo) {
  const lab::Run run = TestRun();
  const std::string words = InWords(run, *run.Find("bulk/images=32,mode=a<b/time"));
  for (const char* piece : {"0.1834 ms", "1.1x the floor", "43.6x torch-eager", "NVIDIA H200"}) {
    EXPECT_NE(words.find(piece), std::string::npos) << words;
  }
  EXPECT_EQ(run.Find("bulk/images=3/time"), nullptr);
}

// Issue 22: of a rate the floor is the highest one, and "times the floor" was its inverse.
TEST(Run, SaysOfARateHowMuchOfItsCeilingItReaches) {
  Measurement time = ParseLine(kOurs).value();
  EXPECT_EQ(BoundName(time), "floor");
  EXPECT_EQ(BoundText(time), "1.1x the floor");
  Measurement rate = time;
  rate.unit = "GB/s";
  rate.value = 4000;
  rate.floor = 4251;
  rate.x_floor = 4251.0 / 4000;
  EXPECT_EQ(BoundName(rate), "ceiling");
  EXPECT_EQ(BoundText(rate), "94.1 % of the ceiling");
  const std::string words = InWords({.command = "c", .time = "t", .measurements = {rate}}, rate);
  EXPECT_NE(words.find("; ceiling 4251 GB/s, 94.1 % of the ceiling"), std::string::npos) << words;
  EXPECT_EQ(words.find("floor"), std::string::npos) << words;
  rate.x_floor = 0.05;
  EXPECT_EQ(BoundText(rate), "2000 % of the ceiling");
  rate.x_floor.reset();
  EXPECT_EQ(BoundText(rate), "");
}

// Issue 21: a page had 6.55e+04 for the largest number of fp16, since a citation said so.
TEST(Measurement, NumbersAreWrittenAsPeopleWriteThem) {
  EXPECT_EQ(ValueText(65504, "1"), "65504");
  EXPECT_EQ(ValueText(32536.6, "GB/s"), "32540 GB/s");
  EXPECT_EQ(ValueText(226988, ""), "226988");
  EXPECT_EQ(ValueText(-12345.6, "s"), "-12350 s");
  EXPECT_EQ(ValueText(0.18341, "ms"), "0.1834 ms");
  EXPECT_EQ(ValueText(3.389531e+38, "1"), "3.39e+38");
  EXPECT_EQ(ValueText(4250.827, "GB/s"), "4251 GB/s");
  EXPECT_EQ(ValueText(9999.7, "GB/s"), "10000 GB/s");
}

// What a GPU really printed, as it lies beside the labs.
TEST(Run, OfAnH200IsReadWhole) {
  const Result<std::string> lines =
      ReadFile(std::filesystem::path(SIBYL_SOURCE_DIR) / "labs/results/h200-2026-11-15.jsonl");
  ASSERT_TRUE(lines.ok()) << lines.error().message;
  lab::Run run{.command = "labs/measure.sh", .time = "2026-11-15 10:00"};
  const Status added = AddLines(*lines, run);
  ASSERT_TRUE(added.ok()) << added.error().message;
  EXPECT_GT(run.measurements.size(), 200U);
  for (const Measurement& measurement : run.measurements) {
    EXPECT_EQ(measurement.failure, "");
    if (!measurement.is_measured()) continue;
    EXPECT_NE(InWords(run, measurement), "");
  }
  EXPECT_TRUE(PlotRun(ParseRun(FormatRun(run)).value()).ends_with("</svg>\n"));
}

TEST(Run, ComparesTimesAndRatesTheRightWayRound) {
  Measurement fast = ParseLine(kOurs).value();
  Measurement slow = fast;
  slow.value *= 2;
  EXPECT_DOUBLE_EQ(*TimesBetter(fast, slow), 2);
  fast.unit = slow.unit = "TFLOP/s";
  EXPECT_DOUBLE_EQ(*TimesBetter(fast, slow), 0.5);
  slow.params.clear();
  EXPECT_EQ(TimesBetter(fast, slow), std::nullopt);
}

std::size_t CountOf(std::string_view words, std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(words); at != text.npos; at = text.find(words, at + 1)) ++count;
  return count;
}

TEST(Plot, HasABarForEachMeasurementAndEscapesNames) {
  const std::string svg = PlotRun(TestRun());
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  EXPECT_NE(svg.find("a&lt;b"), std::string::npos);
  EXPECT_NE(svg.find("1.1x the floor"), std::string::npos);
  EXPECT_EQ(CountOf("x=\"260\"", svg), 2U);
}

// Issue 22: 4243 and 3394 GB/s of two runs had equal bars.
TEST(Plot, BesideAnotherRunItHasTheScaleOfBoth) {
  const lab::Run run = TestRun();
  lab::Run longer = run;
  for (Measurement& row : longer.measurements) {
    row.value *= 2;
    if (row.floor) *row.floor *= 2;
  }
  EXPECT_EQ(PlotRun(longer, {.beside = &run}), PlotRun(longer));
  EXPECT_NE(PlotRun(run, {.beside = &longer}), PlotRun(run));
}

// Issue 22: nothing said what the colours and the red line mean.
TEST(Plot, HasALegendOfWhatItShows) {
  lab::Run run = TestRun();
  const std::string times = PlotRun(run);
  for (const char* words : {"variant of the lab", "PyTorch, to compare", "shorter is better",
                            "floor: the least that the hardware allows"}) {
    EXPECT_EQ(CountOf(words, times), 1U) << words;
  }
  EXPECT_EQ(CountOf("ceiling", times), 0U);
  for (Measurement& row : run.measurements) row.unit = "GB/s";
  const std::string rates = PlotRun(run);
  EXPECT_EQ(CountOf("longer is better", rates), 1U);
  EXPECT_EQ(CountOf("ceiling: the most that the hardware allows", rates), 1U);
  EXPECT_EQ(CountOf("floor", rates), 0U);
}

TEST(Plot, OfOneMeasurementHasItsCaseOnly) {
  lab::Run run = TestRun();
  Measurement row = run.measurements.front();
  row.params = {{"rows", "8"}};
  for (int i = 0; i < 30; ++i) {
    row.variant = "v" + std::to_string(i);
    run.measurements.push_back(row);
  }
  const std::string svg = PlotRun(run, {.metric = "v20/rows=8/time"});
  EXPECT_EQ(CountOf("a&lt;b", svg), 0U) << "another case";
  EXPECT_EQ(CountOf("x=\"120\"", svg), 12U) << "bars";
  EXPECT_EQ(CountOf("<rect class=\"m\"", svg), 2U) << "its bar, and the legend";
  EXPECT_EQ(CountOf(">v20<", svg), 1U);
  EXPECT_EQ(CountOf("and 18 more in the run", svg), 1U);
  EXPECT_EQ(CountOf("<rect", PlotRun(run, {.metric = "none"})), 1U);
}

// Issue 22: beside the rate of shared memory, those of global memory were stubs.
TEST(Plot, OfOneMeasurementLeavesOutOtherScales) {
  lab::Run run = TestRun();
  Measurement row = run.measurements.front();
  row.params = {{"rows", "8"}};
  const auto add = [&](const char* variant, double value, std::optional<double> floor) {
    row.variant = variant;
    row.value = value;
    row.floor = floor;
    run.measurements.push_back(row);
  };
  add("again", 4, 4);
  add("bulk", 3, 2);
  add("banks", 32, 33);
  add("torch", 4, std::nullopt);
  const std::string svg = PlotRun(run, {.metric = "again/rows=8/time"});
  EXPECT_EQ(CountOf(">bulk<", svg), 1U);
  EXPECT_EQ(CountOf(">torch<", svg), 1U) << "it has no bound";
  EXPECT_EQ(CountOf(">banks<", svg), 0U);
  EXPECT_EQ(CountOf("and 1 more in the run", svg), 1U);
  EXPECT_EQ(CountOf("width=\"165\"", svg), 2U) << "again and torch are as long as the axis\n"
                                               << svg;
}

// Issue 22: the floor of the first variant was drawn through all.
TEST(Plot, DrawsEachFloorAtItsOwnValue) {
  lab::Run run{.command = "sibyl lab run copy", .time = "2026-11-18"};
  Measurement row = ParseLine(kOurs).value();
  row.unit = "ms";
  const auto add = [&](const char* variant, double value, std::optional<double> floor) {
    row.variant = variant;
    row.value = value;
    row.floor = floor;
    run.measurements.push_back(row);
  };
  add("a", 4, 1);
  add("b", 4, 1);
  add("c", 4, 2);
  add("d", 4, std::nullopt);
  add("e", 4, 1);
  const std::string svg = PlotRun(run);
  const auto lines = [&svg](const char* x) {
    const std::string wanted = std::string("<line class=\"f\" x1=\"") + x + '"';
    std::size_t count = 0;
    for (std::size_t at = svg.find(wanted); at != std::string::npos;
         at = svg.find(wanted, at + 1)) {
      ++count;
    }
    return count;
  };
  // The axis has 450 pixels after the labels' 260.
  EXPECT_EQ(lines("373"), 2U) << "a quarter: a and b share a line, e has its own\n" << svg;
  EXPECT_EQ(lines("485"), 1U) << "half: c\n" << svg;
  EXPECT_EQ(lines(""), 0U);
}

// Issue 27: a sweep was a stack of bars.
TEST(Plot, DrawsASweepOfAParameterAsACurveWithItsFloor) {
  lab::Run run{.command = "sibyl lab run graphs", .time = "2026-11-18"};
  Measurement row = ParseLine(kOurs).value();
  for (const char* variant : {"stream", "graph"}) {
    for (const int kernel : {0, 1000, 2000, 50000}) {
      row.variant = variant;
      row.params = {{"kernel_ns", std::to_string(kernel)}};
      row.value = kernel + 700;
      row.floor = kernel == 0 ? std::nullopt : std::optional<double>(kernel);
      run.measurements.push_back(row);
    }
  }
  row.variant = "copy";
  row.params.clear();
  run.measurements.push_back(row);
  const std::string svg = PlotRun(run);
  EXPECT_EQ(CountOf("<polyline class=\"l s", svg), 2U);
  EXPECT_EQ(CountOf("<polyline class=\"f l d\"", svg), 1U) << "both have the same floor";
  EXPECT_EQ(CountOf("<circle", svg), 8U);
  EXPECT_EQ(CountOf("x=\"260\"", svg), 1U) << "copy is not in the sweep";
  EXPECT_NE(svg.find(">kernel_ns</text>"), std::string::npos);
  // Zero has no logarithm: it is apart from the least value, and the axis is broken between them.
  EXPECT_EQ(CountOf("cx=\"92\"", svg), 2U) << "both series at 0";
  EXPECT_EQ(CountOf("cx=\"142\"", svg), 2U) << "both at 1000";
  EXPECT_EQ(CountOf(">//</text>", svg), 1U);
  EXPECT_EQ(CountOf(">0</text>", svg), 1U);
  EXPECT_EQ(CountOf(">1000</text>", svg), 2U) << "of both axes";
}

// Issue 22: an axis said "1.04858e+06", and a small screen cut the legend beside the curves.
TEST(Plot, AxesAreShortAndTheLegendIsBelowThem) {
  lab::Run run{.command = "sibyl lab run copy", .time = "2026-11-18"};
  Measurement row = ParseLine(kOurs).value();
  for (const char* bytes : {"65536", "1048576", "3000000", "33554432"}) {
    row.variant = "copy";
    row.params = {{"bytes", bytes}};
    row.floor = std::nullopt;
    run.measurements.push_back(row);
  }
  const std::string svg = PlotRun(run);
  for (const char* label : {">65536</text>", ">1Mi</text>", ">32Mi</text>"}) {
    EXPECT_EQ(CountOf(label, svg), 1U) << label << svg;
  }
  EXPECT_EQ(CountOf("e+0", svg), 0U) << svg;
  const std::size_t legend = svg.find(">copy</text>");
  ASSERT_NE(legend, std::string::npos) << svg;
  EXPECT_NE(svg.rfind("x=\"108\"", legend), std::string::npos) << svg;
}

// A run may come with an oracle that somebody else made.
TEST(Plot, OfAnyNumbersEnds) {
  lab::Run run{.command = "sibyl lab run hostile", .time = "2026-11-18"};
  Measurement row = ParseLine(kOurs).value();
  for (const double value : {0.0, 5e-324, 1e-308, 1e308, -1e308, -1.0}) {
    for (const char* x : {"0", "-1", "1e-320", "1e308", "inf", "nan", "7"}) {
      row.params = {{"x", x}};
      row.value = value;
      row.floor = -value;
      row.variant = "v-" + std::to_string(run.measurements.size());
      run.measurements.push_back(row);
      row.variant = "same";
      run.measurements.push_back(row);
    }
  }
  EXPECT_TRUE(PlotRun(run).ends_with("</svg>\n"));
}

TEST(Plot, DrawsVariantsThatDifferInANumberAsACurve) {
  lab::Run run{.command = "sibyl lab run memory", .time = "2026-11-18"};
  Measurement row = ParseLine(kOurs).value();
  for (const char* variant : {"stride-1", "stride-2", "stride-4", "stride-8", "again-4MB",
                              "again-16MB", "again-32MB", "mix-1r0w", "mix-1r1w"}) {
    row.variant = variant;
    run.measurements.push_back(row);
  }
  std::vector<const Measurement*> rows;
  for (const Measurement& each : run.measurements) rows.push_back(&each);
  const std::vector<Sweep> sweeps = TakeSweeps(rows);
  ASSERT_EQ(sweeps.size(), 1U);
  EXPECT_EQ(sweeps[0].axis, "stride");
  EXPECT_EQ(sweeps[0].series[0].points[3].x, 8);
  EXPECT_EQ(rows.size(), 5U);
}

class Labs : public testing::Test {
 protected:
  Program Add(const std::string& name, std::string_view script) const {
    const std::filesystem::path path = folder_.path() / ("lab_" + name);
    std::ofstream(path) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return {.name = name, .path = path};
  }

  TemporaryFolder folder_;
};

TEST_F(Labs, AreFoundByTheirNames) {
  Add("b", "");
  Add("a", "");
  std::ofstream(folder_.path() / "lab_notes") << "not a program";
  const std::vector<Program> programs = FindPrograms({folder_.path(), "/nonexistent"});
  ASSERT_EQ(programs.size(), 2U);
  EXPECT_EQ(programs[0].name, "a");
}

TEST_F(Labs, TellWhyTheyCouldNotRun) {
  const Program none = Add("none", "echo 'no CUDA driver is installed' >&2; exit 3\n");
  const Result<LabOutput> refused = RunLab(none, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUnavailable);
  EXPECT_NE(refused.error().message.find("no CUDA driver is installed"), std::string::npos);
  const Program crash = Add("crash", "kill -SEGV $$\n");
  EXPECT_FALSE(RunLab(crash, {}).ok());
  const Program slow = Add("slow", "sleep 30\n");
  EXPECT_FALSE(RunLab(slow, {.time = std::chrono::milliseconds(100)}).ok());
}

// Minutes of measurements were lost with the one that took too long.
TEST_F(Labs, KeepWhatTheyPrintedBeforeTheirTimeWasOver) {
  const Program slow = Add("slow", "echo first; echo second; printf 'thi'; sleep 30\n");
  const Result<LabOutput> output = RunLab(slow, {.time = std::chrono::milliseconds(1500)});
  ASSERT_TRUE(output.ok());
  EXPECT_TRUE(output->ran_out_of_time);
  EXPECT_EQ(output->lines, "first\nsecond\n");
}

// They run with a Python of the user and leave nothing in the installation.
TEST_F(Labs, InPythonAreRunByTheirInterpreter) {
  const std::filesystem::path script = folder_.path() / "lab.py";
  std::ofstream(script) << "import sys\nprint(sys.argv[1])\n";
  const Program lab{.name = "torch", .path = script, .interpreter = *FindProgram("python3")};
  EXPECT_EQ(AskForDescription(lab).value(), "--list\n");
  EXPECT_EQ(RunLab(lab, {.arguments = {"--quick"}})->lines, "--quick\n");
}

TEST_F(Labs, GiveTheirLinesAlsoWhenAnAnswerWasWrong) {
  const Program wrong = Add("wrong", "echo line; exit 1\n");
  const Result<LabOutput> output = RunLab(wrong, {});
  ASSERT_TRUE(output.ok());
  EXPECT_TRUE(output->had_failures);
  EXPECT_EQ(output->lines, "line\n");
}

}  // namespace
}  // namespace sibyl::lab
