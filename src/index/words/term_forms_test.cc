// SPDX-License-Identifier: Apache-2.0
#include "index/words/term_forms.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sibyl::index {
namespace {

std::vector<std::string> Forms(std::string_view word) {
  TermForms forms;
  std::vector<std::string> texts;
  for (const TermForm& form : forms.Derive(word)) texts.push_back(form.text);
  return texts;
}

using Texts = std::vector<std::string>;

TEST(TermForms, OfAnIdentifierAreTheWholeAndItsParts) {
  EXPECT_EQ(Forms("TORCH_CUDA_ARCH_LIST"),
            (Texts{"torch_cuda_arch_list", "torch", "cuda", "arch", "list"}));
  EXPECT_EQ(Forms("cudaGraphLaunch"), (Texts{"cudagraphlaunch", "cuda", "graph", "launch"}));
  EXPECT_EQ(Forms("HTTPServer2Go"), (Texts{"httpserver2go", "http", "server2", "go"}));
}

TEST(TermForms, OfAWordAreTheWordAndItsStem) {
  EXPECT_EQ(Forms("Kernels"), (Texts{"kernels", "kernel"}));
  EXPECT_EQ(Forms("kernel"), (Texts{"kernel"}));
}

TEST(TermForms, CountTheWrittenFormMost) {
  TermForms forms;
  const auto derived = forms.Derive("loadMatrices");
  ASSERT_FALSE(derived.empty());
  EXPECT_EQ(derived[0].kind, FormKind::kWhole);
  for (const TermForm& form : derived.subspan(1)) EXPECT_LT(form.eighths, derived[0].eighths);
}

TEST(TermForms, LeaveOutSingleLettersAndLongNumbers) {
  EXPECT_EQ(Forms("x_y"), (Texts{"x_y"}));
  EXPECT_EQ(Forms("id_1234567"), (Texts{"id_1234567", "id"}));
}

TEST(TermForms, OfAPieceOfEncodedDataAreItselfAlone) {
  EXPECT_EQ(Forms("Rk3sPqZx9Tb2LmVw7HcYd0NfJg"), (Texts{"rk3spqzx9tb2lmvw7hcyd0nfjg"}));
  EXPECT_EQ(Forms("m5CgTAPxA831k6dixY2OPMDVaa7n"), (Texts{"m5cgtapxa831k6dixy2opmdvaa7n"}));
}

TEST(TermForms, OfNamesWithManyDigitsAreTheirParts) {
  EXPECT_EQ(Forms("KernelTmaWarpSpecialized1SmMxf8f6f4Sm100"),
            (Texts{"kerneltmawarpspecialized1smmxf8f6f4sm100", "kernel", "tma", "warp",
                   "specialized1", "sm", "mxf8f6f4", "sm100"}));
  EXPECT_EQ(Forms("kFloat8E4M3"), (Texts{"kfloat8e4m3", "float8e4m3"}));
  EXPECT_EQ(Forms("SM90_64x128x16_F16F16F16_SS"),
            (Texts{"sm90_64x128x16_f16f16f16_ss", "sm90", "64x128x16", "f16f16f16", "ss"}));
}

TEST(TermForms, CutAtTypographicPunctuation) {
  EXPECT_EQ(Forms("fast\xE2\x80\x94really"),
            (Texts{"fast\xE2\x80\x94really", "fast", "really", "realli"}));
}

TEST(TermForms, LowerWhatRegularExpressionsTakeForAsciiLetters) {
  std::string lower;
  AppendLower("\xE2\x84\xAA_\xC5\xBF_\xC3\x89", lower);  // Kelvin sign, long s, É
  EXPECT_EQ(lower, "k_s_\xC3\x89");
}

}  // namespace
}  // namespace sibyl::index
