// SPDX-License-Identifier: Apache-2.0
// Scripted messages in a repository that the git program made.
#include "interface/lsp/server.h"

#include <gtest/gtest.h>

#include "base/files/temporary_folder.h"
#include "git/test_git.h"
#include "interface/lsp/file_uri.h"
#include "interface/lsp/json_members.h"

namespace sibyl::interface::lsp {
namespace {

constexpr std::string_view kCode =
    "fn first() {\n    one();\n}\n\nfn second() {\n    two();\n}\n\nfn third() {\n    "
    "three();\n}\n";
constexpr std::string_view kDocument =
    "é `second` (`src/a.rs:5-7`) calls two.\n\n`third` (`src/a.rs:9`) is next.\n";

class LspServing : public testing::Test {
 protected:
  void SetUp() override {
    git_.Write("src/a.rs", kCode);
    git_.Write("docs/a.md", kDocument);
    git_.Commit();
    git_.Write("src/a.rs", "// 1\n// 2\n// 3\n// 4\n// 5\n// 6\n" + std::string(kCode));
  }

  std::vector<Json> Send(const Json& message) {
    std::vector<Json> out;
    server_.Take(FormatJson(message, JsonLayout::kCompact), now_, out);
    return out;
  }
  std::vector<Json> Notify(std::string_view method, Json params) {
    return Send(RpcNotification(method, std::move(params)));
  }
  // The result, or the error; messages that come with it are dropped.
  Json Ask(std::string_view method, Json params) {
    const std::vector<Json> out =
        Send({{"jsonrpc", "2.0"}, {"id", 7}, {"method", method}, {"params", std::move(params)}});
    for (const Json& message : out) {
      if (Member(message, "id") != Json(7)) continue;
      return message.contains("error") ? message["error"] : message["result"];
    }
    return "not answered";
  }
  void Initialize(Json capabilities = Json::object()) {
    const Json result = Ask("initialize", {{"capabilities", std::move(capabilities)}});
    encoding_ = Text(Member(result, "capabilities"), "positionEncoding");
  }
  void Open(std::string_view text) {
    Notify("textDocument/didOpen",
           {{"textDocument",
             {{"uri", uri_}, {"languageId", "markdown"}, {"version", 1}, {"text", text}}}});
  }
  // Codes with the places of what was published after some time.
  std::string Diagnostics(std::chrono::milliseconds later = std::chrono::milliseconds(0)) {
    now_ += later;
    std::vector<Json> out;
    server_.CheckDue(now_, out);
    if (out.empty()) return "nothing";
    std::string text;
    for (const Json& one : Member(out.back(), "params", "diagnostics")) {
      const Json& start = Member(one, "range", "start");
      text += Text(one, "code") + "@" + start["line"].dump() + ":" + start["character"].dump() +
              " " + Text(one, "message") + "\n";
    }
    return text;
  }
  Json At(std::size_t line, std::size_t character) {
    return {{"textDocument", {{"uri", uri_}}},
            {"position", {{"line", line}, {"character", character}}}};
  }
  Json ActionsAt(std::size_t line, std::size_t character, Json context = Json::object()) {
    const Json place = {{"line", line}, {"character", character}};
    return Ask("textDocument/codeAction", {{"textDocument", {{"uri", uri_}}},
                                           {"range", {{"start", place}, {"end", place}}},
                                           {"context", std::move(context)}});
  }
  static std::string Titles(const Json& actions) {
    std::string titles;
    for (const Json& action : actions) titles += Text(action, "title") + "\n";
    return titles;
  }
  // The document after an action.
  std::string After(const Json& action, std::string_view document) {
    TextDocument text{std::string(document)};
    Json edits = action["edit"]["changes"][uri_];
    std::reverse(edits.begin(), edits.end());
    for (const Json& edit : edits) {
      EXPECT_TRUE(
          text.Apply(Json::array({{{"range", edit["range"]}, {"text", edit["newText"]}}})).ok());
    }
    return text.text();
  }

