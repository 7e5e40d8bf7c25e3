// SPDX-License-Identifier: Apache-2.0
#include "base/files/write_all.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <thread>

#include "base/files/file_descriptor.h"

namespace sibyl {
namespace {

TEST(WriteAll, WritesMoreThanAPipeHoldsAtOnce) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  const FileDescriptor reader(ends[0]);
  FileDescriptor writer(ends[1]);
  const std::string sent(300000, 'x');
  std::string received;
  std::thread reading([&received, &reader] {
    char buffer[4096];
    for (ssize_t got = 0; (got = ::read(reader.number(), buffer, sizeof buffer)) > 0;) {
      received.append(buffer, static_cast<std::size_t>(got));
    }
  });
  EXPECT_EQ(WriteAll(writer.number(), sent), 0);
  writer.Close();
  reading.join();
  EXPECT_EQ(received, sent);
}

TEST(WriteAll, ReturnsTheErrno) {
  const FileDescriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  ASSERT_TRUE(full.is_open());
  EXPECT_EQ(WriteAll(full.number(), "x"), ENOSPC);
  EXPECT_EQ(WriteAll(-1, "x"), EBADF);
  EXPECT_EQ(WriteAllAt(-1, "x", 0), EBADF);
  EXPECT_EQ(WriteAll(-1, ""), 0);
}

TEST(WriteAllAt, LeavesThePositionWhereItWas) {
  const FileDescriptor file(::open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!file.is_open()) GTEST_SKIP() << "/tmp has no unnamed files";
  EXPECT_EQ(WriteAll(file.number(), "abcdef"), 0);
  EXPECT_EQ(WriteAllAt(file.number(), "XY", 2), 0);
  EXPECT_EQ(WriteAll(file.number(), "g"), 0);
  char buffer[16];
  ASSERT_EQ(::pread(file.number(), buffer, sizeof buffer, 0), 7);
  EXPECT_EQ(std::string(buffer, 7), "abXYefg");
}

}  // namespace
}  // namespace sibyl
