// SPDX-License-Identifier: Apache-2.0
#include "inspect/inspect.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/hash.h"
#include "evidence/citation.h"
#include "inspect/cuda/test_code.h"
#include "inspect/inspectors.h"
#include "inspect/rules.h"

namespace sibyl::inspect {
namespace {

namespace fs = std::filesystem;

class InspectFiles : public testing::Test {
 protected:
  fs::path Write(const std::string& name, std::string_view bytes) {
    const fs::path path = folder_.path() / name;
    EXPECT_TRUE(CreateFolders(path.parent_path()).ok());
    EXPECT_TRUE(WriteFileAtomically(path, bytes).ok());
    return path;
  }

  TemporaryFolder folder_;
  const std::string library_ = MakeElf(
      {.sections = {{.name = ".nv_fatbin",
                     .content = MakeFatbin(
                         {{.number = 90, .payload = MakeCubin(90, SampleCode::kKernel)}})}}});
};

TEST_F(InspectFiles, EveryFactHasACitationThatParses) {
  const fs::path path = Write("kernels.bin", library_);
  const Result<Inspected> inspected = Inspect({path}, {});
  ASSERT_TRUE(inspected.ok());
  ASSERT_EQ(inspected->artifacts.size(), 1U);
  const Artifact& artifact = inspected->artifacts[0];
  EXPECT_EQ(artifact.kind, "elf");
  EXPECT_EQ(artifact.sha256, Sha256(library_));
  ASSERT_FALSE(artifact.facts.empty());
  for (const Fact& fact : artifact.facts) {
    const Result<evidence::Citation> citation = evidence::ParseCitation(CitationOf(artifact, fact));
    ASSERT_TRUE(citation.ok()) << fact.key;
    const auto& read = std::get<evidence::FactCitation>(*citation);
    EXPECT_EQ(read.key, fact.key);
    EXPECT_EQ(FindFact(artifact, read.inspector, read.key), &fact);
  }
  EXPECT_EQ(FindFact(artifact, "cuda", "cubin.sm_90.count")->value, 1);
}

TEST_F(InspectFiles, AFileThatIsWrittenMeanwhileIsAnErrorAndNeverHalfAnAnswer) {
  std::string sections;
  for (int i = 0; i < 400; ++i) {
    sections += MakeFatbin({{.number = 90, .payload = MakeCubin(90, SampleCode::kKernel)}});
  }
  const std::string whole = MakeElf({.sections = {{.name = ".nv_fatbin", .content = sections}}});
  const fs::path path = Write("growing.so", whole);
  std::jthread linker([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      std::error_code ignored;
      fs::resize_file(path, 100, ignored);
      std::ofstream(path, std::ios::binary | std::ios::trunc) << whole;
    }
  });
  for (int i = 0; i < 200; ++i) {
    const Result<Inspected> inspected = Inspect({path}, {.threads = 2});
    ASSERT_TRUE(inspected.ok());
    const Artifact& artifact = inspected->artifacts[0];
    const bool is_whole = artifact.sha256 == Sha256(whole);
    if (is_whole) {
      EXPECT_EQ(FindFact(artifact, "cuda", "cubin.sm_90.count")->value, 400);
    } else if (!artifact.findings.empty() && artifact.findings[0].code == "inspect/changed") {
      EXPECT_TRUE(artifact.facts.empty());
      EXPECT_TRUE(artifact.sha256.empty());
    }
  }
}

TEST_F(InspectFiles, FoldersAreWalkedAndWhatHoldsNothingIsLeftOut) {
  Write("deep/inside/a.so", library_);
  Write("readme.txt", "nothing here");
  Write("host.o", MakeElf({.sections = {{.name = ".data", .content = "x"}}}));
  fs::create_symlink("a.so", folder_.path() / "deep/inside/link.so");
  for (const unsigned threads : {1U, 4U}) {
    const Result<Inspected> inspected = Inspect({folder_.path()}, {.threads = threads});
    ASSERT_TRUE(inspected.ok());
    ASSERT_EQ(inspected->artifacts.size(), 1U);
    EXPECT_TRUE(inspected->artifacts[0].path.ends_with("a.so"));
    EXPECT_EQ(inspected->files_seen, 3U);
  }
}

TEST_F(InspectFiles, WhatWasNamedIsAnsweredEvenIfItIsNothing) {
  const fs::path path = Write("notes.txt", "hello");
  const Result<Inspected> inspected = Inspect({path}, {});
  ASSERT_EQ(inspected->artifacts.size(), 1U);
  ASSERT_EQ(inspected->artifacts[0].findings.size(), 1U);
  EXPECT_EQ(inspected->artifacts[0].findings[0].code, "inspect/unknown-kind");
  EXPECT_EQ(inspected->artifacts[0].findings[0].severity, Severity::kNote);
  const Result<Inspected> asked = Inspect({path}, {.gpus = {*field::FindGpu("T4")}});
  EXPECT_EQ(asked->artifacts[0].findings[0].severity, Severity::kError);
  EXPECT_EQ(Inspect({folder_.path() / "absent"}, {}).error().kind, ErrorKind::kNotFound);
}

TEST_F(InspectFiles, AGpuThatIsNotServedIsAnError) {
  const fs::path path = Write("a.so", library_);
  const Result<Inspected> inspected = Inspect({path}, {.gpus = {*field::FindGpu("T4")}});
  const Artifact& artifact = inspected->artifacts[0];
  ASSERT_EQ(artifact.findings.size(), 1U);
  EXPECT_EQ(artifact.findings[0].code, "gpu/does-not-run");
  EXPECT_EQ(artifact.findings[0].severity, Severity::kError);
  EXPECT_NE(artifact.findings[0].message.find("error 209"), std::string::npos);
  bool is_listed = false;
  for (const Rule& rule : FindingRules()) {
    is_listed = is_listed || rule.code == artifact.findings[0].code;
  }
  EXPECT_TRUE(is_listed);
}

TEST_F(InspectFiles, ATruncatedCubinDoesNotRunAndOfALibraryThatIsUnknown) {
  const std::string cubin = MakeCubin(75, SampleCode::kKernel);
  for (const std::string& whole : {cubin, library_}) {
    for (const std::size_t size : {std::size_t{60}, std::size_t{100}, whole.size() - 1}) {
      const fs::path path = Write("cut.bin", whole.substr(0, size));
      const Result<Inspected> asked = Inspect({path}, {.gpus = {*field::FindGpu("sm_75")}});
      const Artifact& artifact = asked->artifacts[0];
      if (whole == cubin) {
        ASSERT_EQ(artifact.verdicts.size(), 1U) << size;
        EXPECT_EQ(artifact.verdicts[0].runs, Runs::kNot) << size;
        EXPECT_EQ(artifact.findings.size(), 2U) << size;
      } else {
        EXPECT_TRUE(artifact.verdicts.empty()) << size;
      }
      ASSERT_FALSE(artifact.findings.empty()) << size;
      EXPECT_EQ(artifact.findings[0].code, "elf/cut");
      EXPECT_EQ(artifact.findings[0].severity, Severity::kError);
      EXPECT_EQ(Inspect({path}, {})->artifacts[0].findings[0].code, "elf/cut") << size;
    }
  }
}

// Issue 23: a library that is cut was a warning alone, and was not shown in a folder.
TEST_F(InspectFiles, ABrokenLibraryIsTheSameErrorAloneAndInAFolder) {
  const std::pair<const char*, std::string> broken[] = {
      {"cut.so", library_.substr(0, library_.size() - 1)},
      {"header.so", library_.substr(0, 60)},
      {"magic.so.1", library_.substr(0, 10)},
      {"other.so", std::string("MZ\0\1 not ELF", 13)},
      {"empty.so", ""},
      {"CMakeCache.txt", ""}};
  for (const auto& [name, bytes] : broken) {
    const fs::path path = Write(std::string("libs/") + name, bytes);
    const Result<Inspected> alone = Inspect({path}, {});
    const Result<Inspected> folder = Inspect({path.parent_path()}, {});
    ASSERT_EQ(alone->artifacts.size(), 1U) << name;
    ASSERT_EQ(folder->artifacts.size(), 1U) << name;
    for (const Artifact& artifact : {alone->artifacts[0], folder->artifacts[0]}) {
      ASSERT_EQ(artifact.findings.size(), 1U) << name;
      EXPECT_EQ(artifact.findings[0].severity, Severity::kError) << name;
    }
    EXPECT_EQ(alone->artifacts[0].findings[0].message, folder->artifacts[0].findings[0].message);
    ASSERT_TRUE(fs::remove(path));
  }
  Write("libs/libc.so", "/* GNU ld script */\n");  // a text
  EXPECT_TRUE(Inspect({folder_.path() / "libs"}, {})->artifacts.empty());
}

// Issue 23: nothing was said of a cache that has no entry.
TEST_F(InspectFiles, ACMakeCacheWithoutAnEntryIsAnError) {
  for (const std::string& text : {std::string("# This is the CMakeCache file.\n"),
                                  std::string("A:BOOL=ON\n\0\1", 12), std::string()}) {
    const Result<Inspected> inspected = Inspect({Write("CMakeCache.txt", text)}, {});
    ASSERT_EQ(inspected->artifacts.at(0).findings.size(), 1U);
    EXPECT_EQ(inspected->artifacts[0].findings[0].code, "cmake/no-entries");
    EXPECT_EQ(inspected->artifacts[0].findings[0].severity, Severity::kError);
  }
}

// Its first cubin is whole, and a part of the second is missing.
TEST_F(InspectFiles, ATruncatedFatbinDoesNotRun) {
  const std::string fatbin =
      MakeFatbin({{.number = 75, .payload = MakeCubin(75, SampleCode::kKernel)},
                  {.number = 80, .payload = MakeCubin(80, SampleCode::kKernel)}});
  const fs::path path = Write("cut.fatbin", fatbin.substr(0, fatbin.size() - 40));
  const Result<Inspected> asked = Inspect({path}, {.gpus = {*field::FindGpu("sm_75")}});
  ASSERT_EQ(asked->artifacts[0].verdicts.size(), 1U);
  EXPECT_EQ(asked->artifacts[0].verdicts[0].runs, Runs::kNot);
}

std::string_view KindOf(std::string_view bytes, std::string_view name) {
  const Inspector* const inspector = InspectorOf(bytes, name);
  return inspector == nullptr ? kOtherKind : inspector->kind;
}

TEST(Detect, GoesByBytesAndNotByNames) {
  EXPECT_EQ(KindOf(MakeCubin(90, SampleCode::kNone), "picture.png"), "cubin");
  EXPECT_EQ(KindOf(MakeFatbin({}), ""), "fatbin");
  EXPECT_EQ(KindOf("//\n// generated\n//\n.version 8.5\n.target sm_90a, debug\n", ""), "ptx");
  EXPECT_EQ(KindOf("!<arch>\n", "x"), "archive");
  EXPECT_EQ(KindOf("# This is the CMakeCache file.\n", "x"), "cmake-cache");
  EXPECT_EQ(KindOf("# build\nFROM ubuntu:24.04\n", "Dockerfile.gpu"), "dockerfile");
  EXPECT_EQ(KindOf("from pathlib import Path\n", "x.py"), kOtherKind);
  EXPECT_EQ(KindOf("", "x"), kOtherKind);
}

TEST_F(InspectFiles, AFolderIsReadWithoutLeavingItOrWaiting) {
  Write("folder/real.so", library_);
  const fs::path outside = Write("outside.so", library_);
  fs::create_symlink(outside, folder_.path() / "folder/link.so");
  fs::create_directory_symlink(folder_.path(), folder_.path() / "folder/up");
  ASSERT_EQ(::mkfifo((folder_.path() / "folder/pipe.so").c_str(), 0600), 0);
  const Result<Inspected> inspected = Inspect({folder_.path() / "folder"}, {});
  ASSERT_TRUE(inspected.ok());
  EXPECT_EQ(inspected->files_seen, 1U);
  ASSERT_EQ(inspected->artifacts.size(), 1U);
  EXPECT_TRUE(inspected->artifacts[0].path.ends_with("real.so"));
  EXPECT_FALSE(Inspect({folder_.path() / "folder/pipe.so"}, {}).ok());
  EXPECT_TRUE(Inspect({folder_.path() / "folder/link.so"}, {}).ok()) << "a person named it";
}

}  // namespace
}  // namespace sibyl::inspect
