// SPDX-License-Identifier: Apache-2.0
// The two protocols of model servers: OpenAI's chat completions (llama.cpp,
// vLLM, Ollama and most hosts) and Anthropic's messages. Only fields that all
// of them support are sent, and unknown fields in an answer are ignored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "model/event_stream.h"
#include "model/question.h"
#include "net/headers.h"

namespace sibyl::model {

enum class Protocol : std::uint8_t { kOpenAi, kAnthropic };

/// "openai", "anthropic"
std::string_view ProtocolName(Protocol protocol);
std::optional<Protocol> ParseProtocol(std::string_view name);

/// The name of the output limit on an OpenAI-compatible server: local servers
/// support the old name, some hosted models require the new one.
enum class OutputLimit : std::uint8_t { kMaxTokens, kMaxCompletionTokens };

struct Wording {
  Protocol protocol = Protocol::kOpenAi;
  std::string model;
  OutputLimit output_limit = OutputLimit::kMaxTokens;
};

/// The path appended to the address of the server: "/chat/completions".
std::string_view RequestPath(Protocol protocol);
std::string RequestBody(const Wording& wording, const Question& question);
std::vector<net::Header> RequestHeaders(Protocol protocol);
/// The key in the header that the protocol has for it; none for an empty one.
std::vector<net::Header> KeyHeaders(Protocol protocol, const std::string& key);

/// Collects an answer from the body of a response as it arrives, streamed or in
/// one piece.
class AnswerReader {
 public:
  explicit AnswerReader(Protocol protocol);

  /// An error if the stream reports one, or is not JSON.
  Status Feed(std::string_view piece);

  /// kUnavailable if the answer is incomplete: the connection was lost.
  Result<Answer> Finish();

  /// Whether any part of the answer has arrived.
  bool HasBegun() const { return has_begun_; }
  std::size_t text_bytes() const { return answer_.text.size(); }

 private:
  Status TakeEvent(const StreamEvent& event);
  Status TakeOpenAi(const Json& json);
  Status TakeAnthropic(const Json& json);
  Status TakeWhole(const Json& json);
  void TakeUsage(const Json& usage);

  Protocol protocol_;
  EventStream events_;
  std::string whole_;  // of an answer that is not streamed
  bool is_whole_ = false;
  bool has_begun_ = false;
  bool has_ended_ = false;
  Answer answer_;
};

/// The message in an error's body, on one line, without control characters,
/// shortened.
std::string ErrorText(std::string_view body);

/// Whether the body says that the quota is exhausted: retrying is useless.
bool IsOutOfQuota(std::string_view body);

}  // namespace sibyl::model
