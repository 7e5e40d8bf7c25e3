// SPDX-License-Identifier: Apache-2.0
#include "oracle/cited_facts.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/hash.h"
#include "evidence/evidence.h"
#include "evidence/store.h"
#include "inspect/cuda/test_code.h"
#include "oracle/citation_sources.h"
#include "oracle/oracle.h"
#include "oracle/test_context.h"

namespace sibyl::oracle {
namespace {

namespace fs = std::filesystem;
using statement::Verdict;

class CitedFactsTest : public OracleTest {
 protected:
  CitedFactsTest() { WriteLibrary("oracle/bin/libk.so", 2); }

  // A shared library with so many cubins for sm_90.
  std::string WriteLibrary(const fs::path& path, std::size_t cubins) const {
    const std::string cubin = inspect::MakeCubin(90, inspect::SampleCode::kKernel);
    const std::vector<inspect::SampleEntry> entries(cubins, {.number = 90, .payload = cubin});
    std::string bytes = inspect::MakeElf(
        {.sections = {{.name = ".nv_fatbin", .content = inspect::MakeFatbin(entries)}}});
    Write(path, bytes);
    return bytes;
  }

  // As a new process would open them.
  CitedFacts Facts() const {
    Result<CitedFacts> facts = CitedFacts::Open({}, *EvidenceAround(Here()), MadeHere(Here()));
    EXPECT_TRUE(facts.ok()) << facts.error().message;
    return *std::move(facts);
  }

  Result<CitedFact> Cite(std::string_view path, std::string_view key = kKey) const {
    CitedFacts facts = Facts();
    return facts.Cite(*ArgumentFile::Find(Here(), path),
                      {.path = std::string(path), .inspector = "cuda", .key = std::string(key)});
  }

  Result<CitedFact> Resolve(const evidence::FactCitation& citation) const {
    CitedFacts facts = Facts();
    return facts.Resolve(citation);
  }

  gate::OtherAnswer Answer(const evidence::FactCitation& citation) const {
    CitedFacts facts = Facts();
    const auto answer = ResolverOfFacts(facts)(citation);
    EXPECT_TRUE(answer.has_value());
    return answer.value_or(gate::OtherAnswer());
  }

