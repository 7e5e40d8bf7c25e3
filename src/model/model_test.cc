// SPDX-License-Identifier: Apache-2.0
#include "model/model.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/files/file_descriptor.h"
#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/strings.h"
#include "base/telemetry/activity.h"
#include "base/telemetry/log.h"
#include "base/telemetry/metrics.h"
#include "base/telemetry/test_exposition.h"
#include "base/test_stopwatch.h"
#include "net/test_server.h"

namespace sibyl::model {
namespace {

using net::TestAnswer;
using net::TestPage;
using net::TestServer;

std::string Data(const std::string& json) { return "data: " + json + "\n\n"; }

std::string OpenAiStream(const std::string& text) {
  return ": waiting\n\n" +
         Data(R"({"id":"r1","model":"small-1","choices":[{"delta":{"content":")" + text +
              R"("},"finish_reason":null}]})") +
         Data(R"({"choices":[{"delta":{},"finish_reason":"stop"}]})") +
         Data(R"({"choices":[],"usage":{"prompt_tokens":12,"completion_tokens":5}})") +
         Data("[DONE]");
}

std::string AnthropicStream(const std::string& text) {
  const auto event = [](const std::string& name, const std::string& json) {
    return "event: " + name + "\r\n" + "data: " + json + "\r\n\r\n";
  };
  return event("message_start", R"({"type":"message_start","message":{"id":"m1","model":"large-2",)"
                                R"("usage":{"input_tokens":20,"output_tokens":1}}})") +
         event("ping", R"({"type":"ping"})") +
         event("content_block_delta",
               R"({"type":"content_block_delta","delta":{"type":"thinking_delta",)"
               R"("thinking":"secret thought"}})") +
         event("content_block_delta",
               R"({"type":"content_block_delta","delta":{"type":"text_delta","text":")" + text +
                   R"("}})") +
         event("message_delta", R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},)"
                                R"("usage":{"output_tokens":7}})") +
         event("message_stop", R"({"type":"message_stop"})");
}

TestAnswer Stream(const std::string& body) {
  return TestPage("200 OK", "Content-Type: text/event-stream\r\n", body);
}

const Question kQuestion{.system = "be brief", .turns = {{.text = "why?"}}};

// A model behind a server that answers as a test wants.
class ModelTest : public testing::Test {
 protected:
  void Serve(std::function<TestAnswer(const std::string&)> answer) {
    served_ = std::make_unique<TestServer>(std::move(answer));
    client_ = std::make_unique<net::Client>(net::ClientOptions{
        .clock = clock_, .stopwatch = stopwatch_, .allow = {served_->host()}, .jitter_seed = 1});
  }

  ModelOptions Options() {
    return {.server = {.url = *net::ParseUrl(served_->url("/v1/")),
                       .model = "small",
                       .key = "sk-very-secret",
                       .idle = std::chrono::milliseconds(400)},
            .client = *client_,
            .budget = budget_,
            .cache = folder_.path() / "models"};
  }

  Result<Answer> Ask(const Question& question = kQuestion) {
    return Model(Options()).Ask(question, {});
  }

  FixedClock clock_{Time{}};
  TestStopwatch stopwatch_;
  TemporaryFolder folder_;
  ModelBudget budget_{{}, {.input = 1, .output = 10}};
  std::unique_ptr<TestServer> served_;
  std::unique_ptr<net::Client> client_;
};

TEST_F(ModelTest, ReadsAStreamOfChatCompletions) {
  Serve([](const std::string&) { return Stream(OpenAiStream("because")); });
  const Result<Answer> answer = Ask();
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->text, "because");
  EXPECT_EQ(answer->model, "small-1");
  EXPECT_EQ(answer->usage.input, 12U);
  EXPECT_EQ(answer->usage.output, 5U);
  const std::string request = served_->requests().at(0);
  EXPECT_TRUE(request.starts_with("POST /v1/chat/completions ")) << request;
  EXPECT_NE(request.find("Authorization: Bearer sk-very-secret"), std::string::npos);
  EXPECT_NE(request.find(R"("role":"system","content":"be brief")"), std::string::npos);
}

