// SPDX-License-Identifier: Apache-2.0
// Markdown as HTML: only our own elements, never a script, an event, an address
// of another scheme or an image, whatever the text says and wherever its
// statements are.
#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "interface/room/text/markdown_html.h"

namespace {

// ` name="value"` again and again. A value may hold anything, unless it is an address.
void CheckAttributes(std::string_view tag) {
  while (!tag.empty()) {
    const std::size_t is = tag.find("=\"");
    const std::size_t end = is == tag.npos ? tag.npos : tag.find('"', is + 2);
    const std::string name(tag.substr(0, std::min(is, tag.size())));
    const std::string_view value =
        end == tag.npos ? std::string_view() : tag.substr(is + 2, end - is - 2);
    if (name.starts_with(" on") || name == " style" || name == " src") std::abort();
    const bool is_script = value.starts_with("javascript:") || value.starts_with("data:");
    if (name == " href" && is_script) std::abort();
    if (end == tag.npos) return;
    tag.remove_prefix(end + 1);
  }
}

// The name of each element must be one that we write.
void CheckElements(std::string_view html) {
  for (std::size_t at = html.find('<'); at != std::string_view::npos; at = html.find('<', at + 1)) {
    std::size_t begin = at + 1;
    if (begin < html.size() && html[begin] == '/') ++begin;
    std::size_t end = begin;
    while (end < html.size() && std::isalnum(static_cast<unsigned char>(html[end])) != 0) ++end;
    const std::string name = " " + std::string(html.substr(begin, end - begin)) + " ";
    constexpr std::string_view kOurs =
        " a blockquote br code del div em h1 h2 h3 h4 hr li mark ol p pre section span strong sup "
        "table td th tr ul ";
    if (kOurs.find(name) == std::string_view::npos) std::abort();
    CheckAttributes(html.substr(end, html.find('>', end) - end));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sibyl::interface;  // NOLINT(google-build-using-namespace)
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  MarkdownView view{.page = "a/b.md"};
  for (std::size_t begin = 0, id = 1; begin + 20 < size; begin += 40, ++id) {
    view.statements.push_back({.id = id,
                               .begin = begin,
                               .end = begin + 20,
                               .verdict = id % 2 == 0 ? "supported" : "undecidable",
                               .labels = {"a"}});
  }
  const sibyl::Result<RenderedMarkdown> rendered = RenderMarkdown(text, view);
  if (rendered.ok()) CheckElements(rendered->html.str());
  const MarkdownView remarks{.page = "a/b.md", .notes = {"a", "b", "1"}};
  const sibyl::Result<RenderedMarkdown> noted = RenderMarkdown(text, remarks);
  if (noted.ok()) CheckElements(noted->html.str());
  CheckElements(RenderFragment({.text = text, .wanted = {"a", "cuda"}}).str());
  CheckElements(RenderCodeNames(text).str());
  return 0;
}
