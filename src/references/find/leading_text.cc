// SPDX-License-Identifier: Apache-2.0
#include "references/find/leading_text.h"

#include <algorithm>

namespace sibyl::references {
namespace {

constexpr std::size_t kLongestBlock = 300;
constexpr std::size_t kLongestLead = 600;

}  // namespace

void LeadingText::Enter(const statement::Statement& statement, std::size_t column) {
  if (statement.heading != heading_) {
    heading_ = statement.heading;
    blocks_.clear();
  }
  if (statement.kind == statement::StatementKind::kHeading) return;
  while (!blocks_.empty() && blocks_.back().group != statement.group &&
         blocks_.back().column >= column) {
    blocks_.pop_back();
  }
  if (blocks_.empty() || blocks_.back().group != statement.group) {
    blocks_.push_back({.column = column, .group = statement.group, .text = {}});
  }
  std::string& text = blocks_.back().text;
  if (text.size() < kLongestBlock) {
    text += statement.text.substr(0, kLongestBlock - text.size());
    text += ' ';
  }
}

std::string LeadingText::Of(const statement::Statement& statement,
                            const std::vector<statement::SectionHeading>& headings) const {
  std::string lead;
  if (statement.heading < headings.size()) lead = headings[statement.heading].text;
  for (const Block& block : blocks_) {
    if (block.group != statement.group) (lead += ' ') += block.text;
  }
  lead.resize(std::min(lead.size(), kLongestLead));
  return lead;
}

}  // namespace sibyl::references
