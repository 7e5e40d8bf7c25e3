// SPDX-License-Identifier: Apache-2.0
#include "page/pdf.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "base/process/sandbox.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::page {

Result<PdfText> ReadPdf(std::string_view bytes, const PdfOptions& options) {
  constexpr std::size_t kMaxText = std::size_t{64} << 20;
  const auto program = FindSystemProgram("pdftotext");
  if (!program) {
    return Error{.kind = ErrorKind::kUnavailable,
                 .message = "reading a PDF: pdftotext is not installed",
                 .hint = "install it: apt install poppler-utils"};
  }
  Result<Sandbox> sandbox = Sandbox::Open({.bubblewrap = options.bubblewrap});
  if (!sandbox.ok()) return While("reading a PDF", std::move(sandbox).error());
  // The tables of poppler-data are for Chinese, Japanese and Korean text.
  const Result<Outcome> run =
      sandbox->Run({.program = program->string(),
                    .arguments = {"-q", "-enc", "UTF-8", "-eol", "unix", "-", "-"},
                    .input = std::string(bytes),
                    .readable = {"/usr/share/poppler"},
                    .time = std::chrono::seconds(60),
                    .output_bytes = kMaxText,
                    .memory_bytes = std::size_t{2} << 30,
                    .file_bytes = kMaxText});
  if (!run.ok()) return While("reading a PDF", run.error());
  if (!run->succeeded()) {
    return Error{.kind = run->limit == Limit::kTime ? ErrorKind::kUnavailable : ErrorKind::kCorrupt,
                 .message = fmt::format("reading a PDF: pdftotext failed ({})", Describe(*run))};
  }
  std::string text = ReplaceInvalidUtf8(run->output);
  for (char& letter : text) {
    if (letter == '\f' || letter == '\0') letter = '\n';  // a new page
  }
  if (Trim(text).empty()) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = "reading a PDF: it contains no text",
                 .hint = "run OCR on a scan first, for example with ocrmypdf"};
  }
  return PdfText{.text = std::move(text), .title = {}};
}

}  // namespace sibyl::page
