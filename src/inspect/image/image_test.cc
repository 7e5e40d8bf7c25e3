// SPDX-License-Identifier: Apache-2.0
#include "inspect/image/image.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/hash.h"
#include "inspect/cuda/test_code.h"
#include "inspect/image/file_stream.h"
#include "inspect/image/layer.h"
#include "inspect/image/tar.h"
#include "inspect/image/test_image.h"
#include "inspect/inspect.h"

namespace sibyl::inspect {
namespace {

// A library that is large enough to be inspected.
std::string Library(std::uint32_t number, std::size_t padding = 300'000) {
  return MakeElf(
      {.sections = {{.name = ".nv_fatbin",
                     .content = MakeFatbin(
                         {{.number = number, .payload = MakeCubin(number, SampleCode::kKernel)}})},
                    {.name = ".data", .content = std::string(padding, 'd')}}});
}

Artifact InspectArchive(const std::string& archive, Budget& budget) {
  Artifact artifact{.path = "image.tar"};
  InspectImageArchive(archive, Memory::kOwned, budget, artifact);
  return artifact;
}

Artifact InspectArchive(const std::string& archive) {
  Budget budget(archive.size());
  return InspectArchive(archive, budget);
}

std::vector<std::string> Codes(const Artifact& artifact) {
  std::vector<std::string> codes;
  for (const Finding& finding : artifact.findings) codes.push_back(finding.code);
  return codes;
}
using Found = std::vector<std::string>;

TEST(Image, IsReadThroughItsLayersWhateverTheyArePackedWith) {
  const std::string low = TarMember("usr/lib/libcublas.so.13", Library(80)) + TarEnd();
  const std::string high = TarMember("./usr/lib/libnccl.so.2", Library(90)) + TarEnd();
  const std::string plain = TarMember("etc/x", "y") + TarEnd();
  const std::string archive =
      DockerArchive({Gzipped(low), Zstandard(high), plain}, {low, high, plain});
  EXPECT_TRUE(IsImageArchive(archive));
  const Artifact artifact = InspectArchive(archive);
  EXPECT_EQ(Codes(artifact), Found{});
  EXPECT_EQ(artifact.code.images.size(), 2U);
  EXPECT_EQ(FindFact(artifact, "image", "env.CUDA_VERSION")->value, "13.0.1");
  EXPECT_EQ(FindFact(artifact, "image", "env.HOME"), nullptr);
  EXPECT_EQ(artifact.cuda_major, 13U);  // what --driver is compared with
  EXPECT_EQ(artifact.detail["layers"][1]["instruction"], "RUN 1");
  EXPECT_EQ(artifact.detail["components"].size(), 2U);
}

// Docker 25.0 wrote indexes without names: moby/moby#47210, #47065.
TEST(Image, ArchivesWithABrokenIndexAreReadThroughTheirManifest) {
  const std::string layer = TarMember("usr/lib/libnccl.so.2", Library(90)) + TarEnd();
  const std::string saved = DockerArchive({layer}, {layer});
  for (const char* index : {R"({"schemaVersion":2,"manifests":null})",
                            R"({"schemaVersion":2,"manifests":[]})", R"({"schemaVersion":2})"}) {
    const Artifact artifact =
        InspectArchive(TarMember("oci-layout", R"({"imageLayoutVersion":"1.0.0"})") +
                       TarMember("index.json", index) + saved);
    ASSERT_NE(FindFact(artifact, "image", "files"), nullptr) << index;
    EXPECT_EQ(FindFact(artifact, "image", "files")->value, 1) << index;
    EXPECT_EQ(artifact.code.images.size(), 1U) << index;
  }
}

TEST(Image, HardLinksAreCountedOnce) {
  std::string link = TarMember("usr/lib/libnccl.so", "", '1');
  link.replace(157, 20, "usr/lib/libnccl.so.2");
  unsigned sum = 0;
  link.replace(148, 8, "        ");
  for (const char c : link) sum += static_cast<unsigned char>(c);
  char text[16];
  std::snprintf(text, sizeof(text), "%06o", sum);
  link.replace(148, 8, std::string(text) + '\0' + ' ');
  const std::string file = TarMember("usr/lib/libnccl.so.2", Library(90));
  const std::string with = file + link + TarEnd();
  const std::string without = file + TarEnd();
  const Artifact linked = InspectArchive(DockerArchive({with}, {with}));
  const Artifact alone = InspectArchive(DockerArchive({without}, {without}));
  EXPECT_EQ(Codes(linked), Found{});
  EXPECT_EQ(FindFact(linked, "image", "visible_bytes")->value,
            FindFact(alone, "image", "visible_bytes")->value);
  EXPECT_EQ(FindFact(linked, "image", "duplicate_bytes")->value, 0);
}

TEST(Image, WhiteoutsHideWhatIsBelowAndOnlyThat) {
  const std::string low = TarMember("a/keep", "k") + TarMember("a/gone", std::string(5000, 'g')) +
                          TarMember("b/x", "1") + TarMember("b/y", "2") + TarEnd();
  const std::string high = TarMember("a/.wh.gone", "") + TarMember("b/new", "n") +
                           TarMember("b/.wh..wh..opq", "") + TarEnd();
  const Artifact artifact = InspectArchive(DockerArchive({low, high}, {low, high}));
  EXPECT_EQ(FindFact(artifact, "image", "files")->value, 2);
  EXPECT_EQ(FindFact(artifact, "image", "dead_bytes")->value, 5002);
}

TEST(Image, CodeThatWasReplacedDoesNotCount) {
  const std::string low = TarMember("lib/libk.so", Library(75)) + TarEnd();
  const std::string high = TarMember("lib/libk.so", Library(90)) + TarEnd();
  const Artifact artifact = InspectArchive(DockerArchive({low, high}, {low, high}));
  ASSERT_EQ(artifact.code.images.size(), 1U);
  EXPECT_EQ(artifact.code.images[0].architecture.number, 90U);
}

TEST(Image, SaysWhenAFileIsThereTwice) {
  const std::string library = Library(90, 2'000'000);
  const std::string layer = TarMember("usr/lib/libcudnn.so.9", library) +
                            TarMember("opt/v/libcudnn.so.9", library) + TarEnd();
  EXPECT_EQ(Codes(InspectArchive(DockerArchive({layer}, {layer}))), Found{"image/duplicates"});
}

TEST(Image, PrivateCopiesOfCuptiAreToldApart) {
  const std::string library = Library(90);
  const std::string layer =
      TarMember("usr/local/cuda/lib64/libcupti.so.13", library) +
      TarMember("site-packages/triton/backends/nvidia/lib/cupti/libcupti.so.12", library) +
      TarMember("opt/nvidia/nsight-compute/2025.3/host/target-linux-x64/libcupti.so.13.0",
                library) +
      TarEnd();
  const Artifact artifact = InspectArchive(DockerArchive({layer}, {layer}));
  ASSERT_EQ(artifact.detail["components"].size(), 3U);
  EXPECT_EQ(artifact.detail["components"][0]["name"], "CUPTI");
  EXPECT_EQ(artifact.detail["components"][0]["files"].size(), 1U);
}

TEST(Image, LayersAreHeldToTheConfiguration) {
  const std::string low = TarMember("a", "1") + TarEnd();
  const std::string high = TarMember("b", "2") + TarEnd();
  const std::string strange = TarMember("c", "3") + TarEnd();
  EXPECT_EQ(Codes(InspectArchive(DockerArchive({low, strange}, {low, high}))),
            Found{"image/diff-id"});
  std::string cut = Gzipped(std::string(100'000, 'x') + low);
  cut.resize(cut.size() / 2);
  EXPECT_EQ(Codes(InspectArchive(DockerArchive({cut}, {low}))), Found{"image/damaged"});
}

TEST(Image, LayersInAWrongOrderAreReadInTheOneThatTheConfigurationNames) {
  const std::string low = TarMember("lib/a.so", Library(75)) + TarEnd();
  const std::string high =
      TarMember("lib/.wh.a.so", "") + TarMember("lib/b.so", Library(90)) + TarEnd();
  const Artifact swapped = InspectArchive(DockerArchive({high, low}, {low, high}));
  EXPECT_EQ(Codes(swapped), Found{"image/layer-order"});
  EXPECT_EQ(FindFact(swapped, "image", "files")->value, 1) << "a.so is deleted after it was added";
  EXPECT_EQ(swapped.detail["layers"],
            InspectArchive(DockerArchive({low, high}, {low, high})).detail["layers"]);
}

TEST(Image, PathsThatLeadOutsideAreNotFollowed) {
  const std::string layer = TarMember("../../etc/passwd", "x") + TarMember("ok", "y") + TarEnd();
  const Artifact artifact = InspectArchive(DockerArchive({layer}, {layer}));
  EXPECT_EQ(Codes(artifact), Found{"image/path-escape"});
  EXPECT_EQ(FindFact(artifact, "image", "files")->value, 1);
}

TEST(Image, ReadsAnOciLayoutThroughANestedIndex) {
  TemporaryFolder folder;
  const auto write = [&](const std::string& name, std::string_view text) {
    ASSERT_TRUE(CreateFolders((folder.path() / name).parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(folder.path() / name, text).ok());
  };
  const std::string layer = TarMember("lib/libnccl.so.2", Library(90)) + TarEnd();
  write("oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}");
  write("blobs/sha256/layer", Zstandard(layer));
  write("blobs/sha256/config", "{\"rootfs\":{\"diff_ids\":[\"sha256:" + Sha256(layer) + "\"]}}");
  write("blobs/sha256/manifest",
        "{\"config\":{\"digest\":\"sha256:config\"},\"layers\":[{"
        "\"digest\":\"sha256:layer\"}]}");
  write("blobs/sha256/index",
        "{\"manifests\":[{\"digest\":\"sha256:none\",\"platform\":{\"os\":"
        "\"unknown\"}},{\"digest\":\"sha256:manifest\"}]}");
  write("index.json", "{\"manifests\":[{\"digest\":\"sha256:index\"}]}");
  ASSERT_TRUE(IsOciLayout(folder.path()));
  Artifact artifact{.path = "layout"};
  Budget budget(0);
  InspectOciLayout(folder.path(), budget, artifact);
  EXPECT_EQ(Codes(artifact), Found{});
  EXPECT_EQ(artifact.code.images.size(), 1U);
  // As `sibyl inspect DIR` does it: one artifact, which counts as seen.
  const Result<Inspected> inspected = Inspect({folder.path()}, {});
  ASSERT_TRUE(inspected.ok());
  EXPECT_EQ(inspected->files_seen, 1U);
  ASSERT_EQ(inspected->artifacts.size(), 1U);
  EXPECT_EQ(inspected->artifacts[0].kind, "image");
}

class Layouts : public testing::Test {
 protected:
  void SetUp() override {
    Write("layout/oci-layout", "{}");
    Write("layout/index.json", "{\"manifests\":[{\"digest\":\"sha256:manifest\"}]}");
    Write("layout/blobs/sha256/manifest",
          "{\"config\":{\"digest\":\"sha256:config\"},\"layers\":[{\"digest\":\"sha256:layer\"}]}");
    Write("layout/blobs/sha256/config", "{}");
    Write("secret.tar", TarMember("etc/shadow", "root") + TarEnd());
  }
  void Write(const std::string& name, std::string_view text) {
    ASSERT_TRUE(CreateFolders((folder_.path() / name).parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(folder_.path() / name, text).ok());
  }
  Artifact Inspected() {
    Artifact artifact{.path = "layout"};
    Budget budget(0);
    InspectOciLayout(folder_.path() / "layout", budget, artifact);
    return artifact;
  }
  TemporaryFolder folder_;
};

TEST_F(Layouts, LinksThatLeadOutAreNotFollowed) {
  const auto blob = folder_.path() / "layout/blobs/sha256/layer";
  std::filesystem::create_symlink(folder_.path() / "secret.tar", blob);
  const Artifact artifact = Inspected();
  EXPECT_EQ(Codes(artifact), Found{"image/damaged"});
  EXPECT_EQ(FindFact(artifact, "image", "files")->value, 0);
  std::filesystem::remove(blob);
  std::filesystem::create_symlink("../../../secret.tar", blob);
  EXPECT_EQ(FindFact(Inspected(), "image", "files")->value, 0);
}

TEST_F(Layouts, LinksThatStayInsideAre) {
  Write("layout/blobs/sha256/real", TarMember("a", "x") + TarEnd());
  std::filesystem::create_symlink("real", folder_.path() / "layout/blobs/sha256/layer");
  EXPECT_EQ(FindFact(Inspected(), "image", "files")->value, 1);
}

TEST_F(Layouts, PipesAreNotWaitedFor) {
  ASSERT_EQ(::mkfifo((folder_.path() / "layout/blobs/sha256/layer").c_str(), 0600), 0);
  EXPECT_EQ(Codes(Inspected()), Found{"image/damaged"});
  std::filesystem::remove(folder_.path() / "layout/index.json");
  ASSERT_EQ(::mkfifo((folder_.path() / "layout/index.json").c_str(), 0600), 0);
  EXPECT_FALSE(IsOciLayout(folder_.path() / "layout"));
}

TEST(FileStream, SeesInPassingWhatReadingSees) {
  // Larger than the buffer, fed in odd pieces.
  const std::string library = Library(100, std::size_t{33} << 20);
  for (const std::size_t step : {std::size_t{1'000'003}, std::size_t{4097}}) {
    Budget budget(library.size());
    FileStream stream(library.size(), budget);
    for (std::size_t at = 0; at < library.size(); at += step) {
      stream.Feed(std::string_view(library).substr(at, step));
    }
    const PassedFile file = stream.Finish();
    EXPECT_EQ(file.sha256, Sha256(library));
    ASSERT_EQ(file.code.images.size(), 1U) << step;
    EXPECT_EQ(file.code.images[0].architecture.number, 100U);
    EXPECT_EQ(file.code.images[0].has_code, HasCode::kYes);
    EXPECT_EQ(file.code.regions[file.code.images[0].region].role, CodeRole::kExecutable);
    EXPECT_EQ(file.code.images[0].payload_offset, ReadDeviceCode(library).images[0].payload_offset);
  }
}

TEST(Layer, DecodesSeveralMembersAndRefusesCutOnes) {
  Budget budget(0);
  std::string out;
  const auto take = [&](std::string_view piece) {
    out += piece;
    return true;
  };
  EXPECT_TRUE(UnpackLayer(Gzipped("one") + Gzipped("two"), Memory::kOwned, budget, take));
  EXPECT_EQ(out, "onetwo");
  out.clear();
  const std::string skippable = std::string("\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
  EXPECT_TRUE(
      UnpackLayer(skippable + Zstandard("one") + Zstandard("two"), Memory::kOwned, budget, take));
  EXPECT_EQ(out, "onetwo");
  const std::string packed = Zstandard(std::string(1000, 'x'));
  EXPECT_FALSE(UnpackLayer(packed.substr(0, packed.size() - 3), Memory::kOwned, budget, take));
}

TEST(Tar, ReadsLongNamesAndStopsAtNonsense) {
  struct Names : TarVisitor {
    void Begin(const TarEntry& entry) override { names.push_back(entry.path); }
    void Content(std::string_view) override {}
    void End() override {}
    std::vector<std::string> names;
  } names;
  const std::string longest(300, 'n');
  std::string pax = TarMember("p", "16 path=pax/nam\n", 'x') + TarMember("short", "z");
  const std::string bytes = TarMember(longest, "x") + pax + TarEnd();
  TarStream tar(names);
  for (const char c : bytes) ASSERT_TRUE(tar.Feed(std::string_view(&c, 1)));
  EXPECT_TRUE(tar.is_complete());
  EXPECT_EQ(names.names, (std::vector<std::string>{longest, "pax/nam"}));
  EXPECT_FALSE(TarStream(names).Feed(std::string(512, 'q')));
}

}  // namespace
}  // namespace sibyl::inspect
