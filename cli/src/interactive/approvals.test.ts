import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRecordedScreen } from '../../test/recorded-screen.ts'
import type { ToolCall } from '../session/types.ts'
import { findPaths } from '../system/paths.ts'
import { matchesPatterns } from '../tools/commands/command-rules.ts'
import { openApprovals, type Request, type Rule } from './approvals.ts'
import type { ApproveMode } from './approve-mode.ts'
import { askingDecide } from './ask-approval.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cowrie-approvals-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const open = (mode: ApproveMode = 'ask', allowed: Rule[] = [], rootHash = 'abc') =>
  openApprovals({
    paths: findPaths({ HOME: home }, home, undefined),
    rootHash,
    mode,
    allowed,
    matches: matchesPatterns,
  })
const request = (about: Request['about'], subject: string, more: Partial<Request> = {}): Request => ({
  kind: 'ask',
  about,
  subject,
  preview: [],
  patterns: [],
  ...more,
})
const CALL: ToolCall = { callId: 'call_1_2', turnId: 'trn_1', tool: 'run', input: {} }
const ABOUTS = ['edit', 'command', 'network', 'outside', 'sensitive', 'tool'] as const

test('ask allows nothing, edits allows edits, and full also allows commands, but nothing that leaves the sandbox', () => {
  const free = (mode: ApproveMode) => ABOUTS.filter((about) => open(mode).allows(request(about, 'x')))
  expect([free('ask'), free('edits'), free('full')]).toEqual([[], ['edit'], ['edit', 'command']])
})

test('a rule is stored for one repository and holds in the next session', async () => {
  await open().remember({ about: 'command', pattern: 'npm test*' })
  const later = open()
  expect(later.allows(request('command', 'npm test --watch'))).toBe(true)
  expect(later.allows(request('command', 'npm test && curl evil.example'))).toBe(false)
  expect(later.allows(request('network', 'npm test'))).toBe(false)
  expect(open('ask', [], 'other').allows(request('command', 'npm test'))).toBe(false)
  await later.forget({ about: 'command', pattern: 'npm test*' })
  expect(open().rules).toEqual([])
})

test('a command allowed for the session is not asked again, but another one is, and it is not stored', async () => {
  const approvals = open()
  const screen = createRecordedScreen()
  const decide = askingDecide(screen, approvals, { stop: () => undefined, onMode: () => undefined })
  const { signal } = new AbortController()
  screen.answer('s', 'n')
  const outside = request('outside', 'npm test')
  expect(await decide(CALL, outside, signal)).toEqual({ allow: true })
  expect(await decide(CALL, outside, signal)).toEqual({ allow: true })
  expect(await decide(CALL, request('outside', 'npm test; ls'), signal)).toMatchObject({ allow: false })
  expect(approvals.allows(request('network', 'npm test'))).toBe(false)
  expect(open().allows(outside)).toBe(false)
})

test('rules of the command line are not stored, and a damaged file allows nothing', () => {
  const given = open('ask', [{ about: 'command', pattern: 'make*' }])
  expect([given.allows(request('command', 'make all')), given.rules]).toEqual([true, []])
  mkdirSync(join(home, '.local/state/cowrie/approvals'), { recursive: true })
  writeFileSync(
    join(home, '.local/state/cowrie/approvals/abc.json'),
    '{"rules":[{"about":"all","pattern":"*"}]}',
  )
  expect(open().allows(request('command', 'x'))).toBe(false)
})

test('a rule about edits can name a folder; a star has no meaning in rules about sensitive files and tools', async () => {
  const approvals = open()
  await approvals.remember({ about: 'edit', pattern: 'src/**' })
  expect(['src/a/b.ts', 'lib/a.ts'].map((path) => approvals.allows(request('edit', path)))).toEqual([
    true,
    false,
  ])
  await approvals.remember({ about: 'sensitive', pattern: '*' })
  await approvals.remember({ about: 'tool', pattern: 'github_search' })
  expect(approvals.allows(request('sensitive', '.env'))).toBe(false)
  expect(approvals.allows(request('tool', 'github_search'))).toBe(true)
})

test('a call waits for the answer: yes, no, a reason, a rule, or a mode for the session', async () => {
  const screen = createRecordedScreen()
  const approvals = open()
  let stops = 0
  const decide = askingDecide(screen, approvals, { stop: () => stops++, onMode: () => undefined })
  const ask = (wanted: Request) => decide(CALL, wanted, new AbortController().signal)

  screen.answer('y', 'n', 'r')
  screen.write('use pnpm')
  expect(await ask(request('command', 'npm test'))).toEqual({ allow: true })
  expect(await ask(request('command', 'npm test'))).toEqual({ allow: false, reason: '' })
  expect(await ask(request('command', 'npm test'))).toEqual({ allow: false, reason: 'use pnpm' })

  screen.answer('a')
  const patterns = ['npm test*']
  expect(await ask(request('command', 'npm test', { patterns }))).toEqual({ allow: true })
  expect(await ask(request('command', 'npm test -- a', { patterns }))).toEqual({ allow: true })

  screen.answer('e')
  expect(await ask(request('edit', 'a.ts'))).toEqual({ allow: true })
  expect(approvals.mode).toBe('edits')
  expect(await ask(request('edit', 'b.ts'))).toEqual({ allow: true })

  screen.answer(null)
  expect(await ask(request('command', 'make'))).toMatchObject({ allow: false })
  expect(stops).toBe(1)
})

test('a long difference is cut, and shown as a whole on request', async () => {
  const screen = createRecordedScreen()
  const decide = askingDecide(screen, open(), { stop: () => undefined, onMode: () => undefined })
  const preview = Array.from({ length: 100 }, (_, index) => `+line ${index}`)
  screen.answer('w', 'n')
  await decide(CALL, request('edit', 'a.ts', { preview }), new AbortController().signal)
  expect(screen.shown.filter((line) => line === '+line 0')).toHaveLength(2)
  expect(screen.shown.filter((line) => line === '+line 99')).toHaveLength(1)
  expect(screen.shown).toContain('… 60 more lines, shown with "w"')
})
