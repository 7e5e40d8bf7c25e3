// SPDX-License-Identifier: Apache-2.0
// A request to a model and its answer, independent of the protocol.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sibyl::model {

struct Turn {
  enum class Speaker : std::uint8_t { kUser, kModel };

  Speaker speaker = Speaker::kUser;
  std::string text;
};

struct Question {
  std::string system;
  std::vector<Turn> turns;  ///< The user's first; they alternate.
  std::uint32_t max_output_tokens = 4096;
};

/// Tokens as the server counted them, or as we had to guess.
struct Usage {
  std::uint64_t input = 0;
  std::uint64_t output = 0;
};

/// Why the answer ends where it ends.
enum class End : std::uint8_t {
  kComplete,
  kLength,   ///< It ran into a limit: the last sentence may be cut.
  kRefused,  ///< The model or its operator declined.
};

struct Answer {
  std::string text;
  End end = End::kComplete;
  Usage usage;
  std::string model;  ///< As the server names it; may be more specific than the requested name.
  std::string request_id;      ///< Of the server, for questions to its operator; may be empty.
  bool is_remembered = false;  ///< From the cache: nothing was paid.
};

}  // namespace sibyl::model
