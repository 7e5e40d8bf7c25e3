// SPDX-License-Identifier: Apache-2.0
// Files that older versions wrote can still be read, or are rejected with a message
// and made again. SIBYL_UPDATE=1 writes the fixture of a new version; one that
// exists is never changed.
#include "formats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <regex>

#include "base/files/files.h"
#include "base/process/environment.h"
#include "base/strings.h"
#include "interface/formats.h"

namespace sibyl::formats {
namespace {

namespace fs = std::filesystem;

const fs::path kHouse = SIBYL_SOURCE_DIR;
const fs::path kFixtures = kHouse / "tests/formats";

// Constants that look like the version of a file but are not, with the reason.
const std::map<std::string, std::string>& NotFormats() {
  static const auto* const kOthers = new std::map<std::string, std::string>{
      {"src/interface/json_answer.h kJsonVersion", "of answers on standard output"},
      {"src/draft/model/model_prompt.h kPromptVersion", "a changed prompt is asked again"},
      {"src/expansion/expansion_inputs.cc kWriterVersion", "a changed writer writes again"},
      {"src/oracle/snapshot_documents.h kPassageRules", "a changed rule builds the index again"},
      {"src/oracle/commit_documents.h kMessageRules", "a changed rule builds the index again"},
      {"src/oracle/source_vectors.h kVectorRules", "a changed rule learns again"},
      {"src/oracle/page_index.cc kPageRules", "a changed rule builds the index again"},
      {"src/engine/own/own_memory.cc kJudgeRules", "a changed rule judges again"},
      {"src/references/kept/kept_verdicts.h kRulesVersion", "a changed rule judges again"},
      {"src/references/find/line_numbers.cc kNoLineZero", "a line number"},
      {"src/evidence/shared/shared_store.cc kStoreVersion",
       "of the layout; a newer one is refused"},
      {"src/interface/site/site_folder.cc kMarkerHead",
       "the marker of a site of another version is refused"},
      {"src/inspect/machine/nvml.cc kVersionMismatch", "an error code of NVML"}};
  return *kOthers;
}

std::vector<Format> AllFormats() {
  std::vector<Format> all;
  for (const auto& formats : {CacheFormats(), JournalFormats(), OracleFormats()}) {
    all.insert(all.end(), formats.begin(), formats.end());
  }
  return all;
}

/// "src/lab/run.cc kVersion" to 1, for every constant that looks like a version.
std::map<std::string, int> VersionsInTheCode() {
  const std::regex number(
      R"(constexpr (?:int|std::u?int\d+_t) (k\w*(?:Version|Format|Revision)\w*) = (\d+);)");
  const std::regex first_line(
      R"rx(constexpr std::string_view (k\w+) = "(?:[a-z]+ )*[a-z]+[ -](\d+)";)rx");
  std::map<std::string, int> versions;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kHouse / "src")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".h") && !name.ends_with(".cc")) continue;
    if (name.ends_with("_test.cc") || name.starts_with("test_")) continue;
    const std::string text = ReadFixture(entry.path());
    const std::string path = fs::relative(entry.path(), kHouse).generic_string();
    for (const std::string_view line : SplitLines(text)) {
      if (line.find("constexpr ") == std::string_view::npos) continue;
      for (const std::regex& pattern : {number, first_line}) {
        std::cmatch match;
        if (!std::regex_search(line.data(), line.data() + line.size(), match, pattern)) continue;
        versions[path + ' ' + match[1].str()] = std::stoi(match[2].str());
      }
    }
  }
  return versions;
}

struct Fixture {
  Format format;
  int version = 0;

  fs::path Folder() const { return kFixtures / format.name / ("v" + std::to_string(version)); }
};

std::vector<Fixture> AllFixtures() {
  std::vector<Fixture> fixtures;
  for (const Format& format : AllFormats()) {
    constexpr int kMostVersions = 100;
    for (int version = 1; version <= kMostVersions; ++version) {
      Fixture fixture{.format = format, .version = version};
      if (fs::exists(fixture.Folder())) fixtures.push_back(fixture);
    }
  }
  return fixtures;
}

TEST(Formats, EveryVersionNumberInTheCodeBelongsToAKnownFormat) {
  std::map<std::string, int> known;
  for (const Format& format : AllFormats()) {
    if (!format.constant.empty())
      ++known[Join({std::string(format.source), std::string(format.constant)}, " ")];
  }
  const std::map<std::string, int> versions = VersionsInTheCode();
  for (const auto& [constant, version] : versions) {
    EXPECT_TRUE(known.contains(constant) || NotFormats().contains(constant))
        << constant << " = " << version
        << " looks like the version of a file: add the format to tests/formats, see "
           "docs/formats/README.md";
  }
  for (const auto& [constant, count] : known) {
    EXPECT_TRUE(versions.contains(constant)) << constant << " is not in the code any more";
  }
  for (const auto& [constant, why] : NotFormats()) {
    EXPECT_TRUE(versions.contains(constant)) << constant << " is not in the code any more";
  }
}

