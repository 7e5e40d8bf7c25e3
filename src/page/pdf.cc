// SPDX-License-Identifier: Apache-2.0
#include "page/pdf.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "base/strings.h"
#include "base/subprocess.h"
#include "base/utf8.h"

namespace sibyl::page {

Result<PdfText> ReadPdf(std::string_view bytes) {
  constexpr std::chrono::seconds kPatience{60};
  constexpr std::size_t kMaxText = std::size_t{64} << 20;
  constexpr std::size_t kMaxMemory = std::size_t{2} << 30;
  Result<Outcome> run = RunProgram({.program = "pdftotext",
                                    .arguments = {"-q", "-enc", "UTF-8", "-eol", "unix", "-", "-"},
                                    .input = std::string(bytes),
                                    .environment = {{"LC_ALL", "C.UTF-8"}},
                                    .limits = {.time = kPatience,
                                               .output_bytes = kMaxText,
                                               .memory_bytes = kMaxMemory,
                                               .file_bytes = kMaxText}});
  if (!run.ok()) {
    if (run.error().kind != ErrorKind::kNotFound) return std::move(run).error();
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = "reading a PDF: pdftotext is not installed",
                 .hint = "it is in the package poppler-utils"};
  }
  if (!run->succeeded()) {
    return Error{.kind = run->limit == Limit::kTime ? ErrorKind::kUnavailable : ErrorKind::kCorrupt,
                 .message = fmt::format("reading a PDF: pdftotext could not ({})", Describe(*run))};
  }
  std::string text = ReplaceInvalidUtf8(run->output);
  for (char& letter : text) {
    if (letter == '\f' || letter == '\0') letter = '\n';  // a new page
  }
  if (Trim(text).empty()) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = "reading a PDF: it holds no text",
                 .hint = "a scan needs to be recognised first, by ocrmypdf for example"};
  }
  return PdfText{.text = std::move(text), .title = {}};
}

}  // namespace sibyl::page
