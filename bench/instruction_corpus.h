// SPDX-License-Identifier: Apache-2.0
// What the recogniser of prompt injections is trained with and judged by: labelled
// items, one JSON object per line, and folders of ordinary text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "injection/instruction_features.h"

namespace sibyl::bench {

/// A text by the features of its sentences, as indices of Vocabulary.
struct Example {
  std::vector<std::vector<std::uint32_t>> sentences;
  bool is_injection = false;
  bool is_hidden = false;     ///< Found without the model.
  bool is_disguised = false;  ///< A copy that was disguised to learn from.
  std::string language;
};

/// All features of the labelled items. Others are not looked at.
class Vocabulary {
 public:
  /// Adds the features of an item to the vocabulary.
  Example Take(std::string_view text);
  /// Only the features that are known.
  Example Read(std::string_view text) const;
  const std::vector<injection::Feature>& features() const { return features_; }

 private:
  std::unordered_map<injection::Feature, std::uint32_t> indices_;
  std::vector<injection::Feature> features_;
};

/// The items of one file, all by one author. One in three injections also gets a
/// disguised copy.
std::vector<Example> ReadItems(const std::string& file, Vocabulary& vocabulary);

/// The paragraphs of the files below a folder. A quarter of the files is held out.
struct Folder {
  std::string name;
  std::vector<Example> known;
  std::vector<Example> held_out;
};
Folder ReadFolder(const std::string& name, const Vocabulary& vocabulary);

}  // namespace sibyl::bench
