// SPDX-License-Identifier: Apache-2.0
#include "page/tag.h"

#include <array>

namespace sibyl::page {
namespace {

struct Row {
  std::string_view name;
  Tag tag;
  int traits;
};

constexpr std::array<Row, kTagCount> kRows = {{
    {"", Tag::kUnknown, 0},
    {"a", Tag::kA, 0},
    {"address", Tag::kAddress, kBlockTag},
    {"article", Tag::kArticle, kBlockTag},
    {"aside", Tag::kAside, kBlockTag},
    {"base", Tag::kBase, kVoidTag},
    {"blockquote", Tag::kBlockquote, kBlockTag},
    {"body", Tag::kBody, kBlockTag},
    {"br", Tag::kBr, kVoidTag},
    {"button", Tag::kButton, kSilentTag},
    {"caption", Tag::kCaption, kBlockTag},
    {"code", Tag::kCode, kMonospaceTag},
    {"dd", Tag::kDd, kBlockTag},
    {"details", Tag::kDetails, kBlockTag},
    {"dialog", Tag::kDialog, kBlockTag | kSilentTag},
    {"div", Tag::kDiv, kBlockTag},
    {"dl", Tag::kDl, kBlockTag},
    {"dt", Tag::kDt, kBlockTag},
    {"fieldset", Tag::kFieldset, kBlockTag},
    {"figcaption", Tag::kFigcaption, kBlockTag},
    {"figure", Tag::kFigure, kBlockTag},
    {"footer", Tag::kFooter, kBlockTag},
    {"form", Tag::kForm, kBlockTag},
    {"frameset", Tag::kFrameset, kBlockTag},
    {"h1", Tag::kH1, kBlockTag},
    {"h2", Tag::kH2, kBlockTag},
    {"h3", Tag::kH3, kBlockTag},
    {"h4", Tag::kH4, kBlockTag},
    {"h5", Tag::kH5, kBlockTag},
    {"h6", Tag::kH6, kBlockTag},
    {"head", Tag::kHead, kBlockTag},
    {"header", Tag::kHeader, kBlockTag},
    {"hr", Tag::kHr, kBlockTag | kVoidTag},
    {"html", Tag::kHtml, kBlockTag},
    {"iframe", Tag::kIframe, kRawTag | kSilentTag},
    {"img", Tag::kImg, kVoidTag},
    {"input", Tag::kInput, kVoidTag},
    {"kbd", Tag::kKbd, kMonospaceTag},
    {"li", Tag::kLi, kBlockTag},
    {"link", Tag::kLink, kVoidTag},
    {"main", Tag::kMain, kBlockTag},
    {"meta", Tag::kMeta, kVoidTag},
    {"nav", Tag::kNav, kBlockTag | kSilentTag},
    {"noembed", Tag::kNoembed, kRawTag | kSilentTag},
    {"noscript", Tag::kNoscript, kSilentTag},
    {"object", Tag::kObject, kSilentTag},
    {"ol", Tag::kOl, kBlockTag},
    {"option", Tag::kOption, kBlockTag | kSilentTag},
    {"p", Tag::kP, kBlockTag},
    {"pre", Tag::kPre, kBlockTag},
    {"q", Tag::kQ, 0},
    {"samp", Tag::kSamp, kMonospaceTag},
    {"script", Tag::kScript, kRawTag | kSilentTag},
    {"section", Tag::kSection, kBlockTag},
    {"select", Tag::kSelect, kSilentTag},
    {"span", Tag::kSpan, 0},
    {"style", Tag::kStyle, kRawTag | kSilentTag},
    {"sub", Tag::kSub, 0},
    {"summary", Tag::kSummary, kBlockTag},
    {"sup", Tag::kSup, 0},
    {"svg", Tag::kSvg, kSilentTag},
    {"table", Tag::kTable, kBlockTag},
    {"tbody", Tag::kTbody, kBlockTag},
    {"td", Tag::kTd, kBlockTag},
    {"template", Tag::kTemplate, kSilentTag},
    {"textarea", Tag::kTextarea, kRawTag | kSilentTag},
    {"tfoot", Tag::kTfoot, kBlockTag},
    {"th", Tag::kTh, kBlockTag},
    {"thead", Tag::kThead, kBlockTag},
    {"title", Tag::kTitle, kRawTag | kSilentTag},
    {"tr", Tag::kTr, kBlockTag},
    {"tt", Tag::kTt, kMonospaceTag},
    {"ul", Tag::kUl, kBlockTag},
    {"video", Tag::kVideo, kSilentTag},
    {"wbr", Tag::kWbr, kVoidTag},
    {"xmp", Tag::kXmp, kBlockTag | kRawTag},
}};

constexpr bool RowsAreInOrder() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (static_cast<std::size_t>(kRows[i].tag) != i) return false;
  }
  return true;
}
static_assert(RowsAreInOrder(), "each row must be at the index of its tag");

constexpr std::size_t kSlots = 256;

constexpr std::size_t SlotOf(std::string_view name) {
  std::uint32_t hash = 2166136261U;
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
  return (hash ^ hash >> 15) % kSlots;
}

constexpr std::array<std::uint8_t, kSlots> MakeSlots() {
  std::array<std::uint8_t, kSlots> slots{};
  for (std::size_t i = 1; i < kRows.size(); ++i) {
    std::size_t slot = SlotOf(kRows[i].name);
    while (slots[slot] != 0) slot = (slot + 1) % kSlots;
    slots[slot] = static_cast<std::uint8_t>(i);
  }
  return slots;
}
constexpr std::array<std::uint8_t, kSlots> kTagSlots = MakeSlots();

}  // namespace

Tag FindTag(std::string_view name) {
  for (std::size_t slot = SlotOf(name); kTagSlots[slot] != 0; slot = (slot + 1) % kSlots) {
    if (kRows[kTagSlots[slot]].name == name) return kRows[kTagSlots[slot]].tag;
  }
  return Tag::kUnknown;
}

std::string_view TagName(Tag tag) { return kRows[static_cast<std::size_t>(tag)].name; }

std::uint8_t TraitsOf(Tag tag) {
  return static_cast<std::uint8_t>(kRows[static_cast<std::size_t>(tag)].traits);
}

}  // namespace sibyl::page
