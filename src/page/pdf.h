// SPDX-License-Identifier: Apache-2.0
// PDF through pdftotext of poppler, as a program in the sandbox: the input is
// untrusted, and PDF readers are large.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sibyl::page {

struct PdfText {
  std::string text;   ///< UTF-8; pages end with a blank line.
  std::string title;  ///< Empty: the program does not print it.
};

struct PdfOptions {
  std::string bubblewrap = "bwrap";  ///< See base/process/sandbox.h.
};

/// kUnavailable if pdftotext or the sandbox is missing or it timed out,
/// kCorrupt if it could not read the bytes.
Result<PdfText> ReadPdf(std::string_view bytes, const PdfOptions& options = {});

}  // namespace sibyl::page
