// SPDX-License-Identifier: Apache-2.0
#include "page/pdf.h"

#include <gtest/gtest.h>

#include <string>

#include "base/process/sandbox.h"
#include "page/page.h"

namespace sibyl::page {
namespace {

// One page with one line, as small as readers still take it.
std::string MakePdf(const std::string& words) {
  const std::string stream = "BT /F1 12 Tf 20 100 Td (" + words + ") Tj ET";
  const std::string objects[] = {
      "<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 200]/Contents 4 0 R"
      "/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>",
      "<</Length " + std::to_string(stream.size()) + ">>stream\n" + stream + "\nendstream"};
  std::string pdf = "%PDF-1.4\n";
  int number = 0;
  for (const std::string& object : objects) {
    pdf += std::to_string(++number) + " 0 obj\n" + object + "\nendobj\n";
  }
  return pdf + "trailer<</Root 1 0 R>>\n%%EOF\n";
}

std::string WhyNoPdf() {
  if (!FindSystemProgram("pdftotext")) return "pdftotext is not installed (poppler-utils)";
  const Result<Sandbox> sandbox = Sandbox::Open();
  return sandbox.ok() ? "" : sandbox.error().message;
}

TEST(PagePdf, BecomesTextThroughPdftotext) {
  if (const std::string why = WhyNoPdf(); !why.empty()) GTEST_SKIP() << why;
  const Result<ExtractedPage> document =
      Extract(MakePdf("The warp has 32 lanes"), "application/pdf", "https://example.org/isa.pdf");
  ASSERT_TRUE(document.ok()) << document.error().message;
  EXPECT_EQ(document->form, Form::kPdf);
  EXPECT_EQ(document->text, "The warp has 32 lanes\n");
  EXPECT_EQ(document->title, "The warp has 32 lanes");
}

TEST(PagePdf, ThatIsBrokenOrEmptyIsSaidToBe) {
  if (const std::string why = WhyNoPdf(); !why.empty()) GTEST_SKIP() << why;
  EXPECT_EQ(ReadPdf("%PDF-1.4\nnothing").error().kind, ErrorKind::kCorrupt);
  EXPECT_EQ(ReadPdf(MakePdf("")).error().kind, ErrorKind::kCorrupt);
}

TEST(PagePdf, IsNotReadWithoutASandbox) {
  if (!FindSystemProgram("pdftotext")) GTEST_SKIP() << "pdftotext is not installed (poppler-utils)";
  const Result<PdfText> text =
      ReadPdf(MakePdf("The warp has 32 lanes"), {.bubblewrap = "/no/such/bwrap"});
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(text.error().kind, ErrorKind::kUnavailable);
  EXPECT_EQ(text.error().message,
            "reading a PDF: the sandbox, bubblewrap (/no/such/bwrap), is not installed");
  EXPECT_EQ(text.error().hint, "install it: apt install bubblewrap");
}

}  // namespace
}  // namespace sibyl::page
