// SPDX-License-Identifier: Apache-2.0
#include "base/files/shared_claim.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

class SharedClaimTest : public testing::Test {
 protected:
  fs::path file() const { return folder_.path() / "claim"; }

  static SharedClaimOptions Fast() {
    return {.renewal = milliseconds(5),
            .abandoned = milliseconds(10'000),
            .patience = milliseconds(20'000),
            .poll = milliseconds(1)};
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(SharedClaimTest, OneOfManyDoesTheWorkAndTheOthersWait) {
  std::atomic<bool> is_done = false;
  std::atomic<int> works = 0;
  const auto work = [&] {
    const auto claim = SharedClaim::Take(
        file(), [&] { return is_done.load(); }, Fast());
    ASSERT_TRUE(claim.ok()) << claim.error().message;
    if (!claim->has_value()) return;
    if (is_done) return;
    ++works;
    std::this_thread::sleep_for(milliseconds(20));
    is_done = true;
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back(work);
  threads.clear();
  EXPECT_EQ(works, 1);
  EXPECT_FALSE(fs::exists(file()));
}

TEST_F(SharedClaimTest, AnAbandonedClaimIsTaken) {
  ASSERT_TRUE(WriteFileAtomically(file(), "left by a machine that lost its power\n").ok());
  SharedClaimOptions options = Fast();
  options.abandoned = milliseconds(20);
  const auto claim = SharedClaim::Take(
      file(), [] { return false; }, options);
  ASSERT_TRUE(claim.ok());
  EXPECT_TRUE(claim->has_value());
}

TEST_F(SharedClaimTest, AClaimThatIsRenewedIsNotTakenAndPatienceEnds) {
  const auto holder = SharedClaim::Take(
      file(), [] { return false; }, Fast());
  ASSERT_TRUE(holder.ok() && holder->has_value());
  SharedClaimOptions options = Fast();
  options.abandoned = milliseconds(1'000);
  options.patience = milliseconds(1'500);
  const auto second = SharedClaim::Take(
      file(), [] { return false; }, options);
  ASSERT_TRUE(second.ok());
  EXPECT_FALSE(second->has_value());
  EXPECT_TRUE(fs::exists(file()));
}

TEST_F(SharedClaimTest, AHolderThatLostItsClaimLeavesTheNewOne) {
  {
    const auto holder = SharedClaim::Take(
        file(), [] { return false; }, Fast());
    ASSERT_TRUE(holder.ok() && holder->has_value());
    fs::remove(file());
    ASSERT_TRUE(WriteFileAtomically(file(), "of another machine\n").ok());
  }
  EXPECT_TRUE(fs::exists(file()));
}

TEST_F(SharedClaimTest, WaitingCanBeCancelledAndAFolderThatIsGoneIsAnError) {
  const auto holder = SharedClaim::Take(
      file(), [] { return false; }, Fast());
  SharedClaimOptions options = Fast();
  options.cancelled = [] { return true; };
  const auto waiting = SharedClaim::Take(
      file(), [] { return false; }, options);
  ASSERT_FALSE(waiting.ok());
  EXPECT_EQ(waiting.error().kind, ErrorKind::kCancelled);
  EXPECT_FALSE(
      SharedClaim::Take(file().parent_path() / "none" / "claim", [] { return false; }).ok());
}

}  // namespace
}  // namespace sibyl
