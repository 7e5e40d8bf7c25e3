// SPDX-License-Identifier: Apache-2.0
#include "page/warc.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace sibyl::page {
namespace {

WarcRecord Response() {
  return {.type = "response",
          .date = "2026-11-15T10:02:11Z",
          .target = "https://example.org/a",
          .content_type = "application/http;msgtype=response",
          .fields = {{"WARC-Payload-Digest", "sha256:00"}},
          .block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>a\r\n\r\n"};
}

TEST(Warc, ReadsBackWhatItWroteAndGivesTheSameIdToTheSameRecord) {
  const std::string bytes = FormatWarcRecord(Response()) + FormatWarcRecord(Response());
  EXPECT_TRUE(bytes.starts_with("WARC/1.1\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:"));
  WarcReader reader(bytes);
  std::string first_id;
  for (int i = 0; i < 2; ++i) {
    Result<std::optional<WarcRecord>> read = reader.Next();
    ASSERT_TRUE(read.ok() && *read) << i;
    WarcRecord record = **read;
    if (i == 0) first_id = record.id;
    EXPECT_EQ(record.id, first_id);
    record.id.clear();
    EXPECT_EQ(record, Response());
  }
  const Result<std::optional<WarcRecord>> end = reader.Next();
  ASSERT_TRUE(end.ok());
  EXPECT_FALSE(end->has_value());
}

TEST(Warc, SaysWhereBytesAreCutOff) {
  const std::string whole = FormatWarcRecord(Response());
  for (std::size_t cut = 1; cut + 4 < whole.size(); ++cut) {
    WarcReader reader(std::string_view(whole).substr(0, cut));
    const Result<std::optional<WarcRecord>> read = reader.Next();
    EXPECT_FALSE(read.ok()) << cut;
    EXPECT_FALSE(reader.Next()->has_value()) << "it has ended";
  }
}

TEST(Warc, RefusesALengthPastTheLimit) {
  WarcReader reader("WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 99999999999\r\n\r\n");
  EXPECT_FALSE(reader.Next().ok());
}

TEST(Warc, LetsNoValueBeginAFieldOfItsOwn) {
  WarcRecord record = Response();
  record.target = "https://example.org/\r\nWARC-Type: resource";
  const std::string bytes = FormatWarcRecord(record);
  WarcReader reader(bytes);
  const Result<std::optional<WarcRecord>> read = reader.Next();
  ASSERT_TRUE(read.ok() && *read);
  EXPECT_EQ((*read)->type, "response");
  EXPECT_EQ((*read)->target, "https://example.org/  WARC-Type: resource");
}

TEST(Warc, ReadsAnAnswerAndItsHeaders) {
  const Result<HttpMessage> message =
      ParseHttpMessage("HTTP/1.1 200 OK\nContent-Type: text/html\nX: a\n b\n\nbody\n");
  ASSERT_TRUE(message.ok());
  EXPECT_EQ(message->status, 200);
  EXPECT_EQ(message->headers[1].second, "a b");
  EXPECT_EQ(message->body, "body\n");
  EXPECT_FALSE(ParseHttpMessage("GET / HTTP/1.1\n\n").ok());
  EXPECT_FALSE(ParseHttpMessage("HTTP/1.1 200 OK\nContent-Length: 5\n\nbody").ok());
}

TEST(Warc, PutsChunksTogether) {
  const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n";
  const std::string chunks = "4\r\n<p>o\r\n3;x=y\r\nne\n\r\n0\r\nX: trailer\r\n\r\n";
  EXPECT_EQ(ParseHttpMessage(head + chunks)->body, "<p>one\n");
  EXPECT_EQ(ParseHttpMessage(head + "<p>joined already")->body, "<p>joined already");
  const std::size_t last = chunks.find("0\r\nX");
  for (std::size_t cut = 3; cut < last + 3; ++cut) {
    EXPECT_FALSE(ParseHttpMessage(head + chunks.substr(0, cut)).ok()) << cut;
  }
  EXPECT_FALSE(ParseHttpMessage(head + "fffffffffffffffff\r\nx").ok() &&
               ParseHttpMessage(head + "ffffffffffffffff\r\nx").ok());
  EXPECT_FALSE(ParseHttpMessage("HTTP/1.1 200 OK\nTransfer-Encoding: gzip, chunked\n\n").ok());
}

TEST(Warc, NamesTheEncodingOfABody) {
  const auto message =
      ParseHttpMessage("HTTP/1.1 200 OK\nContent-Encoding: GZIP, identity , br\n\nxyz");
  ASSERT_TRUE(message.ok());
  EXPECT_EQ(message->encodings, (std::vector<std::string>{"gzip", "br"}));
}

RC_GTEST_PROP(Warc, PutsAnyChunksTogether, (const std::vector<std::string>& pieces)) {
  std::string block = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  std::string body;
  for (const std::string& piece : pieces) {
    if (piece.empty()) continue;
    block += fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
    body += piece;
  }
  const Result<HttpMessage> message = ParseHttpMessage(block + "0\r\n\r\n");
  RC_ASSERT(message.ok());
  RC_ASSERT(message->body == body);
}

RC_GTEST_PROP(Warc, KeepsAnyBlock, (const std::string& block)) {
  WarcRecord record = Response();
  record.block = block;
  const std::string bytes = FormatWarcRecord(record);
  WarcReader reader(bytes);
  const Result<std::optional<WarcRecord>> read = reader.Next();
  RC_ASSERT(read.ok() && read->has_value());
  RC_ASSERT((*read)->block == block);
}

TEST(Warc, ReadsRecordAfterRecordToTheEnd) {
  const std::string bytes = FormatWarcRecord({.type = "warcinfo",
                                              .id = {},
                                              .date = "2026-11-15T10:00:00Z",
                                              .target = {},
                                              .content_type = "application/warc-fields",
                                              .fields = {},
                                              .block = ""}) +
                            FormatWarcRecord({.type = "resource",
                                              .id = {},
                                              .date = "2026-11-15T10:00:00Z",
                                              .target = "https://example.org/",
                                              .content_type = "text/plain",
                                              .fields = {{"X-Mine", "1"}},
                                              .block = "WARC/1.1\r\n\r\n"});
  WarcReader reader(bytes);
  const auto first = reader.Next();
  ASSERT_TRUE(first.ok() && *first);
  EXPECT_EQ((*first)->type, "warcinfo");
  EXPECT_EQ((*first)->block, "");
  const auto second = reader.Next();
  ASSERT_TRUE(second.ok() && *second);
  EXPECT_EQ((*second)->block, "WARC/1.1\r\n\r\n") << "a block is its length, whatever it says";
  EXPECT_EQ((*second)->Field("x-mine"), "1");
  EXPECT_EQ((*second)->Field("nothing"), "");
  const auto end = reader.Next();
  ASSERT_TRUE(end.ok());
  EXPECT_FALSE(end->has_value());
}

TEST(Warc, AfterABrokenRecordTheReaderHasEnded) {
  WarcReader reader("not a record\r\n\r\n");
  const auto broken = reader.Next();
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.error().kind, ErrorKind::kCorrupt);
  const auto after = reader.Next();
  EXPECT_TRUE(!after.ok() || !after->has_value());
}

TEST(Warc, AnAnswerThatIsNoneIsRefused) {
  for (const char* block : {"", "HTTP/1.1", "GET / HTTP/1.1\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
                            "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"}) {
    const auto message = ParseHttpMessage(block);
    EXPECT_FALSE(message.ok()) << block;
  }
}

TEST(Warc, AnAnswerIsReadBackAsItWasWritten) {
  const HttpMessage message{.status = 200,
                            .headers = {{"content-type", "text/html"}, {"etag", "\"x\""}},
                            .body = "a\r\n\r\nb"};
  const auto again = ParseHttpMessage(FormatHttpMessage(message));
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->status, 200);
  EXPECT_EQ(again->body, message.body);
}

