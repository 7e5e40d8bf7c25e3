-- SPDX-License-Identifier: Apache-2.0
-- Opens the document, waits for the diagnostics, hovers, completes, applies the
-- correction and saves. Ends Neovim with 1 and the reason if something differs.

local function fail(what, value)
  io.stdout:write(what .. ': ' .. vim.inspect(value) .. '\n')
  vim.cmd('cquit 1')
end

local function expect(what, value, wanted)
  if not vim.deep_equal(value, wanted) then
    fail(what .. ', expected ' .. vim.inspect(wanted), value)
  end
end

local function wait_for(what, condition)
  if not vim.wait(20000, condition, 20) then
    fail('no ' .. what, vim.diagnostic.get(0))
  end
end

local ended
local client_id = vim.lsp.start_client({
  name = 'sibyl',
  cmd = { os.getenv('SIBYL'), 'lsp' },
  root_dir = vim.fn.getcwd(),
  on_exit = function(code)
    ended = code
  end,
})
vim.bo.filetype = 'markdown'
vim.lsp.buf_attach_client(0, client_id)
local client
wait_for('client', function()
  client = vim.lsp.get_client_by_id(client_id)
  return client ~= nil and client.initialized
end)

wait_for('diagnostics', function()
  return #vim.diagnostic.get(0) == 1
end)
local diagnostic = vim.diagnostic.get(0)[1]
expect('code', diagnostic.code, 'citation/drifted')
-- Neovim gives columns in bytes: an emoji, a space, `second`, a space, (`
expect('column', diagnostic.col, 4 + 1 + 8 + 1 + 2)
expect('source', diagnostic.source, 'sibyl')

local function ask(method, character, more)
  local params = vim.tbl_extend('force', {
    textDocument = vim.lsp.util.make_text_document_params(0),
    position = { line = 0, character = character },
  }, more or {})
  local answer, problem = client.request_sync(method, params, 20000, 0)
  if problem or answer.err then
    fail(method, problem or answer.err)
  end
  return answer.result
end

local hover = ask('textDocument/hover', 16)
if not hover.contents.value:find('```rust\nfn second() {\n    two();\n}\n```', 1, true) then
  fail('hover', hover)
end

local definition = ask('textDocument/definition', 16)
expect('definition', definition.range.start.line, 10)
if not definition.uri:find('src/a.rs$') then
  fail('definition', definition)
end

local place = { line = 0, character = 16 }
local actions = ask('textDocument/codeAction', 16, {
  range = { start = place, ['end'] = place },
  context = { diagnostics = {} },
})
expect('title', actions[1].title, 'Change to src/a.rs:11-13')
vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
expect(
  'corrected text',
  vim.api.nvim_buf_get_lines(0, 0, -1, false),
  { '😀 `second` (`src/a.rs:11-13`) calls two.' }
)
wait_for('end of the diagnostics', function()
  return #vim.diagnostic.get(0) == 0
end)

-- An incremental change: Neovim sends the difference.
vim.api.nvim_buf_set_lines(0, 1, 1, false, { 'See `src/a.rs:fi' })
local list = ask('textDocument/completion', 16, { position = { line = 1, character = 16 } })
expect('completion', list.items[1].textEdit.newText, '7-9')
vim.api.nvim_buf_set_lines(0, 1, 2, false, { '`first` is `src/a.rs:99`.' })
wait_for('diagnostic of the new line', function()
  local found = vim.diagnostic.get(0)
  return #found == 1 and found[1].lnum == 1 and found[1].code == 'citation/out-of-range'
end)
vim.api.nvim_buf_set_lines(0, 1, 2, false, {})
local links = ask('textDocument/documentLink', 0)
expect('links', #links, 1)

vim.cmd('silent write')
client.stop()
wait_for('exit', function()
  return ended ~= nil
end)
expect('exit code', ended, 0)
io.stdout:write('ok\n')
vim.cmd('qall!')
