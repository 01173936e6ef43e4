// Staff commands against the real service, with a fake payment provider.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeFawry, startFakeFawry } from '@cowrie/testkit/fakes/payments/fawry.ts'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { customer, topUp, verify } from '@cowrie/testkit/payments/topup-fixture.ts'
import { createPasswordUser, PASSWORD } from '@cowrie/testkit/sign-in/password-users.ts'
import { codeOf } from '@cowrie/testkit/sign-in/second-factor.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CommandOptions, cowrie } from './cowrie.ts'
import { openTerminal } from './pty.ts'

let fawry: FakeFawry
let server: TestServer
let url: string
let home: string
let email: string

beforeAll(async () => {
  fawry = await startFakeFawry()
  // Nothing answers for Daraja.
  const daraja = { DARAJA_CONSUMER_KEY: 'k', DARAJA_CONSUMER_SECRET: 's', DARAJA_SHORTCODE: '600999' }
  const paybill = {
    DARAJA_PASSKEY: 'p',
    DARAJA_C2B_SHORTCODE: '600000',
    DARAJA_BASE_URL: 'http://127.0.0.1:9',
  }
  server = await startTestServer({ variables: { ...fawry.variables, ...daraja, ...paybill } })
  server.clock.advance({ ms: Date.now() - server.clock.now().getTime() })
  url = await server.listen()
  home = await mkdtemp(join(tmpdir(), 'cowrie-home-'))
  email = await staffMember()
})
afterAll(async () => {
  await server.close()
  await fawry.close()
  await rm(home, { recursive: true, force: true })
})

async function staffMember(): Promise<string> {
  const user = await createPasswordUser(server)
  await server.sql.rows`
    insert into staff (user_id, role, created_at) values (${user.userId}, 'operator', ${server.clock.now()})`
  return user.email
}

/** Runs a command with these lines on standard input. */
const run = (command: string[], args: string[], lines: string[], options: CommandOptions = {}) =>
  withLines(['admin', ...command], args, lines, options)

const withLines = (
  command: string[],
  args: string[],
  lines: string[],
  { env, machine }: CommandOptions = {},
) =>
  cowrie([...command, '--base-url', url, ...args], {
    env: { XDG_CONFIG_HOME: home, ...env },
    machine: {
      cwd: home,
      async *stdin() {
        yield lines.map((line) => `${line}\n`).join('')
      },
      ...machine,
    },
  })
const doctor = (args: string[], lines: string[], options?: CommandOptions) =>
  run(['rails', 'doctor'], args, lines, options)
const openSessions = async () =>
  server.sql.rows`select id from sessions where revoked_at is null and user_id in (select user_id from staff)`

describe('cowrie sso scim', () => {
  test('creates a token for an owner, lists it and revokes it', async () => {
    const owner = await createPasswordUser(server)
    const scim = (...args: string[]) =>
      withLines(['sso', 'scim'], [...args, '--email', owner.email], [PASSWORD])
    const made = await scim('create', 'Okta')
    expect(made.stdout).toMatch(/^cst_\w+\n$/)
    const listed = await scim()
    expect(listed.stdout).toContain('http://cowrie.test/scim/v2')
    expect(listed.stdout).toMatch(/Okta {2}\(.*never used\)/)
    const [id = ''] = /sct_\w+/.exec(listed.stdout) ?? []
    expect((await scim('revoke', id)).stdout).toBe(`Revoked ${id}.\n`)
    expect((await withLines(['sso', 'scim'], [], [])).stderr).toContain('--email')
  })
})

describe('cowrie admin rails routes', () => {
  const routes = (args: string[]) => run(['rails', 'routes'], [...args, '--email', email], [PASSWORD])

  test('shows the order, sets it and resets it', async () => {
    expect((await routes([])).stdout).toContain('fawry EGP\n  1. fawry:EG')
    const set = await routes(['fawry', 'EGP', 'fawry:EG=7'])
    expect(set.stdout).toContain('1. fawry:EG priority 7')
    expect((await routes(['fawry', 'EGP', 'default'])).stdout).not.toContain('priority')
  })

  test.for<[string, string[], string]>([
    ['a channel without a currency', ['card'], 'Name the currency'],
    ['an account without a priority', ['card', 'NGN', 'paystack:NG'], 'such as paystack:NG=1'],
    ['an account that does not serve the channel', ['card', 'NGN', 'fawry:EG=1'], 'invalid_fields'],
  ])('explains %s', async ([, args, text]) => {
    expect((await routes(args)).stderr).toContain(text)
  })
})

