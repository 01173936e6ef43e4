// Top-ups against the real service, with mock payments and a provider that needs a code.
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromJson } from '@cowrie/sdk'
import { json, page, type ReplyWriter, startFakeService } from '@cowrie/testkit/fakes/service.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { balanceOf, customer } from '@cowrie/testkit/payments/topup-fixture.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Currency } from '../../server/src/kernel/money.ts'
import type { Machine } from '../src/system/machine.ts'
import { type CommandOptions, type CommandResult, cowrie } from './cowrie.ts'
import { openTerminal } from './pty.ts'

let server: TestServer
let url: string
let home: string
let ada: Person
let env: Record<string, string>

beforeAll(async () => {
  server = await startTestServer()
  url = await server.listen()
  home = await mkdtemp(join(tmpdir(), 'cowrie-topup-'))
})
afterAll(async () => {
  await server.close()
  await rm(home, { recursive: true, force: true })
})
beforeEach(async () => {
  ada = await customer(server)
  env = await envOf(ada)
})

const envOf = async (person: Person): Promise<Record<string, string>> => ({
  COWRIE_URL: url,
  COWRIE_API_KEY: (await server.key(person, [])).bearer,
  XDG_STATE_HOME: join(home, person.userId),
})
const decide = (reference: string, decision: string) =>
  server.call('POST', `/pay/mock/${reference}`, {
    raw: `decision=${decision}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const references = async ({ orgId }: Person): Promise<string[]> =>
  (
    await server.sql.rows<{ reference: string }>`
      select reference from payments where org_id = ${orgId} order by created_at, reference`
  ).map(({ reference }) => reference)
const only = async (): Promise<string> => {
  const found = await references(ada)
  expect(found).toHaveLength(1)
  return found[0] ?? ''
}

/** Runs the command while the test acts in each pause. The clock of the service advances with it. */
async function topup(
  args: string[],
  {
    during = () => undefined,
    machine = {},
    ...options
  }: CommandOptions & { during?: (pause: number) => unknown } = {},
): Promise<CommandResult & { pausesMs: number[] }> {
  const pausesMs: number[] = []
  const simulatedClock: Partial<Machine> = {
    now: () => server.clock.now(),
    nowMs: () => server.clock.now().getTime(),
    async sleep(ms) {
      server.clock.advance({ ms })
      await during(pausesMs.push(ms))
    },
    ...machine,
  }
  const ended = await cowrie(['wallet', 'topup', ...args], { env, ...options, machine: simulatedClock })
  return { ...ended, pausesMs }
}

/** Input lines typed at a terminal. */
const typing = (...lines: string[]): Partial<Machine> => ({
  isStdinTerminal: true,
  async *stdin() {
    for (const line of lines) yield `${line}\n`
  },
})

describe('a top-up', () => {
  test('by USSD shows the code, waits, and prints the balance', async () => {
    const ended = await topup(['2000', '--channel', 'ussd', '--yes'], {
      during: async (pause) => {
        if (pause === 2) await decide(await only(), 'approved')
      },
    })
    expect(ended).toMatchObject({ code: 0, pausesMs: [5_000, 5_000] })
    expect(ended.stdout).toMatch(/Dial this on your phone:\n\n {4}\*737\*000\*\d{4}#\n/)
    expect(ended.stdout.endsWith('+₦2,000.00 · Balance ₦2,000.00\n')).toBe(true)
    expect(ended.stderr).toContain('Test mode: this is play money.')
    expect(await balanceOf(server, ada)).toBe(200_000n)
  })

  test('prints one JSON value to stdout at the end, and the instructions to stderr', async () => {
    ada = await customer(server, 'GHS')
    const ended = await topup(['12.50', '--channel', 'card', '--yes', '--json'], {
      env: await envOf(ada),
      during: async () => void (await decide(await only(), 'approved')),
    })
    expect(ended.code).toBe(0)
    expect(fromJson(ended.stdout)).toMatchObject({
      status: 'settled',
      amountMinor: 1250n,
      balanceMinor: 1250n,
    })
    expect(fromJson(ended.stderr)).toMatchObject({
      status: 'pending',
      authorizationUrl: expect.stringContaining('/pay/mock/tp'),
    })
  })

  test('that is declined exits with 1 and prints the reason', async () => {
    const ended = await topup(['500', '--channel', 'card', '--yes'], {
      during: async () => void (await decide(await only(), 'declined')),
    })
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('₦500.00 was not paid. It was declined on the mock page. (payment_failed)')
  })

  test('with --no-wait exits with 8 and prints how to resume, without a second payment', async () => {
    const ended = await topup(['500', '--channel', 'ussd', '--yes', '--no-wait'])
    const reference = await only()
    expect(ended).toMatchObject({ code: 8, pausesMs: [] })
    expect(ended.stdout).toContain('*737*000*')
    expect(ended.stderr).toContain(`cowrie wallet topup --resume ${reference}`)

    const resumed = await topup(['--resume', reference], {
      during: async () => void (await decide(reference, 'approved')),
    })
    expect(resumed).toMatchObject({ code: 0 })
    expect(resumed.stdout).toContain('*737*000*')
    expect(resumed.stdout).toContain('+₦500.00 · Balance ₦500.00')
    expect(await topup(['--resume', reference])).toMatchObject({
      code: 0,
      stdout: '+₦500.00 · Balance ₦500.00\n',
    })
    expect(await only()).toBe(reference)
    expect(await balanceOf(server, ada)).toBe(50_000n)
  })

  test('can be resumed on another computer without the instructions', async () => {
    await topup(['500', '--channel', 'ussd', '--yes', '--no-wait'])
    const ended = await topup(['--resume', await only(), '--no-wait'], {
      env: { ...env, XDG_STATE_HOME: join(home, 'elsewhere') },
    })
    expect(ended).toMatchObject({
      code: 8,
      stdout: 'The instructions were shown where this payment started.\n',
    })
  })

  test('with a given key is one payment, however often it is sent', async () => {
    const args = ['500', '--channel', 'ussd', '--yes', '--no-wait', '--json', '--idempotency-key', 'mine']
    const first = await topup(args)
    expect(fromJson((await topup(args)).stdout)).toEqual(fromJson(first.stdout))
    await only()
  })

  test('stops waiting when the payment expires', async () => {
    ada = await customer(server, 'KES')
    const ended = await topup(['100', '--channel', 'mpesa', '--phone', '0712345678', '--yes'], {
      env: await envOf(ada),
    })
    expect(ended.code).toBe(8)
    const waitedMs = ended.pausesMs.reduce((sum, ms) => sum + ms, 0)
    expect(waitedMs).toBe(15 * 60_000)
    expect(ended.pausesMs.length).toBeLessThan(150)
  })

  test('is polled less often in data-saving mode', async () => {
    const ended = await topup(['500', '--channel', 'ussd', '--yes', '--data-saver'], {
      during: async () => void (await decide(await only(), 'approved')),
    })
    expect(ended.pausesMs.reduce((sum, ms) => sum + ms, 0)).toBe(15_000)
  })

  test('asks for channel, phone and confirmation at a terminal', async () => {
    ada = await customer(server, 'KES')
    const ended = await topup(['100', '--no-wait'], {
      env: await envOf(ada),
      machine: typing('mpesa', '0712345678', 'y'),
    })
    expect(ended.code).toBe(8)
    expect(ended.stderr).toContain('[mpesa] M-Pesa')
    expect(ended.stderr).toContain('Which phone pays with M-Pesa?')
    expect(ended.stderr).toContain('Pay KSh100.00 with M-Pesa? All of it is added to your balance. [y/N]')
    expect(ended.stdout).toContain('Confirm KSh100.00 on the phone that ends in 678.')
  })

  test('opens its page in the browser on Enter and continues to wait', async () => {
    const opened: string[] = []
    const ended = await topup(['100', '--channel', 'card', '--yes'], {
      env: { ...env, DISPLAY: ':0' },
      machine: { ...typing(''), openBrowser: async (page) => opened.push(page) > 0 },
      during: async () => {
        if (opened.length > 0) await decide(await only(), 'approved')
      },
    })
    expect(ended).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Press Enter to open it in your browser.'),
    })
    expect(opened).toEqual([`http://cowrie.test/pay/mock/${await only()}`])
  })

  test('without a confirmation is not started', async () => {
    const ended = await topup(['100', '--channel', 'card'], { machine: typing('n') })
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('No payment was started.') })
    expect(await references(ada)).toEqual([])
  })
})

