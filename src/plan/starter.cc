// SPDX-License-Identifier: Apache-2.0
#include "plan/starter.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/ascii.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace sibyl::plan {
namespace {

constexpr int kLinesPerSection = 100;
constexpr int kSections = 3;

constexpr std::string_view kHead = R"(# Oracle Knowledge Expansion: {topic}

**Topic**: {topic}
**Date**: {date}
**Target Folder**: `{slug}/`

<!--
An expansion plan. Each PART becomes one knowledge file; a point is one bullet
that a section must cover, with a citation. Replace the text here with what
you want to know, and delete the comments when you no longer need them.

  sibyl plan show FILE     shows how it is understood
  sibyl plan check FILE    reports inconsistencies
-->

---

## Overview

Say in a sentence or two what this expansion is for, and for whom.

---
)";

constexpr std::string_view kPart = R"(
## PART {number}: Create {target} ({budget} lines)

<!-- The box is ticked when the file is published. The number of lines is a
     budget: the sections below share it. -->

- [ ] PART {number}: Create {target}

**Goal**: Say what a reader of this file will be able to do

**Step 0: Check Existing Knowledge**
<!-- What the oracle already covers is linked, not written again. To have a
     file read first, name it, with its lines if you know them. -->
- [ ] Look for what the oracle already says about {topic}
- [ ] Identify the gap that this part fills

**Step 1: Research**
<!-- Queries run over the pinned sources. -->
- [ ] Search: "{topic} documentation"
- [ ] Search: "{topic} source code examples"

**Step 2: Extract Key Content**
- Definitions, names and limits as the sources give them
- What is commonly said and not true

**Step 3: Write Knowledge File**
- [ ] Create {target} (~{budget} lines)
- [ ] Section 1: Fundamentals (~{section} lines)
      - What it is, and what it is called
      - How its pieces work together
      Cite: official documentation
- [ ] Section 2: In practice (~{section} lines)
      - How it is used, with an example
      - What goes wrong, and how to see it
      Cite: source code
- [ ] Section 3: Limits (~{section} lines)
      - What it does not do
      - What changed between versions
      Cite: release notes

**Step 4: Create KNOWLEDGE DROP**
- [ ] Create KNOWLEDGE-DROP-{slug}-part-{number}-{date}.md

---
)";

constexpr std::string_view kTail = R"(
## Completion Criteria

<!-- What must hold for the expansion as a whole. -->

- [ ] Every statement has a citation that resolves
- [ ] Points without evidence are listed, not padded
)";

/// One line, with white space trimmed and collapsed.
std::string InOneLine(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = static_cast<unsigned char>(c) <= ' ' || c == '\x7F';
    if (!blank) {
      line += c;
    } else if (!line.empty() && line.back() != ' ') {
      line += ' ';
    }
  }
  if (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

struct CodePoints {
  char32_t first = 0;
  char32_t last = 0;
};

// Characters that are not seen: two names that differ only in them look the same,
// and some of them reorder the name. Unicode's category Cf, variation selectors.
constexpr CodePoints kInvisible[] = {
    {0xAD, 0xAD},       {0x600, 0x605},     {0x61C, 0x61C},     {0x6DD, 0x6DD},
    {0x70F, 0x70F},     {0x890, 0x891},     {0x8E2, 0x8E2},     {0x180B, 0x180F},
    {0x200B, 0x200F},   {0x202A, 0x202E},   {0x2060, 0x206F},   {0xFE00, 0xFE0F},
    {0xFEFF, 0xFEFF},   {0xFFF9, 0xFFFB},   {0x110BD, 0x110BD}, {0x110CD, 0x110CD},
    {0x13430, 0x1343F}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
};

// C1 controls and white space.
constexpr CodePoints kSeparators[] = {
    {0x80, 0xA0},     {0x1680, 0x1680}, {0x2000, 0x200A}, {0x2028, 0x2029},
    {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000},
};

template <std::size_t kSize>
bool IsIn(const CodePoints (&ranges)[kSize], char32_t c) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [c](const CodePoints& range) { return c >= range.first && c <= range.last; });
}

}  // namespace

bool IsStarterPoint(std::string_view point) {
  return Contains(kPart, fmt::format("      - {}\n", point));
}

std::string MakeStarter(const StarterOptions& options) {
  const std::string topic = InOneLine(options.topic);
  std::string text = fmt::format(kHead, fmt::arg("topic", topic), fmt::arg("date", options.date),
                                 fmt::arg("slug", options.slug));
  for (int part = 1; part <= options.parts; ++part) {
    const std::string target =
        fmt::format("{}/{:02}-subject-{}.md", options.slug, options.first_number + part - 1, part);
    text += fmt::format(kPart, fmt::arg("number", part), fmt::arg("target", target),
                        fmt::arg("budget", kSections * kLinesPerSection),
                        fmt::arg("section", kLinesPerSection), fmt::arg("topic", topic),
                        fmt::arg("slug", options.slug), fmt::arg("date", options.date));
  }
  text += kTail;
  return text;
}

std::string SlugOf(std::string_view topic) {
  constexpr std::size_t kMaxBytes = 60;
  std::string slug;
  while (!topic.empty()) {
    const Utf8Character next = DecodeUtf8(topic);
    const char32_t c = next.code_point;
    const bool is_ascii = c < 0x80;
    if (is_ascii ? IsAlphanumeric(topic[0]) : next.is_valid && !IsIn(kSeparators, c)) {
      if (is_ascii) {
        slug += LowerCase(topic.substr(0, 1));
      } else if (!IsIn(kInvisible, c)) {
        slug += topic.substr(0, next.bytes);
      }
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
    topic.remove_prefix(next.bytes);
  }
  if (slug.size() > kMaxBytes) {
    // At a word if there is one, and never inside a character.
    std::size_t end = slug.rfind('-', kMaxBytes);
    if (end == std::string::npos || end < kMaxBytes / 2) {
      end = kMaxBytes;
      while ((static_cast<unsigned char>(slug[end]) & 0xC0U) == 0x80U) --end;
    }
    slug.resize(end);
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug;
}

}  // namespace sibyl::plan
