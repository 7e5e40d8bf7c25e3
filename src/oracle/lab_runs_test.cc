// SPDX-License-Identifier: Apache-2.0
#include "oracle/lab_runs.h"

#include <gtest/gtest.h>

#include "oracle/test_context.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;
using statement::Verdict;

class LabRunsTest : public OracleTest {
 protected:
  static lab::Run RunWith(std::string_view value) {
    lab::Run run{.command = "sibyl lab run copy", .time = "2026-11-15 09:05"};
    const std::string line =
        R"({"lab":"copy","variant":"bulk","params":{"n":32},"metric":"time","value":)" +
        std::string(value) +
        R"(,"unit":"ms","floor":0.25,"x_floor":2,"samples":15,"noise":0.001,"max_rel_err":null,)"
        R"("device":"NVIDIA H200","driver":"580.1","toolkit":"13.0"})";
    EXPECT_TRUE(lab::AddLines(line + "\n", run).ok());
    return run;
  }

  KeptRun Keep(std::string_view value = "0.5") const {
    Result<KeptRun> kept = KeepRun(Here(), RunWith(value), MeasuredWhere::kHere);
    EXPECT_TRUE(kept.ok()) << kept.error().message;
    return kept.ok() ? *std::move(kept) : KeptRun();
  }

  fs::path FileOf(const KeptRun& kept) const { return oracle() / "_labs" / (kept.id + ".jsonl"); }

  void Change(const KeptRun& kept) const {
    ASSERT_TRUE(WriteFileAtomically(FileOf(kept), lab::FormatRun(RunWith("0.1"))).ok());
  }

  Result<ResolvedLab> Resolve(std::string run, std::string metric = kMetric) const {
    return ResolveLab(oracle(), MadeHere(Here()),
                      {.run = std::move(run), .metric = std::move(metric)});
  }

  gate::OtherAnswer Answer(std::string run, std::string metric = kMetric) const {
    const auto answer = ResolverOfLabs(oracle(), MadeHere(Here()))(
        evidence::LabCitation{.run = std::move(run), .metric = std::move(metric)});
    EXPECT_TRUE(answer.has_value());
    return answer.value_or(gate::OtherAnswer());
  }

  static constexpr const char* kMetric = "bulk/n=32/time";
};

TEST_F(LabRunsTest, AKeptRunIsReadByItsIdOrTheBeginningOfIt) {
  const KeptRun kept = Keep();
  EXPECT_TRUE(kept.is_measured_here);
  for (const std::string& name : {kept.id, kept.id.substr(0, 4)}) {
    const Result<KeptRun> read = ReadKeptRun(Here(), name);
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->id, kept.id);
    EXPECT_EQ(read->run.command, "sibyl lab run copy");
    EXPECT_TRUE(read->is_measured_here);
  }
}

TEST_F(LabRunsTest, AKeptRunIsReadByItsFile) {
  const KeptRun kept = Keep();
  EXPECT_EQ(ReadKeptRun(Here(), "oracle/_labs/" + kept.id + ".jsonl")->id, kept.id);
  fs::copy_file(FileOf(kept), top() / "copy.jsonl");
  EXPECT_EQ(ReadKeptRun(Here(), "copy.jsonl")->id, kept.id) << "the id is of the bytes";
}

TEST_F(LabRunsTest, TheSameRunTwiceIsOneFile) {
  EXPECT_EQ(Keep().id, Keep().id);
  EXPECT_EQ(KeptRuns(Here()).size(), 1U);
  EXPECT_NE(Keep("0.75").id, Keep().id);
  EXPECT_EQ(KeptRuns(Here()).size(), 2U);
}

TEST_F(LabRunsTest, ARunOfAClonedOracleWasNotMeasuredHere) {
  const KeptRun kept = Keep();
  fs::remove_all(top() / "state");
  EXPECT_FALSE(ReadKeptRun(Here(), kept.id)->is_measured_here);
  EXPECT_FALSE(Resolve(kept.id)->is_measured_here);
}

TEST_F(LabRunsTest, AnUnknownRunIsNotFound) {
  Keep();
  const Result<KeptRun> none = ReadKeptRun(Here(), "0123456789abcdef");
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::kNotFound);
  EXPECT_NE(none.error().hint.find("sibyl lab list"), std::string::npos);
  EXPECT_EQ(ReadKeptRun(Here(), "12").error().message, "no run 12 in _labs");
  EXPECT_FALSE(ReadKeptRun(Here(), "../../etc/passwd").ok());
}

TEST_F(LabRunsTest, ABeginningThatFitsSeveralRunsIsRefused) {
  const std::string text = lab::FormatRun(RunWith("0.5"));
  Write("oracle/_labs/abcd000000000000.jsonl", text);
  Write("oracle/_labs/abcd111111111111.jsonl", text);
  const Result<KeptRun> several = ReadKeptRun(Here(), "abcd");
  ASSERT_FALSE(several.ok());
  EXPECT_EQ(several.error().message, "several runs start with abcd");
}

TEST_F(LabRunsTest, AChangedRunIsCorrupt) {
  const KeptRun kept = Keep();
  Change(kept);
  const Result<KeptRun> read = ReadKeptRun(Here(), kept.id);
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().kind, ErrorKind::kCorrupt);
  EXPECT_NE(read.error().message.find("oracle/_labs/" + kept.id), std::string::npos)
      << read.error().message;
  EXPECT_EQ(Resolve(kept.id).error().kind, ErrorKind::kCorrupt);
}

