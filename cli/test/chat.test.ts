// Chat against the real service with a fake model, over a network that breaks.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readFunds, type Thread } from '@cowrie/testkit/chat/chat.ts'
import { type FakeUpstream, gate, startFakeUpstream } from '@cowrie/testkit/fakes/models/fake-upstream.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type BadNetwork, startBadNetwork } from './bad-network.ts'
import { type CommandOptions, type CommandResult, cowrie } from './cowrie.ts'
import { openTerminal } from './pty.ts'

let upstream: FakeUpstream
let server: TestServer
let network: BadNetwork
let url: string
let home: string
let ada: Person

beforeAll(async () => {
  upstream = await startFakeUpstream()
  server = await startTestServer({
    variables: { SERVICE_UPSTREAM_BASE_URL: upstream.url, SERVICE_UPSTREAM_OPEN_MODEL: 'small-1' },
  })
  url = await server.listen()
  network = await startBadNetwork(url)
})
beforeEach(async () => {
  upstream.reset()
  ada = await server.person()
  await giveCredit(server, ada.orgId, 100_000n)
  home = await mkdtemp(join(tmpdir(), 'cowrie-chat-'))
  return () => rm(home, { recursive: true, force: true })
})
afterAll(async () => {
  await network.close()
  await server.close()
  await upstream.close()
})

const env = (through = url) => ({ HOME: home, COWRIE_URL: through, COWRIE_API_KEY: ada.bearer })
const chat = (args: string[], { through, ...options }: CommandOptions & { through?: string } = {}) =>
  cowrie(['chat', ...args], { ...options, env: env(through) })
const threads = async () =>
  (await server.call<{ threads: Thread[] }>('GET', '/chat/threads', { as: ada })).body.threads
const charges = async () =>
  (
    await server.sql.rows<{ charged: bigint }>`
      select charged_minor as charged from holds where org_id = ${ada.orgId} and charged_minor > 0`
  ).map(({ charged }) => charged)
/** Pauses end immediately. */
const withoutPauses: CommandOptions['machine'] = { sleep: async () => undefined }

