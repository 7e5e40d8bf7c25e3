// SPDX-License-Identifier: Apache-2.0
#include "lab/sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/files/root.h"
#include "base/hash.h"
#include "base/strings.h"

namespace sibyl::lab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProject = "CMakeLists.txt";
constexpr std::size_t kMostFiles = 2'000;
constexpr std::size_t kLongestFile = std::size_t{4} << 20;
constexpr std::size_t kMostBytes = std::size_t{32} << 20;

struct Kind {
  std::string_view call;  // In CMakeLists.txt.
  std::string_view program;
  std::string_view question;
  bool is_script = false;
};
constexpr Kind kKinds[] = {
    {.call = "sibyl_lab(", .program = "lab.cc", .question = "lab.question = \""},
    {.call = "sibyl_torch_lab(",
     .program = "lab.py",
     .question = "QUESTION = \"",
     .is_script = true},
};

// What CMake and the compilers read, and labs in Python. Documents do not change a build.
bool IsSource(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const std::string_view suffix : {".cc", ".cu", ".h", ".cuh", ".py"}) {
    if (name.ends_with(suffix)) return true;
  }
  return name == kProject;
}

// "gemm" of "sibyl_lab(gemm SOURCES …", with `call`; empty for any other line.
std::string LabOf(std::string_view line, std::string_view call) {
  if (!line.starts_with(call)) return {};
  line.remove_prefix(call.size());
  const auto end = std::ranges::find_if_not(line, [](char c) { return IsNameByte(c) || c == '-'; });
  return {line.begin(), end};
}

// The text of `lab.question = "…";` or, in Python, `QUESTION = "…"`, which the program prints too.
std::string QuestionOf(std::string_view program, std::string_view field) {
  const std::size_t begin = program.find(field);
  if (begin == std::string_view::npos) return {};
  program.remove_prefix(begin + field.size());
  return std::string(program.substr(0, program.find_first_of("\"\n")));
}

const SourceFile* FindFile(const std::vector<SourceFile>& files, std::string_view path) {
  const auto found = std::ranges::find(files, path, &SourceFile::path);
  return found == files.end() ? nullptr : &*found;
}

std::vector<SourceLab> LabsOf(const std::vector<SourceFile>& files) {
  std::vector<SourceLab> labs;
  const SourceFile* project = FindFile(files, kProject);
  if (project == nullptr) return labs;
  for (const std::string_view line : SplitLines(project->bytes)) {
    for (const Kind& kind : kKinds) {
      std::string name = LabOf(line, kind.call);
      if (name.empty()) continue;
      const std::string path = fmt::format("{}/{}", name, kind.program);
      const SourceFile* program = FindFile(files, path);
      if (program == nullptr) continue;
      labs.push_back({.name = std::move(name),
                      .question = QuestionOf(program->bytes, kind.question),
                      .script = kind.is_script ? path : ""});
    }
  }
  std::ranges::sort(labs, {}, &SourceLab::name);
  return labs;
}

std::string DigestOf(const std::vector<SourceFile>& files) {
  Sha256Stream digest;
  for (const SourceFile& file : files) {
    // Lengths, so that no two lists of files give the same bytes.
    digest.Add(fmt::format("{} {} {}\n", file.path.size(), file.bytes.size(), file.path));
    digest.Add(file.bytes);
  }
  return digest.Finish();
}

std::optional<std::uint32_t> OwnerOf(const fs::path& program) {
  const Result<Root> folder = Root::Open(program.parent_path());
  if (!folder.ok()) return std::nullopt;
  if (const auto about = folder->About(program.filename())) return about->owner;
  return std::nullopt;
}

}  // namespace

// A program that was copied to /tmp/x must not build what anybody put into /tmp/share.
bool IsOfInstallation(const fs::path& folder, const fs::path& program) {
  constexpr std::uint32_t kWritableByAll = 02;
  const Result<Root> root = Root::Open(folder);
  if (!root.ok()) return false;
  const FileAbout about = root->About(".").value_or(FileAbout{.mode = kWritableByAll});
  if ((about.mode & kWritableByAll) != 0) return false;
  return about.owner == 0 || about.owner == OwnerOf(program);
}

Result<LabSources> ReadSources(const fs::path& folder) {
  const Root root = SIBYL_TRY(Root::Open(folder));
  const Walked walked = SIBYL_TRY(root.Walk(".", {.max_entries = kMostFiles, .max_depth = 4}));
  LabSources sources{.folder = folder};
  std::size_t bytes = 0;
  for (const RootEntry& entry : walked.entries) {
    if (entry.kind != FileKind::kFile || !IsSource(entry.name)) continue;
    std::string text = SIBYL_TRY(root.Read(entry.name, {.max_bytes = kLongestFile}));
    bytes += text.size();
    sources.files.push_back({.path = entry.name, .bytes = std::move(text)});
    if (bytes > kMostBytes) break;
  }
  if (walked.is_cut || bytes > kMostBytes) {
    return Error{.kind = ErrorKind::kCorrupt,
                 .message = fmt::format("reading the labs in {}: more files than labs have",
                                        folder.string())};
  }
  sources.labs = LabsOf(sources.files);
  if (sources.labs.empty()) {
    return Error{.kind = ErrorKind::kNotFound,
                 .message = fmt::format("no labs in {}", folder.string())};
  }
  sources.digest = DigestOf(sources.files);
  return sources;
}

}  // namespace sibyl::lab