TEST_F(ModelTest, ReadsAStreamOfMessagesAndNotItsThoughts) {
  Serve([](const std::string&) { return Stream(AnthropicStream("for a reason")); });
  ModelOptions options = Options();
  options.server.protocol = Protocol::kAnthropic;
  const Result<Answer> answer = Model(options).Ask(kQuestion, {});
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->text, "for a reason");
  EXPECT_EQ(answer->usage.input, 20U);
  EXPECT_EQ(answer->usage.output, 7U);
  EXPECT_NE(served_->requests().at(0).find("x-api-key: sk-very-secret"), std::string::npos);
}

TEST_F(ModelTest, TakesAnAnswerThatIsNotStreamed) {
  Serve([](const std::string&) {
    return TestPage("200 OK", "Content-Type: application/json\r\n",
                    R"({"choices":[{"message":{"content":"whole"},"finish_reason":"length"}]})");
  });
  const Result<Answer> answer = Ask();
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->text, "whole");
  EXPECT_EQ(answer->end, End::kLength);
}

std::string HeaderOf(const std::string& request, const std::string& name) {
  const std::size_t at = request.find("\r\n" + name + ": ");
  if (at == std::string::npos) return "";
  const std::size_t begin = at + name.size() + 4;
  return request.substr(begin, request.find("\r\n", begin) - begin);
}

Trace TraceOfTest() {
  return {.id = "4bf92f3577b34da6a3ce929d0e0e4736", .parent = {}, .is_handed_on = true};
}

// Each try is a request of its own, with its own span.
TEST_F(ModelTest, ATraceThatIsHandedOnIsInEveryRequest) {
  int tries = 0;
  Serve([&](const std::string&) {
    return ++tries == 1 ? TestPage("500 Broken", "", "") : Stream(OpenAiStream("because"));
  });
  {
    const ActivityScope scope(
        {.run = "1", .part = "a.md", .worker = "n:1", .trace = TraceOfTest()});
    ASSERT_TRUE(Ask().ok());
  }
  const std::vector<std::string> requests = served_->requests();
  ASSERT_EQ(requests.size(), 2U);
  const auto first = ParseTraceparent(HeaderOf(requests[0], "traceparent"));
  const auto second = ParseTraceparent(HeaderOf(requests[1], "traceparent"));
  ASSERT_TRUE(first && second) << requests[0];
  EXPECT_EQ(first->id, TraceOfTest().id);
  EXPECT_EQ(second->id, TraceOfTest().id);
  EXPECT_NE(first->parent, second->parent);
  EXPECT_TRUE(first->is_sampled);
}

TEST_F(ModelTest, OtherwiseNoServerIsToldOfATrace) {
  Serve([](const std::string&) { return Stream(OpenAiStream("because")); });
  ASSERT_TRUE(Ask().ok());
  Trace trace = TraceOfTest();
  trace.is_handed_on = false;
  const ActivityScope scope({.run = "1", .part = {}, .worker = {}, .trace = trace});
  ASSERT_TRUE(Ask({.system = "be brief", .turns = {{.text = "and why?"}}}).ok());
  for (const std::string& request : served_->requests()) {
    EXPECT_EQ(HeaderOf(request, "traceparent"), "") << request;
  }
}