TEST_F(LabRunsTest, ARunThatIsALinkOutIsNotRead) {
  const KeptRun kept = Keep();
  fs::rename(FileOf(kept), top() / "run");
  fs::create_symlink(top() / "run", FileOf(kept));
  EXPECT_FALSE(ReadKeptRun(Here(), kept.id).ok());
  EXPECT_FALSE(Resolve(kept.id).ok());
}

TEST_F(LabRunsTest, AreListedByIdWithWhatIsWrongWithEach) {
  const KeptRun good = Keep();
  const KeptRun changed = Keep("0.75");
  Change(changed);
  Write("oracle/_labs/README.md", "not a run");
  std::vector<RunFile> runs = KeptRuns(Here());
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_LT(runs[0].id, runs[1].id);
  for (const RunFile& run : runs) EXPECT_EQ(run.kept.ok(), run.id == good.id) << run.id;
}

TEST_F(LabRunsTest, AFileThatIsNotNamedByAnIdIsListedAndNothingElseIsReadForIt) {
  const std::string text = lab::FormatRun(RunWith("0.5"));
  Write("oracle/_labs/notes.jsonl", text);
  Write("notes", text);
  const std::vector<RunFile> runs = KeptRuns(Here());
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs[0].id, "notes");
  ASSERT_FALSE(runs[0].kept.ok()) << "the file in the working folder is another one";
  EXPECT_EQ(runs[0].kept.error().kind, ErrorKind::kCorrupt);
}

TEST_F(LabRunsTest, AFileWhoseNameBeginsAnotherHidesNeither) {
  const KeptRun kept = Keep();
  Write("oracle/_labs/" + kept.id.substr(0, 4) + ".jsonl", lab::FormatRun(kept.run));
  for (const RunFile& run : KeptRuns(Here())) {
    if (run.id == kept.id) {
      EXPECT_TRUE(run.kept.ok());
    } else {
      ASSERT_FALSE(run.kept.ok());
      EXPECT_EQ(run.kept.error().kind, ErrorKind::kCorrupt) << run.kept.error().message;
    }
  }
}

TEST_F(LabRunsTest, WithoutAnOracleOrAFolderThereAreNone) {
  EXPECT_TRUE(KeptRuns(Here()).empty());
  Context context = Here();
  context.oracle.reset();
  EXPECT_TRUE(KeptRuns(context).empty());
  EXPECT_EQ(KeepRun(context, RunWith("0.5"), MeasuredWhere::kHere).error().kind, ErrorKind::kUsage);
}

TEST_F(LabRunsTest, ACitationResolvesToTheMeasurementInWords) {
  const Result<ResolvedLab> resolved = Resolve(Keep().id);
  ASSERT_TRUE(resolved.ok()) << resolved.error().message;
  EXPECT_NE(resolved->words.find("0.5 ms"), std::string::npos) << resolved->words;
  EXPECT_NE(resolved->words.find("NVIDIA H200"), std::string::npos);
  EXPECT_TRUE(resolved->is_measured_here);
}

TEST_F(LabRunsTest, ACitationNamesTheWholeIdAndAMetric) {
  const KeptRun kept = Keep();
  EXPECT_EQ(Resolve(kept.id, "bulk/n=64/time").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(Resolve(kept.id.substr(0, 8)).error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(Resolve("../secret").error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(Resolve("").error().kind, ErrorKind::kNotFound);
}

TEST_F(LabRunsTest, TheGateLearnsWhetherItWasMeasuredHere) {
  const KeptRun kept = Keep();
  EXPECT_EQ(Answer(kept.id).verdict, Verdict::kSupported);
  EXPECT_NE(Answer(kept.id).text.find("0.5 ms"), std::string::npos);
  EXPECT_EQ(Answer(kept.id).where, "_labs/" + kept.id + ".jsonl");
  EXPECT_NE(Answer(kept.id).message.find("made on this machine"), std::string::npos);
  fs::remove_all(top() / "state");
  EXPECT_EQ(Answer(kept.id).verdict, Verdict::kSupported);
  EXPECT_NE(Answer(kept.id).message.find("not made on this machine"), std::string::npos);
}

TEST_F(LabRunsTest, TheGateRejectsWhatIsMissingOrChanged) {
  const KeptRun kept = Keep();
  EXPECT_EQ(Answer("0123456789abcdef").verdict, Verdict::kAbsent);
  EXPECT_EQ(Answer(kept.id, "none").verdict, Verdict::kAbsent);
  Change(kept);
  EXPECT_EQ(Answer(kept.id).verdict, Verdict::kContradicted);
}

TEST_F(LabRunsTest, TheGateIsAnsweredOnlyAboutMeasurements) {
  const gate::OtherResolver resolver = ResolverOfLabs(oracle(), MadeHere(Here()));
  EXPECT_FALSE(resolver(evidence::FactCitation()).has_value());
  EXPECT_FALSE(resolver(evidence::SourceCitation()).has_value());
  EXPECT_FALSE(resolver(evidence::WebCitation()).has_value());
}

}  // namespace
}  // namespace sibyl::oracle
