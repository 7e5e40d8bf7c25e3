// SPDX-License-Identifier: Apache-2.0
#include "base/files/user_cache.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <functional>

#include "base/files/files.h"
#include "base/files/temporary_folder.h"
#include "base/files/user_state.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

// In a process of another user, since root may write everywhere.
class UserCacheTest : public testing::Test {
 protected:
  UserCacheTest() {
    fs::permissions(folder_.path(), fs::perms::all);
    fs::create_directories(home());
    fs::permissions(home(), fs::perms::all);
  }

  fs::path home() const { return folder_.path() / "home"; }
  fs::path cache() const { return home() / ".cache/sibyl"; }
  bool Holds(const std::string& home, const std::function<bool()>& check) const {
    const auto run = [&] {
      ::unsetenv("XDG_CACHE_HOME");                   // NOLINT(concurrency-mt-unsafe)
      ::unsetenv("XDG_STATE_HOME");                   // NOLINT(concurrency-mt-unsafe)
      ::setenv("HOME", home.c_str(), 1);              // NOLINT(concurrency-mt-unsafe)
      ::setenv("TMPDIR", folder_.path().c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
      constexpr ::uid_t kNobody = 65534;
      if (::geteuid() == 0 && ::setuid(kNobody) != 0) return false;
      return check();
    };
    const auto end = [&] { ::_exit(run() ? 0 : 1); };
    EXPECT_EXIT(end(), testing::ExitedWithCode(0), "");
    return true;
  }
  void MakeReadOnly() const {
    for (const auto& each : fs::recursive_directory_iterator(home())) {
      constexpr auto kReadOnly = static_cast<fs::perms>(0555);
      fs::permissions(each.path(), kReadOnly);
    }
  }
  fs::path Temporary(::uid_t user) const {
    return folder_.path() / ("sibyl-" + std::to_string(user));
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(UserCacheTest, IsInTheHome) {
  EXPECT_TRUE(Holds(home().string(), [this] { return *UserCacheFolder() == cache(); }));
}

// Issue 23: with one that root had made, nothing was found.
TEST_F(UserCacheTest, OneThatCannotBeWrittenToIsReplaced) {
  fs::create_directories(cache() / "index/latest");
  MakeReadOnly();
  EXPECT_TRUE(
      Holds(home().string(), [this] { return *UserCacheFolder() == Temporary(::geteuid()); }));
}

TEST_F(UserCacheTest, APartThatCannotBeWrittenToCounts) {
  fs::create_directories(cache() / "index/latest");
  MakeReadOnly();
  fs::permissions(cache(), fs::perms::all);
  EXPECT_TRUE(
      Holds(home().string(), [this] { return *UserCacheFolder() == Temporary(::geteuid()); }));
}

TEST_F(UserCacheTest, OneThatIsFilledIsReadAndIndexesAreMadeElsewhere) {
  fs::create_directories(cache() / "sources/a.git");
  MakeReadOnly();
  EXPECT_TRUE(Holds(home().string(), [this] {
    return *UserCacheFolder() == cache() && WritableCache(cache()) == Temporary(::geteuid());
  }));
}

TEST_F(UserCacheTest, AHomeThatDoesNotExistIsNotMade) {
  const fs::path gone = home() / "gone";
  EXPECT_TRUE(Holds(gone.string(), [&] {
    return *UserCacheFolder() == Temporary(::geteuid()) && !UserState::DefaultFolder().ok() &&
           !fs::exists(gone);
  }));
}

TEST_F(UserCacheTest, ARelativeHomeCountsAsUnset) {
  EXPECT_TRUE(Holds("relative", [this] {
    return *UserCacheFolder() == Temporary(::geteuid()) && !fs::exists("relative");
  }));
}

}  // namespace
}  // namespace sibyl
