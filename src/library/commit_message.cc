// SPDX-License-Identifier: Apache-2.0
#include "library/commit_message.h"

#include <fmt/format.h>

#include "base/one_line.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "library/page_text.h"

namespace sibyl::library {
std::string CommitMessage(const Published& published, PublicationKind kind,
                          std::string_view subject) {
  constexpr std::size_t kLongestSubject = 300;
  PublishedFile total;
  for (const PublishedFile& file : published.files) {
    total.lines += file.lines;
    total.citations += file.citations;
    total.points += file.points;
    total.covered += file.covered;
  }
  std::string message = fmt::format(
      "{}: {}, {}, {}, {} of {}", kind == PublicationKind::kRevision ? "revise" : "expand",
      Count(published.files.size(), "file"), Count(total.lines, "line"),
      Count(total.citations, "citation"), total.covered, Count(total.points, "point"));
  if (!published.failed.empty()) {
    message += fmt::format("; {} failed", Count(published.failed.size(), "part"));
  }
  if (!subject.empty()) message = OneLine(std::string(subject), kLongestSubject);
  message += fmt::format("\n\nPlan: {}\n", published.plan_now);
  for (const PublishedFile& file : published.files) {
    message += fmt::format("- PART {}: {}: {}, {}, {} of {}\n", file.part, file.path,
                           Count(file.lines, "line"), Count(file.citations, "citation"),
                           file.covered, Count(file.points, "point"));
  }
  for (const FailedNote& failed : published.failed) {
    message += fmt::format("- PART {}: failed: {}\n", failed.part, OneLine(failed.reason, 300));
  }
  return message + fmt::format("\n{}: {}\n", kTrailer, published.id);
}

}  // namespace sibyl::library
