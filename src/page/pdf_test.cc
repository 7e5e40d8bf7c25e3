// SPDX-License-Identifier: Apache-2.0
#include "page/pdf.h"

#include <gtest/gtest.h>

#include <string>

#include "base/subprocess.h"
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

TEST(PagePdf, BecomesTextThroughPdftotext) {
  if (!FindProgram("pdftotext")) GTEST_SKIP() << "pdftotext is not installed (poppler-utils)";
  const Result<Document> document =
      Extract(MakePdf("The warp has 32 lanes"), "application/pdf", "https://example.org/isa.pdf");
  ASSERT_TRUE(document.ok()) << document.error().message;
  EXPECT_EQ(document->form, Form::kPdf);
  EXPECT_EQ(document->text, "The warp has 32 lanes\n");
  EXPECT_EQ(document->title, "The warp has 32 lanes");
}

TEST(PagePdf, ThatIsBrokenOrEmptyIsSaidToBe) {
  if (!FindProgram("pdftotext")) GTEST_SKIP() << "pdftotext is not installed (poppler-utils)";
  EXPECT_EQ(ReadPdf("%PDF-1.4\nnothing").error().kind, ErrorKind::kCorrupt);
  EXPECT_EQ(ReadPdf(MakePdf("")).error().kind, ErrorKind::kCorrupt);
}

}  // namespace
}  // namespace sibyl::page