describe('a message', () => {
  test('is answered on stdout; price and cost go to stderr', async () => {
    upstream.script('An answer\nof two lines, with \x1b[31mcolours\x1b[0m.')
    const { code, stdout, stderr } = await chat(['How are you?', '--yes'])
    expect([code, stdout]).toEqual([0, 'An answer\nof two lines, with  [31mcolours [0m.\n'])
    expect(stderr).toMatch(/^This costs at most ₦\d+\.\d\d\.\nCost ₦\d+\.\d\d · Balance ₦99\d\.\d\d\n$/)
    const [charged = 0n] = await charges()
    expect(await readFunds(server, ada)).toMatchObject({ balanceMinor: 100_000n - charged })
  })

  soakTest('continues the last conversation; --new and --thread select another', async () => {
    await chat(['First question', '--yes'])
    const second = await chat(['Second question', '--yes'])
    expect(second.stderr).toContain('Continuing "First question"')
    await chat(['Third question', '--yes', '--new'])
    const all = await threads()
    expect(all.map(({ title }) => title).toSorted()).toEqual(['First question', 'Third question'])
    const first = all.find(({ title }) => title === 'First question')
    await chat(['Fourth question', '--yes', '--thread', first?.id ?? ''])
    expect(upstream.requests.at(-1)?.body.messages).toHaveLength(6)
    const { stdout } = await chat(['--list'])
    for (const { id, title } of all) expect(stdout).toMatch(new RegExp(`^  ${id}  .*  ${title}$`, 'm'))
  })

  test('is not sent without confirmation', async () => {
    const { code, stdout, stderr } = await chat(['Hello'])
    expect([code, stdout]).toEqual([64, ''])
    expect(stderr).toContain('Use --yes')
    expect(upstream.requests).toEqual([])
  })

  test('is not sent if it can exceed --max-cost, and is limited to it', async () => {
    expect(await chat(['Hello', '--yes', '--max-cost', '0.00'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Raise the limit with --max-cost.'),
    })
    expect(await chat(['Hello', '--yes', '--max-cost', '1'])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('at most ₦1.00.'),
    })
  })

  test('that the wallet does not cover exits with 5', async () => {
    ada = await server.person()
    expect(await chat(['Hello', '--yes'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('cowrie wallet topup'),
    })
  })

  soakTest('is read from stdin if there is no argument', async () => {
    const stdin = async function* () {
      yield 'Please say '
      yield Buffer.from('مرحبا?\n')
    }
    await chat(['--yes'], { machine: { stdin } })
    expect(upstream.requests[0]?.body.messages).toContainEqual({ role: 'user', content: 'Please say مرحبا?' })
  })

  soakTest('is printed as JSON lines with --json, the last with the cost', async () => {
    const { stdout } = await chat(['Hello', '--yes', '--json'])
    const frames = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(frames[0]).toHaveProperty('delta')
    expect(frames.at(-1)).toMatchObject({ message: { status: 'complete' }, costMinor: expect.any(Number) })
  })
})

describe('an answer whose connection breaks', () => {
  test('is fetched by its key, printed once and charged once', async () => {
    const rest = gate()
    upstream.script({ pieces: ['Once upon ', rest.opened, 'a time.'] })
    network.cut('Once upon ')
    const result: CommandResult = { code: -1, stdout: '', stderr: '' }
    const ended = chat(['Tell me', '--yes'], {
      through: network.url,
      result,
      machine: { sleep: async () => rest.open() },
    })
    expect(await ended).toMatchObject({ code: 0, stdout: 'Once upon a time.\n' })
    expect(result.stderr).toContain('The connection broke')
    expect(await charges()).toHaveLength(1)
    expect(upstream.requests).toHaveLength(1)
  })

  soakTest(
    'for longer than the command waits is fetched by the same command later, and charged once',
    async () => {
      const rest = gate()
      upstream.script({ pieces: ['Once upon ', rest.opened, 'a time.'] }, 'Another.')
      network.cut('Once upon ', { down: true })
      let hours = 0
      const given = await chat(['Tell me', '--yes', '--new'], {
        through: network.url,
        machine: { ...withoutPauses, nowMs: () => hours++ * 3_600_000 },
      })
      expect(given).toMatchObject({ code: 8, stdout: 'Once upon \n' })
      rest.open()
      network.up()
      // Another conversation happened meanwhile.
      await chat(['Another thing', '--yes', '--new'])
      const again = await chat(['Tell me', '--yes', '--new'], { through: network.url })
      expect(again).toMatchObject({ code: 0, stdout: 'Once upon a time.\n' })
      expect(again.stderr).toContain('This was sent before')
      expect(await charges()).toHaveLength(2)
      expect((await chat(['Tell me', '--yes', '--new'], { through: network.url })).stderr).not.toContain(
        'This was sent before',
      )
    },
  )
})

test('a failed answer costs nothing and can be repeated with the same prompt', async () => {
  upstream.script({ status: 500 }, { status: 500 }, { status: 500 }, 'Better.')
  const failed = await chat(['Hello', '--yes'])
  expect(failed.code).toBe(7)
  expect(await charges()).toEqual([])
  upstream.reset()
  upstream.script('Better.')
  expect(await chat(['Hello', '--yes'])).toMatchObject({ code: 0, stdout: 'Better.\n' })
  const [thread] = await threads()
  const { body } = await server.call<{ messages: object[] }>('GET', `/chat/threads/${thread?.id}`, {
    as: ada,
  })
  expect(body.messages).toMatchObject([{ role: 'user' }, { role: 'assistant', status: 'complete' }])
})

test('Ctrl-C stops the answer; the partial answer is stored, charged and reported', async () => {
  const held = gate()
  upstream.script({ pieces: ['Once upon ', held.opened, 'a time.'] })
  const interrupt = new AbortController()
  const result: CommandResult = { code: -1, stdout: '', stderr: '' }
  const ended = chat(['Tell me', '--yes'], { signal: interrupt.signal, result })
  await expect.poll(() => result.stdout, { timeout: scaledTimeout(20_000) }).toBe('Once upon ')
  interrupt.abort()
  expect(await ended).toMatchObject({ code: 2, stdout: 'Once upon \n' })
  expect(result.stderr).toMatch(/Cost ₦\d+\.\d\d · Balance/)
  expect(await charges()).toHaveLength(1)
  held.open()
})

soakTest('at a terminal the chat continues until Ctrl-D, and Ctrl-C stops only the answer', async () => {
  const held = gate()
  upstream.script({ pieces: ['Once upon ', held.opened] }, 'A short one.', 'Two lines.')
  const terminal = openTerminal(['chat'], { env: env() })
  await terminal.until('> ')
  terminal.press('Tell me a story\r')
  await terminal.until('Send it for')
  terminal.press('y')
  await terminal.until('Once upon')
  terminal.press('\x03')
  await terminal.until(/Cost ₦\d+\.\d\d · Balance ₦.*\n> $/)
  terminal.press('A shorter one\r')
  // After the first confirmation, the price is only printed.
  await terminal.until('A short one.')
  await terminal.until(/A short one\.\nCost .*\n> $/)
  // Pasted text is one message, however many lines it has.
  terminal.press('What is\rthis?\r')
  await terminal.until(/Two lines\.\nCost .*\n> $/)
  const asked = upstream.requests.at(-1)?.body.messages as { content: string }[]
  expect(asked.at(-1)?.content).toBe('What is\nthis?')
  terminal.press('/cost\r')
  await terminal.until(/Balance ₦[\d.]+\.\n> $/)
  terminal.press('/new\r')
  await terminal.until('Started a new conversation.')
  terminal.press('\x04')
  expect(await terminal.ended).toBe(0)
  held.open()
  expect(await charges()).toHaveLength(3)
})
