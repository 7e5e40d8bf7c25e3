// SPDX-License-Identifier: Apache-2.0
#include "inspect/python/wheel.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/hash.h"
#include "inspect/cuda/test_code.h"
#include "inspect/python/python_package.h"
#include "inspect/python/wheel_inspector.h"
#include "inspect/python/zip.h"

namespace sibyl::inspect {
namespace {

struct Member {
  std::string name;
  std::string bytes;
};

void Put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

std::string Deflate(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()) + 16, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string MakeZip(const std::vector<Member>& members) {
  std::string out;
  std::string directory;
  for (const Member& member : members) {
    const std::string packed = Deflate(member.bytes);
    const auto crc =
        crc32_z(0, reinterpret_cast<const Bytef*>(member.bytes.data()), member.bytes.size());
    const std::size_t offset = out.size();
    Put(out, 0x04034b50, 4);
    Put(out, 20, 2), Put(out, 0, 2), Put(out, 8, 2), Put(out, 0, 4), Put(out, crc, 4);
    Put(out, packed.size(), 4), Put(out, member.bytes.size(), 4);
    Put(out, member.name.size(), 2), Put(out, 0, 2);
    out += member.name + packed;
    Put(directory, 0x02014b50, 4);
    Put(directory, 20, 2), Put(directory, 20, 2), Put(directory, 0, 2), Put(directory, 8, 2);
    Put(directory, 0, 4), Put(directory, crc, 4), Put(directory, packed.size(), 4);
    Put(directory, member.bytes.size(), 4), Put(directory, member.name.size(), 2);
    Put(directory, 0, 2), Put(directory, 0, 2), Put(directory, 0, 4), Put(directory, 0, 4);
    Put(directory, offset, 4);
    directory += member.name;
  }
  const std::size_t start = out.size();
  out += directory;
  Put(out, 0x06054b50, 4), Put(out, 0, 4), Put(out, members.size(), 2);
  Put(out, members.size(), 2), Put(out, directory.size(), 4), Put(out, start, 4), Put(out, 0, 2);
  return out;
}

const std::string kLibrary =
    MakeElf({.sections = {{.name = ".nv_fatbin",
                           .content = MakeFatbin(
                               {{.number = 90, .payload = MakeCubin(90, SampleCode::kKernel)}})}}});

std::string MakeWheel(const std::string& record_line) {
  return MakeZip(
      {{"pkg/_C.so", kLibrary},
       {"pkg-1.0.dist-info/METADATA",
        "Name: pkg\nVersion: 1.0\nRequires-Dist: nvidia-cublas==13.1.0.3\n\nText\n"},
       {"pkg-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: cp312-cp312-linux_x86_64\n"},
       {"pkg-1.0.dist-info/RECORD", record_line}});
}

std::string GoodRecord() {
  return "pkg/_C.so,sha256=" + RecordDigest(Sha256(kLibrary)) + "," +
         std::to_string(kLibrary.size()) +
         "\npkg-1.0.dist-info/METADATA,,\npkg-1.0.dist-info/WHEEL,,\npkg-1.0.dist-info/RECORD,,\n";
}

std::vector<std::string> WheelCodes(const Artifact& artifact) {
  std::vector<std::string> codes;
  for (const Finding& finding : artifact.findings) codes.push_back(finding.code);
  return codes;
}
using Found = std::vector<std::string>;

Artifact InspectIt(const std::string& bytes) {
  Artifact artifact{.path = "pkg.whl"};
  Budget budget(bytes.size());
  InspectWheel(bytes, {}, budget, artifact);
  return artifact;
}

TEST(Wheel, HoldsTheCodeOfItsLibraries) {
  const std::string wheel = MakeWheel(GoodRecord());
  EXPECT_TRUE(IsWheel(wheel));
  const Artifact artifact = InspectIt(wheel);
  EXPECT_EQ(WheelCodes(artifact), Found{});
  ASSERT_EQ(artifact.code.images.size(), 1U);
  EXPECT_EQ(artifact.code.regions[0].member, "pkg/_C.so");
  EXPECT_EQ(FindFact(artifact, "wheel", "name")->value, "pkg");
  EXPECT_EQ(FindFact(artifact, "wheel", "requires_nvidia")->value[0], "nvidia-cublas==13.1.0.3");
}

TEST(Wheel, IsHeldToItsRecord) {
  EXPECT_EQ(WheelCodes(InspectIt(MakeWheel("pkg/_C.so,sha256=AAAA,5\n"))),
            (Found{"wheel/record-mismatch", "wheel/record-mismatch", "wheel/record-mismatch"}));
}

TEST(Wheel, MustNotBringTheDriverOrLeaveItsFolder) {
  const Artifact artifact = InspectIt(MakeZip({{"pkg.libs/libcuda-1a2b.so.1", kLibrary},
                                               {"../../etc/passwd", "x"},
                                               {"p-1.dist-info/METADATA", "Name: p\n"},
                                               {"p-1.dist-info/RECORD",
                                                "pkg.libs/libcuda-1a2b.so.1,,\n../../etc/passwd,,\n"
                                                "p-1.dist-info/METADATA,,\n"}}));
  EXPECT_EQ(WheelCodes(artifact), (Found{"wheel/path-escape", "wheel/bundles-driver"}));
}

TEST(Zip, RefusesOverlapsBombsAndWrongChecksums) {
  std::string zip = MakeZip({{"a", std::string(1000, 'a')}, {"b", std::string(1000, 'b')}});
  Budget budget(zip.size());
  ZipArchive archive = *ReadZip(zip, budget);
  ASSERT_EQ(archive.entries.size(), 2U);
  EXPECT_EQ(ReadMember(zip, archive.entries[1], 1000, budget), std::string(1000, 'b'));
  EXPECT_EQ(ReadMember(zip, archive.entries[1], 999, budget), std::nullopt);
  ZipEntry wrong = archive.entries[0];
  wrong.crc ^= 1;
  EXPECT_EQ(ReadMember(zip, wrong, 5000, budget), std::nullopt);
  wrong = archive.entries[0];
  wrong.bytes = 999;
  EXPECT_EQ(ReadMember(zip, wrong, 5000, budget), std::nullopt);
  EXPECT_FALSE(archive.has_overlap);
  zip[zip.size() - 22 - 47 + 42] = '\0';  // the second member starts where the first does
  EXPECT_TRUE(ReadZip(zip, budget)->has_overlap);
}

// Limits per member are not enough: the total needs one too.
TEST(Wheel, ThatUnpacksToMoreThanTheLimitIsNotReadToTheEnd) {
  const std::string zip = MakeWheel(GoodRecord());
  Budget budget(zip.size());
  budget.SetLimit(Total::kUnpackedBytes, 100);
  Artifact artifact{.path = "pkg.whl"};
  InspectWheel(zip, {}, budget, artifact);
  EXPECT_EQ(WheelCodes(artifact), Found{"inspect/limit"});
  EXPECT_NE(artifact.findings[0].message.find("more than 100 bytes"), std::string::npos)
      << artifact.findings[0].message;
  EXPECT_EQ(FindFact(artifact, "wheel", "libraries"), nullptr) << "not all were looked at";
}

TEST(Wheel, ARecordOfManyLinesEndsAtTheLimitOfEntries) {
  std::string record;
  for (int i = 0; i < 5000; ++i) record += "a\n";
  const std::string zip = MakeWheel(record);
  Budget budget(zip.size());
  budget.SetLimit(Total::kEntries, 1000);
  Artifact artifact{.path = "pkg.whl"};
  InspectWheel(zip, {}, budget, artifact);
  EXPECT_EQ(WheelCodes(artifact), Found{"inspect/limit"});
}

TEST(Wheel, FindingsOfOneKindAreCountedBeyondTheFirst) {
  std::vector<Member> members = {{"p-1.dist-info/METADATA", "Name: p\n"}};
  for (int i = 0; i < 1000; ++i) members.push_back({"../" + std::to_string(i), "x"});
  const Artifact artifact = InspectIt(MakeZip(members));
  ASSERT_EQ(artifact.findings.size(), kMostFindings + 1);
  EXPECT_EQ(artifact.findings.back().code, "inspect/limit");
  EXPECT_EQ(artifact.findings.back().message, "801 more findings are not shown; the limit is 200");
}

// Issue 23: a wheel that gets its CUDA from others is judged by theirs.
TEST(Wheel, TheCudaThatItRequiresDecides) {
  const Artifact artifact = InspectIt(
      MakeZip({{"p-1.dist-info/METADATA",
                "Name: p\nRequires-Dist: nvidia-cuda-runtime-cu12==12.8.90; platform_system == "
                "\"Linux\"\n"},
               {"p-1.dist-info/WHEEL", "Tag: cp312-cp312-manylinux_2_28_aarch64\n"}}));
  EXPECT_EQ(artifact.cuda_major, 12U);
  EXPECT_EQ(artifact.cuda_of, "nvidia-cuda-runtime-cu12 12.8.90 is required");
  EXPECT_EQ(artifact.machine, "aarch64");
}

TEST(SitePackages, ComparesRequirementsWithWhatIsInstalled) {
  TemporaryFolder folder;
  const auto write = [&](const std::string& name, std::string_view text) {
    ASSERT_TRUE(CreateFolders((folder.path() / name).parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(folder.path() / name, text).ok());
  };
  write("torch-2.dist-info/METADATA",
        "Name: torch\nVersion: 2\nRequires-Dist: nvidia-cublas==13.1.0.3; platform_system == "
        "\"Linux\"\nRequires-Dist: nvidia-nccl-cu13==2.28.9\nRequires-Dist: x; extra == 'y'\n\n");
  write("torch-2.dist-info/RECORD", "torch/__init__.py,,\ntorch/lib/gone.so,,\n");
  write("torch/__init__.py", "");
  write("nvidia_cublas-13.0.dist-info/METADATA", "Name: nvidia-cublas\nVersion: 13.0\n\n");
  Artifact artifact{.path = "site-packages"};
  InspectSitePackages(*Root::Open(folder.path()), artifact);
  EXPECT_EQ(WheelCodes(artifact), (Found{"wheel/files-missing", "wheel/requirement-version",
                                         "wheel/requirement-missing"}));
}

// Issue 23: --gpu and --driver said nothing about installed packages.
TEST(SitePackages, TheDriverMustBeNewEnoughForTheirCuda) {
  TemporaryFolder folder;
  ASSERT_TRUE(CreateFolders(folder.path() / "torch-2.9.0.dist-info").ok());
  ASSERT_TRUE(WriteFileAtomically(folder.path() / "torch-2.9.0.dist-info" / "METADATA",
                                  "Name: torch\nVersion: 2.9.0+cu130\n\n")
                  .ok());
  const auto why = [&](const char* driver) {
    Artifact artifact{.path = "site-packages"};
    InspectPackageFolder(
        *Root::Open(folder.path()),
        {.gpus = {*field::FindGpu("L4")}, .driver = field::ParseDriverVersion(driver)}, artifact);
    return artifact.verdicts.at(0).why;
  };
  EXPECT_EQ(why("535"), "CUDA 13.x needs driver 580.65.06 or newer, not 535");
  EXPECT_EQ(why("580.82"),
            "torch 2.9.0+cu130 is installed: CUDA 13.x needs driver 580.65.06 or newer; 580.82 is "
            "enough");
}

TEST(SitePackages, NothingOutsideOfItIsLookedAt) {
  TemporaryFolder folder;
  const auto write = [&](const std::string& name, std::string_view text) {
    ASSERT_TRUE(CreateFolders((folder.path() / name).parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(folder.path() / name, text).ok());
  };
  write("secret/METADATA", "Name: torch\nVersion: 9\n\n");
  write("site/torch-2.dist-info/METADATA", "Name: torch\nVersion: 2\n\n");
  write("site/torch-2.dist-info/RECORD", "/nowhere/a,,\n../../nowhere/b,,\n../bin/torchrun,,\n");
  std::filesystem::create_directory_symlink("../secret", folder.path() / "site/x.dist-info");
  Artifact artifact{.path = "site-packages"};
  InspectSitePackages(*Root::Open(folder.path() / "site"), artifact);
  EXPECT_EQ(WheelCodes(artifact), Found{});
  EXPECT_EQ(FindFact(artifact, "wheel", "installed.torch")->value, "2");
}

}  // namespace
}  // namespace sibyl::inspect
