// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/json.h"
#include "base/process/subprocess.h"
#include "base/strings.h"
#include "research/answer_reader.h"
#include "research/providers.h"

namespace sibyl::research {
namespace {

constexpr std::size_t kMaxOutputBytes = std::size_t{4} << 20;
constexpr std::chrono::seconds kLongest{60};

class CommandProvider : public Provider {
 public:
  explicit CommandProvider(std::vector<std::string> command) : command_(std::move(command)) {}

  std::string_view name() const override { return "command"; }

  Result<std::vector<Found>> Search(const Query& query, const std::stop_token& stop) override {
    Command run{.program = command_.front(),
                .arguments = {command_.begin() + 1, command_.end()},
                .limits = {.time = kLongest, .output_bytes = kMaxOutputBytes}};
    // A query that begins with a dash is a query all the same.
    const bool looks_like_option = query.text.starts_with('-');
    run.arguments.push_back(looks_like_option ? " " + query.text : query.text);
    const Outcome outcome = SIBYL_TRY(RunProgram(run, stop));
    if (!outcome.succeeded()) {
      return Error{
          .kind = ErrorKind::kUnavailable,
          .message = fmt::format("searching with {}: {}", command_.front(), Describe(outcome))};
    }
    std::vector<Found> list;
    for (const std::string_view line : SplitLines(outcome.output)) {
      if (list.size() >= query.limit) break;
      if (Trim(line).empty()) continue;
      const Result<Json> item = ParseJson(line);
      if (!item.ok()) {
        return Error{
            .kind = ErrorKind::kCorrupt,
            .message = fmt::format("searching with {}: it printed a line that is not JSON",
                                   command_.front()),
            .hint = "print one object per line: {\"url\": …, \"title\": …, \"snippet\": …}"};
      }
      Found found;
      if (!ReadFound(*item, {.list = "", .published = "published"}, found)) continue;
      found.rank = list.size() + 1;
      found.provider = name();
      list.push_back(std::move(found));
    }
    return list;
  }

 private:
  std::vector<std::string> command_;
};

}  // namespace

std::unique_ptr<Provider> MakeCommandProvider(std::vector<std::string> command) {
  return std::make_unique<CommandProvider>(std::move(command));
}

}  // namespace sibyl::research
