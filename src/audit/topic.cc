// SPDX-License-Identifier: Apache-2.0
#include "audit/topic.h"

#include <algorithm>

#include "audit/source_names.h"
#include "statement/atom.h"

namespace sibyl::audit {
TopicReader::TopicReader(const Witness& witness, const statement::Statements& statements,
                         std::string_view file)
    : witness_(witness), statements_(statements), homes_(witness, statements) {
  title_ = Read(file);
  for (const statement::SectionHeading& heading : statements.headings) {
    Words words = Read(heading.text);
    if (heading.level > 0 && heading.parent < headings_.size()) {
      const Words& above = headings_[heading.parent];
      for (std::size_t i = 0; i < words.names_source.size(); ++i) {
        if (above.names_source[i]) words.names_source[i] = true;
      }
      words.is_cmake = words.is_cmake || above.is_cmake;
      words.is_cuda = words.is_cuda || above.is_cuda;
    }
    headings_.push_back(std::move(words));
    names_cmake_.push_back(heading.text.find("CMake") != std::string::npos);
  }
  for (const statement::Statement& statement : statements.all) {
    if (statement.group >= groups_.size()) groups_.resize(statement.group + 1, Read(""));
    const Words words = Read(statement.text);
    Words& group = groups_[statement.group];
    for (std::size_t i = 0; i < words.names_source.size(); ++i) {
      if (words.names_source[i]) group.names_source[i] = true;
    }
    group.is_cmake = group.is_cmake || words.is_cmake;
    group.is_cuda = group.is_cuda || words.is_cuda;
  }
  anywhere_ = title_.names_source;
  for (const std::vector<Words>* all : {&headings_, &groups_}) {
    for (const Words& words : *all) {
      for (std::size_t i = 0; i < words.names_source.size(); ++i) {
        if (words.names_source[i]) anywhere_[i] = true;
      }
    }
  }
}

TopicReader::Words TopicReader::Read(std::string_view text) const {
  Words words;
  const FoldedText folded(text);
  for (std::size_t source = 0; source < witness_.sources().size(); ++source) {
    const std::vector<SourceName>& names = witness_.NamesOf(source);
    words.names_source.push_back(std::any_of(
        names.begin(), names.end(), [&](const SourceName& name) { return folded.Names(name); }));
  }
  words.is_cmake = folded.folded().find("cmake") != std::string::npos;
  words.is_cuda = folded.folded().find("cuda") != std::string::npos ||
                  folded.folded().find("kernel") != std::string::npos;
  return words;
}

void TopicReader::Merge(const Words& words, Topic& topic) {
  for (std::size_t i = 0; i < words.names_source.size(); ++i) {
    if (words.names_source[i]) topic.names_source[i] = true;
  }
  topic.is_cmake = topic.is_cmake || words.is_cmake;
  topic.is_cuda = topic.is_cuda || words.is_cuda;
}

Topic TopicReader::Of(std::size_t statement) const {
  const statement::Statement& here = statements_.all[statement];
  Topic topic;
  topic.names_anywhere = anywhere_;
  topic.names_source.resize(witness_.sources().size());
  Merge(title_, topic);
  Merge(headings_[here.heading], topic);
  Merge(groups_[here.group], topic);
  if (const std::optional<std::size_t> home = homes_.Of(here.heading)) {
    if (!topic.names_source[*home]) topic.told_by_names = home;
    topic.names_source[*home] = true;
  }
  // A block is introduced by the text right before it.
  if (here.kind == statement::StatementKind::kCode && here.group > 0)
    Merge(groups_[here.group - 1], topic);
  topic.is_cmake_near = groups_[here.group].is_cmake || names_cmake_[here.heading] ||
                        names_cmake_[names_cmake_.size() > 1 ? 1 : 0];
  topic.is_prose = here.IsProse();
  const statement::CodeLanguage language = statement::LanguageOf(here);
  topic.is_cmake = topic.is_cmake || language == statement::CodeLanguage::kCMake;
  topic.is_cuda = language == statement::CodeLanguage::kCpp ||
                  (topic.is_cuda && here.kind != statement::StatementKind::kCode);
  return topic;
}

}  // namespace sibyl::audit
