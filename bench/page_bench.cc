// SPDX-License-Identifier: Apache-2.0
// How fast pages become text, beside gumbo, the usual HTML5 parser, doing its part of
// it alone: making the tree, out of which a text would still have to be made. Both read
// the same pages in the same run: a page of a documentation generator, made here, or
// the folder of HTML files that SIBYL_PAGE_CORPUS names.
#include <benchmark/benchmark.h>
#include <gumbo.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/files/files.h"
#include "page/page.h"

namespace {

namespace fs = std::filesystem;

// Sphinx's way of writing: a side bar, sections, highlighted code, a table.
std::string MakePage(std::size_t bytes) {
  std::string html =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\" /><title>Gadget</title>"
      "</head><body><div class=\"related\" role=\"navigation\"><ul>";
  for (int i = 0; i < 40; ++i) {
    html += "<li class=\"nav-item\"><a class=\"reference internal\" href=\"a.html\">Part " +
            std::to_string(i) + "</a> &#187;</li>\n";
  }
  html += "</ul></div><div class=\"document\"><div class=\"body\" role=\"main\">";
  for (int i = 0; html.size() < bytes; ++i) {
    const std::string n = std::to_string(i);
    html +=
        "<section id=\"part-" + n + "\"><h2>Part " + n + "<a class=\"headerlink\" href=\"#part-" +
        n +
        "\" title=\"Link\">&#182;</a></h2>\n<p>The <code class=\"docutils literal notranslate\">"
        "<span class=\"pre\">launch()</span></code> call puts a kernel into a stream &amp; returns "
        "before it has run.  See <a class=\"reference internal\" href=\"b.html\"><span "
        "class=\"std std-ref\">streams</span></a> for\nwhat is ordered and what is not.</p>\n"
        "<div class=\"highlight-c++ notranslate\"><div class=\"highlight\"><pre><span></span>";
    for (int line = 0; line < 8; ++line) {
      html +=
          "<span class=\"kt\">int</span><span class=\"w\"> </span><span class=\"n\">x</span>"
          "<span class=\"w\"> </span><span class=\"o\">=</span><span class=\"w\"> </span>"
          "<span class=\"mi\">1</span><span class=\"p\">;</span>\n";
    }
    html +=
        "</pre></div></div>\n<table class=\"docutils align-default\"><thead><tr><th>Name</th>"
        "<th>Bytes</th></tr></thead><tbody><tr><td><p>small</p></td><td><p>16</p></td></tr>"
        "</tbody></table></section>\n";
  }
  return html + "</div></div><div class=\"footer\">Copyright</div></body></html>\n";
}

const std::vector<std::string>& Pages() {
  static const std::vector<std::string> pages = [] {
    std::vector<std::string> read;
    const char* corpus = std::getenv("SIBYL_PAGE_CORPUS");  // NOLINT(concurrency-mt-unsafe)
    if (corpus == nullptr) return std::vector<std::string>(4, MakePage(200'000));
    constexpr std::size_t kMostBytes = std::size_t{64} << 20;
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(corpus)) {
      if (entry.is_regular_file() && entry.path().extension() == ".html") files.push_back(entry);
    }
    std::sort(files.begin(), files.end());
    std::size_t bytes = 0;
    for (const fs::path& file : files) {
      sibyl::Result<std::string> text = sibyl::ReadFile(file);
      if (!text.ok() || bytes + text->size() > kMostBytes) continue;
      bytes += text->size();
      read.push_back(*std::move(text));
    }
    return read;
  }();
  return pages;
}

void Report(benchmark::State& state) {
  std::size_t bytes = 0;
  for (const std::string& page : Pages()) bytes += page.size();
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

void PageExtract(benchmark::State& state) {
  for (auto _ : state) {
    for (const std::string& page : Pages()) {
      benchmark::DoNotOptimize(
          sibyl::page::Extract(page, "text/html; charset=utf-8", "https://example.org/a"));
    }
  }
  Report(state);
}

void GumboParse(benchmark::State& state) {
  for (auto _ : state) {
    for (const std::string& page : Pages()) {
      GumboOutput* tree = gumbo_parse_with_options(&kGumboDefaultOptions, page.data(), page.size());
      benchmark::DoNotOptimize(tree);
      gumbo_destroy_output(&kGumboDefaultOptions, tree);
    }
  }
  Report(state);
}

}  // namespace

BENCHMARK(PageExtract)->Unit(benchmark::kMillisecond);
BENCHMARK(GumboParse)->Unit(benchmark::kMillisecond);
