// Several organisations, and the commands keys, doctor, open and token, against the real service.
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SCREENS } from '../src/commands/tools/open.ts'
import { type CommandOptions, cowrie } from './cowrie.ts'

let server: TestServer
let url: string
let ada: Person
let bola: Person
let home: string

beforeAll(async () => {
  server = await startTestServer()
  url = await server.listen()
  ada = await server.person({ email: 'ada@example.com' })
  bola = await server.person({ email: 'bola@example.com' })
})
afterAll(() => server.close())
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'cowrie-home-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const cli = (args: string[], options: CommandOptions = {}) =>
  cowrie(args, {
    ...options,
    env: { XDG_CONFIG_HOME: home, ...options.env },
    machine: { cwd: home, ...options.machine },
  })

/** Signs in with a key of this user. */
async function signIn(person: Person, ...args: string[]) {
  const { bearer } = await server.key(person, ['agent:run', 'wallet:read'])
  const machine = {
    async *stdin() {
      yield `${bearer}\n`
    },
  }
  const ended = await cli(['auth', 'login', '--base-url', url, '--with-key', ...args], { machine })
  return { ...ended, bearer }
}
const isValid = async (key: string): Promise<boolean> =>
  (await server.call('GET', '/me', { as: { bearer: key } })).status === 200
const emailOf = async (...args: string[]) =>
  JSON.parse((await cli(['auth', 'status', '--json', ...args])).stdout).email

describe('several organisations', () => {
  test('have one key each, and commands use the last used or the named one', async () => {
    await signIn(ada)
    await signIn(bola)
    expect(await emailOf()).toBe('bola@example.com')
    expect(await emailOf('--org', ada.orgId)).toBe('ada@example.com')
    expect(await emailOf('--org', 'ADA@example.com')).toBe('ada@example.com')
    const { orgs } = JSON.parse((await cli(['org', 'list', '--json'])).stdout)
    expect(orgs).toMatchObject([
      { orgId: ada.orgId, orgName: 'ada@example.com', current: false },
      { orgId: bola.orgId, current: true },
    ])

    expect((await cli(['org', 'switch', 'ada@example.com'])).stdout).toBe('Switched to ada@example.com.\n')
    expect(await emailOf()).toBe('ada@example.com')
    await cli(['config', 'set', 'org', bola.orgId])
    expect(await emailOf()).toBe('bola@example.com')
    expect((await cli(['org', 'switch', ada.orgId])).stderr).toContain('The setting org is')
  })

  test('an organisation without a key causes an error with a hint', async () => {
    await signIn(ada)
    const { code, stderr } = await cli(['auth', 'status', '--org', 'elsewhere'])
    expect(code).toBe(4)
    expect(stderr).toContain('No key is stored for the organisation "elsewhere"')
    expect(stderr).toContain('cowrie auth login --org elsewhere')
  })

  test('a login for one organisation stores no key of another', async () => {
    const { code, stderr } = await signIn(ada, '--org', bola.orgId)
    expect([code, stderr]).toEqual([1, expect.stringContaining('The key is for ada@example.com, not for')])
    expect((await cli(['org', 'list', '--base-url', url])).stdout).toContain('You are not signed in')
    expect((await signIn(ada, '--org', 'ada@EXAMPLE.com')).code).toBe(0)
  })

  test('logout removes one key, or all', async () => {
    await signIn(ada)
    await signIn(bola)
    expect((await cli(['auth', 'logout', '--org', bola.orgId])).stdout).toContain(
      'Removed the key of bola@example.com',
    )
    expect(await emailOf()).toBe('ada@example.com')
    await signIn(bola)
    expect(JSON.parse((await cli(['auth', 'logout', '--all', '--json'])).stdout).ended).toHaveLength(2)
    expect((await cli(['org', 'list', '--base-url', url])).stdout).toContain('You are not signed in')
  })

  test('a key in the environment belongs to one organisation, so --org is refused', async () => {
    const { bearer } = await server.key(ada, [])
    const env = { COWRIE_API_KEY: bearer, COWRIE_URL: url }
    expect(await cli(['auth', 'status', '--org', 'x'], { env })).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('Remove it or --org'),
    })
  })

  test('profiles have separate keys', async () => {
    await signIn(ada)
    await signIn(bola, '--profile', 'work')
    expect(await emailOf()).toBe('ada@example.com')
    expect(await emailOf('--profile', 'work')).toBe('bola@example.com')
  })
})

describe('keys', () => {
  test('are created, listed and revoked with a key that has the scope', async () => {
    const { bearer } = await server.key(ada, ['keys:manage', 'wallet:read'])
    const as = { env: { COWRIE_URL: url, COWRIE_API_KEY: bearer } }
    const made = await cli(['keys', 'create', 'for the build', '--scopes', 'wallet:read'], as)
    expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^csk_\w+\n$/)])
    const key = made.stdout.trim()
    const id = /key_\w+/.exec(made.stderr)?.[0] ?? ''
    expect(await isValid(key)).toBe(true)

    const listed = await cli(['keys', 'list'], as)
    expect(listed.stdout).toMatch(new RegExp(`${id} .*for the build {2}\\(wallet:read; ada@example\\.com`))
    expect(listed.stdout).not.toContain(key)
    const asJson = JSON.parse((await cli(['keys', 'list', '--json'], as)).stdout)
    expect(asJson.keys[0]).toMatchObject({ id, name: 'for the build' })

    expect((await cli(['keys', 'revoke', id], as)).stdout).toBe(`Revoked ${id}.\n`)
    expect(await isValid(key)).toBe(false)
    expect(await cli(['keys', 'revoke', id], as)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not_found'),
    })
  })

  test('are not created by a key without the scope', async () => {
    await signIn(ada)
    const { code, stderr } = await cli(['keys', 'create', 'x'])
    expect([code, stderr]).toEqual([6, expect.stringContaining('(insufficient_scope')])
  })

  test('without a subcommand lists the subcommands', async () => {
    const { code, stderr } = await cli(['keys'])
    expect([code, stderr]).toEqual([
      64,
      expect.stringContaining('keys list, keys create, keys edit, keys revoke'),
    ])
  })
})

