// SPDX-License-Identifier: Apache-2.0
#include "audit/owners/path_group.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "audit/audit.h"
#include "audit/test_witness.h"

namespace sibyl::audit {
namespace {

using List = std::vector<std::string>;

List PathAlarms(const std::string& text) {
  static const TestWitness* const kSources =
      new TestWitness({{.name = "gizmo",
                        .files = {{"cmake/Modules/FindQueue.cmake", "x\n"},
                                  {"cmake/Modules/FindPool.cmake", "x\n"},
                                  {"cmake/Modules/FindRing.cmake", "x\n"},
                                  {"cmake/Modules/Select.cmake", "x\n"},
                                  {"include/gizmo/atom/copy.hpp", "x\n"},
                                  {"include/gizmo/atom/mma.hpp", "x\n"},
                                  {"deep/src/Tensor/cuda/Graph.h", "x\n"},
                                  {"deep/src/Tensor/cuda/Event.h", "x\n"},
                                  {"deep/src/Tensor/cuda/Stream.h", "x\n"},
                                  {"ci/docker/common/install.sh", "x\n"}}}});
  const auto judged = Auditor(**kSources).Audit({.file = "n.md", .text = text});
  List alarms;
  for (const statement::Judgement& judgement : *judged) {
    if (judgement.Fails()) alarms.push_back(judgement.text);
  }
  return alarms;
}

TEST(PathGroup, AFileBesideFilesOfAFolderThatTheTextNamesShouldBeThere) {
  EXPECT_EQ(PathAlarms("Modules are in `cmake/Modules`: `FindQueue.cmake`, `FindLoop.cmake`.\n"),
            List{"FindLoop.cmake"});
  EXPECT_EQ(PathAlarms("Modules are `FindQueue.cmake`, `FindRing.cmake` and `FindPools.cmake`.\n"),
            List{"FindPools.cmake"});
}

TEST(PathGroup, AFileOfAnotherKindMayBeTheTextsOwn) {
  EXPECT_EQ(PathAlarms("Write `mine.cmake` beside `FindQueue.cmake` in `cmake/Modules`.\n"),
            List{});
  EXPECT_EQ(PathAlarms("We have `FindLoop.cmake`.\n"), List{});
}

TEST(PathGroup, AHeaderIsNamedFromBelowItsRoot) {
  EXPECT_EQ(PathAlarms("See `gizmo/atom/copy.hpp` and `gizmo/atom/swap.hpp`.\n"),
            List{"gizmo/atom/swap.hpp"});
  EXPECT_EQ(PathAlarms("Graphs are in `Tensor/cuda/Graphs.h`.\n"), List{"Tensor/cuda/Graphs.h"});
  EXPECT_EQ(PathAlarms("Run `docker/common/update.sh`.\n"), List{});
}

}  // namespace
}  // namespace sibyl::audit
