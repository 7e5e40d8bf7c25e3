// SPDX-License-Identifier: Apache-2.0
#include "gate/managed_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/markdown/fence.h"
#include "base/strings.h"

namespace sibyl::gate {
namespace {

struct Marker {
  bool is_begin = false;
  std::string_view name;
};

bool IsIndentedCode(std::string_view line) {
  const std::string_view indent =
      line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
  return indent.size() > 3 || indent.find('\t') != std::string_view::npos;
}

// A line that is meant as a marker, whether or not it is a good one.
std::optional<Marker> ReadMarker(std::string_view line) {
  if (IsIndentedCode(line)) return std::nullopt;
  std::string_view rest = Trim(line);
  constexpr std::string_view kOpen = "<!--";
  constexpr std::string_view kClose = "-->";
  if (!rest.starts_with(kOpen) || !rest.ends_with(kClose)) return std::nullopt;
  if (rest.size() < kOpen.size() + kClose.size()) return std::nullopt;
  rest = Trim(rest.substr(kOpen.size(), rest.size() - kOpen.size() - kClose.size()));
  for (const bool is_begin : {true, false}) {
    const std::string_view word = is_begin ? "sibyl:begin" : "sibyl:end";
    if (!rest.starts_with(word)) continue;
    const std::string_view name = rest.substr(word.size());
    if (!name.empty() && Trim(name.substr(0, 1)).size() == 1) continue;  // sibyl:ending
    return Marker{.is_begin = is_begin, .name = Trim(name)};
  }
  return std::nullopt;
}

bool IsBlockName(std::string_view name) {
  return !name.empty() &&
         name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

class BlockFinder {
 public:
  explicit BlockFinder(std::string_view text) : text_view_(text) {}

  ManagedBlocks Find() && {
    FenceTracker fences;
    for (std::size_t at = 0; at < text_view_.size(); at = after_) {
      begin_ = at;
      const std::size_t end = std::min(text_view_.find('\n', at), text_view_.size());
      after_ = std::min(end + 1, text_view_.size());
      line_view_ = text_view_.substr(at, end - at);
      ++number_;
      if (fences.Take(line_view_) != FencePart::kOutside) continue;
      if (const std::optional<Marker> marker = ReadMarker(line_view_)) Take(*marker);
    }
    if (open_) {
      found_.mistakes.push_back(
          {.line = open_->line,
           .text = open_text_,
           .message = fmt::format("the managed block '{}' has no end", open_->name),
           .hint = fmt::format("put <!-- sibyl:end {} --> where it should end", open_->name)});
    }
    return std::move(found_);
  }

 private:
  void Take(const Marker& marker) {
    if (!IsBlockName(marker.name)) {
      AddMistake("a marker of a managed block has no valid name",
                 "markers look like <!-- sibyl:begin files -->");
    } else if (marker.is_begin) {
      Begin(marker.name);
    } else {
      End(marker.name);
    }
  }

  void Begin(std::string_view name) {
    if (open_) {
      AddMistake(fmt::format("the managed block '{}' begins inside '{}', which has no end", name,
                             open_->name),
                 fmt::format("put <!-- sibyl:end {} --> where it should end", open_->name));
    } else if (names_.contains(name)) {
      AddMistake(fmt::format("the managed block '{}' appears twice", name),
                 "remove one of them, including its markers");
    }
    names_.insert(name);
    open_ = ManagedBlock{.name = std::string(name), .begin = after_, .line = number_};
    open_text_ = Trim(line_view_);
  }

  void End(std::string_view name) {
    if (open_ && open_->name == name) {
      open_->end = begin_;
      found_.blocks.push_back(*std::move(open_));
    } else {
      AddMistake(fmt::format("the managed block '{}' ends here but has no beginning", name),
                 fmt::format("put <!-- sibyl:begin {} --> where it should begin, or remove this "
                             "line",
                             name));
    }
    open_.reset();
  }

  void AddMistake(std::string message, std::string hint) {
    found_.mistakes.push_back({.line = number_,
                               .text = std::string(Trim(line_view_)),
                               .message = std::move(message),
                               .hint = std::move(hint)});
  }

  std::string_view text_view_;
  std::string_view line_view_;  // without its end
  std::size_t begin_ = 0;       // of the line
  std::size_t after_ = 0;       // where the next line begins
  std::size_t number_ = 0;
  std::optional<ManagedBlock> open_;
  std::string open_text_;  // of the line that opened it
  std::set<std::string_view> names_;
  ManagedBlocks found_;
};

}  // namespace

ManagedBlocks FindManagedBlocks(std::string_view text) { return BlockFinder(text).Find(); }

}  // namespace sibyl::gate
