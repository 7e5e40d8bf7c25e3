// SPDX-License-Identifier: Apache-2.0
// The manual as a document: built once from the table, shown as text by `help`,
// as Markdown in docs/cli.md and as roff in the man page.
#pragma once

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

/// The one screen of `sibyl -h`, for all commands or those of one group.
std::string HelpScreen(std::string_view group = {});

/// The three forms. The text is 79 columns wide.
std::string ManualAsText(const Manual& manual);
std::string ManualAsMarkdown(const Manual& manual, std::size_t heading_level);
std::string ManualAsRoff(const Manual& program, const std::vector<Manual>& operations);

/// The whole of docs/cli.md.
std::string ManualPage();

/// "-o, --output FILE" or "PLAN...".
std::string ParameterTerm(const engine::Parameter& parameter);

}  // namespace sibyl::interface
