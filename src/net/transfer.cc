// SPDX-License-Identifier: Apache-2.0
#include "net/transfer.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "base/free.h"
#include "base/mutex.h"
#include "base/process/environment.h"
#include "base/strings.h"
#include "net/address.h"
#include "net/certificates.h"
#include "net/receiver.h"
#include "net/transfer_error.h"

namespace sibyl::net {
namespace {

namespace chrono = std::chrono;
using Steady = chrono::steady_clock;
using Milliseconds = chrono::milliseconds;

using Multi = std::unique_ptr<CURLM, Free<curl_multi_cleanup>>;
using Easy = std::unique_ptr<CURL, Free<curl_easy_cleanup>>;
using HeaderList = std::unique_ptr<curl_slist, Free<curl_slist_free_all>>;

constexpr const char* kUserAgent =
    "sibyl/" SIBYL_RELEASE " (+knowledge base builder; honours robots.txt)";
constexpr long kConnectionsPerLine = 8;
constexpr Milliseconds kLongestPoll{1000};

void InitialiseLibrary() {
  static const bool done = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
  static_cast<void>(done);
}

// Both callbacks and the loop around them see one transfer through this.
struct Running {
  Receiver receiver;
  CURL* handle = nullptr;
  bool is_allowed = false;  // may be at a private address
  std::string refused;      // an address that was not connected to, and why
  std::string host;         // whose address that is
  Steady::time_point last_sign = Steady::now();

  // After each sign of life; the library is told to go on or to end.
  bool GoesOn(TransferStep step) {
    last_sign = Steady::now();
    return step == TransferStep::kGoOn;
  }
};

std::span<const std::uint8_t> AddressBytes(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    return {reinterpret_cast<const std::uint8_t*>(&v4.sin_addr), 4};
  }
  if (address.sa_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    return {reinterpret_cast<const std::uint8_t*>(&v6.sin6_addr), 16};
  }
  return {};
}

std::string Refusal(const sockaddr& address) {
  const std::span<const std::uint8_t> bytes = AddressBytes(address);
  const std::string_view why = WhyNotPublic(bytes);
  if (why.empty()) return {};
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (bytes.empty() ||
      inet_ntop(address.sa_family, bytes.data(), text.data(), text.size()) == nullptr) {
    return std::string("an address ").append(why);
  }
  return fmt::format("the address {}, which is {}", text.data(), why);
}

// The check and the connection are one step: this is the address that is
// connected to, whatever the name resolves to a moment later.
curl_socket_t OpenSocket(void* user, curlsocktype /*purpose*/, curl_sockaddr* address) {
  auto& running = *static_cast<Running*>(user);
  if (!running.is_allowed) {
    std::string refusal = Refusal(address->addr);
    if (!refusal.empty()) {
      running.refused = std::move(refusal);
      return CURL_SOCKET_BAD;
    }
  }
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

std::size_t OnHeader(char* data, std::size_t size, std::size_t count, void* user) {
  auto& running = *static_cast<Running*>(user);
  return running.GoesOn(running.receiver.TakeHeaderLine({data, size * count})) ? size * count : 0;
}

std::size_t OnBody(char* data, std::size_t size, std::size_t count, void* user) {
  auto& running = *static_cast<Running*>(user);
  curl_off_t on_wire = 0;
  curl_easy_getinfo(running.handle, CURLINFO_SIZE_DOWNLOAD_T, &on_wire);
  TransferStep step = running.receiver.CountWire(static_cast<std::uint64_t>(on_wire));
  if (step == TransferStep::kGoOn) step = running.receiver.TakeBody({data, size * count});
  // The library takes any other number for a failure, which it is not for an
  // empty piece.
  return running.GoesOn(step) ? size * count : CURL_WRITEFUNC_ERROR;
}

bool IsNamed(const std::vector<std::string>& allow, const Url& url) {
  const std::string with_port = fmt::format("{}:{}", url.host, url.PortNumber());
  return std::any_of(allow.begin(), allow.end(), [&](std::string_view entry) {
    return EqualsIgnoringCase(entry, url.host) || EqualsIgnoringCase(entry, with_port);
  });
}

// With a proxy the address is not visible here; literal addresses are checked.
std::string LiteralRefusal(const Url& url) {
  std::string host = url.host;
  if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), nullptr, &hints, &found) != 0) {
    return host == "localhost" || host.ends_with(".localhost") ? "this machine" : "";
  }
  const std::unique_ptr<addrinfo, Free<freeaddrinfo>> owned(found);
  return Refusal(*owned->ai_addr);
}

