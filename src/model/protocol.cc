// SPDX-License-Identifier: Apache-2.0
#include "model/protocol.h"

#include <algorithm>
#include <utility>

#include "base/one_line.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::model {
namespace {

constexpr std::size_t kMostWhole = std::size_t{16} << 20;
constexpr std::size_t kMostErrorText = 300;

// A member that may be missing or of another kind: foreign JSON is never
// trusted to have a shape.
const Json& Member(const Json& json, std::string_view name) {
  static const Json nothing;
  if (!json.is_object()) return nothing;
  const auto found = json.find(name);
  return found == json.end() ? nothing : *found;
}

std::string Text(const Json& json) {
  return json.is_string() ? json.get<std::string>() : std::string();
}

std::uint64_t Number(const Json& json) {
  return json.is_number_unsigned() ? json.get<std::uint64_t>() : 0;
}

const Json& First(const Json& list) {
  static const Json nothing;
  return list.is_array() && !list.empty() ? list.front() : nothing;
}

End EndOf(std::string_view reason) {
  if (reason == "length" || reason == "max_tokens" || reason == "model_context_window_exceeded") {
    return End::kLength;
  }
  if (reason == "content_filter" || reason == "refusal") return End::kRefused;
  return End::kComplete;
}

std::string ErrorMessage(const Json& json) {
  const Json& error = Member(json, "error");
  if (error.is_string()) return Text(error);
  std::string message = Text(Member(error, "message"));
  if (message.empty()) message = Text(Member(json, "message"));
  std::string type = Text(Member(error, "type"));
  if (message.empty()) return type;
  return type.empty() ? message : type + ": " + message;
}

Json Turns(const Question& question) {
  Json turns = Json::array();
  for (const Turn& turn : question.turns) {
    turns.push_back({{"role", turn.speaker == Turn::Speaker::kUser ? "user" : "assistant"},
                     {"content", turn.text}});
  }
  return turns;
}

}  // namespace

std::string_view ProtocolName(Protocol protocol) {
  return protocol == Protocol::kOpenAi ? "openai" : "anthropic";
}

std::optional<Protocol> ParseProtocol(std::string_view name) {
  for (const Protocol protocol : {Protocol::kOpenAi, Protocol::kAnthropic}) {
    if (name == ProtocolName(protocol)) return protocol;
  }
  return std::nullopt;
}

std::string_view RequestPath(Protocol protocol) {
  return protocol == Protocol::kOpenAi ? "/chat/completions" : "/messages";
}

std::string RequestBody(const Wording& wording, const Question& question) {
  Json body = {{"model", wording.model}};
  Json messages = Turns(question);
  if (wording.protocol == Protocol::kAnthropic) {
    body["max_tokens"] = question.max_output_tokens;
    body["system"] = question.system;
  } else {
    const bool is_old = wording.output_limit == OutputLimit::kMaxTokens;
    body[is_old ? "max_tokens" : "max_completion_tokens"] = question.max_output_tokens;
    body["stream_options"] = {{"include_usage", true}};
    messages.insert(messages.begin(), Json{{"role", "system"}, {"content", question.system}});
  }
  body["messages"] = std::move(messages);
  body["stream"] = true;
  return FormatJson(body, JsonLayout::kCompact);
}

std::vector<net::Header> RequestHeaders(Protocol protocol) {
  std::vector<net::Header> headers = {{"Accept", "text/event-stream, application/json"}};
  if (protocol == Protocol::kAnthropic) headers.push_back({"anthropic-version", "2023-06-01"});
  return headers;
}

std::vector<net::Header> KeyHeaders(Protocol protocol, const std::string& key) {
  if (key.empty()) return {};
  if (protocol == Protocol::kAnthropic) return {{"x-api-key", key}};
  return {{"Authorization", "Bearer " + key}};
}

AnswerReader::AnswerReader(Protocol protocol)
    : protocol_(protocol), events_([this](const StreamEvent& event) { return TakeEvent(event); }) {}

Status AnswerReader::Feed(std::string_view piece) {
  if (!has_begun_) {
    const std::size_t first = piece.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return {};
    // No line of an event stream begins with a brace; a server that does not
    // stream answers with one object.
    is_whole_ = piece[first] == '{';
    has_begun_ = true;
  }
  if (!is_whole_) return events_.Feed(piece);
  whole_ += piece;
  if (whole_.size() <= kMostWhole) return {};
  return Error{.kind = ErrorKind::kCorrupt, .message = "the model's answer exceeds the size limit"};
}

