// SPDX-License-Identifier: Apache-2.0
// Questions answered by a model that a test speaks for, and questions asked again.
#include <gtest/gtest.h>

#include <memory>

#include "engine/evidence_operations.h"
#include "engine/expand_operations.h"
#include "engine/outcome.h"
#include "engine/test_operations.h"
#include "engine/text/render.h"
#include "engine/verify_operations.h"
#include "expansion/model/test_model.h"

namespace sibyl::engine {
namespace {

using expansion::TestModel;
using expansion::TestQuestion;

constexpr std::string_view kQuestion = "in which order does detection look for the profiler?";

std::string HonestAnswer(const TestQuestion& asked) {
  if (asked.IsSearch() || asked.IsReading()) return "Nothing of this is understood.";
  if (asked.IsJudge()) return asked.AllSupported();
  const std::string key = asked.KeyOf("detection order");
  return "=== 1\nThe toolkit is asked before the system: the detection order is fixed [" + key +
         "].\nDetection gives up after 30 seconds [" + key + "].\n";
}

class AskModel : public OperationTest {
 protected:
  AskModel() {
    Write("notes/profiler.md",
          "# Profiler\n\nThe detection order of the profiler is fixed: the toolkit is asked before "
          "the system. Detection gives up after 30 seconds.\n");
    MakeOracle();
    EXPECT_TRUE(Run(kSourceAdd, {{"origin", "notes"}}).ok());
  }

  void Speak(TestModel::Speaker speaker) {
    model_ = std::make_unique<TestModel>(std::move(speaker));
    EXPECT_TRUE(
        WriteFileAtomically(*oracle_ / "sibyl.toml", Read("sibyl.toml") + "\n[model]\nurl = \"" +
                                                         model_->url() + "\"\nname = \"small\"\n")
            .ok());
    EXPECT_TRUE(Done(kTrust, {{"yes", ""}}).holds);
  }

  Result<Outcome> Ask(std::string_view question, std::vector<GivenValue> more = {}) {
    if (!question.empty()) more.push_back({"question", std::string(question)});
    return Run(kAsk, std::move(more));
  }

  static Rendered Show(const Outcome& outcome) {
    const auto arguments = Arguments::Make(kAsk, {});
    return RenderAsk(outcome, {.terminal = {}, .arguments = *arguments});
  }

