// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/json.h"
#include "base/strings.h"
#include "page/block_writer.h"
#include "page/charset.h"
#include "page/content.h"
#include "page/page.h"
#include "page/pdf.h"
#include "page/render.h"

namespace sibyl::page {
namespace {

struct TypedForm {
  std::string_view name;
  Form form;
};

constexpr std::array kTypes = std::to_array<TypedForm>({
    {"text/html", Form::kHtml},
    {"application/xhtml+xml", Form::kHtml},
    {"application/pdf", Form::kPdf},
    {"text/markdown", Form::kMarkdown},
    {"text/x-markdown", Form::kMarkdown},
    {"text/x-rst", Form::kRst},
    {"text/prs.fallenstein.rst", Form::kRst},
    {"application/json", Form::kJson},
    {"application/ld+json", Form::kJson},
});

constexpr std::array kSuffixes = std::to_array<TypedForm>({
    {".md", Form::kMarkdown},
    {".markdown", Form::kMarkdown},
    {".rst", Form::kRst},
    {".json", Form::kJson},
    {".pdf", Form::kPdf},
    {".html", Form::kHtml},
    {".htm", Form::kHtml},
});

// A table instead of comparisons, whose branches would mispredict.
constexpr std::array<std::uint8_t, 256> MakeWordBytes() {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t byte = 0; byte < table.size(); ++byte) {
    const bool is_word = (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
                         (byte >= 'A' && byte <= 'Z') || byte >= 0x80 || byte == '_';
    table[byte] = is_word ? 1 : 0;
  }
  return table;
}
constexpr std::array<std::uint8_t, 256> kWordBytes = MakeWordBytes();

std::string_view PathOf(std::string_view url) {
  url = url.substr(0, url.find_first_of("?#"));
  const std::size_t scheme = url.find("://");
  return scheme == std::string_view::npos ? url : url.substr(scheme + 3);
}

bool LooksLikeHtml(std::string_view bytes) {
  constexpr std::size_t kLookAt = 1024;
  const std::string head = LowerCase(bytes.substr(0, kLookAt));
  const std::string_view start = Trim(head);
  for (const std::string_view mark : {"<!doctype html", "<html", "<head", "<body", "<!--"}) {
    if (start.starts_with(mark)) return true;
  }
  return start.starts_with("<?xml") && start.find("<html") != std::string_view::npos;
}

std::optional<Form> FormOfPath(std::string_view url) {
  const std::string path = LowerCase(PathOf(url));
  for (const TypedForm& known : kSuffixes) {
    if (path.ends_with(known.name)) return known.form;
  }
  return std::nullopt;
}

// Line ends as LF, one at the end.
std::string CleanText(std::string_view text) {
  std::string clean;
  clean.reserve(text.size() + 1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r') {
      clean += text[i];
    } else if (i + 1 == text.size() || text[i + 1] != '\n') {
      clean += '\n';
    }
  }
  while (clean.ends_with('\n')) clean.pop_back();
  if (!clean.empty()) clean += '\n';
  return clean;
}

void ReadHtml(std::string_view html, ExtractedPage& document) {
  Blocks page = ReadBlocks(html, Trust::kWords);
  Content content = ChooseContent(page);
  std::size_t silent = 0;
  for (const std::size_t bytes : page.left_out) silent += bytes;
  const auto size_of = [](const Content& chosen) {
    std::size_t bytes = 0;
    for (const Block* block : chosen.blocks) bytes += block->size();
    return bytes;
  };
  // A class "sidebar" may be on a box around everything: if little is left and
  // much was dropped, class words are ignored.
  constexpr std::size_t kLittle = 400;
  const std::size_t kept = size_of(content);
  Blocks lenient;
  if (kept < kLittle && silent > 4 * kept) {
    lenient = ReadBlocks(html, Trust::kElementsOnly);
    Content more = ChooseContent(lenient);
    if (size_of(more) > 3 * kept && size_of(more) > kLittle) {
      page = std::move(lenient);
      content = ChooseContent(page);
    }
  }
  document.title = std::move(page.title);
  document.language = std::move(page.language);
  document.canonical = std::move(page.canonical);
  document.signals = std::move(page.signals);
  for (const std::size_t bytes : page.left_out) document.left_out_bytes += bytes;
  document.left_out_bytes += content.dropped_bytes;
  Render(page, content, document);
  if (document.title.empty() && !document.headings.empty()) {
    document.title = document.headings.front().title;
  }
}

// A title for what has none: the first heading, or the first line.
std::string TitleOfText(std::string_view text, Form form) {
  constexpr std::size_t kMost = 120;
  for (const std::string_view line : SplitLines(WholePrefix(text, 4096))) {
    std::string_view title = Trim(line);
    if (form == Form::kMarkdown) {
      if (!title.starts_with("# ")) continue;
      title.remove_prefix(2);
    }
    if (!title.empty() && title.find_first_not_of("=-~*#^.\"'`_+<>:") != title.npos) {
      return FoldBlanks(WholePrefix(title, kMost));
    }
  }
  return {};
}

}  // namespace

