// SPDX-License-Identifier: Apache-2.0
// The framing of the language server protocol: header fields, an empty line, and
// as many bytes as Content-Length says. Bytes that are not a frame are reported
// once and skipped up to the next Content-Length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sibyl::interface::lsp {

struct FrameLimits {
  std::size_t header_bytes = 4'096;
  std::size_t body_bytes = std::size_t{16} << 20;
  std::size_t skipped_bytes = std::size_t{1} << 30;  ///< A longer body is not believed.
};

/// Takes time in proportion to the bytes, however they are cut.
class FrameReader {
 public:
  explicit FrameReader(const FrameLimits& limits = {}) : limits_(limits) {}

  void Append(std::string_view bytes);

  enum class Got : std::uint8_t { kMessage, kProblem, kNothingYet };

  /// kMessage: `text` is the body. kProblem: `text` describes what was skipped.
  Got Next(std::string& text);

 private:
  std::optional<std::string_view> TakeLine();
  std::optional<std::string> TakeField(std::string_view line);
  std::optional<std::string> EndHeader();
  std::string Lose(std::string problem);

  FrameLimits limits_;
  std::string buffer_;
  std::size_t at_ = 0;        // bytes of the buffer before this are done
  std::size_t searched_ = 0;  // no line end between at_ and this
  std::size_t header_bytes_ = 0;
  std::optional<std::size_t> length_;  // of this header
  std::size_t body_ = 0;               // bytes of the body, if a header is complete
  bool in_body_ = false;
  bool is_lost_ = false;     // looking for a Content-Length
  bool drops_line_ = false;  // the rest of a line that was too long
  std::size_t skip_ = 0;     // bytes of a body that is too large
};

std::string FormatFrame(std::string_view body);

}  // namespace sibyl::interface::lsp
