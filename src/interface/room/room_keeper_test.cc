// SPDX-License-Identifier: Apache-2.0
// Pages that are kept, and those that are made ahead.
#include "interface/room/room_keeper.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/files/temporary_folder.h"
#include "interface/room/room_cache.h"

namespace sibyl::interface {
namespace {

TEST(RoomCacheTest, ForgetsTheLeastUsed) {
  const TemporaryFolder folder;
  RoomCache cache(folder.path(), 1'000);
  const auto now = std::chrono::steady_clock::now();
  EXPECT_EQ(cache.Find("a", now).response, nullptr);
  const auto put = [&](const char* key) {
    cache.Put(key, std::make_shared<const KeptResponse>(KeepResponse("t", std::string(240, 'x'))),
              cache.State(), now);
  };
  for (const char* key : {"a", "b", "c"}) put(key);
  EXPECT_NE(cache.Find("a", now).response, nullptr);
  for (const char* key : {"d", "e"}) put(key);
  EXPECT_NE(cache.Find("a", now).response, nullptr);
  EXPECT_FALSE(cache.Find("a", now).is_old);
  EXPECT_EQ(cache.Find("b", now).response, nullptr);
  EXPECT_LE(cache.bytes(), 1'000U);
  EXPECT_FALSE(cache.IsReady("a", now + RoomCache::kFresh * 3));
  const RoomCache::Found old = cache.Find("a", now + RoomCache::kLongest);
  EXPECT_NE(old.response, nullptr);
  EXPECT_TRUE(old.is_old);
  EXPECT_EQ(old.made, now);
  EXPECT_EQ(cache.Find("a", now + RoomCache::kTooOld).response, nullptr);
  EXPECT_FALSE(cache.IsReady("a", now + RoomCache::kTooOld));
}

TEST(RoomCacheTest, KeepsOneFormOfABody) {
  const std::string text(4'000, 'x');
  const KeptResponse packed = KeepResponse("text/html", text);
  EXPECT_TRUE(packed.body.empty());
  EXPECT_LT(packed.size(), text.size() / 10);
  EXPECT_EQ(packed.Body(), text);
  const KeptResponse small = KeepResponse("text/html", "short");
  EXPECT_TRUE(small.compressed.empty());
  EXPECT_EQ(small.Body(), "short");
}

TEST(RoomKeeperTest, MakesEachPageOnce) {
  Mutex mutex;
  Condition changed;
  bool may_go = false;
  std::vector<std::string> made;
  RoomKeeper keeper([&](const std::string& path, const std::stop_token&) {
    const MutexLock lock(mutex);
    while (!may_go) changed.Wait(mutex);
    made.push_back(path);
    changed.NotifyAll();
  });
  for (const char* path : {"a", "b", "a", "b", "c"}) keeper.Add(path);
  const MutexLock lock(mutex);
  may_go = true;
  changed.NotifyAll();
  while (made.size() < 3) changed.Wait(mutex);
  EXPECT_EQ(made, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(RoomKeeperTest, SomebodyWhoLooksComesFirst) {
  Mutex mutex;
  Condition changed;
  bool may_go = false;
  std::vector<std::string> made;
  RoomKeeper keeper([&](const std::string& path, const std::stop_token&) {
    const MutexLock lock(mutex);
    while (!may_go) changed.Wait(mutex);
    made.push_back(path);
    changed.NotifyAll();
  });
  keeper.Add("a");
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // it is being made
  for (const char* path : {"b", "c"}) keeper.Add(path);
  for (const char* path : {"c", "d", "a"}) keeper.AddFirst(path);
  const MutexLock lock(mutex);
  may_go = true;
  changed.NotifyAll();
  while (made.size() < 4) changed.Wait(mutex);
  EXPECT_EQ(made, (std::vector<std::string>{"a", "d", "c", "b"}));
}

}  // namespace
}  // namespace sibyl::interface