describe('no payment is started', () => {
  test.for<{ args: string[]; says: string; currency?: Currency }>([
    { args: [], says: 'needs <amount>' },
    { args: ['0', '--channel', 'ussd'], says: 'The amount must be more than zero.' },
    { args: ['--', '-5'], says: 'The amount must be digits in NGN, such as 2000 or 12.50.' },
    { args: ['2,000', '--channel', 'ussd'], says: 'no separators: write 2000, not 2,000' },
    { args: ['12.505', '--channel', 'ussd'], says: 'too many decimals' },
    { args: ['1', '--channel', 'ussd'], says: 'Bank USSD accepts from ₦50.00 to ₦1,000,000.00.' },
    { args: ['100'], says: 'Use --channel with one of ussd, ' },
    { args: ['100', '--channel', 'mpesa'], says: '--channel must be one of ussd, ' },
    { args: ['100', '--channel', 'ussd'], says: 'Use --yes to agree' },
    {
      args: ['100', '--channel', 'mpesa'],
      says: 'M-Pesa needs a phone number. Use --phone.',
      currency: 'KES',
    },
    {
      args: ['100.50', '--channel', 'mpesa', '--phone', '0712345678'],
      says: 'M-Pesa accepts only multiples of KSh1.00.',
      currency: 'KES',
    },
    { args: ['100', '--resume', 'tp1'], says: '--resume cannot be combined with an amount' },
    { args: ['100', '--otp', '123456'], says: '--otp needs --resume' },
  ])('with $args: $says', async ({ args, says, currency }) => {
    if (currency) ada = await customer(server, currency)
    const ended = await topup(args, { env: await envOf(ada) })
    expect(ended).toMatchObject({ code: 64, stdout: '', stderr: expect.stringContaining(says) })
    expect(await references(ada)).toEqual([])
  })

  test('for an unknown payment', async () => {
    expect((await topup(['--resume', 'tp00000000000000000000000000'])).code).toBe(1)
  })
})