Result<Answer> AnswerReader::Finish() {
  if (is_whole_) {
    const Json json = SIBYL_TRY(ParseJson(whole_));
    SIBYL_TRY(TakeWhole(json));
  }
  if (!has_ended_) {
    return Error{.kind = ErrorKind::kUnavailable, .message = "the model's answer was cut off"};
  }
  return std::move(answer_);
}

Status AnswerReader::TakeEvent(const StreamEvent& event) {
  if (event.data == "[DONE]") {
    has_ended_ = true;
    return {};
  }
  const Json json = SIBYL_TRY(ParseJson(event.data));
  if (json.is_object() && (json.contains("error") || event.name == "error")) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = "the model's server: " + OneLine(ErrorMessage(json), kMostErrorText)};
  }
  return protocol_ == Protocol::kOpenAi ? TakeOpenAi(json) : TakeAnthropic(json);
}

Status AnswerReader::TakeOpenAi(const Json& json) {
  if (const std::string model = Text(Member(json, "model")); !model.empty()) answer_.model = model;
  if (const std::string id = Text(Member(json, "id")); !id.empty()) answer_.request_id = id;
  TakeUsage(Member(json, "usage"));
  const Json& choice = First(Member(json, "choices"));
  answer_.text += Text(Member(Member(choice, "delta"), "content"));
  if (const std::string reason = Text(Member(choice, "finish_reason")); !reason.empty()) {
    answer_.end = EndOf(reason);
    // The usage may follow in a separate event; not all servers send "[DONE]".
    has_ended_ = true;
  }
  return {};
}

Status AnswerReader::TakeAnthropic(const Json& json) {
  const std::string type = Text(Member(json, "type"));
  if (type == "message_start") {
    const Json& message = Member(json, "message");
    answer_.model = Text(Member(message, "model"));
    answer_.request_id = Text(Member(message, "id"));
    TakeUsage(Member(message, "usage"));
  } else if (type == "content_block_delta") {
    // Thinking and similar have other types and are not part of the answer.
    const Json& delta = Member(json, "delta");
    if (Text(Member(delta, "type")) == "text_delta") answer_.text += Text(Member(delta, "text"));
  } else if (type == "message_delta") {
    TakeUsage(Member(json, "usage"));
    const std::string reason = Text(Member(Member(json, "delta"), "stop_reason"));
    if (!reason.empty()) answer_.end = EndOf(reason);
  } else if (type == "message_stop") {
    has_ended_ = true;
  }
  return {};
}

Status AnswerReader::TakeWhole(const Json& json) {
  if (json.contains("error")) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = "the model's server: " + OneLine(ErrorMessage(json), kMostErrorText)};
  }
  answer_.model = Text(Member(json, "model"));
  answer_.request_id = Text(Member(json, "id"));
  TakeUsage(Member(json, "usage"));
  std::string reason;
  if (protocol_ == Protocol::kOpenAi) {
    const Json& choice = First(Member(json, "choices"));
    answer_.text = Text(Member(Member(choice, "message"), "content"));
    reason = Text(Member(choice, "finish_reason"));
  } else {
    for (const Json& block : Member(json, "content")) {
      if (Text(Member(block, "type")) == "text") answer_.text += Text(Member(block, "text"));
    }
    reason = Text(Member(json, "stop_reason"));
  }
  answer_.end = EndOf(reason);
  has_ended_ = !reason.empty();
  return {};
}

// Anthropic counts what was read from or written to its cache beside the rest.
void AnswerReader::TakeUsage(const Json& usage) {
  if (!usage.is_object()) return;
  const std::uint64_t input = Number(Member(usage, "prompt_tokens")) +
                              Number(Member(usage, "input_tokens")) +
                              Number(Member(usage, "cache_creation_input_tokens")) +
                              Number(Member(usage, "cache_read_input_tokens"));
  const std::uint64_t output =
      Number(Member(usage, "completion_tokens")) + Number(Member(usage, "output_tokens"));
  answer_.usage.input = std::max(answer_.usage.input, input);
  answer_.usage.output = std::max(answer_.usage.output, output);
}

std::string ErrorText(std::string_view body) {
  const Result<Json> json = ParseJson(body);
  std::string text = json.ok() ? ErrorMessage(*json) : std::string();
  if (text.empty()) text = body.substr(0, kMostErrorText);
  return OneLine(text, kMostErrorText);
}

bool IsOutOfQuota(std::string_view body) {
  return body.find("insufficient_quota") != std::string_view::npos ||
         body.find("billing_error") != std::string_view::npos;
}

}  // namespace sibyl::model