std::string_view FormName(Form form) {
  constexpr std::array<std::string_view, 6> kNames = {"html", "markdown", "rst",
                                                      "text", "json",     "pdf"};
  return kNames[static_cast<std::size_t>(form)];
}

std::string_view TextSuffix(Form form) {
  constexpr std::array<std::string_view, 6> kSuffix = {".md",  ".md",   ".rst",
                                                       ".txt", ".json", ".txt"};
  return kSuffix[static_cast<std::size_t>(form)];
}

std::size_t CountWords(std::string_view text) {
  std::size_t words = 0;
  unsigned before = 0;
  for (const char letter : text) {
    const unsigned is_word = kWordBytes[static_cast<unsigned char>(letter)];
    words += is_word & ~before;
    before = is_word;
  }
  return words;
}

Result<Form> FormOf(std::string_view bytes, std::string_view content_type, std::string_view url) {
  if (bytes.starts_with("%PDF-")) return Form::kPdf;
  const std::string type = MediaTypeOf(content_type);
  for (const TypedForm& known : kTypes) {
    if (type == known.name) return known.form;
  }
  const bool is_text = type.starts_with("text/") || type == "application/xml";
  const bool is_vague = type.empty() || type == "application/octet-stream" ||
                        type == "binary/octet-stream" || type == "application/x-tex";
  if (!is_text && !is_vague) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("reading {}: {} is not text", url, type),
                 .hint = "supported: HTML, PDF, Markdown, reST, plain text and JSON"};
  }
  // Servers send Markdown and reST as plain text, but not HTML.
  if (const std::optional<Form> form = FormOfPath(url)) {
    if (*form != Form::kHtml || is_vague || LooksLikeHtml(bytes)) return *form;
  }
  if (LooksLikeHtml(bytes) && type != "text/plain") return Form::kHtml;
  constexpr std::size_t kLookAt = 4096;
  if (is_vague && bytes.substr(0, kLookAt).find('\0') != std::string_view::npos &&
      !bytes.starts_with("\xFF\xFE") && !bytes.starts_with("\xFE\xFF")) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("reading {}: it is binary", url),
                 .hint = "to examine a built artifact, use 'sibyl inspect'"};
  }
  return Form::kPlain;
}

Result<ExtractedPage> Extract(std::string_view bytes, std::string_view content_type,
                              std::string_view url, const ExtractLimits& limits) {
  if (bytes.size() > limits.max_bytes) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("reading {}: {} bytes, more than the limit of {}", url,
                                        bytes.size(), limits.max_bytes)};
  }
  ExtractedPage document;
  document.form = SIBYL_TRY(FormOf(bytes, content_type, url));
  if (document.form == Form::kPdf) {
    PdfText pdf = SIBYL_TRY(ReadPdf(bytes));
    document.charset = "utf-8";
    document.text = CleanText(pdf.text);
    document.title = std::move(pdf.title);
  } else {
    Decoded decoded = DecodeCharset(bytes, content_type);
    document.charset = std::move(decoded.charset);
    if (document.form == Form::kHtml) {
      ReadHtml(decoded.text, document);
      return document;
    }
    document.text = CleanText(decoded.text);
  }
  document.words = CountWords(document.text);
  if (document.title.empty()) document.title = TitleOfText(document.text, document.form);
  return document;
}

}  // namespace sibyl::page
