// SPDX-License-Identifier: Apache-2.0
#include "draft/answer/long_forms.h"

#include <gtest/gtest.h>

namespace sibyl::draft {
namespace {

TEST(LongFormsTest, InitialsAreThoseOfTheParts) {
  EXPECT_EQ(InitialsOf("DistributedDataParallel"), "ddp");
  EXPECT_EQ(InitialsOf("scaled_dot_product_attention"), "sdpa");
  EXPECT_EQ(InitialsOf("GradScaler"), "");
  EXPECT_EQ(InitialsOf("DDP"), "");
  EXPECT_EQ(InitialsOf("word"), "");
}

TEST(LongFormsTest, TheMostFrequentNameIsTaken) {
  const std::vector<std::string> texts = {
      "DDP wraps DistributedDataParallel; see DistributedDataParallel and DenseDataPipe"};
  EXPECT_EQ(LongForms(ReadQuestion("What is the default bucket size of DDP?"), texts),
            std::vector<std::string>{"DistributedDataParallel"});
  EXPECT_TRUE(LongForms(ReadQuestion("What is the default bucket size?"), texts).empty());
}

}  // namespace
}  // namespace sibyl::draft