  TemporaryFolder folder_;
  git::TestGit git_{folder_.path() / "repo"};
  std::string uri_ = UriOfPath(folder_.path() / "repo" / "docs" / "a.md");
  TimePoint now_{};
  std::string encoding_;
  LspServer server_{Workspace(FindGitRepository)};
};

TEST_F(LspServing, ReportsCitationsThatFailWithTheCodesOfAudit) {
  Initialize();
  EXPECT_EQ(encoding_, "utf-16");
  Open(kDocument);
  EXPECT_EQ(Diagnostics(),
            "citation/drifted@0:13 `second` is no longer at src/a.rs:5-7; now src/a.rs:11-13\n"
            "citation/drifted@2:10 `third` is no longer at src/a.rs:9; now src/a.rs:15\n");
  EXPECT_EQ(Diagnostics(), "nothing") << "checked once";
  Open("`second` (`src/a.rs:90`), `third` (`src/b.rs:9`) and `first` (`src/a.rs:15`).\n");
  git_.Write("src/b.rs", "1\n");
  git_.Commit();
  git_.Run({"rm", "-q", "src/b.rs"});
  EXPECT_EQ(Diagnostics().substr(0, 28), "citation/out-of-range@0:11 s");
}

TEST_F(LspServing, WaitsUntilTypingStops) {
  Initialize();
  Open(kDocument);
  Diagnostics();
  const auto type = [&](std::size_t from, std::size_t to, std::string_view text) {
    Notify("textDocument/didChange",
           {{"textDocument", {{"uri", uri_}, {"version", 2}}},
            {"contentChanges", Json::array({{{"range",
                                              {{"start", {{"line", 0}, {"character", from}}},
                                               {"end", {{"line", 0}, {"character", to}}}}},
                                             {"text", text}}})}});
  };
  type(22, 25, "1");
  EXPECT_EQ(Diagnostics(kDebounce / 2), "nothing");
  type(23, 23, "1-13");
  EXPECT_EQ(Diagnostics(kDebounce / 2), "nothing");
  EXPECT_EQ(Diagnostics(kDebounce / 2),
            "citation/drifted@2:10 `third` is no longer at src/a.rs:9; now src/a.rs:15\n");
}

TEST_F(LspServing, ChecksAgainWhenAFileWasSaved) {
  Initialize();
  Open(kDocument);
  Diagnostics();
  git_.Write("src/a.rs", kCode);
  EXPECT_EQ(Diagnostics(), "nothing");
  Notify("textDocument/didSave", {{"textDocument", {{"uri", uri_}}}});
  EXPECT_EQ(Diagnostics(), "");
}

TEST_F(LspServing, CountsBytesIfTheClientOffersThem) {
  Initialize({{"general", {{"positionEncodings", Json::array({"utf-16", "utf-8"})}}}});
  EXPECT_EQ(encoding_, "utf-8");
  Open(kDocument);
  EXPECT_EQ(Diagnostics().substr(0, 21), "citation/drifted@0:14");
}

TEST_F(LspServing, HoverOnAPermalinkShowsItsCommit) {
  git_.Run({"remote", "add", "origin", "https://github.com/o/r.git"});
  const std::string commit = git_.Run({"rev-parse", "HEAD"});
  Initialize();
  Open("[second](https://github.com/o/r/blob/" + commit + "/src/a.rs#L5)\n");
  Diagnostics();
  const std::string hover = Ask("textDocument/hover", At(0, 20)).dump();
  EXPECT_NE(hover.find("fn second()"), std::string::npos) << hover;
}

TEST_F(LspServing, ShowsTheCitedLinesAndWhereTheyAreNow) {
  Initialize();
  Open(kDocument);
  const Json hover = Ask("textDocument/hover", At(0, 15));
  EXPECT_EQ(Text(hover["contents"], "value"),
            "`second` is no longer at src/a.rs:5-7\n\n```rust\n// 5\n// 6\nfn first() {\n```\n\n"
            "Now src/a.rs:11-13\n\n```rust\nfn second() {\n    two();\n}\n```\n");
  EXPECT_TRUE(Ask("textDocument/hover", At(1, 0)).is_null());
}

TEST_F(LspServing, JumpsFromACitationToItsLines) {
  Initialize();
  Open(kDocument);
  const Json place = Ask("textDocument/definition", At(0, 15));
  EXPECT_EQ(Text(place, "uri"), UriOfPath(git_.folder() / "src/a.rs"));
  EXPECT_EQ(place["range"]["start"]["line"], 10) << "where they are now";
  EXPECT_TRUE(Ask("textDocument/definition", At(1, 0)).is_null());
}

TEST_F(LspServing, FencesNothingThatEndsTheFence) {
  git_.Write("src/c.md", "one\n```\n````\n");
  Initialize();
  Open("`one` (`src/c.md:1-3`)\n");
  const Json hover = Ask("textDocument/hover", At(0, 12));
  EXPECT_NE(Text(hover["contents"], "value").find("`````markdown\n"), std::string::npos);
}

TEST_F(LspServing, CorrectsOneCitationOrAll) {
  Initialize();
  Open(kDocument);
  const Json actions = ActionsAt(0, 15);
  EXPECT_EQ(Titles(actions),
            "Change to src/a.rs:11-13\n"
            "Remove the line number (the symbol is enough)\n"
            "Apply all certain corrections in this document\n");
  EXPECT_EQ(After(actions[0], kDocument),
            "é `second` (`src/a.rs:11-13`) calls two.\n\n`third` (`src/a.rs:9`) is next.\n");
  EXPECT_EQ(After(actions[1], kDocument),
            "é `second` (`src/a.rs`) calls two.\n\n`third` (`src/a.rs:9`) is next.\n");
  EXPECT_EQ(After(actions[2], kDocument),
            "é `second` (`src/a.rs:11-13`) calls two.\n\n`third` (`src/a.rs:15`) is next.\n");
  EXPECT_EQ(Titles(ActionsAt(1, 0)), "");
  const Json all = ActionsAt(1, 0, {{"only", Json::array({"source.fixAll"})}});
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(Text(all[0], "kind"), "source.fixAll.sibyl");
  EXPECT_EQ(ReadFile(git_.folder() / "docs/a.md").value(), kDocument) << "the editor writes";
}

TEST_F(LspServing, NamesTheVersionOfTheDocumentItWouldEdit) {
  Initialize({{"workspace", {{"workspaceEdit", {{"documentChanges", true}}}}}});
  Open(kDocument);
  const Json actions = ActionsAt(0, 15);
  EXPECT_EQ(actions[0]["edit"]["documentChanges"][0]["textDocument"]["version"], 1);
}

TEST_F(LspServing, FollowsAFileThatWasRenamed) {
  git_.Commit();
  git_.Run({"mv", "src/a.rs", "src/new.rs"});
  git_.Commit();
  Initialize();
  const std::string document = "`second` ([x](../src/a.rs#L11)) and `third` (`src/a.rs:15`)\n";
  Open(document);
  const Json actions = ActionsAt(0, 47);
  ASSERT_FALSE(actions.empty());
  EXPECT_NE(After(actions[0], document).find("`src/new.rs:15`"), std::string::npos);
}

TEST_F(LspServing, LinksCitationsToTheirLines) {
  Initialize();
  Open(kDocument);
  const Json links = Ask("textDocument/documentLink", {{"textDocument", {{"uri", uri_}}}});
  ASSERT_EQ(links.size(), 2U);
  EXPECT_EQ(Text(links[0], "target"), UriOfPath(git_.folder() / "src/a.rs") + "#L11");
}

TEST_F(LspServing, CompletesPathsSymbolsAndLines) {
  Initialize();
  Open("see `src/a.rs:sec` and `sr\n");
  const auto labels = [&](std::size_t line, std::size_t character) {
    std::string text;
    const Json list = Ask("textDocument/completion", At(line, character));
    for (const Json& item : Member(list, "items")) {
      text += Text(item, "label") + "=" + Text(item["textEdit"], "newText") + " ";
    }
    return text;
  };
  EXPECT_EQ(labels(0, 26), "src/=src/ ");
  EXPECT_EQ(labels(0, 17), "second=11-13 ");
  EXPECT_EQ(labels(0, 14), "first=7-9 second=11-13 third=15-17 ");
  Open("see `a.rs:1` [a](../src/a.rs#");
  EXPECT_EQ(labels(0, 11), "1=1 10=10 11=11 12=12 13=13 14=14 15=15 16=16 17=17 ");
  EXPECT_EQ(labels(0, 29), "first=L7-L9 second=L11-L13 third=L15-L17 ");
}

TEST_F(LspServing, ReadsNothingThroughLinksOutOfTheRepository) {
  std::filesystem::create_symlink("/etc/passwd", git_.folder() / "src" / "out.txt");
  Initialize();
  Open("`root` (`src/out.txt:1`)\n");
  const std::string hover = Ask("textDocument/hover", At(0, 12)).dump();
  EXPECT_EQ(hover.find("root:"), std::string::npos) << hover;
  Open("`src/out.txt:1");
  EXPECT_EQ(Ask("textDocument/completion", At(0, 14)).dump().find("root:"), std::string::npos);
}

TEST_F(LspServing, IgnoresDocumentsOutsideOfRepositories) {
  Initialize();
  uri_ = UriOfPath(folder_.path() / "loose.md");
  Open(kDocument);
  EXPECT_EQ(Diagnostics(), "nothing");
  uri_ = "untitled:Untitled-1";
  Open(kDocument);
  EXPECT_EQ(Diagnostics(), "nothing");
  EXPECT_TRUE(Ask("textDocument/hover", At(0, 15)).is_null());
}

TEST_F(LspServing, AnswersMistakesWithErrors) {
  EXPECT_EQ(Ask("textDocument/hover", At(0, 0))["code"], -32002);
  Initialize();
  EXPECT_EQ(Ask("initialize", Json::object())["code"], -32600);
  EXPECT_EQ(Ask("textDocument/hover", At(0, 0))["code"], -32602) << "not open";
  EXPECT_EQ(Ask("textDocument/rename", At(0, 0))["code"], -32601);
  Open(kDocument);
  EXPECT_EQ(Ask("textDocument/hover", {{"textDocument", {{"uri", uri_}}}})["code"], -32602);
  EXPECT_EQ(Ask("textDocument/codeAction", At(0, 0))["code"], -32602);
  std::vector<Json> out;
  server_.Take("{", now_, out);
  server_.Take("[]", now_, out);
  ASSERT_EQ(out.size(), 2U);
  EXPECT_EQ(out[0]["error"]["code"], -32700);
  EXPECT_EQ(out[1]["error"]["code"], -32600);
}

TEST_F(LspServing, ForgetsTheTextAfterAChangeItDoesNotUnderstand) {
  Initialize();
  Open(kDocument);
  Diagnostics();
  const Json document = {{"uri", uri_}, {"version", 2}};
  const std::vector<Json> out =
      Notify("textDocument/didChange", {{"textDocument", document}, {"contentChanges", 3}});
  ASSERT_EQ(out.size(), 1U);
  EXPECT_EQ(Text(out[0], "method"), "window/logMessage");
  EXPECT_EQ(Diagnostics(kDebounce), "") << "no diagnostics for another text";
  Notify("textDocument/didChange",
         {{"textDocument", document}, {"contentChanges", Json::array({{{"text", kDocument}}})}});
  EXPECT_EQ(Diagnostics(kDebounce).substr(0, 16), "citation/drifted");
}

TEST_F(LspServing, EndsInOrder) {
  Initialize();
  Open(kDocument);
  EXPECT_TRUE(Ask("shutdown", nullptr).is_null());
  EXPECT_EQ(Ask("textDocument/hover", At(0, 0))["code"], -32600);
  EXPECT_FALSE(server_.has_ended());
  Notify("exit", Json::object());
  EXPECT_TRUE(server_.has_ended());
  EXPECT_TRUE(server_.ended_in_order());
}

}  // namespace
}  // namespace sibyl::interface::lsp
