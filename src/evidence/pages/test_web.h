// SPDX-License-Identifier: Apache-2.0
// A web of a few pages for tests: a map that answers, and remembers what it was asked.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "evidence/pages/page_fetcher.h"

namespace sibyl::evidence {

class TestWeb {
 public:
  /// HTML with a heading and enough words to be a page.
  static std::string Page(std::string_view title, std::string_view words) {
    return "<html><head><title>" + std::string(title) +
           "</title></head><body><nav>menu</nav><main><h1 id=top>" + std::string(title) +
           "</h1><p>" + std::string(words) +
           "</p><h2 id=more>More</h2><p>There is more to say about it here, in a second "
           "section.</p>"
           "</main></body></html>";
  }

  void Put(const std::string& url, std::string body, std::string etag = {}) {
    const MutexLock lock(mutex_);
    PageResponse response{.status = 200, .url = url, .body = std::move(body)};
    response.headers = {{"Content-Type", "text/html; charset=utf-8"}, {"Set-Cookie", "id=secret"}};
    if (!etag.empty()) response.headers.emplace_back("ETag", etag);
    answers_[url] = std::move(response);
  }

  void Set(const std::string& url, PageResponse response) {
    const MutexLock lock(mutex_);
    answers_[url] = std::move(response);
  }

  void Fail(const std::string& url, ErrorKind kind) {
    const MutexLock lock(mutex_);
    failures_[url] = kind;
  }

  PageFetcher Fetcher() {
    return [this](const PageRequest& request) { return Answer(request); };
  }

  std::vector<std::string> asked() const {
    const MutexLock lock(mutex_);
    return asked_;
  }

 private:
  Result<PageResponse> Answer(const PageRequest& request) {
    const MutexLock lock(mutex_);
    asked_.push_back(request.url);
    if (const auto failure = failures_.find(request.url); failure != failures_.end()) {
      return Error{.kind = failure->second, .message = "asking " + request.url + ": no answer"};
    }
    const auto found = answers_.find(request.url);
    if (found == answers_.end()) return PageResponse{.status = 404, .url = request.url};
    const PageResponse& response = found->second;
    if (!request.etag.empty() && request.etag == response.Header("etag")) {
      return PageResponse{.status = 304, .url = request.url};
    }
    return response;
  }

  mutable Mutex mutex_;
  std::map<std::string, PageResponse> answers_ SIBYL_GUARDED_BY(mutex_);
  std::map<std::string, ErrorKind> failures_ SIBYL_GUARDED_BY(mutex_);
  std::vector<std::string> asked_ SIBYL_GUARDED_BY(mutex_);
};

}  // namespace sibyl::evidence
