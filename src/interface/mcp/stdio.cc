// SPDX-License-Identifier: Apache-2.0
#include "interface/mcp/stdio.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/files/write_all.h"
#include "base/mutex.h"

namespace sibyl::interface {
namespace {

using std::chrono::milliseconds;

// The requests of a connection, shared by its threads. A shared pointer, since
// it outlives the call that created it if a tool does not end.
class Connection {
 public:
  Connection(const McpServer& server, const StdioOptions& options)
      : server_(server), options_(options) {}

  void Write(const Json& message) SIBYL_EXCLUDES(writing_) {
    std::string line = FormatRpc(message);
    line += '\n';
    const MutexLock lock(writing_);
    if (!is_deaf_ && WriteAll(options_.out, line) != 0) is_deaf_ = true;
  }

  bool is_deaf() SIBYL_EXCLUDES(writing_) {
    const MutexLock lock(writing_);
    return is_deaf_;
  }

  void Take(RpcRequest request, Era era, AnswerForm form) SIBYL_EXCLUDES(mutex_) {
    const Json id = request.id;
    const std::string key = id.dump();
    std::optional<RpcError> refusal;
    {
      const MutexLock lock(mutex_);
      if (under_way_.contains(key)) {
        refusal = {.code = RpcCode::kInvalidRequest,
                   .message = "a request with this id is already in progress"};
      } else if (under_way_.size() >= options_.most_waiting) {
        refusal = {.code = RpcCode::kInternalError,
                   .message = "too many requests in progress; wait for an answer"};
      } else {
        under_way_.emplace(key, std::stop_source());
        waiting_.push_back({.request = std::move(request), .era = era, .form = form, .key = key});
      }
    }
    if (refusal) {
      Write(RpcFailure(id, *refusal));
    } else {
      has_work_.NotifyOne();
    }
  }

  void Cancel(const Json& id) SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    const auto found = under_way_.find(id.dump());
    if (found != under_way_.end()) found->second.request_stop();
  }

  // One worker, until there are no more requests.
  void Work() SIBYL_EXCLUDES(mutex_) {
    while (std::optional<Waiting> next = Next()) Run(*next);
  }

  // True when everything was answered in time.
  bool Finish(milliseconds patience) SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!under_way_.empty() && std::chrono::steady_clock::now() < end) {
      became_idle_.WaitFor(mutex_, milliseconds(20));
    }
    is_over_ = true;
    has_work_.NotifyAll();
    for (auto& [key, stop] : under_way_) stop.request_stop();
    // Operations that honour a stop request end quickly.
    constexpr milliseconds kLastGrace{500};
    const auto last = std::chrono::steady_clock::now() + kLastGrace;
    while (!under_way_.empty() && std::chrono::steady_clock::now() < last) {
      became_idle_.WaitFor(mutex_, milliseconds(20));
    }
    return under_way_.empty();
  }

 private:
  struct Waiting {
    RpcRequest request;
    Era era = Era::kHandshake;
    AnswerForm form = AnswerForm::kStructured;
    std::string key;
  };

  std::optional<Waiting> Next() SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    while (waiting_.empty() && !is_over_) has_work_.Wait(mutex_);
    if (waiting_.empty()) return std::nullopt;
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    return next;
  }

  std::stop_token TokenOf(const std::string& key) SIBYL_EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return under_way_.at(key).get_token();
  }

  void Run(const Waiting& waiting) SIBYL_EXCLUDES(mutex_) {
    const std::stop_token stop = TokenOf(waiting.key);
    if (!stop.stop_requested()) {
      const McpCall call{.era = waiting.era,
                         .form = waiting.form,
                         .stop = stop,
                         .notify =
                             [this, &stop](const Json& message) {
                               if (!stop.stop_requested()) Write(message);
                             },
                         .may_write = true};
      const Json answer = server_.Answer(waiting.request, call);
      // After a cancellation no response is sent.
      if (!stop.stop_requested()) Write(answer);
    }
    const MutexLock lock(mutex_);
    under_way_.erase(waiting.key);
    became_idle_.NotifyAll();
  }

  const McpServer& server_;
  const StdioOptions options_;
  Mutex writing_;
  bool is_deaf_ SIBYL_GUARDED_BY(writing_) = false;
  Mutex mutex_;
  Condition has_work_;
  Condition became_idle_;
  std::deque<Waiting> waiting_ SIBYL_GUARDED_BY(mutex_);
  std::map<std::string, std::stop_source> under_way_ SIBYL_GUARDED_BY(mutex_);
  bool is_over_ SIBYL_GUARDED_BY(mutex_) = false;
};

// Reads lines from a descriptor. A line that is too long is reported and
// skipped.
class LineReader {
 public:
  LineReader(int descriptor, std::size_t longest) : descriptor_(descriptor), longest_(longest) {}

  enum class Got : std::uint8_t { kLine, kTooLong, kNothingYet, kEnd };