// `sibyl version --json` shows the table; what it says is what the code writes and reads.
TEST(Formats, TheProgramTellsTheVersionsThatItWritesAndReads) {
  const std::map<std::string, int> versions = VersionsInTheCode();
  std::map<std::string, interface::FormatVersion> told;
  for (const interface::FormatVersion& format : interface::FormatVersions()) {
    EXPECT_TRUE(told.emplace(format.name, format).second) << format.name << " is there twice";
    EXPECT_LE(format.reads, format.version) << format.name;
  }
  for (const Format& format : AllFormats()) {
    const auto row = told.find(std::string(format.name));
    ASSERT_NE(row, told.end()) << format.name << " is not in src/interface/formats.cc";
    const auto constant =
        versions.find(std::string(format.source) + ' ' + std::string(format.constant));
    if (constant != versions.end()) {
      EXPECT_EQ(row->second.version, constant->second) << format.name;
    }
    int oldest = 0;
    for (const Fixture& fixture : AllFixtures()) {
      if (fixture.format.name == format.name && oldest == 0) oldest = fixture.version;
    }
    EXPECT_EQ(row->second.reads, oldest) << format.name << ": the oldest fixture is v" << oldest;
    told.erase(row);
  }
  // They have no fixture: answers and sites are written only, plans by people.
  EXPECT_EQ(told["site"].version, versions.at("src/interface/site/site_folder.cc kMarkerHead"));
  for (const char* name : {"answer", "plan", "site"}) told.erase(name);
  EXPECT_TRUE(told.empty()) << told.begin()->first << " has no fixture";
}

TEST(Formats, EveryCurrentVersionHasAFixture) {
  const std::map<std::string, int> versions = VersionsInTheCode();
  for (const Format& format : AllFormats()) {
    const auto found =
        versions.find(std::string(format.source) + ' ' + std::string(format.constant));
    const int version = format.constant.empty() ? 1 : found == versions.end() ? 0 : found->second;
    const Fixture fixture{.format = format, .version = version};
    if (EnvironmentVariable("SIBYL_UPDATE") == "1" && !fs::exists(fixture.Folder())) {
      fs::create_directories(fixture.Folder());
      format.write(fixture.Folder());
    }
    EXPECT_TRUE(fs::exists(fixture.Folder()))
        << format.name << " has version " << version << " and no fixture; SIBYL_UPDATE=1 writes "
        << fs::relative(fixture.Folder(), kHouse);
  }
}

TEST(Formats, EveryFixtureIsReadAndSmall) {
  std::map<std::string, bool> known;
  for (const Format& format : AllFormats()) known[std::string(format.name)] = true;
  constexpr std::uintmax_t kMostBytes = 24 << 10;
  for (const fs::directory_entry& entry : fs::directory_iterator(kFixtures)) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(known.contains(entry.path().filename().string())) << entry.path() << " is not read";
    for (const fs::directory_entry& file : fs::recursive_directory_iterator(entry.path())) {
      if (!file.is_regular_file()) continue;
      EXPECT_LE(file.file_size(), kMostBytes) << file.path();
    }
  }
}

class FormatFixture : public ::testing::TestWithParam<Fixture> {};

TEST_P(FormatFixture, CanBeRead) { GetParam().format.read(GetParam().Folder()); }

INSTANTIATE_TEST_SUITE_P(All, FormatFixture, ::testing::ValuesIn(AllFixtures()),
                         [](const auto& instance) {
                           std::string name = std::string(instance.param.format.name) + "_v" +
                                              std::to_string(instance.param.version);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace

std::string ReadFixture(const fs::path& path) {
  Result<std::string> text = ReadFile(path);
  EXPECT_TRUE(text.ok()) << path << ": " << (text.ok() ? "" : text.error().message);
  return text.ok() ? *std::move(text) : std::string();
}

void WriteFixture(const fs::path& path, std::string_view bytes) {
  EXPECT_TRUE(CreateFolders(path.parent_path()).ok()) << path;
  EXPECT_TRUE(WriteFileAtomically(path, bytes).ok()) << path;
}

}  // namespace sibyl::formats