describe('token', () => {
  test('prints the key, with a warning at a terminal', async () => {
    const { bearer } = await signIn(ada)
    expect(await cli(['auth', 'token'])).toMatchObject({ code: 0, stdout: `${bearer}\n`, stderr: '' })
    const { stderr } = await cli(['auth', 'token'], { machine: { isStdoutTerminal: true } })
    expect(stderr).toContain('Anyone with this key')
    const env = { COWRIE_API_KEY: 'csk_env', COWRIE_URL: url }
    expect((await cli(['auth', 'token'], { env })).stdout).toBe('csk_env\n')
  })

  test('without a key exits with 4', async () => {
    expect((await cli(['auth', 'token', '--base-url', url])).code).toBe(4)
  })
})

test('status shows the age and source of the key', async () => {
  await signIn(ada)
  const { stdout } = await cli(['auth', 'status'], { machine: { now: () => server.clock.now() } })
  expect(stdout).toMatch(/key +test, created today \(key_\w+\), from .*credentials\.json/)
})

describe('open', () => {
  test('knows the screens of the app', async () => {
    const table = await readFile(join(import.meta.dirname, '../../web/src/screens/table.ts'), 'utf8')
    const inApp = [...table.matchAll(/member\('[\w-]+'\)\('([^'{]+)'/g)].map(([, path]) => path)
    expect(Object.values(SCREENS).filter((path) => !inApp.includes(path))).toEqual([])
  })

  test('opens a page at a terminal, and prints its URL in a pipe', async () => {
    const opened: string[] = []
    const openBrowser = async (page: string) => opened.push(page) > 0
    const machine = { isStdoutTerminal: true, openBrowser }
    expect((await cli(['open', 'wallet', '--base-url', url], { machine })).stdout).toBe(`${url}/app/wallet\n`)
    expect((await cli(['open', '--base-url', url], { machine: { openBrowser } })).stdout).toBe(`${url}/app\n`)
    expect(opened).toEqual([`${url}/app/wallet`])
    expect((await cli(['open', 'nowhere'])).code).toBe(64)
  })
})

describe('doctor', () => {
  const machine = () => ({ now: () => new Date(), cwd: home })

  test('reports that everything works, and which files could be sent', async () => {
    await signIn(ada)
    execFileSync('git', ['init', '-q', home])
    await writeFile(join(home, 'main.ts'), 'export {}\n')
    await writeFile(join(home, '.env'), 'SECRET=1\n')
    const { code, stdout } = await cli(['doctor'], { machine: machine() })
    expect(code).toBe(0)
    expect(stdout).toMatch(/✓ http:\/\/127\.0\.0\.1:\d+ answers in \d+ ms\./)
    expect(stdout).toContain(
      '✓ Signed in as ada@example.com, for ada@example.com; scopes: agent:run wallet:read.',
    )
    expect(stdout).toContain('.env (secret)')
    expect(stdout).toMatch(/! Your balance is ₦0\.00\.\n {2}Top up/)
  })

  test('reports an invalid key (4), an unreachable service (7) and a readable credentials file (1)', async () => {
    const away = await cli(['doctor', '--base-url', 'http://127.0.0.1:9'], { machine: machine() })
    expect([away.code, away.stdout]).toEqual([7, expect.stringContaining('✗ http://127.0.0.1:9 cannot be')])
    const env = { COWRIE_API_KEY: 'csk_wrong', COWRIE_URL: url }
    const wrong = await cli(['doctor', '--json'], { env, machine: machine() })
    expect(wrong.code).toBe(4)
    expect(JSON.parse(wrong.stdout)).toMatchObject({ ok: false })
    await mkdir(join(home, 'cowrie'), { recursive: true })
    await signIn(ada)
    await chmod(join(home, 'cowrie', 'credentials.json'), 0o644)
    const { bearer } = await server.key(ada, ['agent:run', 'wallet:read'])
    const exposed = await cli(['doctor'], {
      env: { COWRIE_API_KEY: bearer, COWRIE_URL: url },
      machine: machine(),
    })
    expect([exposed.code, exposed.stdout]).toEqual([1, expect.stringContaining('chmod 600')])
  })

  test('reports a wrong clock', async () => {
    await signIn(ada)
    const late = { cwd: home, now: () => new Date(Date.now() - 3_600_000) }
    expect((await cli(['doctor'], { machine: late })).stdout).toMatch(
      /! The clock of this computer is 3[56]\d\d s behind/,
    )
  })
})
