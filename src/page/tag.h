// SPDX-License-Identifier: Apache-2.0
// The elements of HTML that mean something to a reader of text, and what each
// does to the flow of it. All others are kUnknown and flow like a span.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sibyl::page {

enum class Tag : std::uint8_t {
  kUnknown,
  kA,
  kAddress,
  kArticle,
  kAside,
  kBase,
  kBlockquote,
  kBody,
  kBr,
  kButton,
  kCaption,
  kCode,
  kDd,
  kDetails,
  kDialog,
  kDiv,
  kDl,
  kDt,
  kFieldset,
  kFigcaption,
  kFigure,
  kFooter,
  kForm,
  kFrameset,
  kH1,
  kH2,
  kH3,
  kH4,
  kH5,
  kH6,
  kHead,
  kHeader,
  kHr,
  kHtml,
  kIframe,
  kImg,
  kInput,
  kKbd,
  kLi,
  kLink,
  kMain,
  kMeta,
  kNav,
  kNoembed,
  kNoscript,
  kObject,
  kOl,
  kOption,
  kP,
  kPre,
  kQ,
  kSamp,
  kScript,
  kSection,
  kSelect,
  kSpan,
  kStyle,
  kSub,
  kSummary,
  kSup,
  kSvg,
  kTable,
  kTbody,
  kTd,
  kTemplate,
  kTextarea,
  kTfoot,
  kTh,
  kThead,
  kTitle,
  kTr,
  kTt,
  kUl,
  kVideo,
  kWbr,
  kXmp,
};
inline constexpr std::size_t kTagCount = static_cast<std::size_t>(Tag::kXmp) + 1;

/// Properties of an element, as bits.
enum TagTrait : std::uint8_t {
  kBlockTag = 1,   ///< Begins and ends a line of text.
  kVoidTag = 2,    ///< Has no content and no end tag.
  kRawTag = 4,     ///< Its content is not markup, up to its end tag.
  kSilentTag = 8,  ///< Its content is not text for readers.
  kMonospaceTag = 16,
};

/// `name` in lower case.
Tag FindTag(std::string_view name);

std::string_view TagName(Tag tag);
std::uint8_t TraitsOf(Tag tag);

inline bool Is(Tag tag, TagTrait trait) { return (TraitsOf(tag) & trait) != 0; }

/// 1 to 6 for a heading, 0 for anything else.
inline int HeadingLevel(Tag tag) {
  if (tag < Tag::kH1 || tag > Tag::kH6) return 0;
  return static_cast<int>(tag) - static_cast<int>(Tag::kH1) + 1;
}

}  // namespace sibyl::page
