// SPDX-License-Identifier: Apache-2.0
// Rules for the whole repository: which rooms may include which, which may open
// files and how, how long a file may be, what each file starts with. Failures
// name file and line.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/files.h"
#include "base/strings.h"

namespace sibyl {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = SIBYL_SOURCE_DIR;
constexpr std::size_t kMostLines = 800;
constexpr std::string_view kLicence = "SPDX-License-Identifier: Apache-2.0";

// Which rooms each room may include, itself aside: the list in CMakeLists.txt,
// which the build hands over as "base= net=base page=base model=base,net".
std::map<std::string, std::set<std::string>> ReadRooms(std::string_view list) {
  std::map<std::string, std::set<std::string>> rooms;
  while (!list.empty()) {
    const std::string_view room = list.substr(0, list.find(' '));
    list.remove_prefix(std::min(room.size() + 1, list.size()));
    const std::size_t equals = room.find('=');
    std::set<std::string>& uses = rooms[std::string(room.substr(0, equals))];
    std::string_view names = room.substr(equals + 1);
    while (!names.empty()) {
      const std::string_view name = names.substr(0, names.find(','));
      names.remove_prefix(std::min(name.size() + 1, names.size()));
      uses.emplace(name);
    }
  }
  return rooms;
}

const std::map<std::string, std::set<std::string>> kMayInclude = ReadRooms(SIBYL_ROOMS);

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
      if (!text.ok()) continue;  // removed meanwhile
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

// Empty if `path` may include `included`; otherwise what is wrong.
std::string WhyNot(std::string_view path, std::string_view included) {
  const std::string_view in_src = path.substr(std::string_view("src/").size());
  const std::string from(in_src.substr(0, in_src.find('/')));
  const std::string to(included.substr(0, included.find('/')));
  if (included.find('/') == std::string_view::npos) {
    return "includes are written from src/, as in \"base/result.h\"";
  }
  if (!kMayInclude.contains(to)) return to + " is not one of our rooms";
  if (from == "main.cc")
    return to == "interface" || to == "base" ? "" : "main.cc may include only interface and base";
  if (from == to || kMayInclude.at(from).contains(to)) return "";
  return from + " may not include " + to;
}

TEST(Layers, EveryFolderOfSrcIsInTheTable) {
  for (const fs::directory_entry& entry : fs::directory_iterator(kRoot / "src")) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(kMayInclude.contains(entry.path().filename().string()))
        << "src/" << entry.path().filename().string()
        << " is not in the list of CMakeLists.txt: which rooms may it use, and why?";
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
  EXPECT_EQ(WhyNot("src/base/files/files.cc", "plan/plan.h"), "base may not include plan");
  EXPECT_EQ(WhyNot("src/interface/cli/cli.cc", "plan/plan.h"), "interface may not include plan");
  EXPECT_EQ(WhyNot("src/plan/parse.cc", "util/x.h"), "util is not one of our rooms");
  EXPECT_NE(WhyNot("src/plan/parse.cc", "plan.h"), "");
}

// The rooms that include the headers of a library. fmt is used everywhere.
const std::map<std::string_view, std::set<std::string_view>> kRoomsOfLibraries = {
    {"cmark-gfm", {"base"}},       {"curl/", {"net"}},
    {"iconv.h", {"page"}},         {"libdeflate.h", {"git", "evidence"}},
    {"libpq", {"runner"}},         {"libstemmer", {"index"}},
    {"lz4", {"index", "inspect"}}, {"nlohmann/", {"base"}},
    {"openssl/", {"base"}},        {"re2/", {"index"}},
    {"sqlite3.h", {"runner"}},     {"toml++/", {"base"}},
    {"zlib.h", {"inspect"}},       {"zstd.h", {"inspect"}},
};

TEST(Layers, ALibraryHasOneRoom) {
  std::map<std::string_view, std::set<std::string>> found;
  for (const Source& source : ReadSources({"src"})) {
    const std::string room = source.path.substr(4, source.path.find('/', 4) - 4);
    for (const std::string_view line : SplitLines(source.text)) {
      constexpr std::string_view kStart = "#include <";
      if (!line.starts_with(kStart)) continue;
      for (const auto& [library, rooms] : kRoomsOfLibraries) {
        if (!line.substr(kStart.size()).starts_with(library)) continue;
        EXPECT_TRUE(rooms.contains(room)) << source.path << ": " << line;
        found[library].insert(room);
      }
    }
  }
  for (const auto& [library, rooms] : kRoomsOfLibraries) {
    EXPECT_EQ(found[library].size(), rooms.size())
        << library << " is no longer used by all of them";
  }
}

// The name of a function that is defined or declared at the start of `line`.
std::string_view FunctionAtStart(std::string_view line) {
  const std::size_t open = line.find('(');
  if (open == std::string_view::npos || line.empty() || std::isalpha(line[0]) == 0) return {};
  if (line.substr(0, open).find_first_of("={") != std::string_view::npos) return {};  // a call
  const std::size_t before = line.substr(0, open).find_last_of(" *&:");
  if (before == std::string_view::npos || line[before] == ':') return {};
  const std::string_view name = line.substr(before + 1, open - before - 1);
  return !name.empty() && std::isupper(name[0]) != 0 ? name : std::string_view();
}

// Several files of a room are compiled as one. A function of that name in the
// anonymous namespace of one file would be called by the others, silently.
TEST(Layers, NoFunctionHidesOneOfBase) {
  std::set<std::string, std::less<>> of_base;
  for (const Source& source : ReadSources({"src/base"})) {
    if (!source.path.ends_with(".h")) continue;
    for (const std::string_view line : SplitLines(source.text)) {
      of_base.emplace(FunctionAtStart(line));
    }
  }
  of_base.erase("");
  EXPECT_TRUE(of_base.contains("SplitLines") && of_base.contains("Trim"));
  for (const Source& source : ReadSources({"src"})) {
    if (source.path.starts_with("src/base/")) continue;
    std::size_t number = 0;
    for (const std::string_view line : SplitLines(source.text)) {
      ++number;
      const std::string_view name = FunctionAtStart(line);
      EXPECT_FALSE(of_base.contains(name))
          << source.path << ":" << number << ": base has a function " << name << " too";
    }
  }
}

// The name of a type that is defined at the start of `line`.
std::string_view TypeAtStart(std::string_view line) {
  for (const std::string_view start : {"struct ", "class ", "enum class "}) {
    if (!line.starts_with(start) || line.ends_with(';')) continue;
    line.remove_prefix(start.size());
    const std::size_t end = line.find_first_of(" :{");
    return end == std::string_view::npos || Contains(line, "(") ? std::string_view()
                                                                : line.substr(0, end);
  }
  return {};
}

// Two types of one name in a namespace are one to the linker, which takes either one's
// functions for both: memory is destroyed by the wrong rules, in some builds only.
TEST(Layers, ATypeIsDefinedOnce) {
  std::map<std::string, std::string> found;
  for (const Source& source : ReadSources({"src"})) {
    if (!source.path.ends_with(".h")) continue;
    std::string space;
    for (const std::string_view line : SplitLines(source.text)) {
      constexpr std::string_view kSpace = "namespace ";
      if (line.starts_with(kSpace))
        space = line.substr(kSpace.size(), line.rfind(' ') - kSpace.size());
      const std::string_view name = TypeAtStart(line);
      if (name.empty()) continue;
      const auto [other, is_new] = found.try_emplace(space + "::" + std::string(name), source.path);
      EXPECT_TRUE(is_new || other->second == source.path)
          << other->first << " is defined in " << other->second << " and in " << source.path;
    }
  }
  EXPECT_TRUE(found.contains("sibyl::expansion::JudgedPage"));
}

// Test helpers may do what the program may not, such as constructing a Verified.
TEST(Layers, ProductUsesNothingThatIsForTests) {
  for (const Source& source : ReadSources({"src"})) {
    const std::string name = fs::path(source.path).filename();
    if (name.ends_with("_test.cc") || name.starts_with("test_")) continue;
    std::size_t number = 0;
    for (const std::string_view line : SplitLines(source.text)) {
      ++number;
      const bool is_include = line.starts_with("#include \"");
      EXPECT_FALSE(is_include && Contains(line, "/test_")) << source.path << ":" << number;
      EXPECT_TRUE(!Contains(line, "TestVerified") || source.path == "src/gate/verified.h")
          << source.path << ":" << number;
    }
  }
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

// One way to open, one way to write (docs/decisions/0096): untrusted files are
// opened through base/files/root.h. Outside base these are forbidden everywhere.
constexpr std::string_view kForbiddenEverywhere[] = {
    "ifstream",
    "ofstream",
    "fstream",
    "fopen",
    "::open(",
    "::openat(",
    "::creat(",
    "::rename(",
    "::unlink(",
    "::mkdir(",
    "::rmdir(",
    "::stat(",
    "::lstat(",
    "::opendir(",
    "::symlink(",
    "fs::directory_iterator",
    "fs::recursive_directory_iterator",
    "fs::remove(",
    "fs::remove_all(",
    "fs::rename(",
    "fs::copy",
    "fs::create_",
    "fs::permissions(",
    "fs::resize_file(",
};

// Forbidden in rooms that read oracles, where paths are untrusted.
constexpr std::string_view kForbiddenInOracles[] = {
    "ReadFile(",      "WriteFileAtomically(",  "CreateFolders(",    "MappedFile::Open(",
    "fs::exists(",    "fs::is_regular_file(",  "fs::is_directory(", "fs::is_symlink(",
    "fs::canonical(", "fs::weakly_canonical(",
};
const std::set<std::string_view> kOracleRooms = {
    "library", "runner", "engine", "oracle", "expansion", "statement", "code",
    "audit",   "gate",   "draft",  "git",    "passages",  "evidence",  "interface"};

constexpr std::string_view kCache = "the cache, which belongs to the user";
const std::map<std::string_view, std::string_view> kMayOpen = {
    {"src/oracle/argument_file.cc", "a file that a person named"},
    {"src/oracle/context.cc", "finds the oracle above the folder a person is in"},
    {"src/evidence/oracle_files.cc", "the name of a lock; nothing is opened by it"},
    {"src/git/broken_pack.cc", kCache},
    {"src/git/fetch.cc", kCache},
    {"src/git/fetch_resume.cc", kCache},
    {"src/git/pack_writer.cc", kCache},
    {"src/evidence/pages/page_snapshot.cc", kCache},
    {"src/evidence/pages/page_visit.cc", kCache},
    {"src/evidence/history/history.cc", kCache},
    {"src/evidence/history/history_file.cc", kCache},
    {"src/evidence/store.cc", kCache},
    {"src/index/segment/segment_writer.cc", kCache},
    {"src/expansion/ledger/open_ledger.cc", "the canonical path of the oracle"},
    {"src/expansion/ledger/part_logs.cc", "the folder of logs, which a person named"},
    {"src/engine/runs/launch.cc", "the folder of logs"},
    {"src/engine/runs/launch_request.cc", "the canonical path of the oracle"},
    {"src/library/remote/publish_clone.cc", "a temporary folder, and where the oracle is in it"},
    {"src/oracle/consent.cc", "the state folder, and the canonical path of the oracle"},
    {"src/oracle/outside_settings.cc", "judges where a path leads; nothing is opened by it"},
    {"src/engine/source/source_add.cc", "looks at a source that a person named"},
    {"src/git/repository.cc", "judges a repository that a person named before it is opened"},
    {"src/git/self_contained.cc", "judges where a repository leads; nothing is opened by it"},
    {"src/interface/served_context.cc", "folders that a person allowed"},
    {"src/interface/web/metrics.cc", "files of the kernel"},
    {"src/runner/database.cc", "SQLite wants a path; base/files/own_folder.h opened its folder"},
    {"src/runner/process_id.cc", "files of the kernel"},
    {"src/code/code_tools.cc", "the toolkit of the system, for the sandbox"},
    {"src/lab/programs.cc", "programs in folders that the installation or the user names"},
};

// The code of a line, without its // comment and with strings emptied. Does not
// recognise block comments and raw strings; none of them contains such calls.
std::string CodeOf(std::string_view line) {
  std::string code;
  char quote = '\0';
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quote != '\0') {
      if (line[i] == '\\') {
        ++i;
      } else if (line[i] == quote) {
        quote = '\0';
        code += line[i];
      }
      continue;
    }
    if (line.substr(i).starts_with("//")) break;
    const bool is_digit_mark =
        i > 0 && line[i] == '\'' && std::isalnum(static_cast<unsigned char>(line[i - 1])) != 0;
    if (line[i] == '"' || (line[i] == '\'' && !is_digit_mark)) quote = line[i];
    code += line[i];
  }
  return code;
}

