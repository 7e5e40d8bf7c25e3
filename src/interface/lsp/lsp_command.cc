// SPDX-License-Identifier: Apache-2.0
// `sibyl lsp`: an editor starts it and uses its standard input and output.
#include <fcntl.h>
#include <unistd.h>

#include "base/files/file_descriptor.h"
#include "engine/arguments.h"
#include "engine/citations/code_citations.h"
#include "engine/outcome.h"
#include "engine/text/render.h"
#include "interface/cli/own_commands.h"
#include "interface/lsp/stdio_loop.h"
#include "oracle/context.h"

namespace sibyl::interface {
namespace {

Result<engine::Outcome> RunLsp(const oracle::Context& context, const engine::Arguments&) {
  // Standard output is the protocol's alone: whatever else prints, in here or in
  // a library, lands on standard error.
  const FileDescriptor out(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
  if (!out.is_open() || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
    return Error{.kind = ErrorKind::kUnavailable, .message = "standard output is not open"};
  }
  lsp::LspServer server(lsp::Workspace(FindGitRepository, engine::CitationCache(context)));
  const lsp::LspEnding ending = lsp::ServeLsp(server, STDIN_FILENO, out.number());
  return engine::Outcome{.data = {{"text", ""}}, .holds = ending == lsp::LspEnding::kInOrder};
}

constexpr engine::Parameter kLspParameters[] = {
    {.name = "stdio",
     .help = "use stdin and stdout, as always; some editors pass it",
     .kind = engine::ParameterKind::kFlag},
};

}  // namespace

constexpr engine::Operation kLsp = {
    .name = "lsp",
    .summary = "check code citations in editors, over LSP on stdio",
    .description =
        R"(Speaks the Language Server Protocol 3.17 for Markdown documents in git repositories; no oracle is
needed. While a document is edited, its code citations are checked as `sibyl audit` checks them, with
the same codes. Hovering shows the cited lines and where they are now; code actions correct one
citation or all that are certain, and remove line numbers that are not needed; paths, symbols and
line numbers are completed; citations are links.

Documents come from the editor, code from the work tree. The server writes no file: corrections are
edits that the editor makes. docs/lsp.md has the configuration of editors.

  sibyl lsp)",
    .parameters = kLspParameters,
    .effects = {.reads = true},
    .run = RunLsp,
    .render = engine::RenderText,
};

}  // namespace sibyl::interface
