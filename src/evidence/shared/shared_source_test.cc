// SPDX-License-Identifier: Apache-2.0
#include "evidence/shared/shared_source.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "base/files/files.h"
#include "evidence/evidence.h"
#include "evidence/shared/store_upkeep.h"
#include "evidence/test_oracle.h"

namespace sibyl::evidence {
namespace {

namespace fs = std::filesystem;

/// Machines with a cache of their own, one oracle and one shared store.
class SharedSources : public testing::Test {
 protected:
  SharedSources() {
    EXPECT_TRUE(SharedStore::Init(shared_folder()).ok());
    fs::create_directories(oracle_.oracle() / "notes");
    Write("a.md", "# One\n\nText.\n");
    Write("b.md", "# Two\n");
  }

  fs::path shared_folder() const { return oracle_.folder() / "shared"; }

  void Write(const std::string& name, const std::string& text) const {
    EXPECT_TRUE(WriteFileAtomically(oracle_.oracle() / "notes" / name, text).ok());
  }

  Surroundings Machine(const std::string& name) const {
    Surroundings around = oracle_.around();
    around.store = Store(oracle_.folder() / name);
    Result<SharedStore> store = SharedStore::Open(shared_folder());
    if (store.ok()) around.shared = std::make_shared<const SharedStore>(std::move(*store));
    return around;
  }

  SourceChange AddNotes(const Surroundings& around) const {
    Result<SourceChange> added =
        AddSource({.name = "notes", .kind = SourceKind::kFolder, .origin = "notes"}, around);
    EXPECT_TRUE(added.ok()) << added.error().message;
    return added.ok() ? std::move(*added) : SourceChange();
  }

  TestOracle oracle_;
};

TEST_F(SharedSources, WhatOneMachinePinnedAnotherRestoresWithoutTheOrigin) {
  const Pin pin = AddNotes(Machine("a")).pin;
  fs::remove_all(oracle_.oracle() / "notes");
  EXPECT_FALSE(OpenSnapshot(pin, Machine("b")).ok());
  const Status restored = RestoreSource(pin, Machine("b"));
  ASSERT_TRUE(restored.ok()) << restored.error().message;
  EXPECT_EQ(OpenSnapshot(pin, Machine("b"))->files().size(), 2U);
  EXPECT_TRUE(fs::is_empty(shared_folder() / "claims"));
}

TEST_F(SharedSources, SeveralMachinesAtOnceRestoreTheSame) {
  const Pin pin = AddNotes(Machine("a")).pin;
  std::vector<Status> restored(4);
  {
    std::vector<std::jthread> machines;
    for (std::size_t i = 0; i < restored.size(); ++i) {
      machines.emplace_back(
          [&, i] { restored[i] = RestoreSource(pin, Machine("m" + std::to_string(i))); });
    }
  }
  for (std::size_t i = 0; i < restored.size(); ++i) {
    EXPECT_TRUE(restored[i].ok());
    EXPECT_TRUE(OpenSnapshot(pin, Machine("m" + std::to_string(i))).ok());
  }
}

TEST_F(SharedSources, ADamagedStoreCostsAFetchAndNothingElse) {
  const Pin pin = AddNotes(Machine("a")).pin;
  for (const auto& entry : fs::recursive_directory_iterator(shared_folder() / "files")) {
    if (entry.is_regular_file()) {
      fs::permissions(entry.path(), fs::perms::owner_write, fs::perm_options::add);
      ASSERT_TRUE(WriteFileAtomically(entry.path(), "damaged").ok());
    }
  }
  const Status restored = RestoreSource(pin, Machine("b"));
  EXPECT_TRUE(restored.ok()) << restored.error().message;
  EXPECT_TRUE(OpenSnapshot(pin, Machine("b")).ok());
}

TEST_F(SharedSources, AStoreThatCannotBeWrittenIsAWarning) {
  const Surroundings machine = Machine("a");
  fs::remove_all(shared_folder());
  const SourceChange change = AddNotes(machine);
  ASSERT_EQ(change.findings.size(), 1U);
  EXPECT_EQ(change.findings.front().code, "store/unavailable");
  EXPECT_TRUE(OpenSnapshot(change.pin, machine).ok());
}

TEST_F(SharedSources, TwoFiltersOfOneTreeAreTwoRecords) {
  const Pin all = AddNotes(Machine("a")).pin;
  Pin filtered = all;
  filtered.filter.exclude = {"b.md"};
  EXPECT_FALSE(*BringSource(filtered, Machine("b")));
  EXPECT_TRUE(*BringSource(all, Machine("b")));
  EXPECT_EQ(CheckStore(*Machine("b").shared, {})->content.sources, 1U);
}

}  // namespace
}  // namespace sibyl::evidence
