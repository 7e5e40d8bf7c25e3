// SPDX-License-Identifier: Apache-2.0
#include "page/warc.h"

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
  EXPECT_FALSE(ParseHttpMessage("HTTP/1.1 200 OK\nContent-Encoding: gzip\n\n").ok());
  EXPECT_FALSE(ParseHttpMessage("GET / HTTP/1.1\n\n").ok());
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

}  // namespace
}  // namespace sibyl::page
