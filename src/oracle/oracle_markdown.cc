// SPDX-License-Identifier: Apache-2.0
#include "oracle/oracle_markdown.h"

#include <fmt/format.h>

#include <utility>

#include "oracle/argument_file.h"
#include "oracle/oracle.h"

namespace sibyl::oracle {
namespace {

constexpr std::size_t kMaxPageBytes = std::size_t{16} << 20;

void AddPage(const Context& context, const ArgumentFile& file, OracleMarkdown& found) {
  std::string name = ShownPath(context, file.path()).string();
  Result<std::string> text = file.Read({.max_bytes = kMaxPageBytes});
  if (!text.ok()) {
    found.findings.push_back({.severity = Severity::kError,
                              .code = "struct/unread",
                              .message = text.error().message,
                              .hint = text.error().hint,
                              .place = {.file = std::move(name)}});
    return;
  }
  // A page outside the oracle goes by its own name.
  found.pages.push_back({.path = file.in_oracle().value_or(file.path().filename().string()),
                         .name = std::move(name),
                         .text = *std::move(text)});
}

// Plans are not knowledge, and hidden folders belong to other programs.
Status AddFolder(const Context& context, const ArgumentFile& folder, OracleMarkdown& found) {
  const FileSearch search{
      .is_wanted = [](std::string_view name) { return name.ends_with(".md"); },
      .enters =
          [](std::string_view name) { return !name.starts_with(".") && !name.starts_with("_"); }};
  FilesBelow below = SIBYL_TRY(FindFilesBelow(context, folder, search));
  for (const ArgumentFile& file : below.files) AddPage(context, file, found);
  for (Finding& skipped : below.skipped) {
    skipped.code = "struct/unread";
    found.findings.push_back(std::move(skipped));
  }
  return {};
}

}  // namespace

Result<OracleMarkdown> ReadOracleMarkdown(const Context& context) {
  const ArgumentFile oracle = SIBYL_TRY(ArgumentFile::Oracle(context));
  OracleMarkdown found;
  SIBYL_TRY(AddFolder(context, oracle, found));
  return found;
}

Result<OracleMarkdown> ReadNamedMarkdown(const Context& context,
                                         const std::vector<std::string>& arguments) {
  SIBYL_TRY(RequireOracle(context));
  OracleMarkdown found;
  for (const std::string& argument : arguments) {
    const ArgumentFile file = SIBYL_TRY(ArgumentFile::Find(context, argument));
    if (!file.Exists()) {
      return Error{.kind = ErrorKind::kNotFound,
                   .message = fmt::format("reading {}: no such file", argument)};
    }
    if (file.IsFolder()) {
      SIBYL_TRY(AddFolder(context, file, found));
    } else {
      AddPage(context, file, found);
    }
  }
  return found;
}

}  // namespace sibyl::oracle