describe('cowrie admin rails doctor', () => {
  test('shows every probe with its remedy, and ends the session', async () => {
    const { code, stdout } = await doctor(['fawry', '--email', email], [PASSWORD])
    expect(code).toBe(0)
    expect(stdout).toContain('fawry EG (live keys): warning')
    expect(stdout).toMatch(/✓ token {14}Fawry accepted FAWRY_MERCHANT_CODE and FAWRY_SECURE_KEY\./)
    expect(stdout).toMatch(
      /! callback {11}The webhook URL at cowrie\.test .*\n.*→ Set SERVICE_BASE_URL to the public/,
    )
    expect(await openSessions()).toEqual([])
  })

  test('without a rail checks those with keys, and exits with 1 when a probe failed', async () => {
    fawry.fault('down')
    const { code, stdout } = await doctor(['--email', email, '--json'], [PASSWORD])
    fawry.heal()
    expect(code).toBe(1)
    const { ok, reports } = JSON.parse(stdout)
    expect(ok).toBe(false)
    expect(reports).toContainEqual(expect.objectContaining({ rail: 'fawry', status: 'failed' }))
  })

  test('asks for the second factor', async () => {
    const mfa = await staffMember()
    const browser = server.visitor()
    await browser.call('POST', '/auth/login', { body: { email: mfa, password: PASSWORD } })
    const { body } = await browser.call<{ secret: string }>('POST', '/auth/mfa/enroll')
    await browser.call('POST', '/auth/mfa/verify', { body: { code: codeOf(server, body.secret, 30) } })
    const { code, stderr } = await doctor(['fawry', '--email', mfa], [PASSWORD, codeOf(server, body.secret)])
    expect(stderr).toContain('Code of your authenticator app:')
    expect(code).toBe(0)
  })

  test('hides the typed password in a terminal', async () => {
    const args = ['admin', 'rails', 'doctor', 'fawry', '--email', email, '--base-url', url]
    const terminal = openTerminal(args, { env: { XDG_CONFIG_HOME: home }, cwd: home })
    await terminal.until(`Password of ${email}:`)
    terminal.press(`${PASSWORD}\r`)
    expect(await terminal.ended).toBe(0)
    expect(terminal.screen()).toContain('fawry EG')
    expect(terminal.raw()).not.toContain(PASSWORD)
  })

  test.for<[string, string[], string[], number, string]>([
    ['a wrong password', ['fawry'], ['another password'], 4, 'wrong_credentials'],
    ['no password', ['fawry'], [], 64, 'Standard input ended'],
    ['an unknown rail', ['mock'], [PASSWORD], 1, 'Use one of paystack'],
  ])('explains %s', async ([, args, lines, exit, text]) => {
    const { code, stderr } = await doctor([...args, '--email', email], lines)
    expect(stderr).toContain(text)
    expect(code).toBe(exit)
  })

  test('without an address says that keys are no staff', async () => {
    const { code, stderr } = await doctor(['fawry'], [], { env: { COWRIE_API_KEY: 'a-key' } })
    expect(stderr).toContain('API keys are no staff')
    expect(code).toBe(64)
  })

  test('refuses customers', async () => {
    const customer = await createPasswordUser(server)
    const { code, stderr } = await doctor(['fawry', '--email', customer.email], [PASSWORD])
    expect(stderr).toContain('staff_only')
    expect(code).toBe(6)
  })
})