bool IsNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Whether `code` contains `name` as a whole word: "std::ifstream" does,
// "MyReadFile(" does not.
bool Uses(std::string_view code, std::string_view name) {
  for (std::size_t at = code.find(name); at != std::string_view::npos;
       at = code.find(name, at + 1)) {
    const char before = at == 0 ? ' ' : code[at - 1];
    // "Root::open(" is not the system call.
    const bool is_qualified = name.starts_with("::") && before == '>';
    if (!IsNamePart(before) && !is_qualified) return true;
  }
  return false;
}

// Empty if the line is allowed; otherwise what is wrong.
std::string WhyNotOpen(std::string_view path, std::string_view line) {
  const std::string_view in_src = path.substr(std::string_view("src/").size());
  const std::string_view room = in_src.substr(0, in_src.find('/'));
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const bool is_test = name.ends_with("_test.cc") || name.starts_with("test_");
  if (room == "base" || is_test || line.starts_with("#include")) return "";
  if (kMayOpen.contains(path)) return "";
  std::string code = CodeOf(line);
  for (std::size_t at = code.find("std::filesystem::"); at != std::string::npos;
       at = code.find("std::filesystem::")) {
    code.replace(at, std::string_view("std::filesystem::").size(), "fs::");
  }
  for (const std::string_view forbidden : kForbiddenEverywhere) {
    if (Uses(code, forbidden)) {
      return std::string(forbidden) +
             " is not used outside base: open it through base/files/root.h";
    }
  }
  if (!kOracleRooms.contains(room)) return "";
  for (const std::string_view forbidden : kForbiddenInOracles) {
    if (Uses(code, forbidden)) {
      return std::string(forbidden) +
             " follows links out of an oracle: use base/files/root.h, or oracle/argument_file.h "
             "for a "
             "path that an argument names";
    }
  }
  return "";
}