TEST(Warc, FieldsAreReadBackAndOddLinesPassedOver) {
  const WarcFields fields = {{"url", "https://example.org/?a=b: c"}, {"title", "A title"}};
  EXPECT_EQ(ParseWarcFields(FormatWarcFields(fields)), fields);
  EXPECT_TRUE(ParseWarcFields("").empty());
  EXPECT_TRUE(ParseWarcFields("no colon here\r\n").empty());
}

TEST(Warc, AnIdIsMadeOfTheText) {
  const std::string id = WarcIdOf("text");
  EXPECT_EQ(id, WarcIdOf("text"));
  EXPECT_NE(id, WarcIdOf("other"));
  EXPECT_TRUE(id.starts_with("<urn:uuid:") && id.ends_with(">")) << id;
  EXPECT_EQ(id[10 + 14], '8') << "version 8 of RFC 9562";
}

TEST(Warc, OfTwoFieldsOfOneNameTheFirstCounts) {
  const std::string bytes =
      "WARC/1.1\r\nwarc-type: response\r\nWARC-Type: resource\r\nContent-Length: 1\r\n"
      "X-Mine: a\r\nx-mine: b\r\n\r\nz\r\n\r\n";
  const auto read = WarcReader(bytes).Next();
  ASSERT_TRUE(read.ok() && *read);
  EXPECT_EQ((*read)->type, "response");
  EXPECT_EQ((*read)->Field("X-MINE"), "a");
  EXPECT_EQ((*read)->Field("WARC-Type"), "") << "it has its own member";
}

TEST(Warc, OfVersionOneHasItsAddressInBrackets) {
  const auto read =
      WarcReader("WARC/1.0\nWARC-Target-URI: <https://example.org/>\nContent-Length: 0\n\n\n\n")
          .Next();
  ASSERT_TRUE(read.ok() && *read);
  EXPECT_EQ((*read)->target, "https://example.org/");
}

TEST(Warc, AHeaderOverTheLimitIsRefused) {
  const std::string bytes =
      "WARC/1.1\r\nX: " + std::string(1'000, 'x') + "\r\nContent-Length: 0\r\n\r\n\r\n\r\n";
  EXPECT_TRUE(WarcReader(bytes).Next().ok());
  EXPECT_FALSE(WarcReader(bytes, {.max_header_bytes = 500}).Next().ok());
}

TEST(Warc, ALengthThatIsNoNumberIsRefused) {
  for (const char* length : {"", "-1", "1x", "0x10", "99999999999999999999999"}) {
    const std::string bytes = "WARC/1.1\r\nContent-Length: " + std::string(length) + "\r\n\r\nabc";
    EXPECT_FALSE(WarcReader(bytes).Next().ok()) << length;
  }
}

}  // namespace
}  // namespace sibyl::page