describe('cowrie admin payments refund', () => {
  const refund = (args: string[]) => run(['payments', 'refund'], [...args, '--email', email], [PASSWORD])

  test('requests the refund once it is confirmed, and ends the session', async () => {
    const person = await customer(server, 'EGP')
    const input = { amountMinor: 25_000n, channel: 'fawry', phone: '01012345678' }
    const { reference } = (await topUp(server, person, input)).body
    fawry.pay(reference)
    await verify(server, person, reference)
    const args = [reference, '--amount', '5000', '--reason', 'Paid twice']
    const sessions = await openSessions()
    const unconfirmed = await refund([...args, '--json'])
    expect(unconfirmed.code).toBe(64)
    const { code, stdout } = await refund([...args, '--yes', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ reference, state: 'requested', amountMinor: 5_000 })
    await server.app.jobs.drain()
    expect(fawry.ownRefunds.of(reference)).toMatchObject([{ amount: 50 }])
    expect(await openSessions()).toEqual(sessions)
  })

  test.for<[string, string[], number, string]>([
    ['an amount with a fraction', ['tp01abcdefgh', '--amount', '1.5', '--reason', 'x'], 64, 'minor units'],
    ['a missing reason', ['tp01abcdefgh', '--amount', '150'], 64, '--reason is needed'],
    ['an unknown payment', ['tp01abcdefgh', '--amount', '150', '--reason', 'x', '--yes'], 1, 'not_found'],
  ])('explains %s', async ([, args, exit, text]) => {
    const { code, stderr } = await refund(args)
    expect(stderr).toContain(text)
    expect(code).toBe(exit)
  })
})

describe('cowrie admin approvals', () => {
  const limit = async (value: number) => {
    const admin = await server.person({ staff: 'super_admin' })
    await server.call('PUT', '/admin/settings/staff_approval_limit_minor', { as: admin, body: { value } })
  }

  test('a second member of staff approves a refund above the limit, and it is sent once', async () => {
    const person = await customer(server, 'EGP')
    const input = { amountMinor: 25_000n, channel: 'fawry', phone: '01012345678' }
    const { reference } = (await topUp(server, person, input)).body
    fawry.pay(reference)
    await verify(server, person, reference)
    await limit(1)
    const args = [reference, '--amount', '5000', '--reason', 'Paid twice', '--yes', '--email', email]
    const refused = await run(['payments', 'refund'], args, [PASSWORD])
    expect(refused.stderr).toContain('approval_required')
    const colleague = await staffMember()
    const as = ['--email', colleague]
    const listed = JSON.parse((await run(['approvals'], [...as, '--json'], [PASSWORD])).stdout)
    const [{ id }] = listed.approvals
    expect(listed.approvals).toMatchObject([{ reference, amountMinor: 5_000, requestedBy: email }])
    expect((await run(['approvals'], as, [PASSWORD])).stdout).toContain('admin.payments.refundToSource')
    const own = await run(['approvals'], [id, 'approve', '--yes', '--email', email], [PASSWORD])
    expect(own.stderr).toContain('forbidden')
    expect(await run(['approvals'], [id, 'approve', '--yes', ...as], [PASSWORD])).toMatchObject({
      code: 0,
      stdout: `${id} is approved.\n`,
    })
    await limit(0)
    await server.app.jobs.drain()
    expect(fawry.ownRefunds.of(reference)).toMatchObject([{ amount: 50 }])
    expect((await run(['approvals'], as, [PASSWORD])).stdout).toBe('No request waits for an approval.\n')
  })

  test('explains a missing decision', async () => {
    const { code, stderr } = await run(['approvals'], ['apr_1', '--email', email], [PASSWORD])
    expect(stderr).toContain('approve or reject')
    expect(code).toBe(64)
  })
})

