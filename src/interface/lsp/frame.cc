// SPDX-License-Identifier: Apache-2.0
#include "interface/lsp/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/ascii.h"
#include "base/strings.h"

namespace sibyl::interface::lsp {
namespace {

constexpr std::string_view kLengthName = "Content-Length";
constexpr std::size_t kMostDigits = 15;

std::optional<std::size_t> LengthOf(std::string_view value) {
  value = Trim(value);
  if (value.empty() || value.size() > kMostDigits) return std::nullopt;
  std::size_t length = 0;
  for (const char c : value) {
    if (!IsDigit(c)) return std::nullopt;
    length = 10 * length + static_cast<std::size_t>(c - '0');
  }
  return length;
}

// "Content-Length: 12" gives " 12"; empty without the colon.
std::string_view AfterName(std::string_view field) {
  field.remove_prefix(kLengthName.size());
  return field.starts_with(':') ? field.substr(1) : std::string_view();
}

}  // namespace

void FrameReader::Append(std::string_view bytes) {
  if (at_ > buffer_.size() / 2) {
    buffer_.erase(0, at_);
    searched_ -= std::min(searched_, at_);
    at_ = 0;
  }
  buffer_ += bytes;
}

// Without its LF; the view lasts until the next Append.
std::optional<std::string_view> FrameReader::TakeLine() {
  const std::size_t end = buffer_.find('\n', std::max(at_, searched_));
  if (end == std::string::npos) {
    searched_ = buffer_.size();
    return std::nullopt;
  }
  const std::string_view line(buffer_.data() + at_, end - at_);
  at_ = end + 1;
  return line;
}

std::string FrameReader::Lose(std::string problem) {
  is_lost_ = true;
  length_.reset();
  header_bytes_ = 0;
  return problem;
}

// The problem of a header field, if it has one.
std::optional<std::string> FrameReader::TakeField(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return Lose("a header field has no colon");
  if (!EqualsIgnoringCase(Trim(line.substr(0, colon)), kLengthName)) return std::nullopt;
  length_ = LengthOf(line.substr(colon + 1));
  if (!length_) return Lose("Content-Length is not a number");
  return std::nullopt;
}

// The empty line after the fields.
std::optional<std::string> FrameReader::EndHeader() {
  header_bytes_ = 0;
  if (!length_) return Lose("a header has no Content-Length");
  const std::size_t length = *std::exchange(length_, std::nullopt);
  if (length > limits_.body_bytes) {
    std::string problem =
        fmt::format("a message of {} bytes exceeds the limit of {}", length, limits_.body_bytes);
    // Nobody sends that much: the next header is looked for instead.
    if (length > limits_.skipped_bytes) return Lose(std::move(problem));
    skip_ = length;
    return problem;
  }
  body_ = length;
  in_body_ = true;
  return std::nullopt;
}

FrameReader::Got FrameReader::Next(std::string& text) {
  while (true) {
    const std::size_t skipped = std::min(skip_, buffer_.size() - at_);
    at_ += skipped;
    skip_ -= skipped;
    if (skip_ > 0) return Got::kNothingYet;
    if (in_body_) {
      if (buffer_.size() - at_ < body_) return Got::kNothingYet;
      text.assign(buffer_, at_, body_);
      at_ += body_;
      in_body_ = false;
      return Got::kMessage;
    }
    const std::optional<std::string_view> taken = TakeLine();
    if (!taken) {
      if (buffer_.size() - at_ <= limits_.header_bytes) return Got::kNothingYet;
      at_ = buffer_.size();
      drops_line_ = true;
      if (is_lost_) return Got::kNothingYet;
      text = Lose("a header field is too long");
      return Got::kProblem;
    }
    std::string_view line = *taken;
    if (std::exchange(drops_line_, false) || line.size() > limits_.header_bytes) {
      if (std::exchange(is_lost_, true)) continue;
      text = Lose("a header field is too long");
      return Got::kProblem;
    }
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (is_lost_) {
      const std::size_t name = line.rfind(kLengthName);
      if (name == std::string_view::npos || !LengthOf(AfterName(line.substr(name)))) continue;
      line = line.substr(name);
      is_lost_ = false;
    }
    header_bytes_ += line.size() + 1;
    if (header_bytes_ > limits_.header_bytes) {
      text = Lose("a header is too long");
      return Got::kProblem;
    }
    if (!line.empty()) {
      if (std::optional<std::string> problem = TakeField(line)) {
        text = *std::move(problem);
        return Got::kProblem;
      }
      continue;
    }
    if (std::optional<std::string> problem = EndHeader()) {
      text = *std::move(problem);
      return Got::kProblem;
    }
  }
}

std::string FormatFrame(std::string_view body) {
  return fmt::format("Content-Length: {}\r\n\r\n{}", body.size(), body);
}

}  // namespace sibyl::interface::lsp
