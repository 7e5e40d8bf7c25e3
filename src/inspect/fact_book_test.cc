// SPDX-License-Identifier: Apache-2.0
#include "inspect/fact_book.h"

#include <gtest/gtest.h>

namespace sibyl::inspect {
namespace {

evidence::FactCitation Cited(char digit, std::string key) {
  return {.sha256 = std::string(64, digit), .inspector = "cuda", .key = std::move(key)};
}

TEST(FactBook, IsReadBackAsItWasWritten) {
  FactBook book;
  book.Put(Cited('a', "architectures"), {.value = Json{"sm_90", "sm_100f"},
                                         .kind = "elf",
                                         .bytes = 4096,
                                         .source = "toolkit",
                                         .path = "lib/libk.so"});
  book.Put(Cited('a', "cubin.sm_90.count"),
           {.value = 3, .kind = "elf", .bytes = 4096, .path = "/opt/a b/libk.so"});
  book.Put(Cited('b', "odd;key"), {.value = nullptr, .kind = "wheel", .bytes = 1, .path = "k.whl"});
  const std::string text = book.Format();
  const Result<FactBook> read = FactBook::Parse(text);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(*read, book);
  EXPECT_EQ(read->Format(), text);
  EXPECT_EQ(read->Find(Cited('a', "cubin.sm_90.count"))->value, 3);
  EXPECT_EQ(read->Find(Cited('c', "cubin.sm_90.count")), nullptr);
  EXPECT_EQ(read->FindArtifact(std::string(64, 'b'))->path, "k.whl");
  EXPECT_EQ(read->FindArtifact(std::string(64, 'c')), nullptr);
}

TEST(FactBook, TheLaterWordOnACitationHolds) {
  FactBook book;
  book.Put(Cited('a', "images"), {.value = 3, .kind = "elf", .bytes = 9, .path = "old.so"});
  book.Put(Cited('a', "images"), {.value = 4, .kind = "elf", .bytes = 9, .path = "new.so"});
  EXPECT_EQ(book.size(), 1U);
  EXPECT_EQ(book.Find(Cited('a', "images"))->value, 4);
}

TEST(FactBook, RefusesWhatNobodyWroteWithTheLine) {
  const std::string citation = evidence::FormatCitation(Cited('a', "images"));
  const std::string fact = R"( {"value":1,"kind":"elf","bytes":9,"path":"k.so"})";
  const std::string first = "sibyl facts 1\n";
  EXPECT_TRUE(FactBook::Parse("").ok());
  EXPECT_TRUE(FactBook::Parse(first + citation + fact + "\n").ok());
  for (const std::string& bad :
       {std::string("sibyl facts 2\n"), first + "<<<<<<< ours\n", first + citation + "\n",
        first + "lab:r;metric=m" + fact + "\n", first + citation + " {\"value\":1}\n",
        first + citation + R"( {"value":1,"kind":1,"bytes":9,"path":"k.so"})",
        first + citation + R"( {"value":1,"kind":"elf","bytes":-9,"path":"k.so"})",
        first + citation + fact + "\n" + citation + fact + "\n"}) {
    const Result<FactBook> read = FactBook::Parse(bad);
    ASSERT_FALSE(read.ok()) << bad;
    EXPECT_EQ(read.error().kind, ErrorKind::kCorrupt);
    EXPECT_GE(read.error().place->line, 1U);
  }
}

TEST(FactBook, NumbersAreSaidWithWhatTheyCount) {
  const auto words = [](std::string key, Json value) {
    return FactInWords(Cited('a', std::move(key)),
                       {.value = std::move(value), .kind = "elf", .bytes = 9, .path = "d/k.so"});
  };
  EXPECT_EQ(words("cubin.sm_90a.count", 1376),
            "k.so: elf, 9 bytes\ncuda cubin.sm_90a.count: 1376 cubins\n");
  EXPECT_NE(words("cubin.sm_90a.with_code", 7).find("7 cubins with code"), std::string::npos);
  EXPECT_NE(words("ptx.sm_90.count", 7).find("7 ptx images"), std::string::npos);
  EXPECT_NE(words("hidden_bytes", 7).find(": 7 bytes"), std::string::npos);
  EXPECT_NE(words("containers", 193).find("193 containers"), std::string::npos);
  EXPECT_NE(words("architectures", Json{"sm_90", "sm_100f"}).find("sm_90, sm_100f"),
            std::string::npos);
  EXPECT_NE(words("switch.USE_CUDA", true).find("USE_CUDA: true"), std::string::npos);
}

}  // namespace
}  // namespace sibyl::inspect