bool HasControl(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
}

// Nothing for headers that would be altered on the wire.
HeaderList MakeHeaders(const std::vector<Header>& headers) {
  // Without the first, the library would wait for "100 Continue" before a body.
  HeaderList list(curl_slist_append(nullptr, "Expect:"));
  for (const Header& header : headers) {
    if (HasControl(header.name) || HasControl(header.value)) return nullptr;
    const std::string line = fmt::format("{}: {}", header.name, header.value);
    curl_slist* longer = curl_slist_append(list.get(), line.c_str());
    if (longer == nullptr) return nullptr;
    static_cast<void>(list.release());
    list.reset(longer);
  }
  return list;
}

template <typename Value>
void Set(CURL* handle, CURLoption option, Value value) {
  curl_easy_setopt(handle, option, value);
}

void SetSafety(CURL* handle, const ConnectionOptions& options) {
  Set(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  Set(handle, CURLOPT_FOLLOWLOCATION, 0L);
  Set(handle, CURLOPT_NOSIGNAL, 1L);
  Set(handle, CURLOPT_NETRC, static_cast<long>(CURL_NETRC_IGNORED));
  Set(handle, CURLOPT_SSL_VERIFYPEER, 1L);
  Set(handle, CURLOPT_SSL_VERIFYHOST, 2L);
  Set(handle, CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
  Set(handle, CURLOPT_HTTP_VERSION, static_cast<long>(CURL_HTTP_VERSION_2TLS));
  Set(handle, CURLOPT_HTTP09_ALLOWED, 0L);
  Set(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  Set(handle, CURLOPT_ACCEPT_ENCODING, "");  // all that the library can unpack
  Set(handle, CURLOPT_USERAGENT, kUserAgent);
  // An empty string, unlike nothing, also turns the environment's proxies off.
  Set(handle, CURLOPT_PROXY, options.proxy.c_str());
  static const std::string system = FindCertificates({.environment = EnvironmentVariable});
  if (!options.ca_file.empty()) {
    Set(handle, CURLOPT_CAINFO, options.ca_file.c_str());
    Set(handle, CURLOPT_CAPATH, static_cast<const char*>(nullptr));
  } else if (!system.empty()) {
    Set(handle, CURLOPT_CAINFO, system.c_str());
  }
}

// libcurl objects that must live until the end of the transfer.
struct Setting {
  std::string url;
  HeaderList headers;
  std::array<char, CURL_ERROR_SIZE> detail{};
};

void SetRequest(CURL* handle, const Outgoing& outgoing, Running& running, Setting& setting) {
  setting.url = outgoing.url.Text();
  Set(handle, CURLOPT_URL, setting.url.c_str());
  Set(handle, CURLOPT_PATH_AS_IS, 1L);
  Set(handle, CURLOPT_HTTPHEADER, setting.headers.get());
  Set(handle, CURLOPT_ERRORBUFFER, setting.detail.data());
  if (outgoing.method == Method::kPost) {
    Set(handle, CURLOPT_POST, 1L);
    Set(handle, CURLOPT_POSTFIELDS, outgoing.request.body.data());
    Set(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(outgoing.request.body.size()));
  }
  Set(handle, CURLOPT_CONNECTTIMEOUT_MS,
      static_cast<long>(std::max(outgoing.request.limits.connect, Milliseconds(1)).count()));
  Set(handle, CURLOPT_OPENSOCKETFUNCTION, &OpenSocket);
  Set(handle, CURLOPT_OPENSOCKETDATA, &running);
  Set(handle, CURLOPT_HEADERFUNCTION, &OnHeader);
  Set(handle, CURLOPT_HEADERDATA, &running);
  Set(handle, CURLOPT_WRITEFUNCTION, &OnBody);
  Set(handle, CURLOPT_WRITEDATA, &running);
}

std::string Seconds(Milliseconds time) {
  return fmt::format("{:g} s", static_cast<double>(time.count()) / 1000.0);
}

// Runs the transfer to its end; an error is ours, otherwise returns libcurl's
// code.
Result<CURLcode> Drive(CURLM* multi, const Outgoing& outgoing, Running& running,
                       Milliseconds time_left) {
  const std::stop_callback wake(outgoing.request.stop, [multi] { curl_multi_wakeup(multi); });
  const Steady::time_point deadline = Steady::now() + time_left;
  while (true) {
    int active = 0;
    curl_multi_perform(multi, &active);
    if (active == 0) break;
    if (outgoing.request.stop.stop_requested()) {
      return Error{.kind = ErrorKind::kCancelled, .message = "cancelled"};
    }
    const Steady::time_point now = Steady::now();
    if (now >= deadline) {
      return Error{.kind = ErrorKind::kUnavailable,
                   .message = "timed out after " + Seconds(outgoing.request.limits.total)};
    }
    const Steady::time_point silence = running.last_sign + outgoing.request.limits.idle;
    if (now >= silence) {
      return Error{.kind = ErrorKind::kUnavailable,
                   .message = fmt::format("'{}' sent nothing for {}", outgoing.url.host,
                                          Seconds(outgoing.request.limits.idle))};
    }
    const auto until = chrono::ceil<Milliseconds>(std::min(deadline, silence) - now);
    curl_multi_poll(multi, nullptr, 0, static_cast<int>(std::min(until, kLongestPoll).count()),
                    nullptr);
  }
  int waiting = 0;
  const CURLMsg* message = curl_multi_info_read(multi, &waiting);
  if (message == nullptr || message->msg != CURLMSG_DONE) return CURLE_FAILED_INIT;
  return message->data.result;
}

std::string AnsweringAddress(CURL* handle) {
  const char* address = nullptr;
  curl_easy_getinfo(handle, CURLINFO_PRIMARY_IP, &address);
  return address == nullptr ? "" : address;
}

Attempt Failed(Error error, bool is_transient = false) {
  Attempt attempt;
  attempt.error = std::move(error);
  attempt.is_transient = is_transient;
  return attempt;
}

// The result, from the library and the receiver.
Attempt Conclude(const Outgoing& outgoing, Running& running, Result<CURLcode> ended,
                 std::string_view detail) {
  Attempt attempt;
  attempt.has_streamed = running.receiver.has_streamed();
  if (running.receiver.error()) {
    attempt.error = running.receiver.error();
  } else if (!ended.ok()) {
    // Silence and slowness may pass; a cancelled request stays cancelled.
    attempt.is_transient = ended.error().kind == ErrorKind::kUnavailable;
    attempt.error = std::move(ended).error();
  } else if (!running.receiver.was_enough() &&
             (*ended != CURLE_OK || !running.receiver.headers_ended())) {
    ExplainedFailure explained =
        Explain({.code = *ended == CURLE_OK ? CURLE_PARTIAL_FILE : *ended,
                 .host = running.refused.empty() ? outgoing.url.host : running.host,
                 .detail = detail,
                 .refused = running.refused,
                 .body_bytes = running.receiver.response().body_bytes});
    attempt.error = std::move(explained.error);
    attempt.is_transient = explained.is_transient;
  }
  const std::uint64_t wire_bytes = running.receiver.response().wire_bytes;
  if (attempt.error) {
    attempt.response.wire_bytes = wire_bytes;
    return attempt;
  }
  attempt.response = running.receiver.TakeResponse();
  attempt.response.address = AnsweringAddress(running.handle);
  const Headers& headers = attempt.response.headers;
  attempt.response.ended_with_connection =
      outgoing.url.scheme == "http" && attempt.response.body_bytes > 0 &&
      !headers.Find("Content-Length") && !headers.Find("Transfer-Encoding");
  return attempt;
}

}  // namespace

/// Connections that one thread uses at a time; the library keeps those that are
/// still open with the multi handle. (Sharing them between threads through a
/// curl share is documented as not safe.)
struct Connections::Line {
  Multi multi{curl_multi_init()};
  Easy easy{curl_easy_init()};
  std::string origin;  ///< Of the last transfer.
};

struct Connections::State {
  ConnectionOptions options;
  Mutex mutex;
  std::vector<std::unique_ptr<Line>> idle SIBYL_GUARDED_BY(mutex);
};

Connections::Connections(ConnectionOptions options) : state_(std::make_unique<State>()) {
  InitialiseLibrary();
  state_->options = std::move(options);
}

Connections::~Connections() = default;

std::unique_ptr<Connections::Line> Connections::Take(const std::string& origin) {
  const MutexLock lock(state_->mutex);
  std::vector<std::unique_ptr<Line>>& idle = state_->idle;
  auto line = std::find_if(idle.rbegin(), idle.rend(),
                           [&](const auto& candidate) { return candidate->origin == origin; });
  auto chosen = line != idle.rend() ? std::prev(line.base()) : idle.begin();
  if (chosen == idle.end()) {
    auto fresh = std::make_unique<Line>();
    curl_multi_setopt(fresh->multi.get(), CURLMOPT_MAXCONNECTS, kConnectionsPerLine);
    return fresh;
  }
  std::unique_ptr<Line> taken = std::move(*chosen);
  idle.erase(chosen);
  return taken;
}

void Connections::GiveBack(std::unique_ptr<Line> line) {
  const MutexLock lock(state_->mutex);
  state_->idle.push_back(std::move(line));
}

Attempt Connections::Perform(const Outgoing& outgoing) {
  const ConnectionOptions& options = state_->options;
  Running running{.receiver = Receiver(outgoing.request, options.budget)};
  running.is_allowed = IsNamed(options.allow, outgoing.url);
  running.host = outgoing.url.host;
  if (!options.proxy.empty()) {
    if (!running.is_allowed) running.refused = LiteralRefusal(outgoing.url);
    if (!running.refused.empty()) {
      return Failed(Explain({.code = CURLE_COULDNT_CONNECT,
                             .host = outgoing.url.host,
                             .refused = running.refused})
                        .error);
    }
    // The socket leads to the proxy, and is judged by it.
    const Result<Url> proxy = ParseUrl(options.proxy);
    running.is_allowed = proxy.ok() && IsNamed(options.allow, *proxy);
    running.host = proxy.ok() ? proxy->host : "the proxy";
  }
  Setting setting{.headers = MakeHeaders(outgoing.headers)};
  if (setting.headers == nullptr) {
    return Failed(
        {.kind = ErrorKind::kUsage, .message = "a request header contains a control character"});
  }
  Milliseconds time_left = outgoing.time_left;
  if (options.budget != nullptr) {
    time_left = std::min(time_left, options.budget->TimeLeft().value_or(time_left));
  }
  std::unique_ptr<Line> line = Take(outgoing.url.Origin());
  if (line->multi == nullptr || line->easy == nullptr) {
    return Failed({.kind = ErrorKind::kUnavailable, .message = "libcurl cannot be initialised"});
  }
  CURL* handle = line->easy.get();
  running.handle = handle;
  curl_easy_reset(handle);
  SetSafety(handle, options);
  SetRequest(handle, outgoing, running, setting);
  curl_multi_add_handle(line->multi.get(), handle);
  Result<CURLcode> ended = Drive(line->multi.get(), outgoing, running, time_left);
  Attempt attempt = Conclude(outgoing, running, std::move(ended), setting.detail.data());
  // Also closes the connection of a transfer that is not over.
  curl_multi_remove_handle(line->multi.get(), handle);
  line->origin = outgoing.url.Origin();
  GiveBack(std::move(line));
  return attempt;
}

}  // namespace sibyl::net
