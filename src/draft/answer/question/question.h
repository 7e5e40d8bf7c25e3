// SPDX-License-Identifier: Apache-2.0
// Reads a question for what it wants and what it is about.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sibyl::draft {

/// What would answer the question.
enum class Want : std::uint8_t {
  kMeaning,     ///< What a name is or does.
  kDefault,     ///< A value.
  kValues,      ///< What is allowed, or which there are.
  kSince,       ///< A version.
  kHow,         ///< A command, a call, an option.
  kWhy,         ///< A reason, or what happens.
  kWhen,        ///< A condition.
  kDifference,  ///< Both sides.
  kAmount,      ///< A number.
  kError,       ///< What an error means.
};

/// People ask in sentences; a point of a plan is a title, and each word is meant.
enum class Asker : std::uint8_t { kPerson, kPlan };

struct QuestionWord {
  std::string written;
  bool is_name = false;   ///< As programs write names, or a part of one.
  bool is_frame = false;  ///< Says what is wanted, not what it is about: "default", "difference".
  bool is_everyday = false;  ///< Says little: "worth", "biggest".
  /// An answer must have one of them: prices, and what is the latest.
  std::vector<std::string_view> meant = {};
};

/// Another spelling of something that the question mentions: "nsight compute" for "ncu".
struct OtherForm {
  std::vector<std::string> said;   ///< The words of the question, in lower case.
  std::vector<std::string> words;  ///< The words that mean the same.
};

struct Question {
  std::string text;  ///< Without markup and closing question mark.
  Want want = Want::kMeaning;
  std::vector<QuestionWord>
      words;                       ///< In order, each once; without words such as "does" and "the".
  std::vector<std::string> names;  ///< As programs write them: USE_CUDA, cp.async, --warmup.
  std::vector<std::string> proper;   ///< Other words with a capital: "Adam".
  std::vector<std::string> phrases;  ///< Joined by hyphens: "split-k", in lower case, with blanks.
  std::vector<std::string> sides;    ///< The two things of a comparison; empty otherwise.
  std::vector<OtherForm> other_forms;  ///< Only if a person asks.
  Asker asker = Asker::kPerson;
};

Question ReadQuestion(std::string_view text, Asker asker = Asker::kPerson);

/// What a comparison asks of one of its sides, 0 or 1.
Question QuestionOfSide(const Question& question, std::size_t side);

}  // namespace sibyl::draft
