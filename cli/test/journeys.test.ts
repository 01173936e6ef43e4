// User journeys in a real terminal against the real service, from sign-in to undo. The sessions are stored as recordings,
// and every exit code is checked.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AgentTestServer,
  createFundedPerson,
  FIXED,
  fixingAnswer,
  listDebits,
  startAgentServer,
} from '@cowrie/testkit/agent/run.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { screenOf } from './pty.ts'
import { record } from './recording.ts'
import { makeRepository, type TestRepository } from './repository.ts'

const BROKEN = 'export function add(a, b) {\n  return a - b\n}\n'
const COST_LINE = /Cost ₦\d+\.\d\d · Balance ₦[\d,]+\.\d\d · result [2-9a-z]{4}/

let stage: AgentTestServer
let url: string
let ada: Person
let repo: TestRepository
let home: string
beforeAll(async () => {
  stage = await startAgentServer()
  url = await stage.server.listen()
})
afterAll(() => stage.close())
beforeEach(async () => {
  ada = await createFundedPerson(stage.server, 1_000_000n)
  home = mkdtempSync(join(tmpdir(), 'cowrie-home-'))
  repo = makeRepository({ 'src/add.js': BROKEN, 'package.json': '{"name":"sums"}\n' })
})
afterEach(() => {
  stage.upstream.reset()
  repo.remove()
  rmSync(home, { recursive: true, force: true })
})

const text = (path: string): string => readFileSync(join(repo.root, path), 'utf8')
const at = (more: Record<string, string> = {}) => ({ cwd: repo.root, env: { HOME: home, ...more } })
const signedIn = () => at({ COWRIE_URL: url, COWRIE_API_KEY: ada.bearer })

