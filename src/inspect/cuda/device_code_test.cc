// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/device_code.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "inspect/cuda/code_content.h"
#include "inspect/cuda/cubin.h"
#include "inspect/cuda/test_code.h"

namespace sibyl::inspect {
namespace {

std::string Zstd(std::string_view bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
  return out;
}

std::string Zlib(std::string_view bytes) {
  uLongf length = compressBound(bytes.size());
  std::string out(length, '\0');
  compress(reinterpret_cast<Bytef*>(out.data()), &length,
           reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  out.resize(length);
  return out;
}

// Literals only, which any encoder may write.
std::string Lz4Literals(std::string_view bytes) {
  std::string out(1, '\xf0');
  std::size_t left = bytes.size() - 15;
  for (; left >= 255; left -= 255) out += '\xff';
  out += static_cast<char>(left);
  return out + std::string(bytes);
}

std::string HostWith(std::vector<SampleSection> sections) {
  return MakeElf({.sections = std::move(sections)});
}

TEST(DeviceCode, ListsEveryImageOfASectionOfConcatenatedContainers) {
  const std::string first =
      MakeFatbin({{.number = 90, .flags = 0x100011, .payload = MakeCubin(90, SampleCode::kKernel)},
                  {.kind = 1, .number = 90, .payload = ".version 9.0", .major = 9, .minor = 0}});
  const std::string second = MakeFatbin(
      {{.number = 100, .flags = 0x200011, .payload = MakeCubin(100, SampleCode::kNone)}});
  const DeviceCode code = ReadDeviceCode(
      HostWith({{.name = ".nv_fatbin", .content = first + std::string(24, '\0') + second}}));
  ASSERT_EQ(code.images.size(), 3U);
  EXPECT_EQ(code.containers.size(), 2U);
  EXPECT_TRUE(code.damages.empty());
  EXPECT_EQ(Format(code.images[0].architecture), "sm_90a");
  EXPECT_EQ(code.images[0].has_code, HasCode::kYes);
  EXPECT_EQ(code.images[1].kind, ImageKind::kPtx);
  EXPECT_EQ(code.images[1].major, 9);
  EXPECT_EQ(Format(code.images[2].architecture), "sm_100f");
  EXPECT_EQ(code.images[2].has_code, HasCode::kNo);
  EXPECT_EQ(code.regions[0].role, CodeRole::kExecutable);
}

TEST(DeviceCode, FindsWhatNoSectionAnnounces) {
  const std::string fatbin =
      MakeFatbin({{.number = 80, .payload = MakeCubin(80, SampleCode::kKernel)}});
  const std::string data = "odd" + fatbin + "more" + MakeCubin(75, SampleCode::kKernel) +
                           std::string(".version 7.8\n.target sm_70\n.address_size 64\n") + '\0' +
                           "tail";
  const std::string elf = HostWith({{.name = ".rodata", .content = data}});
  const DeviceCode code = ReadDeviceCode(elf);
  ASSERT_EQ(code.images.size(), 3U);
  for (const CodeImage& image : code.images) {
    EXPECT_EQ(code.regions[image.region].role, CodeRole::kHidden);
    EXPECT_EQ(code.regions[image.region].section, ".rodata");
    EXPECT_EQ(image.has_code, HasCode::kYes);
  }
  EXPECT_EQ(code.images[1].architecture.number, 75U);
  EXPECT_EQ(code.images[2].kind, ImageKind::kPtx);
  EXPECT_TRUE(ReadDeviceCode(elf, {.depth = CodeDepth::kSections}).empty());
}

// ptxas before CUDA 13 wrote this layout up to sm_90; current libraries still contain such
// cubins, next to those of the second.
TEST(DeviceCode, CubinsOfTheFirstAbiSayTheirArchitectureAndToolkit) {
  const SampleElf plain{.machine = 190,
                        .os_abi = 0x33,
                        .flags = 0x00500556,  // compute_80 for sm_86, 64 bit
                        .version = 0x76,
                        .sections = {{.name = ".text.k", .content = "code", .flags = 6}}};
  const std::optional<Cubin> cubin = ReadCubin(MakeElf(plain));
  ASSERT_TRUE(cubin);
  EXPECT_EQ(cubin->architecture, (field::Architecture{.number = 86}));
  EXPECT_EQ(cubin->virtual_architecture, 80U);
  EXPECT_EQ(cubin->origin.version, "11.8");
  EXPECT_EQ(cubin->code_sections, 1U);

  SampleElf accelerated = plain;
  accelerated.flags = 0x005a0d5a;
  accelerated.version = 0x7b;
  const std::optional<Cubin> second = ReadCubin(MakeElf(accelerated));
  ASSERT_TRUE(second);
  EXPECT_EQ(second->architecture, (field::Architecture{.number = 90, .suffix = 'a'}));
  EXPECT_EQ(second->origin.version, "12.3");
}

TEST(DeviceCode, ReadsEveryCompression) {
  const std::string cubin = MakeCubin(86, SampleCode::kKernel);
  const std::string block = Lz4Literals(cubin);
  std::string frame = std::string("\x04\x22\x4d\x18\x60\x40\x82", 7);
  for (int i = 0; i < 4; ++i) frame += static_cast<char>(block.size() >> (8 * i) & 0xff);
  frame += block + std::string(4, '\0');
  const std::size_t n = cubin.size();
  const DeviceCode code = ReadDeviceCode(
      MakeFatbin({{.number = 86, .flags = 0x8011, .payload = Zstd(cubin), .unpacked = n},
                  {.number = 86, .flags = 0x2011, .payload = block, .unpacked = n},
                  {.number = 86, .flags = 0x4011, .payload = frame, .unpacked = n},
                  {.number = 86, .flags = 0x1011, .payload = Zlib(cubin), .unpacked = n}}));
  ASSERT_EQ(code.images.size(), 4U);
  for (const CodeImage& image : code.images) {
    EXPECT_EQ(image.has_code, HasCode::kYes) << CompressionName(image.compression);
    EXPECT_FALSE(image.is_damaged) << CompressionName(image.compression);
  }
}

TEST(DeviceCode, SaysWhichPayloadsDoNotDecode) {
  const std::string cubin = MakeCubin(86, SampleCode::kKernel);
  std::string packed = Zstd(cubin);
  packed.resize(packed.size() / 2);
  const DeviceCode code = ReadDeviceCode(MakeFatbin(
      {{.number = 86, .flags = 0x8011, .payload = packed, .unpacked = cubin.size()},
       {.number = 86, .flags = 0x8011, .payload = Zstd(cubin), .unpacked = std::size_t{1} << 40},
       {.number = 86, .flags = 0x2011, .payload = "\x0f\xff\xff", .unpacked = 100}}));
  ASSERT_EQ(code.images.size(), 3U);
  for (const CodeImage& image : code.images) EXPECT_TRUE(image.is_damaged);
}

TEST(DeviceCode, GoesOnBehindDamage) {
  std::string bad = MakeFatbin({{.number = 70, .payload = MakeCubin(70, SampleCode::kKernel)}});
  bad[20] = '\x7f';  // the size of the entry's header
  const std::string good =
      MakeFatbin({{.number = 90, .payload = MakeCubin(90, SampleCode::kKernel)}});
  const DeviceCode code =
      ReadDeviceCode(HostWith({{.name = ".nv_fatbin", .content = bad + "junk!!!!" + good}}));
  EXPECT_FALSE(code.damages.empty());
  ASSERT_FALSE(code.images.empty());
  EXPECT_EQ(code.images.back().architecture.number, 90U);
}

TEST(DeviceCode, ShowsKindsThatNobodyNamedByTheirNumber) {
  const DeviceCode code = ReadDeviceCode(MakeFatbin({{.kind = 0x40, .payload = "what"}}));
  ASSERT_EQ(code.images.size(), 1U);
  EXPECT_EQ(code.images[0].kind, ImageKind::kOther);
  EXPECT_EQ(code.images[0].raw_kind, 0x40);
}

TEST(DeviceCode, StopsAtItsLimit) {
  std::string section;
  for (int i = 0; i < 10; ++i) section += MakeFatbin({{.payload = "x"}, {.payload = "y"}});
  const DeviceCode code =
      ReadDeviceCode(HostWith({{.name = ".nv_fatbin", .content = section}}), {.max_images = 7});
  EXPECT_EQ(code.images.size(), 7U);
  EXPECT_FALSE(code.is_complete);
}

TEST(DeviceCode, LooksIntoArchivesMemberByMember) {
  const std::string object = HostWith(
      {{.name = "__nv_relfatbin",
        .content = MakeFatbin({{.number = 75, .payload = MakeCubin(75, SampleCode::kKernel)}})}});
  std::string header = "kernels.o/      0           0     0     644     ";
  header += std::to_string(object.size());
  header.resize(58, ' ');
  const DeviceCode code = ReadDeviceCode("!<arch>\n" + header + "`\n" + object);
  ASSERT_EQ(code.images.size(), 1U);
  EXPECT_EQ(code.regions[0].member, "kernels.o");
  EXPECT_EQ(code.regions[0].role, CodeRole::kRelocatable);
}

RC_GTEST_PROP(DeviceCode, SurvivesEveryCutAndEveryFlippedByte, ()) {
  const std::string cubin = MakeCubin(90, SampleCode::kKernel);
  std::string bytes = HostWith(
      {{.name = ".nv_fatbin",
        .content = MakeFatbin(
            {{.number = 90, .payload = cubin},
             {.number = 90, .flags = 0x8011, .payload = Zstd(cubin), .unpacked = cubin.size()}})},
       {.name = ".rodata", .content = cubin}});
  const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
  if (*rc::gen::arbitrary<bool>()) {
    bytes.resize(at);
  } else {
    bytes[at] = *rc::gen::arbitrary<char>();
  }
  const DeviceCode code = ReadDeviceCode(bytes);
  for (const CodeImage& image : code.images) {
    RC_ASSERT(image.payload_offset <= bytes.size());
    RC_ASSERT(image.payload_bytes <= bytes.size() - image.payload_offset);
    RC_ASSERT(image.region < code.regions.size());
    RC_ASSERT(image.container < code.containers.size());
  }
}

}  // namespace
}  // namespace sibyl::inspect
