// SPDX-License-Identifier: Apache-2.0
#include "base/files/scratch_file.h"

#include <gtest/gtest.h>

#include <string>

namespace sibyl {
namespace {

TEST(ScratchFile, GivesBackWhatWasAppended) {
  Result<ScratchFile> file = ScratchFile::Create();
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE(file->Append("one").ok());
  ASSERT_TRUE(file->Append(std::string(1 << 20, 'x')).ok());
  const Result<MappedFile> mapped = file->Map();
  ASSERT_TRUE(mapped.ok());
  EXPECT_EQ(mapped->bytes(), "one" + std::string(1 << 20, 'x'));
}

}  // namespace
}  // namespace sibyl
