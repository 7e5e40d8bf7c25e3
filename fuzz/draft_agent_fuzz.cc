// SPDX-License-Identifier: Apache-2.0
// Whatever an agent sends as the body of a section becomes a page of whole
// lines, each with its origin, and never two footnotes of one number.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "draft/agent/agent_page.h"
#include "draft/agent/page_sections.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  sibyl::plan::Plan plan{.title = "Plan"};
  sibyl::plan::Part part{.number = 3, .title = "Part", .target = "a/01-b.md"};
  part.sections.push_back(
      {.title = "One", .points = {{.text = "First point"}, {.text = "Second"}}});
  part.sections.push_back({.title = "Two", .points = {{.text = "Third"}}});
  const sibyl::evidence::Lock lock;
  const std::size_t half = size / 2;
  const sibyl::draft::AgentPage page = sibyl::draft::ComposeAgentPage(
      {.plan = plan, .part = part, .lock = lock, .program = "sibyl", .time = {}},
      {{.place = 0, .text = std::string(body.substr(0, half))},
       {.place = 1, .text = std::string(body.substr(half))}});
  const auto newlines =
      static_cast<std::size_t>(std::count(page.draft.text.begin(), page.draft.text.end(), '\n'));
  if (newlines != page.origins.size()) std::abort();
  if (sibyl::draft::CoveredCount(page.draft) > 3) std::abort();
  // Any text is taken apart or refused, and what was taken apart can be put together.
  const sibyl::draft::SplitInputs inputs{.part = part, .lock = lock};
  (void)sibyl::draft::SplitPage(body, inputs);
  const auto again = [&](const std::string& text) {
    const auto sections = sibyl::draft::SplitPage(text, inputs);
    if (!sections.ok()) return std::string();
    return sibyl::draft::ComposeAgentPage({.plan = plan,
                                           .part = part,
                                           .lock = lock,
                                           .program = "sibyl",
                                           .time = {},
                                           .kept = sibyl::draft::ReadLabels(text)},
                                          *sections)
        .draft.text;
  };
  (void)again(page.draft.text);
  return 0;
}
