// SPDX-License-Identifier: Apache-2.0
// For tests: findings whose every text tries to break out of a report.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/finding.h"

namespace sibyl::interface {

inline const std::string& HostileText() {
  static const std::string text =
      "]]></failure><x a=\"'&amp;\n::error file=x::owned\r\n##[add-mask]y %0A::stop-commands::z\t"
      "\x1b]0;title\x07\x01\x7f\xff\u009b\u202e\uFFFE @someone ![i](http://evil.example/i.png) "
      "`` ` ``` <script>alert(1)</script> </svg> \\u0000 \"}]";
  return text;
}

inline Finding HostileFinding(Severity severity = Severity::kError) {
  const std::string& text = HostileText();
  return {.severity = severity,
          .code = "citation/drifted",
          .message = text,
          .hint = text,
          .place = {.file = "docs/" + text + ".md", .line = 3, .column = 5, .text = text},
          .details = {{"text", text}, {"kind", "code-citation"}}};
}

inline Finding PlainFinding(std::size_t line, std::string message,
                            Severity severity = Severity::kError) {
  return {.severity = severity,
          .code = "a/one",
          .message = std::move(message),
          .hint = "",
          .place = {.file = "docs/a.md", .line = line}};
}

}  // namespace sibyl::interface
