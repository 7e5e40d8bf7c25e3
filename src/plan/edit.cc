// SPDX-License-Identifier: Apache-2.0
#include "plan/edit.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/one_line.h"
#include "plan/part_reader.h"
#include "plan/scan.h"

namespace sibyl::plan {
namespace {

constexpr std::string_view kFailed = " (Failed ";

struct PartOutcome {
  std::string_view mark;
  std::string note;
};

// One line without parentheses, so that the note can be found and removed
// again.
std::string NoteText(std::string reason) {
  std::replace(reason.begin(), reason.end(), '(', '[');
  std::replace(reason.begin(), reason.end(), ')', ']');
  return OneLine(reason, 160);
}

Error Stale(const Part& part) {
  return Error{.kind = ErrorKind::kCorrupt,
               .message = fmt::format("marking PART {}: the plan has changed since it was read",
                                      part.number),
               .hint = "read the plan again"};
}

std::size_t EndOfLine(std::string_view text, std::size_t from) {
  const std::size_t end = text.find('\n', from);
  std::size_t stop = end == std::string_view::npos ? text.size() : end;
  while (stop > from && (text[stop - 1] == '\r' || IsSpace(text[stop - 1]))) --stop;
  return stop;
}

Result<std::string> EditBox(std::string_view text, const Part& part, const PartOutcome& outcome) {
  const Checkbox& box = *part.checkbox;
  const bool fits = box.mark_begin > 0 && box.mark_begin <= box.mark_end &&
                    box.mark_end < text.size() && text[box.mark_begin - 1] == '[' &&
                    text[box.mark_end] == ']';
  if (!fits) return Stale(part);
  const std::size_t end = EndOfLine(text, box.mark_end);
  std::string_view line = text.substr(box.mark_end, end - box.mark_end);
  std::string edited;
  edited.reserve(text.size() + 64);
  edited += text.substr(0, box.mark_begin);
  edited += outcome.mark;
  edited += line.substr(0, FindFailedNote(line));
  edited += outcome.note;
  edited += text.substr(end);
  return edited;
}

// No box: a new line, right below the heading.
Result<std::string> InsertBox(std::string_view text, const Part& part, const PartOutcome& outcome) {
  std::size_t at = 0;
  for (std::size_t line = 0; line < part.line; ++line) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) {
      if (line + 1 != part.line) return Stale(part);
      at = text.size();
      break;
    }
    at = end + 1;
  }
  const bool crlf = text.substr(0, at).ends_with("\r\n");
  const std::string_view newline = crlf ? "\r\n" : "\n";
  std::string edited(text.substr(0, at));
  if (!edited.ends_with('\n')) edited += newline;
  edited += newline;
  edited += fmt::format("- [{}] PART {}:{}{}", outcome.mark, part.number,
                        part.target.empty() ? std::string() : " " + part.target, outcome.note);
  edited += newline;
  edited += text.substr(at);
  return edited;
}

Result<std::string> Write(std::string_view text, const Part& part, const PartOutcome& outcome) {
  return part.checkbox ? EditBox(text, part, outcome) : InsertBox(text, part, outcome);
}

}  // namespace

std::size_t FindFailedNote(std::string_view line) {
  return line.ends_with(')') ? line.rfind(kFailed) : std::string_view::npos;
}

Result<std::string> TickPart(std::string_view text, const Part& part, std::string_view moment) {
  if (part.status == PartStatus::kDone) return std::string(text);
  return Write(text, part, {.mark = "x", .note = fmt::format(" (Completed {})", moment)});
}

Result<std::string> MarkPartFailed(std::string_view text, const Part& part, std::string_view moment,
                                   std::string_view reason) {
  return Write(text, part,
               {.mark = "/",
                .note = fmt::format("{}{}: {})", kFailed, moment, NoteText(std::string(reason)))});
}

}  // namespace sibyl::plan