// A server may repeat in an error what it was asked.
TEST_F(ModelTest, TheLogHasNeitherPromptNorAnswerNorKey) {
  int asked = 0;
  Serve([&](const std::string&) {
    return ++asked == 1
               ? Stream(OpenAiStream("an answer of gold"))
               : TestPage("400 Bad", "", R"({"error":{"message":"why should I be brief"}})");
  });
  const std::filesystem::path file = folder_.path() / "log";
  const FileDescriptor out(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  {
    const JsonLog log(out.number());
    const ActivityScope scope(
        {.run = "9", .part = "a.md", .worker = "n:1", .trace = TraceOfTest()});
    ASSERT_TRUE(Ask().ok());
    ASSERT_FALSE(Ask({.system = "be brief", .turns = {{.text = "why should I"}}}).ok());
  }
  const std::string text = *ReadFile(file);
  for (const char* secret : {"gold", "brief", "why", "sk-very-secret"}) {
    EXPECT_EQ(text.find(secret), std::string::npos) << secret << " in " << text;
  }
  const std::vector<std::string_view> lines = SplitLines(text);
  ASSERT_EQ(lines.size(), 2U) << text;
  const Json first = *ParseJson(lines[0]);
  EXPECT_EQ(first["message"], "model request");
  EXPECT_EQ(first["run"], "9");
  EXPECT_EQ(first["part"], "a.md");
  EXPECT_EQ(first["trace"], TraceOfTest().id);
  EXPECT_EQ(first["input_tokens"], 12);
  EXPECT_EQ(first["status"], 200);
  EXPECT_EQ(HeaderOf(served_->requests()[0], "traceparent").substr(36, 16), first["span"]);
  EXPECT_EQ((*ParseJson(lines[1]))["status"], 400);
}

TEST_F(ModelTest, RequestsTokensAndMoneyAreCountedByModel) {
  int asked = 0;
  Serve([&](const std::string&) {
    return ++asked == 1 ? TestPage("429 Slow down", "", "") : Stream(OpenAiStream("because"));
  });
  const Exposition before = ReadExposition(Metrics::OfProcess().Format());
  ModelOptions options = Options();
  options.server.model = "/home/ada/models/small-q4.gguf";
  Model model(options);
  ASSERT_TRUE(model.Ask(kQuestion, {}).ok());
  ASSERT_TRUE(model.Ask(kQuestion, {}).ok()) << "from the cache";
  const std::string text = Metrics::OfProcess().Format();
  EXPECT_EQ(text.find("/home/ada"), std::string::npos) << "the path of a user is no label";
  const Exposition after = ReadExposition(text);
  const auto more = [&](const std::string& name, Exposition::Labels labels) {
    labels["model"] = "small-q4.gguf";
    return after.Value(name, labels).value_or(0) - before.Value(name, labels).value_or(0);
  };
  for (const char* status : {"429", "200", "cached"}) {
    EXPECT_EQ(more("sibyl_model_requests_total", {{"status", status}}), 1) << status;
  }
  EXPECT_EQ(more("sibyl_model_tokens_total", {{"direction", "input"}}), 12);
  EXPECT_EQ(more("sibyl_model_tokens_total", {{"direction", "output"}}), 5);
  EXPECT_NEAR(more("sibyl_model_cost_total", {}), (12 + 50) / 1e6, 1e-12);
  EXPECT_EQ(more("sibyl_model_request_seconds_count", {}), 2);
}

// Both protocols, each with its own shapes.
class ServerFaults : public ModelTest, public testing::WithParamInterface<Protocol> {
 protected:
  static bool IsOpenAi() { return GetParam() == Protocol::kOpenAi; }
  static std::string Good(const std::string& text) {
    return IsOpenAi() ? OpenAiStream(text) : AnthropicStream(text);
  }
  static std::string Head() { return "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"; }
  ModelOptions Options() {
    ModelOptions options = ModelTest::Options();
    options.server.protocol = GetParam();
    return options;
  }
  Result<Answer> Ask() { return Model(Options()).Ask(kQuestion, {}); }
};

TEST_P(ServerFaults, AfterALimitACutStreamAndAStallItIsAskedAgain) {
  std::atomic<int> asked = 0;
  Serve([&](const std::string&) {
    const std::string whole = Head() + Good("at last");
    switch (asked++) {
      case 0:
        return TestPage("429 Too Many Requests", "Retry-After: 7\r\n", "{}");
      case 1:
        return TestAnswer{.bytes = whole.substr(0, whole.size() / 2)};
      case 2:
        return TestAnswer{.bytes = whole.substr(0, 60), .then = TestAnswer::Then::kStall};
      default:
        return TestAnswer{.bytes = whole};
    }
  });
  const Result<Answer> answer = Ask();
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->text, "at last");
  EXPECT_EQ(stopwatch_.pauses().at(0), std::chrono::seconds(7));
  EXPECT_EQ(asked, 4);
}

