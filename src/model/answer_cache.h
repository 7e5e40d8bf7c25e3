// SPDX-License-Identifier: Apache-2.0
// Caches answers on disk under the hash of everything they depend on. A resumed
// run sends no request twice, and a repeated run gives the same bytes.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/json.h"
#include "base/result.h"
#include "model/protocol.h"
#include "model/question.h"

namespace sibyl::model {

/// As it is cached, and back; nothing for what is not an answer. One that is read is
/// remembered, whoever has paid for it.
Json AnswerAsJson(const Answer& answer);
std::optional<Answer> ReadAnswer(const Json& json);

class AnswerCache {
 public:
  explicit AnswerCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Server, model and every byte of the request.
  static std::string Key(const Wording& wording, const std::string& server,
                         const Question& question);

  /// nullopt if it is not cached, or the file is damaged.
  std::optional<Answer> Find(const std::string& key) const;

  /// Only complete and length-limited answers are cached; a refusal may not
  /// recur.
  Status Keep(const std::string& key, const Answer& answer) const;

 private:
  std::filesystem::path PathOf(const std::string& key) const;

  std::filesystem::path folder_;
};

}  // namespace sibyl::model
