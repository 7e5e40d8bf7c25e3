// SPDX-License-Identifier: Apache-2.0
// For tests: a model on loopback that a test speaks for, and the job that asks it.
#pragma once

#include <functional>
#include <regex>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "net/test_server.h"
#include "runner/runner.h"

namespace sibyl::expansion {

/// What a model is asked, as its server sees it.
struct TestQuestion {
  std::string model;
  std::string system;
  std::string text;  ///< Of the first turn.
  std::string last;  ///< Of the last turn.
  std::size_t turns = 0;

  bool IsSearch() const { return system.starts_with("You prepare the search"); }
  bool IsReading() const { return system.starts_with("You choose what"); }
  bool IsJudge() const { return system.starts_with("You are shown numbered"); }
  bool IsRepair() const { return text.find("A check did not confirm") != std::string::npos; }
  bool IsAgain() const { return turns > 1; }
  bool IsContinued() const { return last.starts_with("Your answer was cut off"); }
  bool IsWriting() const { return system.starts_with("You write one section") && !IsRepair(); }
  /// Verdicts of a judge that tells the controls apart; `of` decides about the rest.
  std::string Verdicts(const std::function<std::string(const std::string& statement)>& of) const {
    std::string verdicts;
    const std::regex statement(R"(Statement (\d+): ([^\n]*))");
    for (auto at = std::sregex_iterator(text.begin(), text.end(), statement);
         at != std::sregex_iterator(); ++at) {
      const std::string said = (*at)[2];
      const bool is_true = said.starts_with("One of these lines reads: ");
      const bool is_false = said.find("harbour of the island") != std::string::npos;
      verdicts += (*at)[1].str() + ": " +
                  (is_true    ? "SUPPORTED"
                   : is_false ? "NOT ENOUGH"
                              : of(said)) +
                  "\n";
    }
    return verdicts;
  }
  std::string AllSupported() const {
    return Verdicts([](const std::string&) { return "SUPPORTED"; });
  }
  /// The key of the first passage with these words.
  std::string KeyOf(const std::string& words) const {
    const std::regex passage(R"(\[(k[b-t]{8})\] [^\n]*\n(?: *\d+ \|[^\n]*\n)*)");
    for (auto at = std::sregex_iterator(text.begin(), text.end(), passage);
         at != std::sregex_iterator(); ++at) {
      if (at->str().find(words) != std::string::npos) return (*at)[1];
    }
    return "";
  }
};

class TestModel {
 public:
  /// "!403 Forbidden" is an answer of that status; a text after "~" ended at its limit,
  /// one after "^" was declined.
  using Speaker = std::function<std::string(const TestQuestion&)>;
  explicit TestModel(Speaker speaker)
      : speaker_(std::move(speaker)),
        server_([this](const std::string& request) { return Serve(request); }) {}

  std::string url() const { return server_.url("/v1"); }
  std::vector<TestQuestion> questions() const {
    std::vector<TestQuestion> questions;
    for (const std::string& request : server_.requests()) questions.push_back(Read(request));
    return questions;
  }

 private:
  static TestQuestion Read(const std::string& request) {
    const Json body = ParseJson(request.substr(request.find("\r\n\r\n") + 4)).value();
    const Json& messages = body["messages"];
    return {.model = body["model"],
            .system = messages[0]["content"],
            .text = messages[1]["content"],
            .last = messages[messages.size() - 1]["content"],
            .turns = messages.size() - 1};
  }

  net::TestAnswer Serve(const std::string& request) const {
    std::string text = speaker_(Read(request));
    if (text.starts_with('!')) return net::TestPage(text.substr(1), "", "{}");
    const std::string end = text.starts_with('~')   ? "length"
                            : text.starts_with('^') ? "content_filter"
                                                    : "stop";
    if (end != "stop") text.erase(0, 1);
    const Json piece = {{"choices", {{{"delta", {{"content", text}}}, {"finish_reason", end}}}},
                        {"usage", {{"prompt_tokens", 100}, {"completion_tokens", 10}}}};
    return net::TestPage(
        "200 OK", "Content-Type: text/event-stream\r\n",
        "data: " + FormatJson(piece, JsonLayout::kCompact) + "\n\ndata: [DONE]\n\n");
  }

  Speaker speaker_;
  net::TestServer server_;
};

/// A job that notes what it is told.
class TestJob : public runner::JobContext {
 public:
  int attempt() const override { return 1; }
  std::stop_token stop() const override { return source.get_token(); }
  void Report(runner::Progress progress) override { steps.push_back(std::move(progress)); }
  void Keep(std::string payload) override { kept = std::move(payload); }
  std::string_view kept_before() const override { return before; }

  std::vector<std::string> StepNames() const {
    std::vector<std::string> names;
    for (const runner::Progress& step : steps) names.push_back(step.step);
    return names;
  }

  std::stop_source source;
  std::vector<runner::Progress> steps;
  std::string kept;
  std::string before;  ///< What an earlier holder has kept.
};

}  // namespace sibyl::expansion