TEST_P(ServerFaults, AStreamCutAnywhereIsNoAnswer) {
  const std::string whole = Head() + Good("all of it");
  // From there on it has said that it is complete.
  const std::size_t end = whole.find(IsOpenAi() ? "\"stop\"" : "\"message_stop\"");
  std::atomic<std::size_t> length = 0;
  Serve([&](const std::string&) { return TestAnswer{.bytes = whole.substr(0, length)}; });
  ModelOptions options = Options();
  options.server.tries = 1;
  Model model(options);
  for (length = Head().size(); length < end; length += 13) {
    EXPECT_FALSE(model.Ask(kQuestion, {}).ok()) << length;
  }
}

TEST_P(ServerFaults, AnOverloadedServerIsAskedAgainAndABrokenOneIsBelievedNothing) {
  const std::string overloaded =
      IsOpenAi() ? Data(R"({"error":{"type":"server_error","message":"later"}})")
                 : "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":"
                   "\"overloaded_error\",\"message\":\"later\"}}\n\n";
  std::atomic<int> asked = 0;
  Serve([&](const std::string&) {
    switch (asked++) {
      case 0:
        return TestPage("529 Overloaded", "",
                        R"({"type":"error","error":{"type":"overloaded_error"}})");
      case 1:
        return Stream(Good("half").substr(0, 200) + "\n\n" + overloaded);
      case 2:
        return Stream("data: {\"type\": \xff\xfe\n\ndata: ]\n\n");
      default:
        return Stream(Good("whole"));
    }
  });
  const Result<Answer> answer = Ask();
  ASSERT_TRUE(answer.ok()) << answer.error().message;
  EXPECT_EQ(answer->text, "whole");
  EXPECT_EQ(asked, 4);
}

TEST_P(ServerFaults, UsageThatLiesDoesNotLiftACeiling) {
  // A server that says it took nothing is charged by what was sent and came.
  Serve([&](const std::string&) {
    std::string stream = Good("word");
    for (const char* count : {"12", "20", "5", "7", "1"}) {
      const std::string said = std::string("tokens\":") + count;
      for (std::size_t at = stream.find(said); at != std::string::npos; at = stream.find(said)) {
        stream.replace(at, said.size(), "tokens\":0");
      }
    }
    return Stream(stream);
  });
  ASSERT_TRUE(Ask().ok());
  EXPECT_GT(budget_.spent().usage.input, 0U);
  EXPECT_GT(budget_.spent().usage.output, 0U);
}

INSTANTIATE_TEST_SUITE_P(Protocols, ServerFaults,
                         testing::Values(Protocol::kOpenAi, Protocol::kAnthropic),
                         [](const auto& tested) {
                           return std::string(ProtocolName(tested.param));
                         });

TEST_F(ModelTest, TheTimeOfTheRunIsTheEndOfAllTries) {
  Serve([&](const std::string&) {
    stopwatch_.Advance(std::chrono::seconds(20));
    return TestPage("503 Unavailable", "Retry-After: 5\r\n", "{}");
  });
  ModelOptions options = Options();
  options.server.tries = 100;
  options.deadline = std::chrono::seconds(60);
  Model model(options);
  const Result<Answer> late = model.Ask(kQuestion, {});
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(served_->requests().size(), 3U) << "25 s each; the third ends at 70";
  const Result<Answer> over = model.Ask(kQuestion, {});
  ASSERT_FALSE(over.ok());
  EXPECT_NE(over.error().message.find("the time limit for models is reached"), std::string::npos);
  EXPECT_EQ(served_->requests().size(), 3U);
}

