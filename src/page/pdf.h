// SPDX-License-Identifier: Apache-2.0
// PDF through pdftotext of poppler, as a program within limits: a PDF reader in
// our own process would be the largest hole in it.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sibyl::page {

struct PdfText {
  std::string text;   ///< UTF-8; pages end with a blank line.
  std::string title;  ///< Empty: the program does not print it.
};

/// kUnavailable when pdftotext is not installed or took too long, kCorrupt when
/// it could make nothing of the bytes.
Result<PdfText> ReadPdf(std::string_view bytes);

}  // namespace sibyl::page