TEST(Layers, FilesAreOpenedThroughRoot) {
  std::set<std::string> needed;
  for (const Source& source : ReadSources({"src"})) {
    std::size_t number = 0;
    for (const std::string_view line : SplitLines(source.text)) {
      ++number;
      const std::string why = WhyNotOpen(source.path, line);
      EXPECT_TRUE(why.empty()) << source.path << ":" << number << ": " << Trim(line) << ": " << why;
      if (!WhyNotOpen("src/engine/any.cc", line).empty()) needed.insert(source.path);
    }
  }
  for (const auto& [path, reason] : kMayOpen) {
    EXPECT_TRUE(needed.contains(std::string(path))) << path << " needs no exception: " << reason;
  }
}

TEST(Layers, TheRuleOfOpeningIsHeldAgainstInventedLines) {
  for (const char* line : {
           "  std::ifstream file(path);",
           "  std::ofstream out(path, std::ios::binary);",
           "  FILE* file = fopen(name, \"r\");",
           "  const FileDescriptor file(::open(path.c_str(), O_RDONLY));",
           "  if (::rename(a, b) != 0) {",
           "  for (fs::directory_iterator entry(folder, failure), end; entry != end;) {",
           "  std::filesystem::remove_all(path, error);",
           "  fs::create_directories(path);",
           "  fs::copy_file(a, b);",
           "  const char c = '\"'; fs::remove(path);  // a quote of one letter",
       }) {
    EXPECT_NE(WhyNotOpen("src/index/any.cc", line), "") << line;
    EXPECT_NE(WhyNotOpen("src/engine/any.cc", line), "") << line;
    EXPECT_EQ(WhyNotOpen("src/base/files/files.cc", line), "") << line;
    EXPECT_EQ(WhyNotOpen("src/engine/any_test.cc", line), "") << line;
    EXPECT_EQ(WhyNotOpen("src/engine/test_any.h", line), "") << line;
  }
  for (const char* line : {
           "  const std::string text = SIBYL_TRY(ReadFile(path));",
           "  return WriteFileAtomically(path, bytes);",
           "  if (!std::filesystem::exists(path, error)) {",
           "  const fs::path real = fs::weakly_canonical(path, error);",
       }) {
    EXPECT_NE(WhyNotOpen("src/library/any.cc", line), "") << line;
    EXPECT_EQ(WhyNotOpen("src/model/any.cc", line), "") << line;
    EXPECT_EQ(WhyNotOpen("src/oracle/argument_file.cc", line), "") << line;
  }
  for (const char* line : {
           "  // ReadFile(path) would follow a link",
           "  .hint = \"std::ifstream and ReadFile( are words\"",
           "  Result<ArgumentFile> file = ArgumentFile::Find(context, argument);",
           "  Root::Open(folder);  evidence::Repository::open(x);",
           "  const std::size_t most = 1'000'000; root.Read(path);",
           "  Result<KeptRun> ReadRunFile(const Root& oracle);",
           "#include <fstream>",
       }) {
    EXPECT_EQ(WhyNotOpen("src/engine/any.cc", line), "") << line;
  }
}