soakTest('the first hour: browser sign-in, USSD top-up, and an explained charge', async () => {
  const recording = record('first-hour')
  const login = recording.run(['auth', 'login', '--base-url', url], at())
  await login.until(/[B-Z]{4}-[B-Z]{4}/)
  const [code = ''] = /[B-Z]{4}-[B-Z]{4}/.exec(login.screen()) ?? []
  // A phone can scan the QR code.
  expect(login.screen()).toMatch(/█▀▀▀|▄▄▄▄▄ █/)
  expect((await stage.server.call('POST', `/auth/device/${code}/approve`, { as: ada })).status).toBe(200)
  expect(await login.ended).toBe(0)
  expect(login.screen()).toContain(`Signed in to ${url} as ${ada.email}`)

  const topup = recording.run(['topup', '2000', '--channel', 'ussd'], at())
  await topup.until('[y/N]')
  topup.press('y\r')
  await topup.until('Dial this on your phone:')
  await topup.until('Waiting for ₦2,000.00')
  const [payment] = await stage.server.sql.rows<{ reference: string }>`
    select reference from payments where org_id = ${ada.orgId}`
  await stage.server.call('POST', `/pay/mock/${payment?.reference}`, {
    raw: 'decision=approved',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(await topup.ended).toBe(0)
  expect(topup.screen()).toContain('+₦2,000.00 · Balance ₦12,000.00')

  const wallet = recording.run(['wallet'], at())
  expect(await wallet.ended).toBe(0)
  expect(wallet.screen()).toContain('₦12,000.00')
  const ledger = recording.run(['wallet', 'ledger'], at())
  expect(await ledger.ended).toBe(0)
  expect(ledger.screen()).toContain('₦2,000.00')

  const logout = recording.run(['auth', 'logout'], at())
  expect(await logout.ended).toBe(0)
  const status = recording.run(['auth', 'status', '--base-url', url], at())
  expect(await status.ended).toBe(4)
  expect(status.screen()).toContain('cowrie auth login')
  recording.keep()
})

test('a task: the price and the diff are shown, the edit is applied and undone', async () => {
  const recording = record('run-apply-undo')
  stage.upstream.script(fixingAnswer())
  const run = recording.run(['run', 'Make add() add.', '-f', 'src/add.js'], signedIn())
  await run.until(/This costs at most ₦\d+\.\d\d/)
  await run.until('[y/N]')
  expect(await listDebits(stage, ada)).toEqual([])
  run.press('y\r')
  await run.until(/\+ {2}return a \+ b/)
  await run.until(/\[y\]/)
  expect(text('src/add.js')).toBe(BROKEN)
  run.press('y\r')
  expect(await run.ended).toBe(0)
  expect(run.screen()).toMatch(COST_LINE)
  expect(text('src/add.js')).toBe(FIXED)
  expect(repo.git('status', '--porcelain')).toBe(' M src/add.js\n')

  const undo = recording.run(['undo', '--yes'], signedIn())
  expect(await undo.ended).toBe(0)
  expect(text('src/add.js')).toBe(BROKEN)
  const list = recording.run(['runs', 'list'], signedIn())
  expect(await list.ended).toBe(0)
  expect(list.screen()).toContain('Make add() add.')
  // Apply, undo and show are free.
  expect(await listDebits(stage, ada)).toHaveLength(1)
  recording.keep()
})

soakTest('uncommitted work is safe: dirty files stop the apply, and a conflict writes nothing', async () => {
  const recording = record('dirty-and-conflict')
  stage.upstream.script(fixingAnswer())
  const run = recording.run(['run', 'Make add() add.', '-f', 'src/add.js', '--yes', '--no-apply'], signedIn())
  expect(await run.ended).toBe(0)

  const theirs = BROKEN.replace('a - b', 'a * b')
  repo.write({ 'src/add.js': theirs })
  const dirty = recording.run(['apply', 'last', '--yes'], signedIn())
  expect(await dirty.ended).toBe(9)
  expect(dirty.screen()).toContain('--stash')
  repo.git('commit', '-qam', 'Mine')
  const conflict = recording.run(['apply', 'last', '--yes'], signedIn())
  expect(await conflict.ended).toBe(9)
  expect(conflict.screen()).toContain('src/add.js')
  expect(text('src/add.js')).toBe(theirs)
  expect(repo.git('status', '--porcelain')).toBe('')
  recording.keep()
})

soakTest('a loop without a test reports that nothing is verified, and still offers its edits', async () => {
  const recording = record('loop-unverified')
  stage.upstream.script(fixingAnswer())
  const args = ['loop', 'Make add() add.', '-f', 'src/add.js', '--sandbox', 'none', '--max-cost', '200']
  const loop = recording.run(args, signedIn())
  await loop.until('[y/N]')
  loop.press('y\r')
  await loop.until(/\[y\]/)
  expect(loop.screen()).toMatch(COST_LINE)
  expect(loop.screen()).toContain('not verified')
  loop.press('n\r')
  expect(await loop.ended).toBe(10)
  expect(text('src/add.js')).toBe(BROKEN)
  recording.keep()
})

soakTest('forty columns, an Arabic prompt, a dumb terminal, and a price over the limit', async () => {
  const recording = record('narrow', { columns: 40 })
  const arabic = recording.run(['quote', 'اجعل الدالة تجمع', '-f', 'src/add.js'], signedIn())
  expect(await arabic.ended).toBe(0)
  expect(arabic.screen()).toContain('at most ₦')

  const dumb = recording.run(['quote', 'Add.', '-f', 'src/add.js'], at({ ...signedIn().env, TERM: 'dumb' }))
  expect(await dumb.ended).toBe(0)
  expect(dumb.raw()).not.toContain('\x1b')

  const dear = recording.run(['run', 'Add.', '-f', 'src/add.js', '--yes', '--max-cost', '0.01'], signedIn())
  expect(await dear.ended).toBe(5)
  const wrong = recording.run(['run', '--no-such-option'], signedIn())
  expect(await wrong.ended).toBe(64)
  expect(stage.upstream.requests).toEqual([])
  expect(await listDebits(stage, ada)).toEqual([])
  recording.keep()
  const cast = readFileSync(join(import.meta.dirname, '../../dist/recordings/narrow.cast'), 'utf8')
  const [head, ...events] = cast
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(head).toMatchObject({ version: 2, width: 40 })
  expect(screenOf(events.map(([, , text]: [number, string, string]) => text).join(''))).toContain(
    '$ cowrie quote',
  )
})