describe('cowrie admin reconcile', () => {
  const reconcile = (args: string[]) => run(['reconcile'], [...args, '--email', email], [PASSWORD])
  const yesterday = () => new Date(server.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10)

  test('runs a day of an account, lists it with its counts, and ends the session', async () => {
    const before = await openSessions()
    expect(await reconcile([])).toMatchObject({ code: 0, stdout: 'There are no reconciliations.\n' })
    const started = await reconcile(['fawry', '--account', 'EG', '--day', yesterday()])
    expect(started).toMatchObject({ code: 0, stdout: expect.stringContaining('fawry EG as rcn_') })
    await server.app.jobs.drain()
    const { stdout } = await reconcile(['fawry'])
    expect(stdout).toMatch(new RegExp(`${yesterday()} +fawry EG +status +complete +0 +0 +0 +0`))
    expect(await reconcile(['paystack'])).toMatchObject({ stdout: 'There are no reconciliations.\n' })
    const { reconciliations } = JSON.parse((await reconcile(['--account', 'EG', '--json'])).stdout)
    expect(reconciliations).toMatchObject([{ rail: 'fawry', day: yesterday(), differences: {} }])
    expect(await openSessions()).toEqual(before)
  })

  test.for<[string, string[], number, string]>([
    ['a day without an account', ['fawry', '--day', '2026-11-15'], 64, '--day needs a rail'],
    ['a day without a rail', ['--account', 'EG', '--day', '2026-11-15'], 64, '--day needs a rail'],
    ['an unknown account', ['fawry', '--account', 'NG', '--day', '2026-11-15'], 1, 'No such account'],
    ['no date', ['fawry', '--account', 'EG', '--day', 'today'], 1, 'day'],
  ])('explains %s', async ([, args, exit, text]) => {
    const { code, stderr } = await reconcile(args)
    expect(stderr).toContain(text)
    expect(code).toBe(exit)
    expect(stderr).toContain(text)
    expect(code).toBe(exit)
  })
})

describe('cowrie admin rails register-urls', () => {
  test('says why the URLs were not registered, and exits with 1', async () => {
    const { code, stdout } = await run(['rails', 'register-urls'], ['--email', email], [PASSWORD])
    expect(stdout).toContain('M-Pesa did not register cowrie.test for the paybill 600000')
    expect(code).toBe(1)
  })

  test('rejects an unknown response type before it signs in', async () => {
    const { code, stderr } = await run(
      ['rails', 'register-urls'],
      ['--email', email, '--response-type', 'Maybe'],
      [PASSWORD],
    )
    expect(stderr).toContain('Completed and Cancelled')
    expect(code).toBe(64)
  })
})

describe('cowrie admin secrets', () => {
  test('shows the rotation of the service secret; only super admins start a pass', async () => {
    const secrets = (args: string[]) => run(['secrets'], [...args, '--email', email], [PASSWORD])
    const { code, stdout } = await secrets([])
    expect(code).toBe(0)
    expect(stdout).toBe('No pass over the stored data yet.\nThere is no previous secret.\n')
    expect(await secrets(['--reseal'])).toMatchObject({ code: 6 })
  })
})

describe('a command of an account signs in with the password', () => {
  const account = async (args: string[]) => {
    const user = await createPasswordUser(server)
    const asked = (command: string[], ...more: string[]) =>
      cowrie([...command, '--base-url', url, '--email', user.email, ...more], {
        env: { XDG_CONFIG_HOME: home },
        machine: {
          cwd: home,
          async *stdin() {
            yield `${PASSWORD}\n`
          },
        },
      })
    return { user, asked, first: await asked(args) }
  }

  test('to change the address, and to cancel that', async () => {
    const { user, asked, first } = await account(['account', 'email', 'new-address@example.com', '--json'])
    expect(JSON.parse(first.stdout)).toMatchObject({
      email: user.email,
      pendingEmail: { email: 'new-address@example.com' },
    })
    const cancelled = await asked(['account', 'email', '--cancel'])
    expect([cancelled.code, cancelled.stdout.trim()]).toEqual([0, user.email])
    expect(cancelled.stderr).not.toContain('Waiting for')
  })

  test('to replace the allowed addresses, which another address cannot do by mistake', async () => {
    const { asked, first } = await account([
      'org',
      'ip-allow-list',
      '--set',
      '127.0.0.1=Desk',
      '--set',
      '10.0.0.0/8',
    ])
    expect([first.code, first.stdout.replaceAll(/\s+/g, ' ').trim()]).toEqual([
      0,
      '127.0.0.1 Desk 10.0.0.0/8',
    ])
    const refused = await asked(['org', 'ip-allow-list', '--set', '10.0.0.0/8'])
    expect([refused.code === 0, refused.stderr]).toEqual([
      false,
      expect.stringContaining('lacks the address'),
    ])
    const cleared = await asked(['org', 'ip-allow-list', '--clear'])
    expect(cleared.stdout).toContain('every address')
  })
})