  static constexpr std::string_view kKey = "cubin.sm_90.count";
};

TEST_F(CitedFactsTest, ACitationNamesTheBytesAndTheKey) {
  const Result<CitedFact> cited = Cite("oracle/bin/libk.so");
  ASSERT_TRUE(cited.ok()) << cited.error().message;
  EXPECT_EQ(cited->citation.sha256, Sha256(*ReadFile(oracle() / "bin/libk.so")));
  EXPECT_EQ(cited->citation.inspector, "cuda");
  EXPECT_EQ(cited->citation.key, kKey);
  EXPECT_EQ(cited->fact.value, 2);
  EXPECT_EQ(cited->fact.kind, "elf");
  EXPECT_EQ(cited->fact.bytes, fs::file_size(oracle() / "bin/libk.so"));
  EXPECT_EQ(cited->fact.path, "bin/libk.so");
  EXPECT_EQ(cited->fact.source, "");
}

TEST_F(CitedFactsTest, AFactCitedTwiceIsRecordedOnce) {
  ASSERT_TRUE(Cite("oracle/bin/libk.so").ok());
  const std::string book = Read("oracle/sibyl.facts");
  ASSERT_TRUE(Cite("oracle/bin/libk.so").ok());
  EXPECT_EQ(Read("oracle/sibyl.facts"), book);
  EXPECT_EQ(inspect::FactBook::Parse(book)->size(), 1U);
}

TEST_F(CitedFactsTest, TwoObjectsThatCiteKeepEachOthersRecords) {
  CitedFacts first = Facts();
  CitedFacts second = Facts();
  WriteLibrary("oracle/bin/libj.so", 3);
  const auto cite = [this](CitedFacts& facts, const std::string& path) {
    return facts.Cite(*ArgumentFile::Find(Here(), path),
                      {.path = path, .inspector = "cuda", .key = std::string(kKey)});
  };
  ASSERT_TRUE(cite(first, "oracle/bin/libk.so").ok());
  ASSERT_TRUE(cite(second, "oracle/bin/libj.so").ok());
  EXPECT_EQ(inspect::FactBook::Parse(Read("oracle/sibyl.facts"))->size(), 2U);
}

TEST_F(CitedFactsTest, AFileOutsideIsRecordedByItsAbsolutePath) {
  WriteLibrary("build/libk.so", 4);
  const Result<CitedFact> cited = Cite("build/libk.so");
  ASSERT_TRUE(cited.ok()) << cited.error().message;
  EXPECT_EQ(cited->fact.path, (top() / "build/libk.so").string());
  EXPECT_EQ(Resolve(cited->citation)->read_from, top() / "build/libk.so");
}

// A clone of an oracle: the record is of another machine, where the toolkit was in another
// folder.
TEST_F(CitedFactsTest, ALibraryOfAPinnedToolkitIsFoundWhereTheToolkitIs) {
  WriteLibrary("elsewhere/cuda-77.7/lib64/libk.so", 4);
  const evidence::FactCitation citation = Cite("elsewhere/cuda-77.7/lib64/libk.so")->citation;
  Write("toolkit/include/cuda.h", "#define CUDA_VERSION 77070\n");
  WriteLibrary("toolkit/lib64/libk.so", 4);
  fs::remove_all(top() / "elsewhere");
  fs::remove_all(top() / "state");
  ::setenv("CUDA_HOME", (top() / "toolkit").c_str(), 1);  // NOLINT(concurrency-mt-unsafe)

  evidence::Lock lock;
  lock.pins.push_back(
      {.name = "headers", .kind = evidence::SourceKind::kFolder, .origin = "toolkit:cuda@77.7"});
  const evidence::Surroundings around = *EvidenceAround(Here());
  const auto resolve = [&] {
    return CitedFacts::Open(lock, around, MadeHere(Here()))->Resolve(citation);
  };
  EXPECT_EQ(resolve().error().kind, ErrorKind::kNotFound) << "the user has not pinned it here";
  const evidence::Mirror mirror =
      around.store.MirrorOf(evidence::SourceKind::kFolder, "toolkit:cuda@77.7");
  ASSERT_TRUE(mirror.Create("toolkit:cuda@77.7").ok());
  const Result<CitedFact> resolved = resolve();
  ::unsetenv("CUDA_HOME");  // NOLINT(concurrency-mt-unsafe)
  ASSERT_TRUE(resolved.ok()) << resolved.error().message;
  EXPECT_EQ(resolved->read_from, top() / "toolkit/lib64/libk.so");
  EXPECT_EQ(resolved->fact.value, 4);
}

TEST_F(CitedFactsTest, AFolderAnEmptyFileAndAMissingFileAreRefused) {
  EXPECT_EQ(Cite("oracle/bin").error().kind, ErrorKind::kUsage);
  Write("oracle/bin/empty.so", "");
  EXPECT_FALSE(Cite("oracle/bin/empty.so").ok());
  EXPECT_FALSE(Cite("oracle/bin/none.so").ok());
  EXPECT_FALSE(fs::exists(oracle() / "sibyl.facts"));
}

TEST_F(CitedFactsTest, AnUnknownKeyIsRefusedWithTheNearest) {
  const Result<CitedFact> cited = Cite("oracle/bin/libk.so", "cubin.sm_90.cuont");
  ASSERT_FALSE(cited.ok());
  EXPECT_EQ(cited.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(cited.error().hint, "did you mean cubin.sm_90.count?");
}

TEST_F(CitedFactsTest, ALinkOutOfTheOracleIsNotInspected) {
  WriteLibrary("build/libk.so", 4);
  fs::create_symlink(top() / "build/libk.so", oracle() / "bin/link.so");
  EXPECT_FALSE(Cite("oracle/bin/link.so").ok());
}

TEST_F(CitedFactsTest, TheArtifactIsInspectedAgainWhereItIs) {
  const evidence::FactCitation citation = Cite("oracle/bin/libk.so")->citation;
  const Result<CitedFact> resolved = Resolve(citation);
  ASSERT_TRUE(resolved.ok()) << resolved.error().message;
  EXPECT_EQ(resolved->read_from, oracle() / "bin/libk.so");
  EXPECT_EQ(resolved->fact.value, 2);
}

TEST_F(CitedFactsTest, WithoutTheArtifactOurOwnRecordIsUsed) {
  const evidence::FactCitation citation = Cite("oracle/bin/libk.so")->citation;
  fs::remove(oracle() / "bin/libk.so");
  const Result<CitedFact> resolved = Resolve(citation);
  ASSERT_TRUE(resolved.ok()) << resolved.error().message;
  EXPECT_EQ(resolved->read_from, std::nullopt);
  EXPECT_EQ(resolved->fact.value, 2);
  fs::remove_all(top() / "state");
  EXPECT_EQ(Resolve(citation).error().kind, ErrorKind::kNotFound) << "anyone can write the file";
}

TEST_F(CitedFactsTest, WithoutArtifactAndRecordNothingIsFound) {
  const Result<CitedFact> resolved =
      Resolve({.sha256 = std::string(64, 'a'), .inspector = "cuda", .key = std::string(kKey)});
  ASSERT_FALSE(resolved.ok());
  EXPECT_EQ(resolved.error().kind, ErrorKind::kNotFound);
  EXPECT_EQ(resolved.error().message,
            "no file here has sha256 aaaaaaaaaaaa…, and sibyl.facts does not record the fact");
}

TEST_F(CitedFactsTest, AForgedRecordIsContradictedByTheArtifact) {
  const evidence::FactCitation citation = Cite("oracle/bin/libk.so")->citation;
  std::string book = Read("oracle/sibyl.facts");
  book.replace(book.find("\"value\":2"), 9, "\"value\":9");
  Write("oracle/sibyl.facts", book);
  const Result<CitedFact> resolved = Resolve(citation);
  ASSERT_FALSE(resolved.ok());
  EXPECT_EQ(resolved.error().kind, ErrorKind::kCorrupt);
  EXPECT_EQ(resolved.error().message, "sibyl.facts says 9, libk.so itself says 2");
}

TEST_F(CitedFactsTest, AChangedFileOfTheSameSizeIsAnotherArtifact) {
  const Result<CitedFact> cited = Cite("oracle/bin/libk.so");
  ASSERT_TRUE(cited.ok());
  std::string bytes = Read("oracle/bin/libk.so");
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  Write("oracle/bin/libk.so", bytes);
  EXPECT_EQ(Resolve(cited->citation)->read_from, std::nullopt) << "only the record is left";
}

TEST_F(CitedFactsTest, ABrokenSibylFactsIsAnError) {
  Write("oracle/sibyl.facts", "<<<<<<< ours\n");
  EXPECT_FALSE(CitedFacts::Open({}, *EvidenceAround(Here()), MadeHere(Here())).ok());
}

TEST_F(CitedFactsTest, ASibylFactsThatLeadsOutIsNotRead) {
  Write("facts", "sibyl facts 1\n");
  fs::create_symlink(top() / "facts", oracle() / "sibyl.facts");
  EXPECT_FALSE(CitedFacts::Open({}, *EvidenceAround(Here()), MadeHere(Here())).ok());
}

TEST_F(CitedFactsTest, TheGateGetsAVerdictForEachOutcome) {
  const evidence::FactCitation citation = Cite("oracle/bin/libk.so")->citation;
  const gate::OtherAnswer holds = Answer(citation);
  EXPECT_EQ(holds.verdict, Verdict::kSupported);
  EXPECT_EQ(holds.where, "bin/libk.so");
  EXPECT_NE(holds.text.find("cubin.sm_90.count: 2"), std::string::npos) << holds.text;
  evidence::FactCitation other = citation;
  other.key = "cubin.sm_90.weight";
  EXPECT_EQ(Answer(other).verdict, Verdict::kAbsent);
  other = citation;
  other.sha256 = std::string(64, 'a');
  EXPECT_EQ(Answer(other).verdict, Verdict::kUndecidable);
  fs::remove(oracle() / "bin/libk.so");
  EXPECT_EQ(Answer(citation).verdict, Verdict::kSupported);
  EXPECT_EQ(Answer(citation).where, "sibyl.facts");
}

TEST_F(CitedFactsTest, TheGateIsAnsweredOnlyAboutFacts) {
  CitedFacts facts = Facts();
  EXPECT_FALSE(ResolverOfFacts(facts)(evidence::LabCitation()).has_value());
  EXPECT_FALSE(ResolverOfFacts(facts)(evidence::SourceCitation()).has_value());
}

class CitationSourcesTest : public CitedFactsTest {};

TEST_F(CitationSourcesTest, AnswerForFactsAndForLabs) {
  const evidence::FactCitation citation = Cite("oracle/bin/libk.so")->citation;
  const auto sources = CitationSources::Open(Here(), {}, *EvidenceAround(Here()));
  ASSERT_TRUE(sources.ok()) << sources.error().message;
  const gate::OtherResolver other = (*sources)->other();
  EXPECT_EQ(other(citation)->verdict, Verdict::kSupported);
  EXPECT_EQ(other(evidence::LabCitation{.run = "0123456789abcdef", .metric = "x"})->verdict,
            Verdict::kAbsent);
  EXPECT_FALSE(other(evidence::WebCitation()).has_value());
}

TEST_F(CitationSourcesTest, CheckADraftAgainstAnArtifact) {
  const evidence::FactCitation citation = Cite("oracle/bin/libk.so")->citation;
  const auto sources = CitationSources::Open(Here(), {}, *EvidenceAround(Here()));
  ASSERT_TRUE(sources.ok());
  const auto codes = [&](const std::string& count) {
    const Result<gate::GateResult> result =
        (*sources)->Check({.path = "lib/01-kernels.md",
                           .title = "Kernels",
                           .text = "# Kernels\n\n`libk.so` holds " + count +
                                   " cubins for `sm_90`.[^1]\n\n## Sources\n"
                                   "[^1]: `libk.so` <!-- " +
                                   evidence::FormatCitation(citation) + " -->\n"});
    EXPECT_TRUE(result.ok()) << result.error().message;
    std::vector<std::string> failed;
    for (const statement::Judgement& judgement : result->failures) failed.push_back(judgement.code);
    return failed;
  };
  const std::vector<std::string> right = codes("2");
  const std::vector<std::string> wrong = codes("3");
  EXPECT_EQ(std::count(right.begin(), right.end(), "number/ungrounded"), 0);
  EXPECT_EQ(std::count(wrong.begin(), wrong.end(), "number/ungrounded"), 1);
}

TEST_F(CitationSourcesTest, CannotBeOpenedWithABrokenSibylFacts) {
  Write("oracle/sibyl.facts", "nonsense\n");
  EXPECT_FALSE(CitationSources::Open(Here(), {}, *EvidenceAround(Here())).ok());
}

}  // namespace
}  // namespace sibyl::oracle
