// SPDX-License-Identifier: Apache-2.0
// For tests: a web on loopback, with pages and a search provider, and an oracle
// whose person agreed to use it.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/mutex.h"
#include "expansion/test_expansion.h"
#include "net/test_server.h"
#include "oracle/consent.h"
#include "oracle/outside_settings.h"

namespace sibyl::expansion {

/// A page that is long enough to be evidence.
inline std::string TestArticle(std::string_view title, std::string_view text) {
  std::string html = "<html><head><title>" + std::string(title) +
                     "</title></head><body><main><h1>" + std::string(title) + "</h1><p>" +
                     std::string(text) + "</p>";
  for (int i = 0; i < 4; ++i) {
    html += "<p>Paragraph " + std::to_string(i) +
            " describes queues, how many entries they hold, who fills them and who empties them, "
            "and what somebody who builds one has to decide first.</p>";
  }
  return html + "</main></body></html>";
}

class TestWeb {
 public:
  TestWeb() : server_([this](const std::string& request) { return Serve(request); }) {}

  /// Answers a path with these bytes; everything else is 404.
  void Answer(const std::string& path, net::TestAnswer answer) SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    answers_[path] = std::move(answer);
  }
  void Publish(const std::string& path, std::string_view title, std::string_view text) {
    Answer(path, net::TestPage("200 OK", "Content-Type: text/html\r\n", TestArticle(title, text)));
  }
  /// Sets the results of every search from now on.
  void Find(const std::vector<std::string>& urls) {
    Json results = Json::array();
    for (const std::string& url : urls) results.push_back({{"url", url}, {"title", "Found"}});
    Answer("/search", net::TestPage("200 OK", "Content-Type: application/json\r\n",
                                    FormatJson(Json{{"results", results}})));
  }

  std::string url(std::string_view path) const { return server_.url(path); }
  std::string host() const { return server_.host(); }

  /// The paths that were asked for, in order, without their queries.
  std::vector<std::string> asked() const {
    std::vector<std::string> paths;
    for (const std::string& request : server_.requests()) paths.push_back(PathOf(request));
    return paths;
  }
  std::size_t CountAsked(std::string_view path) const {
    const std::vector<std::string> paths = asked();
    return static_cast<std::size_t>(std::count(paths.begin(), paths.end(), path));
  }

 private:
  static std::string PathOf(const std::string& request) {
    const std::size_t start = request.find(' ') + 1;
    const std::string path = request.substr(start, request.find(' ', start) - start);
    return path.substr(0, path.find('?'));
  }

  net::TestAnswer Serve(const std::string& request) SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    const auto answer = answers_.find(PathOf(request));
    if (answer != answers_.end()) return answer->second;
    return net::TestPage("404 Not Found", "Content-Type: text/html\r\n", "<h1>Not Found</h1>");
  }

  Mutex mutex_;
  std::map<std::string, net::TestAnswer> answers_ SIBYL_GUARDED_BY(mutex_);
  net::TestServer server_;  // last: its threads use the others
};

class WebFixture : public testing::Test {
 protected:
  WebFixture() { Configure("provider = \"searxng\"\nurl = \"" + web_.url("/") + "\"\n"); }

  /// The [web] table. Nobody has agreed to it yet.
  void Write(const std::string& table) const {
    expansion_.Write("oracle/sibyl.toml", "[web]\n" + table);
  }
  /// Writes a configuration with the settings that a test on loopback needs, already agreed to.
  void Configure(const std::string& lines) const {
    Write("interval_ms = 0\nallow = [\"" + web_.host() + "\"]\n" + lines);
    Agree();
  }
  void Agree() const {
    const auto settings = oracle::OutsideSettings(Context());
    ASSERT_TRUE(settings.ok()) << settings.error().message;
    ASSERT_TRUE(oracle::RecordConsent(Context(), *settings).ok());
  }

  /// With the network.
  oracle::Context Context() const {
    oracle::Context context = expansion_.context();
    context.network = Network::kAllowed;
    return context;
  }

  TestExpansion expansion_;
  TestWeb web_;
};

}  // namespace sibyl::expansion