// Whether the brace at `at` begins an initialiser: "Url{", "return {", "f({",
// "= {". What follows ")" or a statement is a block.
bool IsInitialiser(std::string_view code, std::size_t at) {
  const std::size_t last = code.substr(0, at).find_last_not_of(" \n");
  if (last == std::string_view::npos) return false;
  if (code[last] == '{') return IsInitialiser(code, last);
  if (std::string_view(")];}:").find(code[last]) != std::string_view::npos) return false;
  const std::string_view before = code.substr(0, last + 1);
  // "-> Result<Url> {" and ") const {" begin the body of a function.
  const std::size_t close = before.rfind(')');
  const std::string_view tail =
      Trim(before.substr(close == std::string_view::npos ? 0 : close + 1));
  if (close != std::string_view::npos && tail.starts_with("->")) return false;
  std::size_t word = before.size();
  while (word > 0 && IsNamePart(before[word - 1])) --word;
  const std::set<std::string_view> block_words = {"else",     "do",      "const",
                                                  "noexcept", "mutable", "override"};
  return !block_words.contains(before.substr(word));
}

// Whether `at` is inside the braces of an initialiser, within its statement.
bool IsInInitialiser(std::string_view code, std::size_t at) {
  int depth = 0;
  while (at > 0) {
    const char c = code[--at];
    if (c == ')' || c == ']' || c == '}') ++depth;
    if ((c == '(' || c == '[') && depth > 0) --depth;
    if (c == ';' && depth == 0) return false;
    if (c != '{') continue;
    if (depth == 0) return IsInitialiser(code, at);
    --depth;
  }
  return false;
}

