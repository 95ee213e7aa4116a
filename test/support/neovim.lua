-- What a person does in Neovim, step by step; run headless by neovim.test.ts after the configuration of docs/editors.md.
-- Writes what it saw to $DRIVER_OUT as JSON and ends the editor, also when a step fails.
local seen = {}

local function wait(what, condition)
  if not vim.wait(20000, condition, 20) then
    error('waited in vain for ' .. what)
  end
end

local function codes()
  return vim.tbl_map(function(item)
    return item.code
  end, vim.diagnostic.get(0))
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000) or {}
  for _, answer in pairs(answers) do
    return answer.result
  end
end

local function at(line, character)
  vim.api.nvim_win_set_cursor(0, { line + 1, character })
  return vim.lsp.util.make_position_params()
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end

local function steps()
  vim.cmd('edit requests.jsonrpc')
  seen.filetype = vim.bo.filetype
  wait('diagnostics', function()
    return #codes() > 0
  end)
  seen.codes = codes()

  -- The quick fix, chosen as from the menu.
  vim.ui.select = function(items, _, choose)
    for _, item in ipairs(items) do
      local action = item[2] or item.action
      if action.title:find('getBalance') then
        return choose(item)
      end
    end
    error('no quick fix')
  end
  at(4, 16)
  vim.lsp.buf.code_action()
  wait('the quick fix', function()
    return text():find('"getBalance"') ~= nil
  end)
  wait('its diagnostic to go', function()
    return #vim.diagnostic.get(0, { lnum = 4 }) == 0
  end)

  seen.labels = {}
  local found = ask('textDocument/completion', at(9, 15))
  for _, item in ipairs(found.items or found) do
    table.insert(seen.labels, item.label)
  end
  local hover = ask('textDocument/hover', at(4, 16))
  seen.hover = hover and hover.contents.value

  at(0, 2)
  vim.lsp.buf.rename('account')
  wait('the new name', function()
    return text():find('{{account}}', 1, true) ~= nil
  end)

  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = 20000 })
  else
    vim.lsp.buf.formatting_sync({}, 20000)
  end
  seen.text = text()

  -- The key of the configuration.
  local windows = #vim.api.nvim_list_wins()
  at(4, 0)
  vim.cmd('normal \\r')
  wait('the answer', function()
    return #vim.api.nvim_list_wins() > windows
  end)
  seen.answer = text()
  seen.answerType = vim.bo.filetype
  vim.cmd('close')

  seen.result = ask('workspace/executeCommand', {
    command = 'solanaRpc.run',
    arguments = { vim.uri_from_bufnr(0), 4 },
  })
end

local done, problem = pcall(steps)
if not done then
  seen.problem = tostring(problem) .. '\n' .. vim.api.nvim_exec('messages', true)
end
local out = io.open(vim.env.DRIVER_OUT, 'w')
out:write(vim.fn.json_encode(seen))
out:close()
vim.cmd('qa!')
