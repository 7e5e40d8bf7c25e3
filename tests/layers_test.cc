// SPDX-License-Identifier: Apache-2.0
// The shape of the house, held by a test: who may include whom, how long a file
// may be, what each file starts with. Says file and line.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"
#include "base/strings.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = SIBYL_SOURCE_DIR;
constexpr std::size_t kMostLines = 800;
constexpr std::string_view kLicence = "SPDX-License-Identifier: Apache-2.0";

// In the order of the data, as in CMakeLists.txt. Each may include itself too.
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"base", {}},
    {"net", {"base"}},
    {"page", {"base"}},
    {"model", {"base", "net"}},
    {"plan", {"base"}},
    {"evidence", {"base", "page"}},
    {"research", {"base", "plan", "net"}},
    {"inspect", {"base", "evidence"}},
    {"lab", {"base", "evidence"}},
    {"index", {"base", "evidence"}},
    {"runner", {"base"}},
    {"draft", {"base", "plan", "evidence", "index", "model"}},
    {"verify", {"base", "evidence", "index", "draft"}},
    {"library", {"base", "plan", "draft", "verify"}},
    {"engine",
     {"base", "net", "model", "plan", "evidence", "research", "inspect", "lab", "index", "runner",
      "draft", "verify", "library"}},
    {"interface", {"base", "engine"}},
};

struct Source {
  std::string path;  // from the root, with forward slashes
  std::string text;
};

std::vector<Source> ReadSources(const std::vector<std::string>& folders) {
  std::vector<Source> sources;
  for (const std::string& folder : folders) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cc") continue;
      Result<std::string> text = ReadFile(entry.path());
      if (!text.ok()) continue;  // removed while we look
      sources.push_back(
          {.path = fs::relative(entry.path(), kRoot).generic_string(), .text = *std::move(text)});
    }
  }
  return sources;
}

// The path of `#include "x/y.h"`; empty for any other line.
std::string_view IncludedPath(std::string_view line) {
  constexpr std::string_view kStart = "#include \"";
  if (!line.starts_with(kStart)) return {};
  line.remove_prefix(kStart.size());
  return line.substr(0, line.find('"'));
}

// Nothing when `path` may include `included`, or else what is wrong with it.
std::string WhyNot(std::string_view path, std::string_view included) {
  const std::string_view in_src = path.substr(std::string_view("src/").size());
  const std::string from(in_src.substr(0, in_src.find('/')));
  const std::string to(included.substr(0, included.find('/')));
  if (included.find('/') == std::string_view::npos) {
    return "includes are written from src/, as in \"base/result.h\"";
  }
  if (!kMayInclude.contains(to)) return to + " is no module of ours";
  if (from == "main.cc") return to == "interface" || to == "base" ? "" : "main is only a face";
  if (from == to || kMayInclude.at(from).contains(to)) return "";
  return from + " may not include " + to;
}

TEST(Layers, EveryFolderOfSrcIsInTheTable) {
  for (const fs::directory_entry& entry : fs::directory_iterator(kRoot / "src")) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(kMayInclude.contains(entry.path().filename().string()))
        << "src/" << entry.path().filename().string()
        << " is not in the table of tests/layers_test.cc: which modules may it use, and why?";
  }
}

TEST(Layers, EveryIncludeIsAllowed) {
  for (const Source& source : ReadSources({"src"})) {
    std::size_t number = 0;
    for (const std::string_view line : SplitLines(source.text)) {
      ++number;
      const std::string_view included = IncludedPath(line);
      if (included.empty()) continue;
      const std::string why = WhyNot(source.path, included);
      EXPECT_TRUE(why.empty()) << source.path << ":" << number << ": " << line << ": " << why;
    }
  }
}

TEST(Layers, TheTableIsHeldAgainstInventedIncludes) {
  EXPECT_EQ(WhyNot("src/plan/parse.cc", "base/result.h"), "");
  EXPECT_EQ(WhyNot("src/plan/parse.cc", "plan/plan.h"), "");
  EXPECT_EQ(WhyNot("src/plan/parse.cc", "engine/engine.h"), "plan may not include engine");
  EXPECT_EQ(WhyNot("src/base/files.cc", "plan/plan.h"), "base may not include plan");
  EXPECT_EQ(WhyNot("src/interface/cli/cli.cc", "plan/plan.h"), "interface may not include plan");
  EXPECT_EQ(WhyNot("src/plan/parse.cc", "util/x.h"), "util is no module of ours");
  EXPECT_NE(WhyNot("src/plan/parse.cc", "plan.h"), "");
}

// The build compiles only those headers alone that have no .cc of their name.
TEST(Layers, EveryFileIncludesItsOwnHeaderFirst) {
  for (const Source& source : ReadSources({"src"})) {
    if (!source.path.ends_with(".cc") || source.path.ends_with("_test.cc")) continue;
    const std::string header = source.path.substr(0, source.path.size() - 2) + "h";
    if (!fs::exists(kRoot / header)) continue;
    const std::string own = "#include \"" + header.substr(std::string_view("src/").size()) + "\"";
    for (const std::string_view line : SplitLines(source.text)) {
      if (!line.starts_with("#include")) continue;
      EXPECT_EQ(line, own) << source.path << ": its own header comes first";
      break;
    }
  }
}

TEST(Layers, NoFileIsLongerThanCanBeRead) {
  for (const Source& source : ReadSources({"src", "tests", "fuzz", "bench"})) {
    const std::size_t lines = SplitLines(source.text).size();
    EXPECT_LE(lines, kMostLines) << source.path << ":" << lines
                                 << ": look for the second subject in it";
  }
}

TEST(Layers, EveryFileNamesItsLicence) {
  for (const Source& source : ReadSources({"src", "tests", "fuzz", "bench"})) {
    const std::string first = source.text.substr(0, source.text.find('\n'));
    EXPECT_EQ(first, "// " + std::string(kLicence)) << source.path << ":1";
  }
}

TEST(Layers, EveryHeaderSaysWhatItIsForAndIsReadOnce) {
  for (const Source& source : ReadSources({"src"})) {
    if (!source.path.ends_with(".h")) continue;
    const auto lines = SplitLines(source.text);
    EXPECT_TRUE(lines.size() > 1 && lines[1].starts_with("// "))
        << source.path << ":2: say what the file is for";
    EXPECT_NE(source.text.find("\n#pragma once\n"), std::string::npos) << source.path;
  }
}

}  // namespace
}  // namespace sibyl