TEST_F(ModelTest, AWaitThatWouldOutlastTheRunIsNotBegun) {
  Serve([](const std::string&) {
    return TestPage("429 Too Many Requests", "Retry-After: 30\r\n", "{}");
  });
  ModelOptions options = Options();
  options.deadline = std::chrono::seconds(10);
  EXPECT_FALSE(Model(options).Ask(kQuestion, {}).ok());
  EXPECT_EQ(served_->requests().size(), 1U);
  EXPECT_TRUE(stopwatch_.pauses().empty());
}

TEST_F(ModelTest, NoMoreQuestionsAtATimeThanTheServerTakes) {
  std::atomic<int> at_once = 0;
  std::atomic<int> most = 0;
  Serve([&](const std::string&) {
    const int now = ++at_once;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    --at_once;
    return Stream(OpenAiStream("x"));
  });
  ModelOptions options = Options();
  options.server.at_once = 2;
  Model model(options);
  std::atomic<int> answered = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&, i] {
        if (model.Ask({.turns = {{.text = std::to_string(i)}}}, {}).ok()) ++answered;
      });
    }
  }
  EXPECT_EQ(answered, 8);
  EXPECT_EQ(most, 2);
}

TEST_F(ModelTest, WithoutTheNetworkOnlyWhatIsRememberedIsHad) {
  Serve([](const std::string&) { return Stream(OpenAiStream("once")); });
  ASSERT_TRUE(Ask().ok());
  ModelOptions options = Options();
  options.asking = Asking::kMemoryOnly;
  Model model(options);
  EXPECT_EQ(model.Ask(kQuestion, {})->text, "once");
  Question other = kQuestion;
  other.system = "else";
  EXPECT_EQ(model.Ask(other, {}).error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(served_->requests().size(), 1U);
}

TEST_F(ModelTest, DoesNotAskAgainWhatWillNeverBeAnswered) {
  std::string status = "401 Unauthorized";
  std::string body = R"({"error":{"type":"auth","message":"bad key"}})";
  Serve([&](const std::string&) { return TestPage(status, "", body); });
  const Result<Answer> answer = Ask();
  ASSERT_FALSE(answer.ok());
  EXPECT_EQ(answer.error().kind, ErrorKind::kUsage);
  EXPECT_NE(answer.error().message.find("bad key"), std::string::npos);
  EXPECT_EQ(answer.error().message.find("sk-very"), std::string::npos);
  EXPECT_EQ(served_->requests().size(), 1U);
  status = "429 Too Many Requests";
  body = R"({"error":{"code":"insufficient_quota"}})";
  EXPECT_FALSE(Ask().ok());
  EXPECT_EQ(served_->requests().size(), 2U);
}

TEST_F(ModelTest, LearnsTheNameOfTheLimitThatTheServerWants) {
  Serve([](const std::string& request) {
    if (request.find("max_completion_tokens") == std::string::npos) {
      return TestPage("400 Bad Request", "",
                      R"({"error":{"message":"use max_completion_tokens instead"}})");
    }
    return Stream(OpenAiStream("thanks"));
  });
  EXPECT_TRUE(Ask().ok());
}

TEST_F(ModelTest, PaysNothingTwice) {
  Serve([](const std::string&) { return Stream(OpenAiStream("once")); });
  EXPECT_FALSE(Ask()->is_remembered);
  const Result<Answer> again = Ask();
  EXPECT_TRUE(again->is_remembered);
  EXPECT_EQ(again->text, "once");
  EXPECT_EQ(served_->requests().size(), 1U);
  EXPECT_EQ(budget_.spent().remembered, 1U);
  Question other = kQuestion;
  other.max_output_tokens = 17;
  EXPECT_FALSE(Ask(other)->is_remembered) << "everything that matters is in the key";
}

TEST_F(ModelTest, ADamagedMemoryIsAskedForAgain) {
  Serve([](const std::string&) { return Stream(OpenAiStream("once")); });
  ASSERT_TRUE(Ask().ok());
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder_.path())) {
    if (file.is_regular_file()) {
      ASSERT_TRUE(WriteFileAtomically(file.path(), "{\"version\":1,").ok());
    }
  }
  EXPECT_EQ(Ask()->text, "once");
  EXPECT_EQ(served_->requests().size(), 2U);
}

