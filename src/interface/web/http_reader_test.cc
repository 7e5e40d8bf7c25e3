// SPDX-License-Identifier: Apache-2.0
#include "interface/web/http_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace sibyl::interface {
namespace {

using State = HttpReader::State;

constexpr std::size_t kAnyBody = std::size_t{1} << 30;
const std::string kChunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";

struct Reading {
  State state = State::kHead;
  std::size_t consumed = 0;
  HttpRequest request;
  HttpRefusal refusal;
  std::uint64_t steps = 0;
};

// In pieces of `piece` bytes, accepting every body.
Reading Read(std::string_view bytes, std::size_t piece = std::string_view::npos,
             const HttpLimits& limits = {}) {
  HttpReader reader(limits);
  Reading reading;
  while (reading.consumed < bytes.size()) {
    const std::string_view next = bytes.substr(reading.consumed, piece);
    const std::size_t taken = reader.Feed(next);
    reading.consumed += taken;
    if (reader.state() == State::kHeadRead) {
      EXPECT_TRUE(reader.request().body.empty());
      reader.AcceptBody(kAnyBody);
    } else if (taken < next.size()) {
      break;
    }
    if (reader.state() == State::kComplete || reader.state() == State::kRefused) break;
  }
  reading.state = reader.state();
  reading.refusal = reader.refusal();
  if (reading.state == State::kComplete) reading.request = reader.Take();
  reading.steps = reader.steps();
  return reading;
}

TEST(HttpReader, ReadsARequestWithItsBodyAndNoMore) {
  const std::string first =
      "POST /api/search?query=a%20b&n=1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
      "X-Odd:  \t value \t\r\n\r\n{}";
  for (const std::size_t piece : {std::string_view::npos, std::size_t{1}, std::size_t{7}}) {
    const Reading reading = Read(first + "GET / HTTP/1.1\r\n", piece);
    ASSERT_EQ(reading.state, State::kComplete);
    EXPECT_EQ(reading.consumed, first.size());
    EXPECT_EQ(reading.request.path, "/api/search");
    EXPECT_EQ(reading.request.query, "query=a%20b&n=1");
    EXPECT_EQ(reading.request.body, "{}");
    EXPECT_EQ(reading.request.Header("x-odd"), "value");
    EXPECT_TRUE(reading.request.keeps_alive);
  }
  for (std::size_t cut = 0; cut < first.size(); ++cut) {
    const State state = Read(std::string_view(first).substr(0, cut)).state;
    EXPECT_TRUE(state == State::kHead || state == State::kBody) << cut;
  }
}

TEST(HttpReader, ReadsChunks) {
  const std::string text = kChunked + "3\r\nabc\r\n2;x=y\r\nde\r\n00000001\r\nf\r\n0\r\n\r\n";
  for (const std::size_t piece : {std::string_view::npos, std::size_t{1}, std::size_t{5}}) {
    const Reading reading = Read(text + "GET", piece);
    ASSERT_EQ(reading.state, State::kComplete) << reading.refusal.reason;
    EXPECT_EQ(reading.request.body, "abcdef");
    EXPECT_EQ(reading.consumed, text.size());
  }
}

TEST(HttpReader, StopsAfterTheHeadUntilTheBodyIsAccepted) {
  HttpReader reader({});
  const std::string head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n";
  EXPECT_EQ(reader.Feed(head + "abc"), head.size());
  EXPECT_EQ(reader.state(), State::kHeadRead);
  EXPECT_EQ(reader.Feed("abc"), 0U);
  EXPECT_TRUE(reader.request().body.empty());
  reader.AcceptBody(2);
  EXPECT_EQ(reader.state(), State::kRefused);
  EXPECT_EQ(reader.refusal().status, 413);
}

TEST(HttpReader, RefusesWhereTwoReadersCouldDisagree) {
  const std::pair<std::string, int> cases[] = {
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 400},
      {"GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET x HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", 400},
      {"GET / HTTP/1.1\nHost: a\n\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\r\n\r\n", 400},
      {"GET / HTTP/1.1\rHost: a\r\n\r\n", 400},
      {"\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
       400},
      {"POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1x\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 400},
      {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999999999\r\n\r\n", 413},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501},
      {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
       "Transfer-Encoding: chunked\r\n\r\n",
       400},
      {kChunked + "zz\r\n", 400},
      {kChunked + "\r\n", 400},
      {kChunked + ";x\r\n", 400},
      {kChunked + "-1\r\n", 400},
      {kChunked + "0x3\r\nabc\r\n", 400},
      {kChunked + "3 \r\nabc\r\n", 400},
      {kChunked + " 3\r\nabc\r\n", 400},
      {kChunked + "3\nabc\r\n", 400},
      {kChunked + "3\r\nabc\n0\r\n\r\n", 400},
      {kChunked + "3;a\nb\r\nabc\r\n", 400},
      {kChunked + "3\rx", 400},
      {kChunked + "2\r\nabcd\r\n", 400},
      {kChunked + "FFFFFFFF\r\n", 413},
      {kChunked + "10000000000000001\r\nx", 400},
      {kChunked + "000000001\r\nx\r\n0\r\n\r\n", 400},
      {kChunked + "1;" + std::string(300, 'x') + "\r\n", 400},
      {kChunked + "0\r\nX: y\r\n\r\n", 400},
      {kChunked + "0\r\n\n", 400},
      {std::string(20'000, 'a'), 431},
  };
  for (const auto& [text, status] : cases) {
    for (const std::size_t piece : {std::string_view::npos, std::size_t{1}, std::size_t{3}}) {
      const Reading reading = Read(text, piece);
      EXPECT_EQ(reading.state, State::kRefused) << text.substr(0, 90);
      EXPECT_EQ(reading.refusal.status, status) << text.substr(0, 90);
    }
  }
  std::string many = "GET / HTTP/1.1\r\nHost: a\r\n";
  for (int i = 0; i < 100; ++i) many += "X: y\r\n";
  EXPECT_EQ(Read(many + "\r\n").refusal.status, 431);
}

TEST(HttpReader, UnderstandsConnectionWordByWord) {
  const auto keeps = [](const std::string& version, const std::string& lines) {
    return Read("GET / HTTP/" + version + "\r\nHost: a\r\n" + lines + "\r\n").request.keeps_alive;
  };
  EXPECT_TRUE(keeps("1.1", "Connection: not-close\r\n"));
  EXPECT_FALSE(keeps("1.1", "Connection: keep-alive, Close\r\n"));
  EXPECT_FALSE(keeps("1.1", "Connection: x\r\nConnection: close\r\n"));
  EXPECT_FALSE(keeps("1.0", ""));
  EXPECT_TRUE(keeps("1.0", "Connection: Keep-Alive\r\n"));
}

std::string OneByteChunks(std::size_t count) {
  std::string text = kChunked;
  for (std::size_t i = 0; i < count; ++i) text += "1\r\nx\r\n";
  return text + "0\r\n\r\n";
}

// Issue 16, finding 8: every byte on the wire counts, not only those of the body.
TEST(HttpReader, CountsTheFramingOfChunks) {
  const HttpLimits limits{.body_bytes = 6'000};
  EXPECT_EQ(Read(OneByteChunks(900), 100, limits).state, State::kComplete);
  const Reading reading = Read(OneByteChunks(1'000), 100, limits);
  EXPECT_EQ(reading.state, State::kRefused);
  EXPECT_EQ(reading.refusal.status, 413);
  EXPECT_LE(reading.consumed, kChunked.size() + limits.body_bytes + 1);
  std::string extensions = kChunked;
  for (int i = 0; i < 100; ++i) extensions += "1;" + std::string(200, 'e') + "\r\nx\r\n";
  EXPECT_EQ(Read(extensions, 100, limits).refusal.status, 413);
}

// Issue 16, finding 8: the buffer was parsed from its beginning with every read.
TEST(HttpReader, TakesStepsInProportionToTheBytes) {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{13}, std::size_t{16'384}}) {
    std::uint64_t before = 0;
    for (const std::size_t count :
         {std::size_t{10'000}, std::size_t{20'000}, std::size_t{40'000}}) {
      const std::string text = OneByteChunks(count);
      const Reading reading = Read(text, piece);
      ASSERT_EQ(reading.state, State::kComplete);
      EXPECT_EQ(reading.request.body.size(), count);
      EXPECT_LE(reading.steps, 2 * text.size());
      EXPECT_TRUE(before == 0 || reading.steps <= 2 * before) << before << " " << reading.steps;
      before = reading.steps;
    }
  }
  // A head in single bytes, up to its limit.
  std::string head = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
  head += std::string(16'000 - head.size(), 'x') + "\r\n\r\n";
  const Reading reading = Read(head, 1);
  EXPECT_EQ(reading.state, State::kComplete);
  EXPECT_LE(reading.steps, 2 * head.size());
}

TEST(HttpReader, ReadsRequestAfterRequest) {
  HttpReader reader({});
  const std::string all =
      "GET /1 HTTP/1.1\r\nHost: a\r\n\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n" + kChunked +
      "1\r\nx\r\n0\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\n\r\n";
  std::string_view rest = all;
  std::vector<std::string> seen;
  while (!rest.empty()) {
    rest.remove_prefix(reader.Feed(rest));
    if (reader.state() == State::kHeadRead) reader.AcceptBody(kAnyBody);
    ASSERT_NE(reader.state(), State::kRefused) << reader.refusal().reason;
    if (reader.state() != State::kComplete) continue;
    const HttpRequest request = reader.Take();
    seen.push_back(request.path + request.body);
  }
  EXPECT_EQ(seen, (std::vector<std::string>{"/1", "/2", "/x", "/3"}));
}

}  // namespace
}  // namespace sibyl::interface
