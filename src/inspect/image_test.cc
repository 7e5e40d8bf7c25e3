// SPDX-License-Identifier: Apache-2.0
#include "inspect/image.h"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "base/files.h"
#include "base/hash.h"
#include "base/temporary_folder.h"
#include "inspect/file_stream.h"
#include "inspect/layer.h"
#include "inspect/sample_code.h"
#include "inspect/tar.h"

namespace sibyl::inspect {
namespace {

std::string Member(std::string name, const std::string& content, char type = '0') {
  std::string out;
  if (name.size() > 99) {
    out = Member("././@LongLink", name + '\0', 'L');
    name.resize(99);
  }
  std::string header = name;
  header.resize(512);
  const auto put = [&](std::size_t at, const std::string& text) {
    header.replace(at, text.size(), text);
  };
  char size[16];
  std::snprintf(size, sizeof(size), "%011zo", content.size());
  put(100, "0000644");
  put(124, size);
  header[156] = type;
  put(257, std::string("ustar\0"
                       "00",
                       8));
  put(148, "        ");
  unsigned sum = 0;
  for (const char c : header) sum += static_cast<unsigned char>(c);
  std::snprintf(size, sizeof(size), "%06o", sum);
  put(148, std::string(size) + '\0' + ' ');
  out += header + content;
  out.resize((out.size() + 511) / 512 * 512);
  return out;
}

std::string End() { return std::string(1024, '\0'); }

std::string Gzip(const std::string& bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string Zstd(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

// A library that is large enough to be looked at.
std::string Library(std::uint32_t number, std::size_t padding = 300'000) {
  return MakeElf(
      {.sections = {{.name = ".nv_fatbin",
                     .content = MakeFatbin(
                         {{.number = number, .payload = MakeCubin(number, SampleCode::kKernel)}})},
                    {.name = ".data", .content = std::string(padding, 'd')}}});
}

std::string Save(const std::vector<std::string>& layers, const std::vector<std::string>& plain) {
  std::string names;
  std::string ids;
  std::string history;
  std::string out;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string name = "l" + std::to_string(i) + "/layer.tar";
    names += (i > 0 ? ",\"" : "\"") + name + '"';
    ids += (i > 0 ? ",\"sha256:" : "\"sha256:") + Sha256(plain[i]) + '"';
    history += std::string(i > 0 ? "," : "") + "{\"created_by\":\"RUN " + std::to_string(i) +
               "\"},{\"created_by\":\"ENV\",\"empty_layer\":true}";
    out += Member(name, layers[i]);
  }
  out += Member("config.json",
                "{\"config\":{\"Env\":[\"CUDA_VERSION=13.0.1\",\"HOME=/\"]},"
                "\"history\":[" +
                    history + "],\"rootfs\":{\"diff_ids\":[" + ids + "]}}");
  out += Member("manifest.json", "[{\"Config\":\"config.json\",\"Layers\":[" + names + "]}]");
  return out + End();
}

Artifact Look(const std::string& archive) {
  Artifact artifact{.path = "image.tar"};
  InspectImageArchive(archive, Memory::kOwned, artifact);
  return artifact;
}

std::vector<std::string> Codes(const Artifact& artifact) {
  std::vector<std::string> codes;
  for (const Finding& finding : artifact.findings) codes.push_back(finding.code);
  return codes;
}
using Found = std::vector<std::string>;

TEST(Image, IsReadThroughItsLayersWhateverTheyArePackedWith) {
  const std::string low = Member("usr/lib/libcublas.so.13", Library(80)) + End();
  const std::string high = Member("./usr/lib/libnccl.so.2", Library(90)) + End();
  const std::string plain = Member("etc/x", "y") + End();
  const std::string archive = Save({Gzip(low), Zstd(high), plain}, {low, high, plain});
  EXPECT_TRUE(IsImageArchive(archive));
  const Artifact artifact = Look(archive);
  EXPECT_EQ(Codes(artifact), Found{});
  EXPECT_EQ(artifact.code.images.size(), 2U);
  EXPECT_EQ(FindFact(artifact, "image", "env.CUDA_VERSION")->value, "13.0.1");
  EXPECT_EQ(FindFact(artifact, "image", "env.HOME"), nullptr);
  EXPECT_EQ(artifact.detail["layers"][1]["instruction"], "RUN 1");
  EXPECT_EQ(artifact.detail["components"].size(), 2U);
}

// Docker 25.0 wrote indexes that name nothing: moby/moby#47210, #47065.
TEST(Image, ArchivesWithABrokenIndexAreReadThroughTheirManifest) {
  const std::string layer = Member("usr/lib/libnccl.so.2", Library(90)) + End();
  const std::string saved = Save({layer}, {layer});
  for (const char* index : {R"({"schemaVersion":2,"manifests":null})",
                            R"({"schemaVersion":2,"manifests":[]})", R"({"schemaVersion":2})"}) {
    const Artifact artifact = Look(Member("oci-layout", R"({"imageLayoutVersion":"1.0.0"})") +
                                   Member("index.json", index) + saved);
    ASSERT_NE(FindFact(artifact, "image", "files"), nullptr) << index;
    EXPECT_EQ(FindFact(artifact, "image", "files")->value, 1) << index;
    EXPECT_EQ(artifact.code.images.size(), 1U) << index;
  }
}

TEST(Image, HardLinksAreCountedOnce) {
  std::string link = Member("usr/lib/libnccl.so", "", '1');
  link.replace(157, 20, "usr/lib/libnccl.so.2");
  unsigned sum = 0;
  link.replace(148, 8, "        ");
  for (const char c : link) sum += static_cast<unsigned char>(c);
  char text[16];
  std::snprintf(text, sizeof(text), "%06o", sum);
  link.replace(148, 8, std::string(text) + '\0' + ' ');
  const std::string file = Member("usr/lib/libnccl.so.2", Library(90));
  const std::string with = file + link + End();
  const std::string without = file + End();
  const Artifact linked = Look(Save({with}, {with}));
  const Artifact alone = Look(Save({without}, {without}));
  EXPECT_EQ(Codes(linked), Found{});
  EXPECT_EQ(FindFact(linked, "image", "visible_bytes")->value,
            FindFact(alone, "image", "visible_bytes")->value);
  EXPECT_EQ(FindFact(linked, "image", "duplicate_bytes")->value, 0);
}

TEST(Image, WhiteoutsHideWhatIsBelowAndOnlyThat) {
  const std::string low = Member("a/keep", "k") + Member("a/gone", std::string(5000, 'g')) +
                          Member("b/x", "1") + Member("b/y", "2") + End();
  const std::string high =
      Member("a/.wh.gone", "") + Member("b/new", "n") + Member("b/.wh..wh..opq", "") + End();
  const Artifact artifact = Look(Save({low, high}, {low, high}));
  EXPECT_EQ(FindFact(artifact, "image", "files")->value, 2);
  EXPECT_EQ(FindFact(artifact, "image", "dead_bytes")->value, 5002);
}

TEST(Image, CodeThatWasReplacedDoesNotCount) {
  const std::string low = Member("lib/libk.so", Library(75)) + End();
  const std::string high = Member("lib/libk.so", Library(90)) + End();
  const Artifact artifact = Look(Save({low, high}, {low, high}));
  ASSERT_EQ(artifact.code.images.size(), 1U);
  EXPECT_EQ(artifact.code.images[0].architecture.number, 90U);
}

TEST(Image, SaysWhenAFileIsThereTwice) {
  const std::string library = Library(90, 2'000'000);
  const std::string layer =
      Member("usr/lib/libcudnn.so.9", library) + Member("opt/v/libcudnn.so.9", library) + End();
  EXPECT_EQ(Codes(Look(Save({layer}, {layer}))), Found{"image/duplicates"});
}

TEST(Image, PrivateCopiesOfCuptiAreToldApart) {
  const std::string library = Library(90);
  const std::string layer =
      Member("usr/local/cuda/lib64/libcupti.so.13", library) +
      Member("site-packages/triton/backends/nvidia/lib/cupti/libcupti.so.12", library) +
      Member("opt/nvidia/nsight-compute/2025.3/host/target-linux-x64/libcupti.so.13.0", library) +
      End();
  const Artifact artifact = Look(Save({layer}, {layer}));
  ASSERT_EQ(artifact.detail["components"].size(), 3U);
  EXPECT_EQ(artifact.detail["components"][0]["name"], "CUPTI");
  EXPECT_EQ(artifact.detail["components"][0]["files"].size(), 1U);
}

TEST(Image, LayersAreHeldToTheConfiguration) {
  const std::string low = Member("a", "1") + End();
  const std::string high = Member("b", "2") + End();
  const std::string strange = Member("c", "3") + End();
  EXPECT_EQ(Codes(Look(Save({low, strange}, {low, high}))), Found{"image/diff-id"});
  std::string cut = Gzip(std::string(100'000, 'x') + low);
  cut.resize(cut.size() / 2);
  EXPECT_EQ(Codes(Look(Save({cut}, {low}))), Found{"image/damaged"});
}

TEST(Image, LayersInAWrongOrderAreReadInTheOneThatTheConfigurationNames) {
  const std::string low = Member("lib/a.so", Library(75)) + End();
  const std::string high = Member("lib/.wh.a.so", "") + Member("lib/b.so", Library(90)) + End();
  const Artifact swapped = Look(Save({high, low}, {low, high}));
  EXPECT_EQ(Codes(swapped), Found{"image/layer-order"});
  EXPECT_EQ(FindFact(swapped, "image", "files")->value, 1) << "a.so is deleted after it was added";
  EXPECT_EQ(swapped.detail["layers"], Look(Save({low, high}, {low, high})).detail["layers"]);
}

TEST(Image, PathsThatLeadOutsideAreNotFollowed) {
  const std::string layer = Member("../../etc/passwd", "x") + Member("ok", "y") + End();
  const Artifact artifact = Look(Save({layer}, {layer}));
  EXPECT_EQ(Codes(artifact), Found{"image/path-escape"});
  EXPECT_EQ(FindFact(artifact, "image", "files")->value, 1);
}

TEST(Image, ReadsAnOciLayoutThroughANestedIndex) {
  TemporaryFolder folder;
  const auto write = [&](const std::string& name, std::string_view text) {
    ASSERT_TRUE(CreateFolders((folder.path() / name).parent_path()).ok());
    ASSERT_TRUE(WriteFileAtomically(folder.path() / name, text).ok());
  };
  const std::string layer = Member("lib/libnccl.so.2", Library(90)) + End();
  write("oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}");
  write("blobs/sha256/layer", Zstd(layer));
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
  InspectOciLayout(folder.path(), artifact);
  EXPECT_EQ(Codes(artifact), Found{});
  EXPECT_EQ(artifact.code.images.size(), 1U);
}

TEST(FileStream, SeesInPassingWhatReadingSees) {
  // Larger than what is held in memory, fed in odd pieces.
  const std::string library = Library(100, std::size_t{33} << 20);
  for (const std::size_t step : {std::size_t{1'000'003}, std::size_t{4097}}) {
    FileStream stream(library.size());
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
  std::string out;
  const auto take = [&](std::string_view piece) {
    out += piece;
    return true;
  };
  EXPECT_TRUE(UnpackLayer(Gzip("one") + Gzip("two"), Memory::kOwned, take));
  EXPECT_EQ(out, "onetwo");
  out.clear();
  const std::string skippable = std::string("\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
  EXPECT_TRUE(UnpackLayer(skippable + Zstd("one") + Zstd("two"), Memory::kOwned, take));
  EXPECT_EQ(out, "onetwo");
  const std::string packed = Zstd(std::string(1000, 'x'));
  EXPECT_FALSE(UnpackLayer(packed.substr(0, packed.size() - 3), Memory::kOwned, take));
}

TEST(Tar, ReadsLongNamesAndStopsAtNonsense) {
  struct Names : TarVisitor {
    void Begin(const TarEntry& entry) override { names.push_back(entry.path); }
    void Content(std::string_view) override {}
    void End() override {}
    std::vector<std::string> names;
  } names;
  const std::string longest(300, 'n');
  std::string pax = Member("p", "16 path=pax/nam\n", 'x') + Member("short", "z");
  const std::string bytes = Member(longest, "x") + pax + End();
  TarStream tar(names);
  for (const char c : bytes) ASSERT_TRUE(tar.Feed(std::string_view(&c, 1)));
  EXPECT_TRUE(tar.is_complete());
  EXPECT_EQ(names.names, (std::vector<std::string>{longest, "pax/nam"}));
  EXPECT_FALSE(TarStream(names).Feed(std::string(512, 'q')));
}

}  // namespace
}  // namespace sibyl::inspect