describe('a lost answer', () => {
  test.for([
    { it: 'the service failed', answer: json(500, { error: 'It broke.', code: 'internal' }) },
    { it: 'a captive portal answered', answer: page(200, '<p>Welcome to our hotel</p>') },
    { it: 'a proxy refused', answer: page(404, '<p>No such thing</p>') },
  ])('because $it is requested again by the same command, with the stored key', async ({ answer }) => {
    const keys: (string | undefined)[] = []
    let written: string[] = []
    const state = join(home, 'lost')
    const answerTo = (path: string, key: string | undefined) => {
      if (path === '/me') return json(200, { orgId: 'org_1', currency: NAIRA })
      if (path === '/wallet/channels') return json(200, { channels: [USSD], currency: 'NGN' })
      keys.push(key)
      written = notesIn(join(state, 'cowrie', 'topups'))
      return keys.length === 1 ? answer : json(200, STARTED)
    }
    const answering: ReplyWriter = (response, seen) =>
      answerTo(seen.url, String(seen.headers['idempotency-key']))(response, seen)
    const service = await startFakeService(...Array.from({ length: 9 }, () => answering))
    const lost = { ...env, COWRIE_URL: service.url, XDG_STATE_HOME: state }
    const args = ['500', '--channel', 'ussd', '--yes', '--no-wait']
    const first = await topup(args, { env: lost })
    expect(first.code).toBe(7)
    expect(first.stderr).toContain('nothing is charged twice')
    expect(written.join()).toContain(keys[0])

    const second = await topup(args, { env: lost })
    expect(second.code).toBe(8)
    expect(second.stderr).toContain('its reply was lost')
    expect(keys).toEqual([keys[0], keys[0]])

    // The payment is decided, so the same command starts another one.
    await topup(args, { env: lost })
    expect(keys[2]).not.toBe(keys[0])
    await service.close()
    await rm(state, { recursive: true })
  })

  test('does not stop the wait', async () => {
    const listed = {
      ...STARTED,
      mode: 'mock',
      reason: null,
      createdAt: '2026-11-15T09:00:00.000Z',
      settledAt: null,
    }
    const listing = (status: string) => json(200, { topups: [{ ...listed, status }], nextCursor: null })
    const broken = json(500, { error: 'It broke.', code: 'internal' })
    const looks = [listing('pending'), broken, broken, listing('pending'), listing('settled')]
    const answering: ReplyWriter = (response, seen) => {
      if (seen.url === '/me') return json(200, { orgId: 'org_1', currency: NAIRA })(response, seen)
      if (seen.url === '/wallet/verify') return json(200, { ...listed, balanceMinor: 70_000 })(response, seen)
      return (looks.shift() ?? broken)(response, seen)
    }
    const service = await startFakeService(...Array.from({ length: 9 }, () => answering))
    const ended = await topup(['--resume', 'tp1'], { env: { ...env, COWRIE_URL: service.url } })
    expect(ended.stdout).toContain('+₦500.00 · Balance ₦700.00')
    expect(ended.stderr.match(/It broke\. Still waiting\./g)).toHaveLength(1)
    expect(ended.code).toBe(0)
    await service.close()
  })

  const notesIn = (folder: string) =>
    readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  const NAIRA = { code: 'NGN', symbol: '₦', minorUnit: 100, minorName: 'kobo' }
  const USSD = {
    channel: 'ussd',
    label: 'Bank USSD',
    mode: 'live',
    needsPhone: false,
    minMinor: 1,
    maxMinor: 1_000_000,
    stepMinor: 1,
  }
  const STARTED = {
    reference: 'tp1',
    mode: 'live',
    ussdCode: '*737#',
    status: 'pending',
    channel: 'ussd',
    amountMinor: 50_000,
    currency: 'NGN',
    expiresAt: '2026-11-16T09:00:00.000Z',
  }
})

describe('in a terminal', () => {
  soakTest('a USSD top-up that is paid during the wait ends with the balance', async () => {
    const terminal = openTerminal(['wallet', 'topup', '2000', '--channel', 'ussd'], { env, columns: 40 })
    await terminal.until('[y/N]')
    terminal.press('y\r')
    await terminal.until('Dial this on your phone:')
    await terminal.until(/Waiting for ₦2,000.00/)
    await decide(await only(), 'approved')
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toContain('+₦2,000.00 · Balance ₦2,000.00')
    expect(terminal.screen()).not.toContain('Waiting for')
  })

  test('Ctrl-C stops the wait but not the payment', async () => {
    const terminal = openTerminal(['topup', '500', '--channel', 'card', '--yes'], { env })
    await terminal.until(/Waiting for ₦500.00/)
    terminal.press('\x03')
    expect(await terminal.ended).toBe(8)
    const reference = await only()
    expect(terminal.screen()).toContain(`cowrie wallet topup --resume ${reference}`)
    // A QR code of the page for a phone.
    expect(terminal.screen()).toMatch(/█▀▀▀|▄▄▄▄▄ █/)
    await decide(reference, 'approved')
    await expect.poll(() => balanceOf(server, ada)).toBe(50_000n)
  })
})