TEST_F(ModelTest, CeilingsHoldWithManyThreads) {
  Serve([](const std::string&) { return Stream(OpenAiStream("x")); });
  constexpr std::uint64_t kCeiling = 5'000;
  ModelBudget budget({.tokens = kCeiling}, {});
  ModelOptions options = Options();
  Model model({.server = options.server,
               .client = *client_,
               .budget = budget,
               .cache = folder_.path() / "other"});
  std::atomic<int> answered = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&, i] {
        const Question question{.turns = {{.text = std::to_string(i)}}, .max_output_tokens = 2'000};
        if (model.Ask(question, {}).ok()) ++answered;
      });
    }
  }
  EXPECT_LE(budget.spent().usage.input + budget.spent().usage.output, kCeiling);
  EXPECT_GE(answered, 1);
  // The most that a question can cost is more than what is left.
  const Result<Answer> refused =
      model.Ask({.turns = {{.text = "z"}}, .max_output_tokens = kCeiling}, {});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("the limit of"), std::string::npos);
}

TEST_F(ModelTest, MoneyIsCountedByTheServersTokens) {
  Serve([](const std::string&) { return Stream(OpenAiStream("x")); });
  ASSERT_TRUE(Ask().ok());
  EXPECT_DOUBLE_EQ(budget_.spent().cost, (12 * 1.0 + 5 * 10.0) / 1e6);
  ModelBudget poor({.cost = 0.000001}, {.input = 1, .output = 10});
  ModelOptions options = Options();
  Model model({.server = options.server, .client = *client_, .budget = poor, .cache = "unused"});
  Question other = kQuestion;
  other.system = "else";
  EXPECT_FALSE(model.Ask(other, {}).ok());
  EXPECT_EQ(served_->requests().size(), 1U);
}

TEST_F(ModelTest, AnErrorInsideAStreamIsNoAnswer) {
  Serve([](const std::string&) {
    return Stream(Data(R"({"choices":[{"delta":{"content":"half"}}]})") +
                  Data(R"({"error":{"type":"overloaded","message":"later\u001b[31m"}})"));
  });
  const Result<Answer> answer = Ask();
  ASSERT_FALSE(answer.ok());
  EXPECT_TRUE(answer.error().message.ends_with("the model's server: overloaded: later [31m"))
      << answer.error().message;
  EXPECT_EQ(served_->requests().size(), 4U) << "as often as the server says to try";
}

TEST(AnswerReader, ReadsAStreamHoweverItIsCut) {
  for (std::size_t step = 1; step < 40; ++step) {
    const std::string stream = AnthropicStream("the same");
    AnswerReader reader(Protocol::kAnthropic);
    for (std::size_t at = 0; at < stream.size(); at += step) {
      ASSERT_TRUE(reader.Feed(std::string_view(stream).substr(at, step)).ok());
    }
    const Result<Answer> answer = reader.Finish();
    ASSERT_TRUE(answer.ok());
    EXPECT_EQ(answer->text, "the same");
  }
}

TEST(AnswerReader, AnswersOfAnyShapeAreReadOrRefused) {
  for (const char* json :
       {"[]", "3", "{\"choices\":3}", "{\"choices\":[[]]}", "{\"choices\":[{\"delta\":7}]}",
        "{\"usage\":{\"prompt_tokens\":-1}}", "{\"type\":5}", "null"}) {
    for (const Protocol protocol : {Protocol::kOpenAi, Protocol::kAnthropic}) {
      AnswerReader reader(protocol);
      (void)reader.Feed(Data(json));
      EXPECT_FALSE(reader.Finish().ok()) << json;
      AnswerReader whole(protocol);
      (void)whole.Feed(json);
      EXPECT_FALSE(whole.Finish().ok()) << json;
    }
  }
}

}  // namespace
}  // namespace sibyl::model
