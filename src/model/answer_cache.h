// SPDX-License-Identifier: Apache-2.0
// Answers that were paid for, kept on disk under the hash of everything that
// could have changed them. A run that goes on after a kill asks nothing twice,
// and a repeated run gives the same bytes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/result.h"
#include "model/protocol.h"
#include "model/question.h"

namespace sibyl::model {

class AnswerCache {
 public:
  explicit AnswerCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Who is asked, and what, byte for byte.
  static std::string Key(const Wording& wording, const std::string& server,
                         const Question& question);

  /// Nothing when it was never asked, or the file is damaged.
  std::optional<Answer> Find(const std::string& key) const;

  /// Only whole answers and cut ones are kept; a refusal may not come again.
  Status Keep(const std::string& key, const Answer& answer) const;

 private:
  std::filesystem::path PathOf(const std::string& key) const;

  std::filesystem::path folder_;
};

}  // namespace sibyl::model
