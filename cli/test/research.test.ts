// Research against the real service with a small fake web, over a network that breaks.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, startFakeService } from '@cowrie/testkit/fakes/service.ts'
import type { Person } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { addFindings, complete, finishCancelled, start } from '@cowrie/testkit/research/runs.ts'
import { type ResearchWorld, startResearchWorld } from '@cowrie/testkit/research/world.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BadNetwork, startBadNetwork } from './bad-network.ts'
import { type CommandOptions, type CommandResult, cowrie } from './cowrie.ts'
import { openTerminal } from './pty.ts'

let world: ResearchWorld
let network: BadNetwork
let url: string
let home: string
let ada: Person
const NAIRA = { code: 'NGN', symbol: '₦', minorUnit: 100 }
const QUICK = { depth: 'quick', leastMinor: 100, estimateMinor: 200, maxMinor: 500, minutesMax: 5 }
const QUESTION = 'Which port of West Africa handles the most containers?'

beforeAll(async () => {
  world = await startResearchWorld()
  // Few pages, because other tests cover the run itself.
  world.web.show(world.web.pages.map(({ path }) => path).filter((path) => /^\/(harbour|coast)/.test(path)))
  url = await world.server.listen()
  network = await startBadNetwork(url)
  home = await mkdtemp(join(tmpdir(), 'cowrie-research-'))
  ada = await world.customer()
})
afterAll(async () => {
  await network.close()
  await world.close()
  await rm(home, { recursive: true, force: true })
})

const env = (through: string) => ({ HOME: home, COWRIE_URL: through, COWRIE_API_KEY: ada.bearer })
const research = (
  args: string[],
  { through = url, ...options }: CommandOptions & { through?: string } = {},
) => cowrie(['research', ...args], { ...options, env: env(through) })
const runs = () =>
  world.server.sql.rows<{ id: string }>`select id from research_runs where org_id = ${ada.orgId}`

test('a run shows its price, starts after a confirmation, runs in the background, and ends with its report', async () => {
  const refused = await research(['start', QUESTION, '--depth', 'quick'])
  expect([refused.code, await runs()]).toEqual([64, []])
  const started = await research(['start', QUESTION, '--depth', 'quick', '--no-wait', '--yes'])
  const id = started.stdout.trim()
  expect([started.code, id]).toEqual([8, expect.stringMatching(/^run_/)])
  expect(await research(['show', id])).toMatchObject({
    code: 8,
    stderr: expect.stringContaining(`cowrie research watch ${id}`),
  })
  await world.server.app.jobs.drain()

  const watched = await research(['watch', id])
  expect(watched.code).toBe(0)
  expect(watched.stdout).toMatch(/^Which port of West Africa/)
  expect(watched.stdout).toMatch(/\[1\] .*<https?:/)
  expect(watched.stdout).not.toMatch(/^#|\*\*|\\/m)
  expect(watched.stderr).toMatch(
    /searching the web · 0 sources · ₦[\d.]+ of at most ₦[\d.]+ \(Ctrl-C stops following only\)/,
  )
  const { spentMinor } = await world.detail(ada, id)
  expect(watched.stderr).toContain(`Cost ₦${(Number(spentMinor) / 100).toFixed(2)} · Balance ₦`)

  const file = join(home, 'report.md')
  expect(await research(['show', id, '-o', file])).toMatchObject({ code: 0 })
  const markdown = (await research(['show', id, '--markdown'])).stdout
  expect([markdown, markdown.startsWith('# ')]).toEqual([await readFile(file, 'utf8'), true])
  expect(await research(['get', id])).toMatchObject({ code: 0, stdout: expect.stringContaining('report.md') })
  expect((await research(['list'])).stdout).toContain(`${id}  `)
  expect(await research(['cancel', id])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('research_finished'),
  })
})

test('a run asks back, continues with the answer, takes a document, and answers a further question', async () => {
  const note = join(home, 'note.txt')
  await writeFile(note, 'The port of Makoro opens berth 15 for grain ships in June 2027.')
  const args = ['start', 'Makoro berth', '--depth', 'quick', '--ask', '--document', note, '--no-web']
  const id = (await research([...args, '--no-wait', '--yes'])).stdout.trim()
  await world.server.app.jobs.drain()
  const asked = await research(['watch', id])
  expect([asked.code, asked.stderr]).toEqual([8, expect.stringContaining(`cowrie research answer ${id}`)])
  expect(await research(['answer', id, 'When berth 15 opens', '--no-wait'])).toMatchObject({ code: 8 })
  await world.server.app.jobs.drain()
  expect((await research(['watch', id])).stdout).toContain('June 2027')
  const file = join(home, 'report.pdf')
  expect(await research(['show', id, '-o', file])).toMatchObject({ code: 0 })
  expect((await readFile(file)).subarray(0, 5).toString()).toBe('%PDF-')
  const further = await research([
    'follow-up',
    id,
    'Which ships use berth 15?',
    '--no-web',
    '--no-wait',
    '--yes',
  ])
  await world.server.app.jobs.drain()
  expect(await world.detail(ada, further.stdout.trim())).toMatchObject({ status: 'completed' })
})