// The lines on which SIBYL_TRY is used where base/result.h forbids it.
std::vector<std::size_t> TriesInInitialisers(std::string_view text) {
  std::string code;
  for (const std::string_view line : SplitLines(text)) code += CodeOf(line) + '\n';
  std::vector<std::size_t> lines;
  constexpr std::string_view kTry = "SIBYL_TRY(";
  for (std::size_t at = code.find(kTry); at != std::string::npos; at = code.find(kTry, at + 1)) {
    if (!IsInInitialiser(code, at)) continue;
    lines.push_back(static_cast<std::size_t>(std::count(
                        code.begin(), code.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
                    1);
  }
  return lines;
}

TEST(Layers, NothingReturnsFromInsideAnInitialiser) {
  for (const Source& source : ReadSources({"src", "fuzz", "bench"})) {
    for (const std::size_t line : TriesInInitialisers(source.text)) {
      ADD_FAILURE() << source.path << ":" << line
                    << ": SIBYL_TRY inside a braced initialiser: give the value a name before it";
    }
  }
}

TEST(Layers, TheRuleOfInitialisersIsHeldAgainstInventedLines) {
  for (const char* text : {
           "Url url{SIBYL_TRY(Parse(text))};",
           "return Pin{.name = name, .url = SIBYL_TRY(Parse(text))};",
           "settings = {.url = SIBYL_TRY(Parse(text))};",
           "Call({.files = Sorted(SIBYL_TRY(Read(path)))});",
           "Call(a, {{SIBYL_TRY(Read(path)), 1}});",
           "std::vector<int> all{1, SIBYL_TRY(Read(path))};",
       }) {
    EXPECT_EQ(TriesInInitialisers(text), std::vector<std::size_t>{1}) << text;
  }
  for (const char* text : {
           "const Url url = SIBYL_TRY(Parse(text));",
           "if (found) { Take(SIBYL_TRY(Parse(text))); }",
           "for (const Url& url : urls) {\n  SIBYL_TRY(Check(url));\n}",
           "Status Run() const {\n  SIBYL_TRY(Check());",
           "const auto make = [&](int i) -> Result<Url> { return SIBYL_TRY(Parse(i)); };",
           "run({.work = [&] { SIBYL_TRY(Check()); return Status(); }});",
           "Url url{1};\nSIBYL_TRY(Check(url));",
           "case 1: {\n  SIBYL_TRY(Check());",
           "else {\n  SIBYL_TRY(Check());",
           "Url url{\"SIBYL_TRY(x)\"};  // {SIBYL_TRY(x)}",
       }) {
    EXPECT_TRUE(TriesInInitialisers(text).empty()) << text;
  }
}

TEST(Layers, NoFileIsLongerThanCanBeRead) {
  for (const Source& source : ReadSources({"src", "tests", "fuzz", "bench"})) {
    const std::size_t lines = SplitLines(source.text).size();
    EXPECT_LE(lines, kMostLines) << source.path << ":" << lines
                                 << ": look for the second subject in it";
  }
}

TEST(Layers, NoFolderIsTooLarge) {
  constexpr std::size_t kMostLinesOfAFolder = 5000;
  std::map<std::string, std::size_t> lines;
  for (const Source& source : ReadSources({"src"})) {
    const fs::path path(source.path);
    const std::string name = path.filename();
    if (name.ends_with("_test.cc") || name.starts_with("test_")) continue;
    lines[path.parent_path()] += SplitLines(source.text).size();
  }
  for (const auto& [folder, count] : lines) {
    EXPECT_LE(count, kMostLinesOfAFolder) << folder << ": cut it by subject (decision 0103)";
  }
}

TEST(Layers, EveryFileNamesItsLicence) {
  for (const Source& source : ReadSources({"src", "tests", "fuzz", "bench"})) {
    // Sources of the oracles in transcripts: citations count their lines.
    if (source.path.starts_with("tests/transcripts/files/")) continue;
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

// Whether an operation may use the network is decided where it is run.
TEST(Layers, OperationsAreRunInOnePlace) {
  for (const Source& source : ReadSources({"src", "tests"})) {
    if (source.path == "src/engine/run_operation.cc" || source.path == "tests/layers_test.cc") {
      continue;
    }
    for (const std::string_view call : {"operation.run(", "operation->run(", "->run(context"}) {
      EXPECT_EQ(source.text.find(call), std::string::npos)
          << source.path << " calls " << call << "...); call engine::RunOperation";
    }
  }
}

}  // namespace
}  // namespace sibyl
