-- Drives a recording of the sample in nvim-dap, with the configuration that docs/dap.md shows.
-- Environment: EREMITE (the launcher), EREMITE_DATA_DIR, BANK (the program), BANK_SOURCE, CONFIGURATION (a file), and
-- EREMITE_NVIM_DAP, the folder of nvim-dap, where it is not among Neovim's plugins. Ends with status 77 if it is missing.

local function say(text)
  io.stdout:write(text, '\n')
end

local function find_client()
  local folders = { os.getenv('EREMITE_NVIM_DAP') }
  local parents = vim.fn.stdpath('data') .. ',' .. vim.fn.stdpath('data') .. '/site,' .. vim.fn.stdpath('config')
  for _, pattern in ipairs({ 'lazy/nvim-dap', 'pack/*/*/nvim-dap' }) do
    vim.list_extend(folders, vim.fn.globpath(parents .. ',/usr/share/nvim/site', pattern, true, true))
  end
  for _, folder in ipairs(folders) do
    vim.o.runtimepath = folder .. ',' .. vim.o.runtimepath
  end
  return pcall(require, 'dap')
end

if not find_client() then
  say('nvim-dap is not installed, or EREMITE_NVIM_DAP is not its folder')
  vim.cmd('77cquit')
end

local dap = require('dap')
dofile(os.getenv('CONFIGURATION'))
dap.adapters.eremite.command = os.getenv('EREMITE')
local record = vim.deepcopy(dap.configurations.c[2])
record.program = os.getenv('BANK')

local shown, set = 0, 0
-- The last request after a stop: who moves on earlier lets nvim-dap stumble over the answer.
dap.listeners.after.scopes.test = function()
  shown = shown + 1
end
dap.listeners.after.setBreakpoints.test = function()
  set = set + 1
end

local function await(what, predicate)
  if not vim.wait(60000, predicate, 20) then
    error('no ' .. what)
  end
end

local function place()
  local frame = dap.session().current_frame
  return frame.name .. ' ' .. frame.line
end

local function expect(what, expected)
  say(what .. '\t' .. place())
  if place() ~= expected then
    error(what .. ': ' .. place() .. ', and not ' .. expected)
  end
end

-- Moves as a key would; the program is then to stand at a place.
local function move(what, command, expected)
  local before = shown
  command()
  await('stop after ' .. what, function()
    return shown > before
  end)
  expect(what, expected)
end

local function line_of(text)
  vim.fn.cursor(1, 1)
  return vim.fn.search('\\V' .. text, 'c')
end

local function toggle()
  local before = set
  line_of('account->owner[i] = name[i];')
  dap.toggle_breakpoint()
  await('breakpoint', function()
    return not dap.session() or set > before
  end)
end

local function drive()
  vim.cmd('edit ' .. vim.fn.fnameescape(os.getenv('BANK_SOURCE')))
  local loop = line_of('for (size_t i = 0;')
  local prints = line_of('balance %ld')
  local writes = line_of('account->owner[i] = name[i];')
  toggle()
  dap.run(record)
  await('crash', function()
    return shown > 0
  end)
  expect('crash', 'print_statement ' .. prints)
  move('the beginning of the line', dap.step_back, 'print_statement ' .. prints)
  move('the line before', dap.step_back, 'print_statement ' .. prints - 1)
  move('the last write', dap.reverse_continue, 'rename_account ' .. writes)
  move('a step back', dap.step_back, 'rename_account ' .. loop)
  move('the write before', dap.reverse_continue, 'rename_account ' .. writes)
  toggle()
  move('forwards', dap.continue, 'print_statement ' .. prints)
  toggle()
  move('the last write again', dap.reverse_continue, 'rename_account ' .. writes)
  -- To another thread, by a request that nvim-dap does not know.
  move('the end', function()
    dap.session():request('eremite/seek', { to = 'end' }, function() end)
  end, 'print_statement ' .. prints)
  dap.terminate()
  await('end', function()
    return not dap.session()
  end)
end

local passed, failure = pcall(drive)
say(passed and 'passed' or 'failed: ' .. tostring(failure))
vim.cmd(passed and 'qall!' or '1cquit')
