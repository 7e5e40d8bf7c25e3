// SPDX-License-Identifier: Apache-2.0
// A language server for the code citations of Markdown documents. Takes messages
// and returns those to be sent; reads no clock and no descriptor. It writes no
// file: corrections are edits that the client makes.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/json.h"
#include "interface/lsp/citation_answers.h"
#include "interface/lsp/text_document.h"
#include "interface/lsp/workspace.h"
#include "interface/mcp/json_rpc.h"

namespace sibyl::interface::lsp {

/// How long after a change of a document it is checked: while somebody types,
/// half a citation is not a mistake.
inline constexpr std::chrono::milliseconds kDebounce{300};

class LspServer {
 public:
  explicit LspServer(Workspace workspace) : workspace_(std::move(workspace)) {}

  /// One message; what is to be sent is added to `out`.
  void Take(std::string_view message, TimePoint now, std::vector<Json>& out);

  /// Bytes that were no message.
  static void TakeProblem(std::string_view problem, std::vector<Json>& out);

  /// When CheckDue should be called; nothing if no document waits.
  std::optional<TimePoint> NextCheck() const;

  /// Checks the documents that have not changed for a while.
  void CheckDue(TimePoint now, std::vector<Json>& out);

  /// After the notification "exit".
  bool has_ended() const { return state_ == State::kEnded; }
  /// Whether "shutdown" came before it.
  bool ended_in_order() const { return was_shut_down_; }

 private:
  enum class State : std::uint8_t { kNew, kRunning, kShutDown, kEnded };
  using Answer = std::variant<Json, RpcError>;

  struct Open {
    std::string uri;
    std::optional<std::filesystem::path> path;
    std::size_t version = 0;
    TextDocument text = TextDocument();
    bool is_markdown = false;
    bool is_lost = false;  ///< A change was not understood; the client's text is another.
    std::optional<TimePoint> due;
    std::size_t changes = 0;  ///< Since it was opened.

    // The last check: of which changes, and against which files.
    std::size_t checked_changes = 0;
    std::optional<Located> located;
    std::optional<references::CheckedDocument> checked;
    bool shows_diagnostics = false;
  };

  Answer AnswerTo(const RpcRequest& request, TimePoint now, std::vector<Json>& out);
  Answer AnswerAbout(const RpcRequest& request, TimePoint now, std::vector<Json>& out);
  Json Initialize(const Json& params);
  void TakeNotification(const RpcRequest& request, TimePoint now, std::vector<Json>& out);
  void OpenDocument(const Json& params, TimePoint now, std::vector<Json>& out);
  void ChangeDocument(const Json& params, TimePoint now, std::vector<Json>& out);
  void CloseDocument(const Json& params, std::vector<Json>& out);
  void CheckAllAgain(TimePoint due);

  Open* Find(const Json& params);
  /// Makes the check current; false if the document cannot be checked.
  bool EnsureChecked(Open& document, TimePoint now, std::vector<Json>& out);
  Status Check(Open& document, TimePoint now);
  CheckedView ViewOf(const Open& document) const;
  void Publish(Open& document, Json diagnostics, std::vector<Json>& out) const;
  void Log(std::string_view message, std::vector<Json>& out);

  Workspace workspace_;
  ClientFeatures client_;
  State state_ = State::kNew;
  bool was_shut_down_ = false;
  std::map<std::string, Open, std::less<>> documents_;  // by URI
  std::string last_log_;
};

}  // namespace sibyl::interface::lsp
