// SPDX-License-Identifier: Apache-2.0
#include "research/survey.h"

#include <gtest/gtest.h>

#include <atomic>

namespace sibyl::research {
namespace {

class Fake : public Provider {
 public:
  explicit Fake(std::optional<Error> error = {}) : error_(std::move(error)) {}
  std::string_view name() const override { return "fake"; }
  Result<std::vector<Found>> Search(const Query& query, const std::stop_token&) override {
    ++asked;
    if (error_) return *error_;
    return std::vector<Found>{{.url = *net::ParseUrl("https://a.example/" + query.text)}};
  }
  std::atomic<int> asked = 0;

 private:
  std::optional<Error> error_;
};

std::vector<Query> Queries(int count) {
  std::vector<Query> queries;
  for (int i = 0; i < count; ++i) queries.push_back({.text = "q" + std::to_string(i)});
  return queries;
}

TEST(Survey, AnswersInTheOrderOfTheQuestions) {
  std::vector<std::unique_ptr<Provider>> providers;
  providers.push_back(std::make_unique<Fake>());
  providers.push_back(std::make_unique<Fake>());
  const Survey survey = AskAll(Queries(20), providers, {.threads = 4});
  ASSERT_EQ(survey.answers.size(), 20U);
  for (std::size_t i = 0; i < 20; ++i) {
    ASSERT_EQ(survey.answers[i].lists.size(), 2U);
    EXPECT_EQ(survey.answers[i].lists[0][0].url.path, "/q" + std::to_string(i));
  }
}

TEST(Survey, GoesOnWithoutAProviderThatCannotAnswer) {
  std::vector<std::unique_ptr<Provider>> providers;
  providers.push_back(std::make_unique<Fake>(Error{.kind = ErrorKind::kUsage, .message = "key"}));
  providers.push_back(
      std::make_unique<Fake>(Error{.kind = ErrorKind::kUnavailable, .message = "busy"}));
  providers.push_back(std::make_unique<Fake>());
  const Survey survey = AskAll(Queries(5), providers, {.threads = 1});
  EXPECT_EQ(static_cast<Fake&>(*providers[0]).asked, 1) << "a wrong key stays wrong";
  EXPECT_EQ(static_cast<Fake&>(*providers[1]).asked, 5) << "a busy server may have time later";
  EXPECT_EQ(survey.troubles.size(), 6U);
  for (const Answered& answer : survey.answers) EXPECT_EQ(answer.lists.size(), 1U);
}

TEST(Survey, AsksNoMoreWithoutBudgetOrNetwork) {
  std::vector<std::unique_ptr<Provider>> providers;
  for (const ErrorCause cause : {ErrorCause::kBudgetSpent, ErrorCause::kOffline}) {
    providers.push_back(std::make_unique<Fake>(
        Error{.kind = ErrorKind::kUnavailable, .message = "no", .cause = cause}));
  }
  AskAll(Queries(5), providers, {.threads = 1});
  EXPECT_EQ(static_cast<Fake&>(*providers[0]).asked, 1);
  EXPECT_EQ(static_cast<Fake&>(*providers[1]).asked, 1);
}

TEST(Survey, StopsWhenAskedTo) {
  std::stop_source source;
  source.request_stop();
  std::vector<std::unique_ptr<Provider>> providers;
  providers.push_back(std::make_unique<Fake>());
  const Survey survey = AskAll(Queries(5), providers, {.stop = source.get_token()});
  EXPECT_EQ(static_cast<Fake&>(*providers[0]).asked, 0);
  EXPECT_TRUE(survey.answers[0].lists.empty());
}

}  // namespace
}  // namespace sibyl::research
