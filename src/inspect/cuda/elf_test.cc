// SPDX-License-Identifier: Apache-2.0
#include "inspect/cuda/elf.h"

#include <gtest/gtest.h>

#include "base/files/files.h"
#include "inspect/cuda/ar.h"
#include "inspect/cuda/test_code.h"

namespace sibyl::inspect {
namespace {

TEST(Elf, ReadsOurOwnProgram) {
  const Result<std::string> self = ReadFile("/proc/self/exe");
  ASSERT_TRUE(self.ok());
  const std::optional<Elf> elf = Elf::Read(*self);
  ASSERT_TRUE(elf.has_value());
  EXPECT_FALSE(elf->is_cut());
  EXPECT_NE(elf->Find(".text"), nullptr);
  const ElfDynamic dynamic = elf->Dynamic();
  bool needs_c = false;
  for (const std::string& name : dynamic.needed) needs_c = needs_c || name.starts_with("libc.so");
  EXPECT_TRUE(needs_c);
}

TEST(Elf, FindsDependenciesWithoutSectionHeaders) {
  std::string self = *ReadFile("/proc/self/exe");
  const std::vector<std::string> needed = Elf::Read(self)->Dynamic().needed;
  for (std::size_t i = 40; i < 48; ++i) self[i] = '\0';  // e_shoff, as sstrip leaves it
  self[60] = self[61] = self[62] = self[63] = '\0';
  const std::optional<Elf> elf = Elf::Read(self);
  ASSERT_TRUE(elf.has_value());
  EXPECT_TRUE(elf->sections().empty());
  EXPECT_EQ(elf->Dynamic().needed, needed);
}

TEST(Elf, CutsALyingTableToWhatIsThere) {
  std::string bytes = MakeElf({.sections = {{.name = ".data", .content = "abc"}}});
  bytes[60] = '\xff';
  bytes[61] = '\x7f';
  const std::optional<Elf> elf = Elf::Read(bytes);
  ASSERT_TRUE(elf.has_value());
  EXPECT_TRUE(elf->is_cut());
  EXPECT_LE(elf->sections().size(), bytes.size() / 64);
}

TEST(Elf, RefusesWhatHasNoHeader) {
  EXPECT_FALSE(Elf::Read("").has_value());
  EXPECT_FALSE(Elf::Read("\x7f"
                         "ELF")
                   .has_value());
  EXPECT_FALSE(Elf::Read(std::string("\x7f"
                                     "ELF\x09\x01",
                                     6) +
                         std::string(100, '\0'))
                   .has_value());
}

TEST(Elf, NamesMachinesAndNumbersTheOthers) {
  EXPECT_EQ(MachineName(62), "x86_64");
  EXPECT_EQ(MachineName(190), "cuda");
  EXPECT_EQ(MachineName(9999), "machine 9999");
}

std::string Header(std::string name, std::size_t size) {
  name.resize(16, ' ');
  std::string header = name + "0           0     0     644     " + std::to_string(size);
  header.resize(58, ' ');
  return header + "`\n";
}

TEST(Ar, ReadsLongNamesOfBothTraditions) {
  const std::string names = "a_name_that_is_longer_than_sixteen.o/\n";
  std::string archive = "!<arch>\n" + Header("//", names.size()) + names;
  archive += Header("/0", 3) + "abc\n";
  archive += Header("#1/12", 15) + std::string("bsd_name.o\0\0", 12) + "xyz\n";
  archive += Header("short.o/", 2) + "hi";
  Budget budget(0);
  const ArArchive read = ReadArArchive(archive, budget);
  EXPECT_FALSE(read.is_cut);
  ASSERT_EQ(read.members.size(), 3U);
  EXPECT_EQ(read.members[0].name, "a_name_that_is_longer_than_sixteen.o");
  EXPECT_EQ(read.members[0].bytes, "abc");
  EXPECT_EQ(read.members[1].name, "bsd_name.o");
  EXPECT_EQ(read.members[1].bytes, "xyz");
  EXPECT_EQ(read.members[2].name, "short.o");
}

TEST(Ar, EndsAtAMemberThatGoesPastTheEnd) {
  Budget budget(0);
  const ArArchive read = ReadArArchive("!<arch>\n" + Header("x.o/", 1000) + "short", budget);
  EXPECT_TRUE(read.is_cut);
  EXPECT_TRUE(read.members.empty());
}

}  // namespace
}  // namespace sibyl::inspect