  std::unique_ptr<TestModel> model_;
};

TEST_F(AskModel, AnAnswerIsWrittenWithItsReceiptsBesideTheQuotations) {
  Speak(HonestAnswer);
  const auto outcome = Ask(kQuestion, {{"writer", "llm"}});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_TRUE(outcome->holds);
  const Json& written = outcome->data["written"];
  EXPECT_EQ(written["model"], "small");
  ASSERT_TRUE(written["text"].is_string()) << FormatJson(written);
  const std::string text = written["text"];
  EXPECT_NE(text.find("the detection order is fixed. [1]"), std::string::npos) << text;
  EXPECT_NE(text.find("after 30 seconds."), std::string::npos) << text;
  EXPECT_EQ(text.find("[^"), std::string::npos) << text;
  ASSERT_FALSE(written["receipts"].empty());
  EXPECT_EQ(written["receipts"][0]["path"], "profiler.md");
  EXPECT_FALSE(outcome->data["statements"].empty()) << "the quotation stays";

  const Rendered shown = Show(*outcome);
  EXPECT_LT(shown.results.find("[1]"), shown.results.find("    [1] notes:profiler.md:3"))
      << shown.results;
  EXPECT_NE(shown.talk.find("written by small"), std::string::npos) << shown.talk;
}

TEST_F(AskModel, WhatItsLinesDoNotSayIsLeftOutAndListed) {
  Speak([](const TestQuestion& asked) -> std::string {
    if (asked.IsRepair()) return "#1: DROP\n";
    if (asked.IsSearch() || asked.IsReading() || asked.IsJudge()) return HonestAnswer(asked);
    return HonestAnswer(asked) + "The profiler is loaded by `FindGadgetEx` [" +
           asked.KeyOf("detection order") + "].\n";
  });
  const auto outcome = Ask(kQuestion, {{"writer", "llm"}});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  const Json& written = outcome->data["written"];
  ASSERT_TRUE(written["text"].is_string()) << FormatJson(written);
  EXPECT_EQ(written["text"].get<std::string>().find("FindGadgetEx"), std::string::npos);
  ASSERT_EQ(written["left_out"].size(), 1) << FormatJson(written);
  EXPECT_NE(written["left_out"][0]["text"].get<std::string>().find("FindGadgetEx"),
            std::string::npos);
}

TEST_F(AskModel, WithoutAnAnswerTheQuotationsAreShown) {
  Speak([](const TestQuestion& asked) -> std::string {
    return asked.IsWriting() ? "=== 1\nNOT FOUND\n" : HonestAnswer(asked);
  });
  const auto outcome = Ask(kQuestion, {{"writer", "llm"}});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_TRUE(outcome->holds);
  EXPECT_TRUE(outcome->data["written"]["text"].is_null());
  EXPECT_FALSE(outcome->data["statements"].empty());
  EXPECT_NE(Show(*outcome).talk.find("small"), std::string::npos);
}

// The question becomes a heading of the checked page; it claims nothing by itself.
TEST_F(AskModel, AQuestionMayContainNumbersNamesAndMarkup) {
  Speak(HonestAnswer);
  for (const char* question :
       {"does detection of the profiler give up after 45 seconds?",
        "is `FindGadgetEx` in the [detection order](x) of the <b>profiler</b> 12 times?",
        "# profiler detection order\n\n## Sources [^p1-1]"}) {
    const auto outcome = Ask(question, {{"writer", "llm"}});
    ASSERT_TRUE(outcome.ok()) << question << ": " << outcome.error().message;
    EXPECT_TRUE(outcome->data["written"]["text"].is_string())
        << question << FormatJson(outcome->data["written"]);
  }
}

TEST_F(AskModel, WithoutAServerOrItsConsentItSaysWhatToDo) {
  const auto none = Ask(kQuestion, {{"writer", "llm"}});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::kUsage);
  const auto ceiling = Ask(kQuestion, {{"max-tokens", "5"}});
  ASSERT_FALSE(ceiling.ok());
  EXPECT_NE(ceiling.error().message.find("need --writer llm"), std::string::npos);
}

TEST_F(AskModel, TheLastQuestionIsAskedAgainWithoutRepeatingIt) {
  ASSERT_TRUE(Ask(kQuestion, {{"context", "Gadget"}}).ok());
  const auto again = Ask("", {{"more", ""}});
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(again->data["question"], kQuestion);
  const auto of_source = Ask("", {{"source", "notes"}});
  ASSERT_TRUE(of_source.ok());
  EXPECT_EQ(of_source->data["question"], kQuestion);
}

TEST_F(AskModel, WithoutAQuestionBeforeThereIsNothingToAskAgain) {
  const auto more = Ask("", {{"more", ""}});
  ASSERT_FALSE(more.ok());
  EXPECT_NE(more.error().message.find("missing QUESTION"), std::string::npos);
  ASSERT_TRUE(Ask(kQuestion).ok());
  const auto nothing = Ask("");
  ASSERT_FALSE(nothing.ok()) << "nothing else is wanted of the last question";
  EXPECT_EQ(nothing.error().message, "missing QUESTION");
}

class AskOfAServer : public AskModel {
 protected:
  void Amend(oracle::Context& context) override {
    if (is_server_) context.roots = {folder_.path()};
  }
  bool is_server_ = false;
};

TEST_F(AskOfAServer, HasNoLastQuestion) {
  ASSERT_TRUE(Ask(kQuestion).ok());
  is_server_ = true;
  EXPECT_FALSE(Ask("", {{"more", ""}}).ok());
}

}  // namespace
}  // namespace sibyl::engine
