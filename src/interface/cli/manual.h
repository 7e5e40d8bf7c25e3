// SPDX-License-Identifier: Apache-2.0
// The manual as a document: built once from the table, shown as text by `help`,
// as Markdown in docs/cli.md and as roff in the man page.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/operation.h"

namespace sibyl::interface {

struct ManualEntry {
  std::string term;  ///< "-o, --output FILE"
  std::string text;
};

/// One of the three is filled. Prose has `code` in backticks.
struct ManualBlock {
  std::string paragraph;
  std::string literal;  ///< Preformatted lines.
  std::vector<ManualEntry> entries;
};

struct ManualSection {
  std::string title;  ///< Lower case; empty for the description.
  std::vector<ManualBlock> blocks;
};

struct Manual {
  std::string name;  ///< "sibyl plan show"
  std::string summary;
  std::string usage;  ///< Without the word "usage".
  std::vector<ManualSection> sections;
};

Manual DescribeOperation(const engine::Operation& operation);

/// Global options, exit status, environment, files.
Manual DescribeProgram();

/// The widest that help is.
inline constexpr std::size_t kTextColumns = 79;

/// The one screen of `sibyl -h`, for all commands or those of one group.
std::string HelpScreen(std::string_view group = {}, std::size_t columns = kTextColumns);

/// Entries as two columns, or in a narrow window with the text below the term. `width` is that
/// of the longest term.
std::string EntriesAsText(const std::vector<ManualEntry>& entries, std::size_t width,
                          std::size_t columns);

/// The three forms. In the text, usage, paragraphs and entries fit into `columns`; examples
/// keep their lines.
std::string ManualAsText(const Manual& manual, std::size_t columns = kTextColumns);
std::string ManualAsMarkdown(const Manual& manual, std::size_t heading_level);
std::string ManualAsRoff(const Manual& program, const std::vector<Manual>& operations);

/// The whole of docs/cli.md.
std::string ManualPage();

/// "-o, --output FILE" or "PLAN...".
std::string ParameterTerm(const engine::Parameter& parameter);

}  // namespace sibyl::interface
