// SPDX-License-Identifier: Apache-2.0
// HTML as a stream of tags and text. The states of the HTML standard that
// affect text: raw text, comments, attributes with all kinds of quotes, a stray
// '<'. No tree, no recursion, one pass: time is linear for any input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "page/tag.h"

namespace sibyl::page {

/// The attributes that distinguish content from boilerplate; entities not
/// decoded.
struct Attributes {
  std::string_view classes;
  std::string_view id;
  std::string_view name;
  std::string_view role;
  std::string_view type;
  std::string_view content;
  std::string_view property;
  std::string_view http_equiv;
  std::string_view charset;
  std::string_view rel;
  std::string_view href;
  std::string_view lang;
  std::string_view data_lang;
  std::string_view alt;
  std::string_view itemprop;
  bool hidden = false;  ///< hidden, or aria-hidden="true".
};

struct Token {
  enum class Kind : std::uint8_t { kText, kRawText, kStart, kEnd };

  Kind kind = Kind::kText;
  Tag tag = Tag::kUnknown;  ///< Of a tag; for raw text, its element.
  std::string_view text;    ///< Of text, entities and all.
};

class Tokenizer {
 public:
  /// `html` is UTF-8 and outlives the tokenizer.
  explicit Tokenizer(std::string_view html) : rest_(html) {}

  /// False at the end. Comments, doctypes and broken tags are stepped over.
  bool Next(Token& token);

  /// The attributes of the start tag that Next returned last.
  const Attributes& attributes() const { return attributes_; }

 private:
  bool NextRaw(Token& token);
  bool ReadTag(Token& token);
  void SkipDeclaration();
  bool ReadAttributes();
  void Assign(std::string_view name, std::string_view value);

  std::string_view rest_;
  Attributes attributes_;
  bool has_attributes_ = false;  // most tags have none, and clearing them costs
  Tag raw_ = Tag::kUnknown;      // the element whose raw text comes next
};

}  // namespace sibyl::page
