// SPDX-License-Identifier: Apache-2.0
// Limits on the total cost of an artifact. An image of 3.9 MB once took 59 s and 4.1 GB.
#include "inspect/totals.h"

#include <gtest/gtest.h>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "inspect/cmake/cmake_check.h"
#include "inspect/cuda/ar.h"
#include "inspect/cuda/device_code.h"
#include "inspect/cuda/kernels.h"
#include "inspect/cuda/test_code.h"
#include "inspect/docker/docker_check.h"
#include "inspect/image/image.h"
#include "inspect/image/test_image.h"

namespace sibyl::inspect {
namespace {

using Found = std::vector<std::string>;

Found TotalCodes(const Artifact& artifact) {
  Found codes;
  for (const Finding& finding : artifact.findings) codes.push_back(finding.code);
  return codes;
}

Artifact LookWithin(const std::string& archive, Budget& budget) {
  Artifact artifact{.path = "image.tar"};
  InspectImageArchive(archive, Memory::kOwned, budget, artifact);
  return artifact;
}

// An archive whose manifest lists its one layer so many times.
std::string Repeated(const std::string& layer, std::size_t times) {
  std::string names;
  for (std::size_t i = 0; i < times; ++i) names += i == 0 ? "\"layer.tar\"" : ",\"layer.tar\"";
  return TarMember("layer.tar", layer) + TarMember("config.json", "{}") +
         TarMember("manifest.json", "[{\"Config\":\"config.json\",\"Layers\":[" + names + "]}]") +
         TarEnd();
}

std::string ManyFiles(std::size_t count) {
  std::string layer;
  for (std::size_t i = 0; i < count; ++i) layer += TarMember("f" + std::to_string(i), "");
  return layer + TarEnd();
}

TEST(Budget, GrantsNothingOnceATotalIsExceeded) {
  Budget budget(0);
  budget.SetLimit(Total::kEntries, 10);
  EXPECT_TRUE(budget.Spend(Total::kEntries, 10));
  EXPECT_EQ(budget.WhatIsExceeded(), std::nullopt);
  EXPECT_FALSE(budget.Spend(Total::kEntries, 1));
  EXPECT_FALSE(budget.Spend(Total::kUnpackedBytes, 1));
  EXPECT_EQ(budget.WhatIsExceeded(), "it has more entries than the limit of 10");
}

TEST(Budget, NoAmountWrapsAround) {
  Budget budget(0);
  EXPECT_TRUE(budget.Spend(Total::kUnpackedBytes, 1));
  EXPECT_FALSE(budget.Spend(Total::kUnpackedBytes, UINT64_MAX));
  EXPECT_TRUE(budget.is_exceeded());
}

TEST(Budget, GrowsWithWhatIsStored) {
  Budget budget(0);
  const std::uint64_t before = budget.limit(Total::kUnpackedBytes);
  budget.AddStored(std::uint64_t{100} << 20);
  EXPECT_GT(budget.limit(Total::kUnpackedBytes), before);
  Budget huge(UINT64_MAX / 2);
  EXPECT_GE(huge.limit(Total::kUnpackedBytes), UINT64_MAX / 2) << "what is stored may be read";
}

TEST(ImageTotals, ALayerThatIsListedTwiceIsReadOnce) {
  const std::string layer = ManyFiles(100);
  const std::string archive = Repeated(layer, 400);
  Budget budget(archive.size());
  const Artifact artifact = LookWithin(archive, budget);
  EXPECT_EQ(TotalCodes(artifact), Found{});
  EXPECT_EQ(budget.spent(Total::kUnpackedBytes), layer.size());
  EXPECT_EQ(FindFact(artifact, "image", "layers")->value, 400);
  EXPECT_EQ(FindFact(artifact, "image", "files")->value, 100);
  EXPECT_EQ(artifact.detail["layers"].size(), 400U);
}

TEST(ImageTotals, MoreLayersThanTheLimitAreNotRead) {
  const std::string archive = Repeated(ManyFiles(1), 10'000);
  Budget budget(archive.size());
  const Artifact artifact = LookWithin(archive, budget);
  ASSERT_EQ(TotalCodes(artifact), Found{"inspect/limit"});
  EXPECT_EQ(artifact.findings[0].message,
            "not read completely: the manifest lists 10000 layers; the limit is 512");
  EXPECT_EQ(FindFact(artifact, "image", "layers")->value, 10'000);
  EXPECT_EQ(FindFact(artifact, "image", "files"), nullptr);
  EXPECT_EQ(budget.spent(Total::kUnpackedBytes), 0U);
}

TEST(ImageTotals, EntriesAreCountedOverAllLayersAndRepetitions) {
  const std::string archive = Repeated(ManyFiles(100), 400);
  Budget budget(archive.size());
  budget.SetLimit(Total::kEntries, 10'000);
  const Artifact artifact = LookWithin(archive, budget);
  ASSERT_EQ(TotalCodes(artifact), Found{"inspect/limit"});
  EXPECT_EQ(FindFact(artifact, "image", "files"), nullptr) << "a part is not the whole";
  EXPECT_GT(artifact.detail["layers"].size(), 50U) << "what was read is shown";
}

TEST(ImageTotals, UnpackedBytesAreCountedOverAllLayers) {
  std::vector<std::string> layers;
  std::vector<std::string> plain;
  for (int i = 0; i < 20; ++i) {
    plain.push_back(TarMember("f" + std::to_string(i), std::string(100'000, 'x')) + TarEnd());
    layers.push_back(i % 2 == 0 ? Gzipped(plain.back()) : Zstandard(plain.back()));
  }
  const std::string archive = DockerArchive(layers, plain);
  Budget budget(archive.size());
  budget.SetLimit(Total::kUnpackedBytes, 1'000'000);
  const Artifact artifact = LookWithin(archive, budget);
  ASSERT_EQ(TotalCodes(artifact), Found{"inspect/limit"});
  EXPECT_NE(artifact.findings[0].message.find("more than 1000000 bytes"), std::string::npos)
      << artifact.findings[0].message;
  EXPECT_LT(budget.spent(Total::kUnpackedBytes), 1'500'000U) << "and reading has stopped there";
}

TEST(ImageTotals, NamesAreCounted) {
  std::string layer;
  for (int i = 0; i < 30; ++i) {
    layer += TarMember(std::to_string(i) + std::string(100'000, 'n'), "");
  }
  const std::string archive = Repeated(layer + TarEnd(), 1);
  Budget budget(archive.size());
  budget.SetLimit(Total::kKeptBytes, 1'000'000);
  EXPECT_EQ(TotalCodes(LookWithin(archive, budget)), Found{"inspect/limit"});
}

TEST(ImageTotals, AnArchiveOfManyMembersEndsAtTheLimit) {
  std::string archive = Repeated(ManyFiles(1), 1);
  archive.resize(archive.size() - TarEnd().size());
  archive += ManyFiles(3000);
  Budget budget(archive.size());
  budget.SetLimit(Total::kEntries, 2000);
  EXPECT_EQ(TotalCodes(LookWithin(archive, budget)), Found{"inspect/limit"});
}

// Following every descriptor would take n to the fifth power steps, with n of them in each of
// five indexes.
TEST(ImageTotals, AnIndexThatLeadsToItselfIsReadOnce) {
  std::string descriptors;
  for (int i = 0; i < 1000; ++i) {
    descriptors += i == 0 ? "{\"digest\":\"sha256:index\"}" : ",{\"digest\":\"sha256:index\"}";
  }
  const std::string index = "{\"manifests\":[" + descriptors + "]}";
  const std::string archive =
      TarMember("index.json", index) + TarMember("blobs/sha256/index", index) + TarEnd();
  Budget budget(archive.size());
  EXPECT_EQ(TotalCodes(LookWithin(archive, budget)), Found{"image/damaged"});
  EXPECT_EQ(budget.spent(Total::kDocuments), 2U);
}

TEST(ImageTotals, ManyIndexesEndAtTheLimitOfDocuments) {
  std::string archive;
  std::string descriptors;
  for (int i = 0; i < 1000; ++i) {
    const std::string name = std::to_string(i);
    descriptors += (i == 0 ? "" : ",") + ("{\"digest\":\"sha256:" + name + "\"}");
    archive += TarMember("blobs/sha256/" + name, "{\"manifests\":[]}");
  }
  archive += TarMember("index.json", "{\"manifests\":[" + descriptors + "]}") + TarEnd();
  Budget budget(archive.size());
  const Artifact artifact = LookWithin(archive, budget);
  ASSERT_EQ(TotalCodes(artifact), Found{"inspect/limit"});
  EXPECT_NE(artifact.findings[0].message.find("limit of 256"), std::string::npos);
}

TEST(ImageTotals, FoldersAreNotFilesAndHideNothing) {
  const std::string low = TarMember("a/", "", '5') + TarMember("a/x", "1") + TarEnd();
  const std::string high = TarMember("a/", "", '5') + TarMember("a/y", "2") + TarEnd();
  const std::string archive = DockerArchive({low, high}, {low, high});
  Budget budget(archive.size());
  const Artifact artifact = LookWithin(archive, budget);
  EXPECT_EQ(FindFact(artifact, "image", "files")->value, 2);
  EXPECT_EQ(FindFact(artifact, "image", "dead_bytes")->value, 0);
}

// Sections that all cover the same bytes must not be scanned once each.
TEST(CodeTotals, SectionsThatOverlapAreNotReadForEver) {
  SampleElf sample;
  for (int i = 0; i < 2000; ++i) sample.sections.push_back({.name = ".d", .content = "d"});
  sample.sections.push_back({.name = ".data", .content = std::string(500'000, 'd')});
  std::string elf = MakeElf(sample);
  const Elf read = *Elf::Read(elf);
  const std::uint64_t table = Bytes(elf).Get<std::uint64_t>(40);
  for (std::size_t i = 0; i < read.sections().size(); ++i) {
    if (read.sections()[i].size != 1) continue;
    const std::uint64_t all[] = {0, elf.size()};  // offset and size
    elf.replace(static_cast<std::size_t>(table + i * 64 + 24), 16,
                reinterpret_cast<const char*>(all), 16);
  }
  const DeviceCode code = ReadDeviceCode(elf);
  EXPECT_FALSE(code.is_complete);
  EXPECT_NE(code.limit.find("overlap"), std::string::npos) << code.limit;
}

TEST(CodeTotals, ImagesThatUnpackToMoreThanTheLimitAreNotDecoded) {
  std::vector<SampleEntry> images;
  for (int i = 0; i < 50; ++i) {
    images.push_back({.number = 90, .payload = MakeCubin(90, SampleCode::kKernel)});
  }
  const std::string elf =
      MakeElf({.sections = {{.name = ".nv_fatbin", .content = MakeFatbin(images)}}});
  Budget budget(elf.size());
  budget.SetLimit(Total::kEntries, 20);
  const DeviceCode code = ReadDeviceCode(elf, {.budget = &budget});
  EXPECT_FALSE(code.is_complete);
  EXPECT_LE(code.images.size(), 20U);
  EXPECT_NE(code.limit.find("limit of 20"), std::string::npos) << code.limit;
}

// Every member can have the whole table of names as its name.
TEST(CodeTotals, NamesOfArchiveMembersAreCut) {
  const auto header = [](std::string name, std::size_t size) {
    name.resize(48, ' ');
    std::string text = std::to_string(size);
    text.resize(10, ' ');
    return name + text + "`\n";
  };
  std::string archive = "!<arch>\n" + header("//", 100'000) + std::string(100'000, 'n');
  for (int i = 0; i < 100; ++i) archive += header("/0", 0);
  Budget budget(archive.size());
  const ArArchive read = ReadArArchive(archive, budget);
  ASSERT_EQ(read.members.size(), 100U);
  EXPECT_EQ(read.members[0].name.size(), 1024U);
  budget.SetLimit(Total::kEntries, 150);
  EXPECT_TRUE(ReadArArchive(archive, budget).is_cut);
}

// X<A,A>, then X of two of those, and so on: 253 bytes expand to 436 MB.
TEST(CodeTotals, SymbolsThatDoubleWithEveryPartAreShownAsTheyAre) {
  std::string symbol = "_Z1f1XI1AS0_E";
  for (char last = '1'; last <= '9'; ++last) {
    symbol += std::string("S_IS") + last + "_S" + last + "_E";
  }
  EXPECT_NE(Demangle(symbol), symbol) << "nine times is a name of 13 kB";
  for (char last = 'A'; last <= 'Z'; ++last) {
    symbol += std::string("S_IS") + last + "_S" + last + "_E";
  }
  EXPECT_EQ(Demangle(symbol), symbol);
  EXPECT_EQ(Demangle("_Z7stencilILi32EEvPKfPfi"), "void stencil<32>(float const*, float*, int)");
}

TEST(TextTotals, AListOfMissingPathsGivesSomeFindingsOnly) {
  TemporaryFolder folder;
  std::string list;
  for (int i = 0; i < 5000; ++i) list += "/nowhere/" + std::to_string(i) + ";";
  Artifact artifact{.path = "CMakeCache.txt"};
  const std::string here = "CMAKE_CACHEFILE_DIR:INTERNAL=" + folder.path().string() + "\n";
  CheckCMakeCache(ParseCMakeCache(here + "A:PATH=" + list + "\n"), {.folder = folder.path()},
                  artifact);
  EXPECT_EQ(artifact.findings.size(), kMostFindings + 1);
  EXPECT_EQ(artifact.findings.back().code, "inspect/limit");
  EXPECT_LT(artifact.findings[0].place.text.size(), 2000U);
}

TEST(TextTotals, ADockerfileOfTooManyInstructionsIsCut) {
  std::string text = "FROM ubuntu:24.04 AS a\n";
  for (int i = 0; i < 3000; ++i) text += "FROM a\n";
  Artifact artifact{.path = "Dockerfile"};
  CheckDockerfile(ParseDockerfile(text), {}, artifact);
  EXPECT_EQ(TotalCodes(artifact), Found{"inspect/limit"});
}

TEST(TextTotals, VariablesDoNotMultiply) {
  std::string text = "ARG a=" + std::string(60'000, 'x') + "\nARG ";
  for (int i = 0; i < 20'000; ++i) text += "b" + std::to_string(i) + "=$a ";
  const Dockerfile file = ParseDockerfile(text + "\nFROM x\n");
  std::size_t bytes = 0;
  for (const auto& [name, value] : file.arguments) bytes += value.size();
  EXPECT_LT(bytes, 5'000'000U) << "1.2 GB before";
}

}  // namespace
}  // namespace sibyl::inspect
