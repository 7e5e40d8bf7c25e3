// SPDX-License-Identifier: Apache-2.0
// Bytes sent to the language server: the frames are the same however the bytes
// are cut, every message is taken, and what is sent is JSON in frames that can be
// read again. Documents whose URI starts with file:///r/ are in a small repository.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/files/temporary_folder.h"
#include "git/test_git.h"
#include "interface/lsp/frame.h"
#include "interface/lsp/server.h"

namespace {

using sibyl::interface::lsp::FrameReader;
using sibyl::interface::lsp::LspServer;
using sibyl::interface::lsp::TimePoint;
using sibyl::interface::lsp::Workspace;

struct Frame {
  FrameReader::Got got = FrameReader::Got::kNothingYet;
  std::string text;

  bool operator==(const Frame&) const = default;
};

std::vector<Frame> ReadFrames(std::string_view bytes, std::size_t step) {
  FrameReader reader({.header_bytes = 256, .body_bytes = 1 << 16});
  std::vector<Frame> frames;
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    reader.Append(bytes.substr(at, step));
    for (Frame frame;;) {
      frame.got = reader.Next(frame.text);
      if (frame.got == FrameReader::Got::kNothingYet) break;
      frames.push_back(frame);
    }
  }
  return frames;
}

void CheckSent(const std::vector<sibyl::Json>& messages) {
  for (const sibyl::Json& message : messages) {
    const std::string text = sibyl::interface::FormatRpc(message);
    if (!sibyl::ParseJson(text).ok()) std::abort();
    const std::vector<Frame> frames =
        ReadFrames(sibyl::interface::lsp::FormatFrame(text), text.size() + 64);
    if (text.size() < (1 << 16) && (frames.size() != 1 || frames[0].text != text)) std::abort();
  }
}

// The only repository: the one with the folder /r, wherever the client says it is.
std::filesystem::path TestFolder() {
  static const sibyl::TemporaryFolder folder;
  static const bool is_made = [] {
    const sibyl::git::TestGit git(folder.path() / "r");
    git.Write("src/a.rs", "fn first() {\n    one();\n}\n\nfn second() {\n    two();\n}\n");
    git.Write("a.md", "`second` (`src/a.rs:5-7`) calls two.\n");
    git.Commit();
    git.Write("src/a.rs", "// 1\n// 2\n// 3\nfn first() {\n}\n\nfn second() {\n    two();\n}\n");
    return true;
  }();
  static_cast<void>(is_made);
  return folder.path();
}

sibyl::Result<std::optional<sibyl::GitRepository>> FindTestRepository(
    const std::filesystem::path& folder) {
  if (!folder.string().starts_with("/r")) return std::optional<sibyl::GitRepository>();
  std::optional<sibyl::GitRepository> found =
      SIBYL_TRY(sibyl::FindGitRepository(TestFolder() / "r"));
  return found;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::vector<Frame> frames = ReadFrames(bytes, size + 1);
  if (frames != ReadFrames(bytes, 1) || frames != ReadFrames(bytes, 7)) std::abort();
  // Paths of the client become those of the repository.
  LspServer server{Workspace([](const std::filesystem::path& folder) {
    return FindTestRepository("/" + folder.lexically_relative(TestFolder()).string());
  })};
  TimePoint now{};
  for (const Frame& frame : frames) {
    std::vector<sibyl::Json> sent;
    if (frame.got == FrameReader::Got::kProblem) {
      LspServer::TakeProblem(frame.text, sent);
    } else {
      std::string text = frame.text;
      const std::string_view mark = "file:///r/";
      for (std::size_t at = text.find(mark); at != std::string::npos;
           at = text.find(mark, at + 1)) {
        text.replace(at, mark.size(), "file://" + TestFolder().string() + "/r/");
      }
      server.Take(text, now, sent);
      now += std::chrono::milliseconds(200);
      server.CheckDue(now, sent);
    }
    CheckSent(sent);
    if (server.has_ended()) break;
  }
  return 0;
}
