// SPDX-License-Identifier: Apache-2.0
#include "interface/lsp/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/markdown/markdown_name.h"
#include "interface/interface.h"
#include "interface/lsp/completion.h"
#include "interface/lsp/file_uri.h"
#include "interface/lsp/json_members.h"

namespace sibyl::interface::lsp {
namespace {

constexpr std::size_t kMostDocuments = 1'000;
constexpr std::size_t kLongestUri = 4'096;
// Files change many at a time: a build, a checkout.
constexpr std::chrono::milliseconds kAfterFiles{1'000};

RpcError InvalidParams(std::string message) {
  return {.code = RpcCode::kInvalidParams, .message = std::move(message)};
}

Json CapabilitiesFor(const ClientFeatures& client) {
  constexpr int kIncremental = 2;
  return {
      {"positionEncoding", client.encoding == PositionEncoding::kUtf8 ? "utf-8" : "utf-16"},
      {"textDocumentSync",
       {{"openClose", true}, {"change", kIncremental}, {"save", {{"includeText", false}}}}},
      {"hoverProvider", true},
      {"definitionProvider", true},
      {"codeActionProvider",
       {{"codeActionKinds", Json::array({"quickfix", "refactor.rewrite", "source.fixAll.sibyl"})}}},
      {"completionProvider", {{"triggerCharacters", Json::array({"`", "(", "/", ":", "#", "."})}}},
      {"documentLinkProvider", {{"resolveProvider", false}}}};
}

Json WatchRequest() {
  return {{"jsonrpc", "2.0"},
          {"id", "watch"},
          {"method", "client/registerCapability"},
          {"params",
           {{"registrations",
             Json::array({{{"id", "watch"},
                           {"method", "workspace/didChangeWatchedFiles"},
                           {"registerOptions",
                            {{"watchers", Json::array({{{"globPattern", "**/*"}}})}}}}})}}}};
}

bool IsOfDocument(std::string_view method) {
  return method == "textDocument/hover" || method == "textDocument/definition" ||
         method == "textDocument/codeAction" || method == "textDocument/completion" ||
         method == "textDocument/documentLink";
}

}  // namespace

void LspServer::TakeProblem(std::string_view problem, std::vector<Json>& out) {
  out.push_back(
      RpcFailure(nullptr, {.code = RpcCode::kParseError, .message = std::string(problem)}));
}

void LspServer::Take(std::string_view message, TimePoint now, std::vector<Json>& out) {
  RpcMessage read = ReadRpcMessage(message, {.max_bytes = std::size_t{16} << 20});
  if (const auto* problem = std::get_if<RpcProblem>(&read)) {
    out.push_back(RpcFailure(problem->id, problem->error));
    return;
  }
  const auto* request = std::get_if<RpcRequest>(&read);
  if (request == nullptr || state_ == State::kEnded) return;
  if (request->is_notification()) {
    TakeNotification(*request, now, out);
    return;
  }
  Answer answer = AnswerTo(*request, now, out);
  if (const auto* error = std::get_if<RpcError>(&answer)) {
    out.push_back(RpcFailure(request->id, *error));
  } else {
    out.push_back(RpcResult(request->id, std::get<Json>(std::move(answer))));
  }
}

LspServer::Answer LspServer::AnswerTo(const RpcRequest& request, TimePoint now,
                                      std::vector<Json>& out) {
  if (state_ == State::kShutDown) {
    return RpcError{.code = RpcCode::kInvalidRequest, .message = "the server is shutting down"};
  }
  if (request.method == "initialize") {
    if (state_ != State::kNew) {
      return RpcError{.code = RpcCode::kInvalidRequest, .message = "already initialized"};
    }
    state_ = State::kRunning;
    return Initialize(request.params);
  }
  if (state_ == State::kNew) {
    return RpcError{.code = RpcCode::kServerNotInitialized, .message = "not initialized"};
  }
  if (request.method == "shutdown") {
    state_ = State::kShutDown;
    was_shut_down_ = true;
    documents_.clear();
    return Json(nullptr);
  }
  if (IsOfDocument(request.method)) return AnswerAbout(request, now, out);
  return RpcError{.code = RpcCode::kMethodNotFound,
                  .message = fmt::format("no such method '{}'", request.method)};
}

LspServer::Answer LspServer::AnswerAbout(const RpcRequest& request, TimePoint now,
                                         std::vector<Json>& out) {
  Open* document = Find(request.params);
  if (document == nullptr) return InvalidParams("the document is not open");
  const TextDocument& text = document->text;
  if (request.method == "textDocument/completion") {
    const Result<Position> position = ReadPosition(Member(request.params, "position"));
    if (!position.ok()) return InvalidParams(position.error().message);
    if (!document->is_markdown || document->is_lost || !document->path) return Json(nullptr);
    const Result<std::optional<Located>> located = workspace_.Locate(*document->path, now);
    if (!located.ok() || !*located) return Json(nullptr);
    return CompletionsAt(text, *position, *(*located)->repository->files, (*located)->path);
  }
  std::optional<Position> position;
  std::optional<ByteRange> range;
  const bool is_definition = request.method == "textDocument/definition";
  if (is_definition || request.method == "textDocument/hover") {
    const Result<Position> read = ReadPosition(Member(request.params, "position"));
    if (!read.ok()) return InvalidParams(read.error().message);
    position = *read;
  } else if (request.method == "textDocument/codeAction") {
    const Result<ByteRange> read = text.ReadRange(Member(request.params, "range"));
    if (!read.ok()) return InvalidParams(read.error().message);
    range = *read;
  }
  if (!EnsureChecked(*document, now, out)) return Json(nullptr);
  const CheckedView view = ViewOf(*document);
  if (is_definition) return DefinitionAt(view, text.OffsetOf(*position));
  if (position) return HoverAt(view, text.OffsetOf(*position));
  if (range) return ActionsIn(view, *range, Member(request.params, "context", "only"));
  return LinksOf(view);
}

Json LspServer::Initialize(const Json& params) {
  const Json& capabilities = Member(params, "capabilities");
  if (HasText(Member(capabilities, "general", "positionEncodings"), "utf-8")) {
    client_.encoding = PositionEncoding::kUtf8;
  }
  const Json& formats = Member(capabilities, "textDocument", "hover", "contentFormat");
  client_.shows_markdown = !formats.is_array() || HasText(formats, "markdown");
  client_.shows_related =
      IsTrue(Member(capabilities, "textDocument", "publishDiagnostics", "relatedInformation"));
  client_.has_versioned_edits =
      IsTrue(Member(capabilities, "workspace", "workspaceEdit", "documentChanges"));
  client_.registers_watches =
      IsTrue(Member(capabilities, "workspace", "didChangeWatchedFiles", "dynamicRegistration"));
  return {{"capabilities", CapabilitiesFor(client_)},
          {"serverInfo", {{"name", "sibyl"}, {"version", Release()}}}};
}

void LspServer::TakeNotification(const RpcRequest& request, TimePoint now, std::vector<Json>& out) {
  const std::string& method = request.method;
  if (method == "exit") {
    state_ = State::kEnded;
    return;
  }
  if (state_ != State::kRunning) return;
  if (method == "initialized" && client_.registers_watches) {
    out.push_back(WatchRequest());
  } else if (method == "textDocument/didOpen") {
    OpenDocument(request.params, now, out);
  } else if (method == "textDocument/didChange") {
    ChangeDocument(request.params, now, out);
  } else if (method == "textDocument/didClose") {
    CloseDocument(request.params, out);
  } else if (method == "textDocument/didSave") {
    CheckAllAgain(now);
  } else if (method == "workspace/didChangeWatchedFiles") {
    CheckAllAgain(now + kAfterFiles);
  }
}

void LspServer::OpenDocument(const Json& params, TimePoint now, std::vector<Json>& out) {
  const Json& given = Member(params, "textDocument");
  std::string uri = Text(given, "uri");
  const Json& text = Member(given, "text");
  if (uri.empty() || uri.size() > kLongestUri || !text.is_string()) {
    Log("didOpen needs a URI and a text", out);
    return;
  }
  if (documents_.size() >= kMostDocuments && !documents_.contains(uri)) {
    Log("too many open documents", out);
    return;
  }
  Open document{.uri = uri,
                .path = PathOfUri(uri),
                .version = Natural(given, "version").value_or(0),
                .due = now};
  document.is_markdown = Text(given, "languageId") == "markdown" ||
                         (document.path && HasMarkdownName(document.path->string()));
  document.is_lost = text.get_ref<const std::string&>().size() > kMaxDocumentBytes;
  if (document.is_lost) {
    Log("the document is too large to be checked", out);
  } else {
    document.text = TextDocument(text.get<std::string>(), client_.encoding);
  }
  documents_.insert_or_assign(std::move(uri), std::move(document));
}

void LspServer::ChangeDocument(const Json& params, TimePoint now, std::vector<Json>& out) {
  Open* document = Find(params);
  if (document == nullptr) return;
  const Json& changes = Member(params, "contentChanges");
  // The whole text again puts right what went wrong before.
  const bool starts_whole =
      changes.is_array() && !changes.empty() && Member(changes.front(), "range").is_null();
  document->version = Natural(Member(params, "textDocument"), "version").value_or(0);
  ++document->changes;
  document->due = now + kDebounce;
  if (document->is_lost && !starts_whole) return;
  const Status applied = document->text.Apply(changes);
  document->is_lost = !applied.ok();
  if (applied.ok()) return;
  Log(applied.error().message, out);
}

void LspServer::CloseDocument(const Json& params, std::vector<Json>& out) {
  Open* document = Find(params);
  if (document == nullptr) return;
  if (document->shows_diagnostics) Publish(*document, Json::array(), out);
  documents_.erase(document->uri);
}

void LspServer::CheckAllAgain(TimePoint due) {
  workspace_.Expire();
  for (auto& [uri, document] : documents_) {
    document.due = document.due ? std::min(*document.due, due) : due;
  }
}

LspServer::Open* LspServer::Find(const Json& params) {
  const Json& uri = Member(params, "textDocument", "uri");
  if (!uri.is_string()) return nullptr;
  const auto found = documents_.find(uri.get_ref<const std::string&>());
  return found == documents_.end() ? nullptr : &found->second;
}

std::optional<TimePoint> LspServer::NextCheck() const {
  std::optional<TimePoint> next;
  for (const auto& [uri, document] : documents_) {
    if (document.due && (!next || *document.due < *next)) next = document.due;
  }
  return next;
}

void LspServer::CheckDue(TimePoint now, std::vector<Json>& out) {
  for (auto& [uri, document] : documents_) {
    if (document.due && *document.due <= now) EnsureChecked(document, now, out);
  }
}

Status LspServer::Check(Open& document, TimePoint now) {
  std::optional<Located> located;
  if (document.is_markdown && !document.is_lost && document.path) {
    located = SIBYL_TRY(workspace_.Locate(*document.path, now));
  }
  if (!located) {
    document.located.reset();
    document.checked.reset();
    return {};
  }
  const bool is_current = document.checked && document.located &&
                          document.checked_changes == document.changes &&
                          document.located->repository == located->repository;
  if (is_current) return {};
  document.checked.reset();
  document.checked = SIBYL_TRY(workspace_.Check(*located, document.text.text()));
  document.located = std::move(located);
  document.checked_changes = document.changes;
  return {};
}

bool LspServer::EnsureChecked(Open& document, TimePoint now, std::vector<Json>& out) {
  const bool was_due = document.due && *document.due <= now;
  const std::size_t before = document.checked_changes;
  const OpenedRepository* files = document.located ? document.located->repository.get() : nullptr;
  const Status checked = Check(document, now);
  if (!checked.ok()) {
    document.checked.reset();
    Log(checked.error().message, out);
  }
  if (was_due) document.due.reset();
  const OpenedRepository* files_now =
      document.located ? document.located->repository.get() : nullptr;
  const bool is_new = before != document.checked_changes || files != files_now;
  if (was_due || is_new) {
    const Json diagnostics =
        document.checked ? DiagnosticsOf(ViewOf(document)) : Json(Json::array());
    if (document.checked || document.shows_diagnostics) Publish(document, diagnostics, out);
  }
  return document.checked.has_value();
}

CheckedView LspServer::ViewOf(const Open& document) const {
  return {.text = document.text,
          .uri = document.uri,
          .version = document.version,
          .located = *document.located,
          .checked = *document.checked,
          .client = client_};
}

void LspServer::Publish(Open& document, Json diagnostics, std::vector<Json>& out) const {
  document.shows_diagnostics = !diagnostics.empty();
  out.push_back(RpcNotification("textDocument/publishDiagnostics",
                                {{"uri", document.uri},
                                 {"version", document.version},
                                 {"diagnostics", std::move(diagnostics)}}));
}

void LspServer::Log(std::string_view message, std::vector<Json>& out) {
  if (last_log_ == message) return;
  last_log_ = message;
  constexpr int kWarning = 2;
  out.push_back(RpcNotification(
      "window/logMessage", {{"type", kWarning}, {"message", fmt::format("sibyl: {}", message)}}));
}

}  // namespace sibyl::interface::lsp
