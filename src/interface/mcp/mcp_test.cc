// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <regex>
#include <set>
#include <thread>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/strings.h"
#include "engine/arguments.h"
#include "engine/outcome.h"
#include "interface/mcp/answer_size.h"
#include "interface/mcp/json_rpc.h"
#include "interface/mcp/server.h"
#include "interface/mcp/stdio.h"
#include "interface/mcp/tools.h"
#include "interface/served_context.h"

namespace sibyl::interface {
namespace {

namespace fs = std::filesystem;

const FixedClock kClock{*ParseDate("2026-11-15")};

const RpcProblem& ProblemOf(const RpcMessage& message) { return std::get<RpcProblem>(message); }

TEST(JsonRpc, ReadsRequestsNotificationsAndAnswers) {
  const RpcMessage request =
      ReadRpcMessage(R"({"jsonrpc":"2.0","id":0,"method":"ping","params":{"a":1}})");
  ASSERT_TRUE(std::holds_alternative<RpcRequest>(request));
  EXPECT_FALSE(std::get<RpcRequest>(request).is_notification()) << "zero is an id";
  EXPECT_EQ(std::get<RpcRequest>(request).params["a"], 1);
  const RpcMessage notice = ReadRpcMessage(R"({"jsonrpc":"2.0","method":"notifications/x"})");
  EXPECT_TRUE(std::get<RpcRequest>(notice).is_notification());
  EXPECT_TRUE(std::holds_alternative<RpcStrayAnswer>(
      ReadRpcMessage(R"({"jsonrpc":"2.0","id":1,"result":{}})")));
}

TEST(JsonRpc, AnswersWhatIsNoRequestWithTheRightCode) {
  const std::pair<const char*, RpcCode> cases[] = {
      {"{", RpcCode::kParseError},
      {"", RpcCode::kParseError},
      {"[]", RpcCode::kInvalidRequest},
      {R"([{"jsonrpc":"2.0","id":1,"method":"ping"}])", RpcCode::kInvalidRequest},
      {"7", RpcCode::kInvalidRequest},
      {R"({"id":1,"method":"ping"})", RpcCode::kInvalidRequest},
      {R"({"jsonrpc":"2.0","id":1})", RpcCode::kInvalidRequest},
      {R"({"jsonrpc":"2.0","id":1,"method":7})", RpcCode::kInvalidRequest},
      {R"({"jsonrpc":"2.0","id":{},"method":"ping"})", RpcCode::kInvalidRequest},
      {R"({"jsonrpc":"2.0","id":null,"method":"ping"})", RpcCode::kInvalidRequest},
      {R"({"jsonrpc":"2.0","id":1,"method":"ping","params":[1]})", RpcCode::kInvalidParams},
  };
  for (const auto& [text, code] : cases) {
    const RpcMessage message = ReadRpcMessage(text);
    ASSERT_TRUE(std::holds_alternative<RpcProblem>(message)) << text;
    EXPECT_EQ(ProblemOf(message).error.code, code) << text;
  }
  EXPECT_TRUE(std::holds_alternative<RpcProblem>(ReadRpcMessage(std::string(5000, '['))));
}

TEST(JsonRpc, WritesOneLineWhateverIsInIt) {
  const std::string line = FormatRpc(RpcResult("a\nb", {{"text", "one\ntwo\xff"}}));
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_TRUE(ParseJson(line).ok());
}

TEST(AnswerSize, ShortAnswersStayAsTheyAre) {
  const Json answer = {{"hits", {1, 2, 3}}};
  EXPECT_EQ(*FitAnswer(answer, ""), answer);
}

TEST(AnswerSize, CursorsGiveEveryEntryOnceAndNeverTooMuch) {
  Json answer = {{"holds", true}, {"few", {1, 2}}, {"hits", Json::array()}};
  for (int i = 0; i < 500; ++i) {
    answer["hits"].push_back(
        {{"number", i}, {"text", std::string(static_cast<size_t>(i % 90), 'x')}});
  }
  std::vector<int> seen;
  std::string cursor;
  for (int pages = 0; pages < 100; ++pages) {
    const Result<Json> page = FitAnswer(answer, cursor, 4'000);
    ASSERT_TRUE(page.ok()) << page.error().message;
    EXPECT_LE(FormatJson(*page, JsonLayout::kCompact).size(), 4'000U);
    EXPECT_EQ((*page)["page"]["total"], 500);
    for (const Json& hit : (*page)["hits"]) seen.push_back(hit["number"].get<int>());
    if (!page->contains("next_cursor")) break;
    cursor = (*page)["next_cursor"].get<std::string>();
  }
  ASSERT_EQ(seen.size(), 500U);
  for (int i = 0; i < 500; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], i);
}

TEST(AnswerSize, LongTextsAreCutAndSaySo) {
  const Json answer = {{"text", std::string(100'000, 'a')}};
  const Result<Json> fitted = FitAnswer(answer, "");
  ASSERT_TRUE(fitted.ok());
  EXPECT_LE(FormatJson(*fitted, JsonLayout::kCompact).size(), kMostAnswerBytes);
  EXPECT_NE((*fitted)["text"].get<std::string>().find("more bytes]"), std::string::npos);
}

TEST(AnswerSize, ForeignCursorsAreRefused) {
  const Json answer = {{"hits", {1, 2, 3}}, {"text", "x"}};
  for (const char* cursor : {"x", "hits", "hits.", "hits.x", "hits.-1", "text.1", "none.1",
                             "hits.99", "hits.0", "hits.1x"}) {
    EXPECT_FALSE(FitAnswer(answer, cursor).ok()) << cursor;
  }
}

TEST(Tools, HaveNamesSchemasAndSizesThatEveryClientTakes) {
  const Result<std::vector<OfferedTool>> tools = OfferTools({});
  ASSERT_TRUE(tools.ok());
  std::set<std::string> names;
  const std::regex name_form("[a-z0-9_]{1,64}");
  for (const OfferedTool& tool : *tools) {
    const Json json = ToolAsJson(tool);
    SCOPED_TRACE(tool.name);
    EXPECT_TRUE(std::regex_match(tool.name, name_form));
    EXPECT_TRUE(names.insert(tool.name).second);
    EXPECT_LT(json["description"].get<std::string>().size(), 2'000U);
    const Json& schema = json["inputSchema"];
    EXPECT_EQ(schema["type"], "object");
    EXPECT_EQ(schema["additionalProperties"], false);
    for (const char* refused : {"oneOf", "anyOf", "allOf", "$ref"}) {
      EXPECT_FALSE(schema.contains(refused));
    }
    EXPECT_FALSE(json.contains("outputSchema"));
  }
  for (const char* name :
       {"plan_status", "claim_part", "search", "read_source", "inspect", "lab_results",
        "draft_section", "submit_part", "release_part", "finalize", "ask", "verify"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  for (const char* name :
       {"init", "expand", "lab_run", "doctor", "source_add", "source_sync", "refresh", "dump"}) {
    EXPECT_FALSE(names.contains(name)) << name << " is a person's";
  }
}

TEST(Tools, TrustIsNotOfferedEvenWhenAPersonNamesIt) {
  const auto tools = *OfferTools({});
  for (const OfferedTool& tool : tools) EXPECT_NE(tool.name, "trust");
  const std::string named[] = {"trust"};
  EXPECT_FALSE(OfferTools(named).ok());
}

TEST(Tools, CanBeCalledOfflineWhereTheNetworkMayBeUsed) {
  const std::string named[] = {"source sync"};
  const auto tools = *OfferTools(named);
  for (const OfferedTool& tool : tools) {
    const bool uses_network = tool.operation->effects.network != engine::NetworkUse::kNone;
    EXPECT_EQ(ToolAsJson(tool)["inputSchema"]["properties"].contains("offline"), uses_network)
        << tool.name;
  }
}

TEST(Tools, APersonAllowsMoreByName) {
  const std::vector<std::string> allowed = {"source sync", "expand"};
  const Result<std::vector<OfferedTool>> tools = OfferTools(allowed);
  ASSERT_TRUE(tools.ok());
  const OfferedTool* sync = FindTool(*tools, "source_sync");
  ASSERT_NE(sync, nullptr);
  EXPECT_FALSE(sync->is_read_only);
  EXPECT_EQ(ToolAsJson(*sync)["annotations"]["destructiveHint"], true);
  EXPECT_EQ(ToolAsJson(*sync)["annotations"]["openWorldHint"], true);
  const std::vector<std::string> wrong = {"serach"};
  const auto unknown = OfferTools(wrong);
  ASSERT_FALSE(unknown.ok());
  EXPECT_NE(unknown.error().message.find("did you mean 'search'"), std::string::npos);
}

// A server over an oracle that was never more than its files.
class ServedOracle : public ::testing::Test {
 protected:
  ServedOracle() {
    Write("sibyl.toml", "");
    Write("SKILL.md",
          "---\nname: gadget\ndescription: \"How Gadget works\"\nmetadata:\n  version: \"1\"\n---\n"
          "# Gadget\n");
    Write("cuda/01-streams.md", "# Streams & more\n\ntext\n");
    Write("_ingest-auto/plan.md", "# Plan\n");
    Write(".sibyl/agent.key", "secret");
    const oracle::Context context{
        .working_folder = folder_.path(), .oracle = folder_.path(), .clock = kClock};
    Result<oracle::Context> served = ServedContext(context, {});
    server_.emplace(*std::move(served), *OfferTools({}));
  }

  void Write(const fs::path& path, std::string_view text) const {
    EXPECT_TRUE(CreateFolders((folder_.path() / path).parent_path()).ok());
    EXPECT_TRUE(WriteFileAtomically(folder_.path() / path, text).ok());
  }
  Json Ask(std::string method, Json params = Json::object(), Era era = Era::kHandshake) const {
    return server_->Answer({.id = 1, .method = std::move(method), .params = std::move(params)},
                           {.era = era});
  }
  Json Call(const std::string& tool, Json arguments) const {
    return Ask("tools/call", {{"name", tool}, {"arguments", std::move(arguments)}});
  }

  TemporaryFolder folder_;
  std::optional<McpServer> server_;
};

TEST_F(ServedOracle, AgreesOnWhatBothSpeak) {
  for (const auto& [asked, answered] :
       std::map<std::string, std::string>{{"2025-11-25", "2025-11-25"},
                                          {"2024-11-05", "2024-11-05"},
                                          {"2026-07-28", "2025-11-25"},
                                          {"1999-01-01", "2025-11-25"}}) {
    EXPECT_EQ(Ask("initialize", {{"protocolVersion", asked}})["result"]["protocolVersion"],
              answered);
  }
  EXPECT_EQ(Ask("ping")["result"], Json::object());
  EXPECT_LT(Ask("initialize")["result"]["instructions"].get<std::string>().size(), 2'000U);
}

TEST_F(ServedOracle, StatelessAnswersSayThatTheyAreWholeAndHowLongTheyKeep) {
  for (const char* method : {"server/discover", "tools/list", "resources/list", "prompts/list",
                             "resources/templates/list", "skills/list"}) {
    const Json result = Ask(method, Json::object(), Era::kStateless)["result"];
    EXPECT_EQ(result["resultType"], "complete") << method;
    EXPECT_GE(result["ttlMs"].get<int>(), 0) << method;
    EXPECT_EQ(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "sibyl") << method;
  }
  for (const char* method : {"ping", "initialize", "logging/setLevel", "resources/subscribe"}) {
    EXPECT_EQ(Ask(method, Json::object(), Era::kStateless)["error"]["code"], -32601) << method;
  }
  EXPECT_FALSE(Ask("tools/list")["result"].contains("resultType"));
  EXPECT_EQ(Ask("server/discover")["error"]["code"], -32601);
}

TEST(Era, IsChosenByTheRequest) {
  const auto request = [](std::string method, Json meta) {
    RpcRequest made{.id = 1, .method = std::move(method)};
    if (!meta.is_null()) made.params["_meta"] = std::move(meta);
    return made;
  };
  const Json modern = {{std::string(kVersionMeta), "2026-07-28"},
                       {std::string(kCapabilitiesMeta), Json::object()}};
  EXPECT_EQ(std::get<Era>(EraOf(request("tools/list", modern), false)), Era::kStateless);
  EXPECT_EQ(std::get<Era>(EraOf(request("tools/list", modern), true)), Era::kStateless);
  EXPECT_EQ(std::get<Era>(EraOf(request("initialize", modern), false)), Era::kHandshake);
  EXPECT_EQ(std::get<Era>(EraOf(request("tools/list", nullptr), true)), Era::kHandshake);
  const auto code = [&](const RpcRequest& asked) {
    return std::get<RpcError>(EraOf(asked, false)).code;
  };
  EXPECT_EQ(code(request("tools/list", nullptr)), RpcCode::kInvalidParams);
  EXPECT_EQ(code(request("tools/list", {{std::string(kVersionMeta), "2026-07-28"}})),
            RpcCode::kInvalidParams);
  EXPECT_EQ(code(request("tools/list", {{std::string(kVersionMeta), "1900-01-01"}})),
            RpcCode::kUnsupportedVersion);
}

TEST_F(ServedOracle, PagesAreResourcesAndNothingElseIs) {
  const Json listed = Ask("resources/list")["result"]["resources"];
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[1]["uri"], "sibyl://oracle/cuda/01-streams.md");
  EXPECT_EQ(listed[1]["title"], "Streams & more");
  const Json read = Ask("resources/read", {{"uri", listed[1]["uri"]}});
  EXPECT_EQ(read["result"]["contents"][0]["text"], "# Streams & more\n\ntext\n");
  for (const char* uri :
       {"sibyl://oracle/../secret.md", "sibyl://oracle/.sibyl/agent.key",
        "sibyl://oracle/_ingest-auto/plan.md", "sibyl://oracle/%2e%2e/x.md",
        "sibyl://oracle//etc/x.md", "file:///etc/passwd", "sibyl://oracle/none.md",
        "sibyl://oracle/cuda", "skill://other/SKILL.md"}) {
    const Json missing = Ask("resources/read", {{"uri", uri}});
    EXPECT_EQ(missing["error"]["code"], -32002) << uri;
    EXPECT_EQ(Ask("resources/read", {{"uri", uri}}, Era::kStateless)["error"]["code"], -32602);
  }
  EXPECT_EQ(Ask("resources/read", {{"uri", 7}})["error"]["code"], -32602);
}

TEST_F(ServedOracle, ResourcesComeAHundredAtATime) {
  for (int i = 0; i < 250; ++i) Write("many/" + std::to_string(100 + i) + "-x.md", "# X\n");
  std::set<std::string> seen;
  Json params = Json::object();
  int pages = 0;
  while (pages < 10) {
    const Json result = Ask("resources/list", params)["result"];
    ++pages;
    for (const Json& resource : result["resources"]) seen.insert(resource["uri"]);
    if (!result.contains("nextCursor")) break;
    params["cursor"] = result["nextCursor"];
  }
  EXPECT_EQ(pages, 3);
  EXPECT_EQ(seen.size(), 252U);
  EXPECT_EQ(Ask("resources/list", {{"cursor", "zzz"}})["error"]["code"], -32602);
}

TEST_F(ServedOracle, TheOracleIsASkillWhoseBytesCanBeChecked) {
  const Json skill = Ask("skills/list")["result"]["skills"][0];
  EXPECT_EQ(skill["uri"], "skill://gadget/SKILL.md");
  EXPECT_EQ(skill["frontmatter"]["description"], "How Gadget works");
  EXPECT_EQ(skill["frontmatter"]["metadata"]["version"], "1");
  EXPECT_EQ(skill["resources"].size(), 2U);
  EXPECT_EQ(skill["resources"][1]["size"], 23);
  const Json text = Ask("resources/read", {{"uri", skill["resources"][1]["uri"]}});
  EXPECT_EQ(text["result"]["contents"][0]["text"].get<std::string>().size(), 23U);
  EXPECT_EQ(Ask("skills/get", {{"uri", skill["uri"]}})["result"]["skill"], skill);
  EXPECT_EQ(Ask("skills/get", {{"uri", "skill://x/SKILL.md"}})["error"]["code"], -32602);
}

TEST_F(ServedOracle, WrongArgumentsAreForTheAgentToMend) {
  const std::pair<Json, const char*> cases[] = {
      {{{"qery", "x"}}, "did you mean 'query'"},
      {{{"query", 7}}, "'query' must be a string"},
      {{{"query", "x"}, {"limit", "ten"}}, "'limit' must be a whole number"},
      {{{"query", "x"}, {"limit", 0}}, "--limit takes a whole number"},
      {{{"query", "x"}, {"fixed", "yes"}}, "'fixed' must be true or false"},
      {{{"batch", "/dev/stdin"}}, "unknown argument 'batch'"},
      {Json::object(), "missing QUERY"},
  };
  for (const auto& [arguments, said] : cases) {
    const Json result = Call("search", arguments)["result"];
    EXPECT_EQ(result["isError"], true) << arguments.dump();
    EXPECT_NE(result["content"][0]["text"].get<std::string>().find(said), std::string::npos)
        << result.dump();
    EXPECT_FALSE(result.contains("structuredContent"));
  }
  EXPECT_EQ(Call("nothing", Json::object())["error"]["code"], -32602);
  EXPECT_EQ(Ask("tools/call", {{"name", "search"}, {"arguments", {1}}})["error"]["code"], -32602);
  EXPECT_EQ(Ask("tools/call")["error"]["code"], -32602);
}

TEST_F(ServedOracle, AnAnswerIsSentOnce) {
  const RpcRequest request{.id = 1,
                           .method = "tools/call",
                           .params = {{"name", "status"}, {"arguments", Json::object()}}};
  const Json structured = server_->Answer(request, {.era = Era::kHandshake})["result"];
  EXPECT_EQ(structured["structuredContent"]["operation"], "status");
  EXPECT_LT(structured["content"][0]["text"].get<std::string>().size(), 200U);
  // Clients of the first revisions know of text alone.
  const Json text = server_->Answer(
      request, {.era = Era::kHandshake, .form = AnswerFormOf("2025-03-26")})["result"];
  EXPECT_FALSE(text.contains("structuredContent"));
  EXPECT_EQ(Json::parse(text["content"][0]["text"].get<std::string>())["operation"], "status");
  EXPECT_EQ(AnswerFormOf("2025-06-18"), AnswerForm::kStructured);
  EXPECT_EQ(AnswerFormOf(""), AnswerForm::kText);
  const McpServer plain(server_->context(), *OfferTools({}), AnswerForm::kText);
  EXPECT_FALSE(
      plain.Answer(request, {.era = Era::kStateless})["result"].contains("structuredContent"));
}

TEST_F(ServedOracle, PathsOfAgentsStayInTheOracle) {
  Write("cuda/CMakeLists.txt", "x");
  for (const char* path : {"/etc/passwd", "../x", "cuda/../../x", ".sibyl/agent.key"}) {
    const Json result = Call("inspect", {{"path", Json::array({path})}})["result"];
    EXPECT_EQ(result["isError"], true);
    EXPECT_NE(result["content"][0]["text"].get<std::string>().find("outside"), std::string::npos)
        << result.dump();
  }
  const Json fact = Call("cite", {{"target", "/bin/ls#elf:machine"}})["result"];
  EXPECT_NE(fact["content"][0]["text"].get<std::string>().find("outside"), std::string::npos);
  const Json run = Call("lab_results", {{"run", "/etc/passwd"}})["result"];
  EXPECT_NE(run["content"][0]["text"].get<std::string>().find("outside"), std::string::npos);
}

TEST_F(ServedOracle, ALinkOutOfTheOracleIsNamedAndItsTargetNotShown) {
  const TemporaryFolder home;
  ASSERT_TRUE(WriteFileAtomically(home.path() / "a.md", "# Part 1: `kSecret`\n\n9000 GB\n").ok());
  fs::create_symlink(home.path() / "a.md", folder_.path() / "leak.md");
  fs::create_symlink(".sibyl/agent.key", folder_.path() / "key.md");
  for (const std::string file : {"leak.md", "key.md"}) {
    const std::string answers[] = {Call("verify", {{"file", Json::array({file})}}).dump(),
                                   Call("audit", {{"path", Json::array({file})}}).dump(),
                                   Call("plan_show", {{"plan", file}}).dump(),
                                   Call("plan_check", {{"plan", Json::array({file})}}).dump(),
                                   Call("verify", {{"baseline", file}}).dump()};
    for (const std::string& answer : answers) {
      EXPECT_EQ(answer.find("kSecret"), std::string::npos) << answer;
      EXPECT_EQ(answer.find("secret"), std::string::npos) << answer;
      EXPECT_NE(answer.find(file), std::string::npos) << answer;
    }
  }
}

TEST_F(ServedOracle, WithoutTheRightToWriteNothingIsWritten) {
  const RpcRequest request{
      .id = 1,
      .method = "tools/call",
      .params = {{"name", "claim_part"}, {"arguments", {{"plan", "_ingest-auto/plan.md"}}}}};
  const Json result = server_->Answer(request, {.may_write = false})["result"];
  EXPECT_EQ(result["isError"], true);
  EXPECT_NE(result["content"][0]["text"].get<std::string>().find("token"), std::string::npos);
}

// The two ends of a server that speaks over pipes.
class Piped {
 public:
  explicit Piped(const McpServer& server) {
    EXPECT_EQ(::pipe2(in_.data(), O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(out_.data(), O_CLOEXEC), 0);
    thread_ = std::thread([&server, this] {
      ServeStdio(server, {.in = in_[0], .out = out_[1], .limits = {.max_bytes = 10'000}});
      ::close(out_[1]);
    });
  }
  void Say(const std::string& text) const {
    EXPECT_EQ(::write(in_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  std::vector<Json> Finish() {
    ::close(in_[1]);
    std::string all;
    std::array<char, 4096> bytes{};
    for (ssize_t got = 0; (got = ::read(out_[0], bytes.data(), bytes.size())) > 0;) {
      all.append(bytes.data(), static_cast<std::size_t>(got));
    }
    thread_.join();
    ::close(in_[0]);
    ::close(out_[0]);
    std::vector<Json> answers;
    for (const std::string_view line : SplitLines(all)) {
      const Result<Json> json = ParseJson(line);
      EXPECT_TRUE(json.ok()) << line;
      if (json.ok()) answers.push_back(*json);
    }
    return answers;
  }

 private:
  std::array<int, 2> in_{};
  std::array<int, 2> out_{};
  std::thread thread_;
};

const Json* AnswerTo(const std::vector<Json>& answers, const Json& id) {
  for (const Json& answer : answers) {
    if (answer["id"] == id) return &answer;
  }
  return nullptr;
}

TEST_F(ServedOracle, OverPipesEverythingIsAnsweredBeforeTheEnd) {
  Piped piped(*server_);
  piped.Say("{\"jsonrpc\":\"2.0\",\"id\":\"p\",\"method\":\"ping\"}\nrubbish\n\n[]\n");
  piped.Say("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/list\"}\n");
  piped.Say("{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"no/such\"}\n");
  piped.Say("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}\n");
  piped.Say("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
  for (int i = 100; i < 140; ++i) {
    piped.Say("{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(i) +
              ",\"method\":\"resources/list\"}\n");
  }
  piped.Say(
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
      "9999}}\n");
  piped.Say(std::string(20'000, 'x') + "\n");
  piped.Say("{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"ping\"}\n");
  const std::vector<Json> answers = piped.Finish();
  EXPECT_EQ(answers.size(), 2U + 1U + 1U + 1U + 1U + 1U + 40U + 1U);
  EXPECT_EQ((*AnswerTo(answers, "p"))["result"], Json::object());
  EXPECT_EQ((*AnswerTo(answers, 7))["error"]["code"], -32602) << "nobody has begun yet";
  EXPECT_EQ((*AnswerTo(answers, 8))["error"]["code"], -32601);
  EXPECT_EQ((*AnswerTo(answers, 0))["result"]["serverInfo"]["name"], "sibyl");
  for (int i = 100; i < 140; ++i) EXPECT_NE(AnswerTo(answers, i), nullptr) << i;
  EXPECT_NE(AnswerTo(answers, 9), nullptr) << "a line that is too long is skipped, not fatal";
}

// A call that only ends when it is asked to, and tells how it is until then.
Result<engine::Outcome> WaitToBeStopped(const oracle::Context& context, const engine::Arguments&) {
  const std::stop_token stop = context.catch_interrupt();
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!stop.stop_requested() && std::chrono::steady_clock::now() < end) {
    if (context.progress) context.progress("waiting");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return Error{.kind = ErrorKind::kCancelled, .message = "stopped"};
}

constexpr engine::Operation kWait = {
    .name = "wait", .summary = "wait", .description = "Waits.", .run = WaitToBeStopped};

TEST_F(ServedOracle, CallsTellTheirProgressAndCanBeCancelled) {
  const McpServer server(server_->context(), {{.name = "wait", .operation = &kWait}});
  Piped piped(server);
  const auto began = std::chrono::steady_clock::now();
  piped.Say("{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{}}\n");
  piped.Say(
      "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/"
      "call\",\"params\":{\"name\":\"wait\",\"_meta\":"
      "{\"progressToken\":\"t\"}}}\n");
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  piped.Say("{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"ping\"}\n");
  piped.Say(
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
      "cancelled\",\"params\":{\"requestId\":5}}\n");
  const std::vector<Json> said = piped.Finish();
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(8));
  int last = 0;
  bool has_ping = false;
  for (const Json& message : said) {
    EXPECT_NE(message.value("id", Json(nullptr)), Json(5)) << "it was cancelled";
    has_ping = has_ping || message.value("id", Json(nullptr)) == Json(6);
    if (!message.contains("method")) continue;
    EXPECT_EQ(message["params"]["progressToken"], "t");
    EXPECT_GT(message["params"]["progress"].get<int>(), last);
    last = message["params"]["progress"].get<int>();
  }
  EXPECT_GT(last, 1);
  EXPECT_TRUE(has_ping) << "a long call keeps nobody waiting";
}

TEST_F(ServedOracle, OverPipesAnEndIsAnEnd) {
  Piped piped(*server_);
  EXPECT_TRUE(piped.Finish().empty());
}

}  // namespace
}  // namespace sibyl::interface