test('a run whose start answer is lost is started once when the command is repeated', async () => {
  const before = await runs()
  network.cut('"run_', { before: true, down: true })
  const args = ['start', 'What is jollof?', '--depth', 'quick', '--no-wait', '--yes']
  const lost = await research(args, { through: network.url })
  expect([lost.code, lost.stdout]).toEqual([8, ''])
  expect(lost.stderr).toContain('Run the same command again')
  network.up()
  const again = await research(args, { through: network.url })
  expect(again.stderr).toContain('charged once')
  const fresh = (await runs()).filter(({ id }) => !before.some((each) => each.id === id))
  expect(fresh).toEqual([{ id: again.stdout.trim() }])
  await research(['cancel', again.stdout.trim()])
  await world.server.app.jobs.drain()
})

soakTest(
  'an interrupted start reports that the run may have started, and another user does not continue it',
  async () => {
    const interrupted = new AbortController()
    const args = ['start', 'What is fufu?', '--depth', 'quick', '--no-wait']
    const service = await startFakeService(
      json(200, { userId: ada.userId, orgId: ada.orgId, currency: NAIRA, balanceMinor: 1 }),
      json(200, { available: true, enabled: true, missing: [], depths: [QUICK] }),
      () => interrupted.abort(),
      json(200, { userId: 'usr_ben', orgId: ada.orgId, currency: NAIRA, balanceMinor: 1 }),
      json(200, { available: true, enabled: true, missing: [], depths: [QUICK] }),
    )
    const stopped = await research([...args, '--yes'], { through: service.url, signal: interrupted.signal })
    expect([stopped.code, stopped.stdout]).toEqual([2, ''])
    expect(stopped.stderr).toContain('It is unknown whether the run started.')
    const others = await research(args, { through: service.url })
    expect([others.code, others.stderr]).toEqual([64, expect.stringContaining('Use --yes')])
    await service.close()
  },
)

soakTest('watching resumes after a broken connection, with each frame once', async () => {
  const id = await start(world.server, ada)
  await addFindings(world.server, ada, id)
  const cutsBefore = network.cuts
  network.cut('"kind":"finding"')
  const { code, stdout } = await research(['watch', id, '--json'], {
    through: network.url,
    machine: { sleep: async () => void (await complete(world.server, ada, id)) },
  })
  const frames = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect([code, network.cuts - cutsBefore]).toEqual([0, 1])
  expect(frames.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
})

soakTest('a cancelled run ends watching commands with exit code 2', async () => {
  const id = await start(world.server, ada)
  const result: CommandResult = { code: -1, stdout: '', stderr: '' }
  const watching = research(['watch', id], { result })
  await addFindings(world.server, ada, id)
  await expect
    .poll(() => result.stderr, { timeout: scaledTimeout(20_000) })
    .toContain('It takes patience. [1]')
  const cancelled = research(['cancel', id])
  const status = async () => (await world.detail(ada, id)).status
  await expect.poll(status, { timeout: scaledTimeout(20_000) }).toBe('cancelled')
  await finishCancelled(world.server, ada, id)
  expect((await cancelled).stdout).toContain(id)
  expect(await watching).toMatchObject({ code: 2, stdout: '' })
  expect(result.stderr).toContain('Cancelled')
})

soakTest('at a terminal there is one status line, and Ctrl-C stops only the watching', async () => {
  const id = await start(world.server, ada)
  await addFindings(world.server, ada, id)
  const terminal = openTerminal(['research', 'watch', id], { env: env(url) })
  await terminal.until('(Ctrl-C stops following only)')
  await terminal.until('It takes patience. [1]')
  terminal.press('\x03')
  expect(await terminal.ended).toBe(8)
  expect(terminal.screen()).toContain(`cowrie research watch ${id}`)
  expect((await world.detail(ada, id)).status).toBe('running')
})
