// SPDX-License-Identifier: Apache-2.0
#include "gate/index_pages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/ascii.h"
#include "base/percent.h"
#include "base/strings.h"
#include "gate/managed_block.h"
#include "statement/anchors.h"

namespace sibyl::gate {
namespace {

std::string_view FolderOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string_view NameOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

bool IsFileLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || IsDigit(c) || c == '-' || c == '_' ||
         c == '.' || c == '/' || c == '+' || c == '%' || static_cast<unsigned char>(c) >= 0x80;
}

std::string_view NumberOf(std::string_view name) {
  std::size_t end = 0;
  while (end < name.size() && IsDigit(name[end])) ++end;
  std::string_view number = name.substr(0, end);
  while (number.size() > 1 && number.starts_with('0')) number.remove_prefix(1);
  return number;
}

// "name.md" at or after `from`; without an anchor, which would be a place in a
// file.
std::optional<std::string> FileNameIn(std::string_view line) {
  for (std::size_t at = line.find(".md"); at != std::string_view::npos;
       at = line.find(".md", at + 1)) {
    const std::size_t end = at + 3;
    if (end < line.size() && (IsFileLetter(line[end]) || line[end] == '#')) continue;
    std::size_t begin = at;
    while (begin > 0 && IsFileLetter(line[begin - 1])) --begin;
    std::string name = DecodePercentLeniently(line.substr(begin, end - begin));
    if (name.starts_with("./")) name.erase(0, 2);
    if (name.size() > 3) return name;
  }
  return std::nullopt;
}

// The file that a line of an index is about: that of its first link, or the
// first it names.
std::optional<std::string> SubjectOf(std::string_view line) {
  const std::size_t link = line.find("](");
  if (link != std::string_view::npos) {
    const std::string_view target = line.substr(link + 2, line.find(')', link) - link - 2);
    if (target.find('#') != std::string_view::npos) return std::nullopt;
    if (auto name = FileNameIn(target)) return name;
  }
  return FileNameIn(line);
}

// The number before a word: "1,204 lines"; nothing when the text has none.
std::optional<std::size_t> CountOf(std::string_view text, std::string_view unit) {
  for (std::size_t at = text.find(unit); at != std::string_view::npos;
       at = text.find(unit, at + 1)) {
    std::size_t end = at;
    while (end > 0 && text[end - 1] == ' ') --end;
    std::size_t begin = end;
    while (begin > 0 && (IsDigit(text[begin - 1]) || text[begin - 1] == ',')) --begin;
    std::string digits(text.substr(begin, end - begin));
    std::erase(digits, ',');
    constexpr std::size_t kMostDigits = 9;
    if (end < at && !digits.empty() && digits.size() <= kMostDigits) return std::stoul(digits);
  }
  return std::nullopt;
}

std::vector<std::string_view> Cells(std::string_view line) {
  std::vector<std::string_view> cells;
  line = Trim(line);
  if (!line.starts_with('|')) return cells;
  line.remove_prefix(1);
  while (!line.empty()) {
    std::size_t end = line.find('|');
    while (end != std::string_view::npos && end > 0 && line[end - 1] == '\\') {
      end = line.find('|', end + 1);
    }
    end = std::min(end, line.size());
    cells.push_back(Trim(line.substr(0, end)));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return cells;
}

std::optional<std::size_t> PlainNumber(std::string_view text) {
  return text.empty() || !IsDigit(text.back()) ? std::nullopt
                                               : CountOf(std::string(text) + " x", "x");
}

class FolderJudge {
 public:
  FolderJudge(std::string_view folder, const PageFacts* index,
              const std::vector<const PageFacts*>& files,
              std::vector<statement::Judgement>& judgements)
      : folder_(folder), index_(index), files_(files), judgements_(judgements) {
    std::copy_if(files.begin(), files.end(), std::back_inserter(numbered_),
                 [](const PageFacts* file) { return IsKnowledgePath(file->path); });
    for (const PageFacts* file : files) by_name_.emplace(NameOf(file->path), file);
  }

  void Judge() {
    JudgeNumbers();
    if (index_ == nullptr) {
      if (numbered_.empty()) return;
      Add("index/missing", *numbered_.front(), 1, numbered_.front()->path,
          fmt::format("{}/ has {} but no INDEX.md", folder_.empty() ? "." : folder_,
                      Count(numbered_.size(), "knowledge file")));
      return;
    }
    const ManagedBlocks found = FindManagedBlocks(index_->text_view);
    if (found.blocks.empty()) {
      JudgeWhole();
      return;
    }
    for (const ManagedBlock& block : found.blocks) JudgeBlock(block);
    for (const PageFacts* file : files_) {
      const auto lines = listed_.find(file);
      if (lines == listed_.end()) {
        Missing(*file);
      } else if (lines->second.size() > 1) {
        Add("index/duplicate", *index_, lines->second[1], std::string(NameOf(file->path)),
            fmt::format("{} is listed twice; also on line {}", NameOf(file->path),
                        lines->second[0]));
      }
    }
  }

 private:
  void Add(std::string_view code, const PageFacts& page, std::size_t line, std::string text,
           std::string message) {
    judgements_.push_back({.verdict = statement::Verdict::kContradicted,
                           .code = std::string(code),
                           .kind = "index",
                           .text = std::move(text),
                           .message = std::move(message),
                           .place = {.file = page.name, .line = line, .column = 1}});
  }

  void Missing(const PageFacts& file) {
    Add("index/missing", *index_, 1, std::string(NameOf(file.path)),
        fmt::format("{} does not list {}", index_->path, NameOf(file.path)));
  }

  // A page maintained by people must mention every knowledge file.
  void JudgeWhole() {
    for (const PageFacts* file : numbered_) {
      if (index_->text_view.find(NameOf(file->path)) == std::string_view::npos) Missing(*file);
    }
  }

  const PageFacts* Find(std::string_view subject) const {
    if (!FolderOf(subject).empty() && FolderOf(subject) != folder_) return nullptr;
    const auto file = by_name_.find(NameOf(subject));
    return file == by_name_.end() ? nullptr : file->second;
  }

  void JudgeNumbers() {
    std::map<std::string_view, const PageFacts*> taken;
    for (const PageFacts* file : numbered_) {
      const auto [at, is_new] = taken.try_emplace(NumberOf(NameOf(file->path)), file);
      if (is_new) continue;
      Add("index/number", *file, 1, file->path,
          fmt::format("number {} is also used by {}", at->first, at->second->path));
    }
  }

  void JudgeBlock(const ManagedBlock& block) {
    std::vector<std::string> header;
    std::size_t number = block.line;
    for (const std::string_view line :
         SplitLines(index_->text_view.substr(block.begin, block.end - block.begin))) {
      ++number;
      const auto subject = SubjectOf(line);
      if (!subject) {
        const std::vector<std::string_view> cells = Cells(line);
        if (header.empty()) {
          for (const std::string_view cell : cells) header.push_back(LowerCase(cell));
        }
        JudgeTotals(line, number);
        continue;
      }
      const PageFacts* file = Find(*subject);
      if (file == nullptr) {
        // Another topic's file is not ours to list, but may be pointed to.
        const bool is_ours = FolderOf(*subject).empty() || FolderOf(*subject) == folder_;
        if (is_ours && IsKnowledgePath(*subject)) {
          Add("index/dangling", *index_, number, std::string(*subject),
              fmt::format("{} is listed but does not exist", *subject));
        }
        continue;
      }
      listed_[file].push_back(number);
      JudgeRow(*file, line, number, header);
    }
  }

  void Expect(std::size_t said, std::size_t is, std::string_view what, std::size_t line) {
    if (said == is) return;
    Add("index/count", *index_, line, fmt::format("{} {}", said, what),
        fmt::format("it says {} {}; there are {}", said, what, is));
  }

  void JudgeRow(const PageFacts& file, std::string_view line, std::size_t number,
                const std::vector<std::string>& header) {
    const std::vector<std::string_view> cells = Cells(line);
    for (std::size_t i = 0; i < std::min(cells.size(), header.size()); ++i) {
      const auto said = PlainNumber(cells[i]);
      if (said && header[i] == "lines") Expect(*said, file.lines, "lines", number);
      if (said && header[i] == "citations") Expect(*said, file.citations, "citations", number);
    }
  }

  // "**2 files**, 200 lines, 10 citations": a line that is neither of the table
  // nor of a list.
  void JudgeTotals(std::string_view line, std::size_t number) {
    if (line.starts_with('|') || line.starts_with("- ")) return;
    if (!CountOf(line, "file")) return;
    std::size_t lines = 0;
    std::size_t citations = 0;
    for (const PageFacts* file : files_) {
      lines += file->lines;
      citations += file->citations;
    }
    if (const auto said = CountOf(line, "file")) Expect(*said, files_.size(), "files", number);
    if (const auto said = CountOf(line, "lines")) Expect(*said, lines, "lines", number);
    if (const auto said = CountOf(line, "citations")) {
      Expect(*said, citations, "citations", number);
    }
  }

  std::string_view folder_;
  const PageFacts* index_;
  const std::vector<const PageFacts*>& files_;  // all pages of the folder
  std::vector<const PageFacts*> numbered_;      // those that must be listed
  std::map<std::string_view, const PageFacts*> by_name_;
  std::vector<statement::Judgement>& judgements_;
  std::map<const PageFacts*, std::vector<std::size_t>> listed_;
};

}  // namespace

bool IsKnowledgePath(std::string_view path) {
  const std::string_view name = NameOf(path);
  std::size_t digits = 0;
  while (digits < name.size() && IsDigit(name[digits])) ++digits;
  constexpr std::size_t kMostDigits = 4;  // "2026-11-15-notes.md" is a date
  return digits > 0 && digits < kMostDigits && digits < name.size() &&
         (name[digits] == '-' || name[digits] == '_') && name.ends_with(".md");
}

bool IsIndexPath(std::string_view path) { return NameOf(path) == "INDEX.md" || path == "SKILL.md"; }

std::vector<statement::Judgement> JudgeIndexPages(const std::vector<PageFacts>& pages) {
  std::vector<statement::Judgement> judgements;
  struct Folder {
    const PageFacts* index = nullptr;
    std::vector<const PageFacts*> files;
  };
  std::map<std::string_view, Folder> folders;
  for (const PageFacts& page : pages) {
    if (IsIndexPath(page.path)) {
      for (MarkerMistake& mistake : FindManagedBlocks(page.text_view).mistakes) {
        judgements.push_back({.verdict = statement::Verdict::kContradicted,
                              .code = "index/markers",
                              .kind = "index",
                              .text = "sibyl:begin",
                              .message = std::move(mistake.message),
                              .place = {.file = page.name, .line = mistake.line, .column = 1}});
      }
    }
    if (NameOf(page.path) == "INDEX.md") folders[FolderOf(page.path)].index = &page;
    const std::string_view name = NameOf(page.path);
    const bool is_listed = name != "INDEX.md" && name != "SKILL.md" && name != "README.md";
    if (is_listed) folders[FolderOf(page.path)].files.push_back(&page);
  }
  for (const auto& [name, folder] : folders) {
    if (folder.files.empty()) continue;
    FolderJudge(name, folder.index, folder.files, judgements).Judge();
  }
  return judgements;
}

}  // namespace sibyl::gate