  // Waits at most a second, so that the caller can check for other events.
  Got Next(std::string& line) {
    while (true) {
      const std::size_t end = buffer_.find('\n', searched_);
      if (end != std::string::npos) {
        line.assign(buffer_, 0, end);
        buffer_.erase(0, end + 1);
        searched_ = 0;
        if (std::exchange(is_skipping_, false)) return Got::kTooLong;
        return Got::kLine;
      }
      if (buffer_.size() > longest_) {
        is_skipping_ = true;
        buffer_.clear();
      }
      searched_ = buffer_.size();
      const Got got = Fill();
      if (got != Got::kLine) return got;
    }
  }

 private:
  Got Fill() {
    constexpr int kGlance = 1000;
    pollfd waiting{.fd = descriptor_, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waiting, 1, kGlance);
    if (ready == 0 || (ready < 0 && errno == EINTR)) return Got::kNothingYet;
    std::array<char, 65'536> bytes{};
    const ssize_t got = ::read(descriptor_, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR) return Got::kNothingYet;
    if (got <= 0) return Got::kEnd;
    buffer_.append(bytes.data(), static_cast<std::size_t>(got));
    return Got::kLine;
  }

  int descriptor_;
  std::size_t longest_;
  std::string buffer_;
  std::size_t searched_ = 0;
  bool is_skipping_ = false;
};

// Requests that need no files are answered by the reading thread: a handshake
// keeps its order, and a ping is fast.
bool IsQuick(std::string_view method) {
  return method == "initialize" || method == "ping" || method == "server/discover" ||
         method == "tools/list" || method.starts_with("prompts/") || FindMethod(method) == nullptr;
}

class Reader {
 public:
  Reader(const McpServer& server, Connection& connection)
      : server_(server), connection_(connection) {}

  void Take(std::string_view line, const RpcLimits& limits) {
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
    RpcMessage message = ReadRpcMessage(line, limits);
    if (const auto* problem = std::get_if<RpcProblem>(&message)) {
      connection_.Write(RpcFailure(problem->id, problem->error));
    } else if (auto* request = std::get_if<RpcRequest>(&message)) {
      TakeRequest(std::move(*request));
    }
  }

 private:
  void TakeRequest(RpcRequest request) {
    if (request.is_notification()) {
      const auto id = request.params.find("requestId");
      if (request.method == "notifications/cancelled" && id != request.params.end()) {
        connection_.Cancel(*id);
      }
      return;
    }
    if (FindMethod(request.method) == nullptr) {
      connection_.Write(server_.Answer(request, {.era = Era::kHandshake}));
      return;
    }
    const std::variant<Era, RpcError> era = EraOf(request, has_begun_);
    if (const auto* error = std::get_if<RpcError>(&era)) {
      connection_.Write(RpcFailure(request.id, *error));
      return;
    }
    if (request.method == "initialize") {
      has_begun_ = true;
      const auto version = request.params.find("protocolVersion");
      const bool is_named = version != request.params.end() && version->is_string();
      if (is_named) form_ = AnswerFormOf(AgreeOnVersion(version->get<std::string>()));
    }
    if (IsQuick(request.method)) {
      connection_.Write(server_.Answer(request, {.era = std::get<Era>(era)}));
    } else {
      const Era named = std::get<Era>(era);
      connection_.Take(std::move(request), named,
                       named == Era::kStateless ? AnswerForm::kStructured : form_);
    }
  }

  const McpServer& server_;
  Connection& connection_;
  bool has_begun_ = false;
  AnswerForm form_ = AnswerForm::kStructured;  // of the version that was agreed on
};

}  // namespace

StdioEnding ServeStdio(const McpServer& server, const StdioOptions& options) {
  // Shared with the workers, since those that do not end are abandoned.
  const auto connection = std::make_shared<Connection>(server, options);
  std::vector<std::thread> workers;
  for (std::size_t i = 0; i < options.workers; ++i) {
    workers.emplace_back([connection] { connection->Work(); });
  }
  Reader reader(server, *connection);
  LineReader lines(options.in, options.limits.max_bytes);
  bool is_open = true;
  for (std::string line; is_open && !connection->is_deaf();) {
    switch (lines.Next(line)) {
      case LineReader::Got::kLine:
        reader.Take(line, options.limits);
        break;
      case LineReader::Got::kTooLong:
        connection->Write(RpcFailure(nullptr, {.code = RpcCode::kInvalidRequest,
                                               .message = "the message exceeds the size limit"}));
        break;
      case LineReader::Got::kNothingYet:
        break;
      case LineReader::Got::kEnd:
        is_open = false;
        break;
    }
  }
  const bool all_ended =
      connection->Finish(connection->is_deaf() ? milliseconds(0) : options.patience);
  for (std::thread& worker : workers) {
    if (all_ended) {
      worker.join();
    } else {
      worker.detach();
    }
  }
  return all_ended ? StdioEnding::kEnded : StdioEnding::kLeftOver;
}

}  // namespace sibyl::interface
