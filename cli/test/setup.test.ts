// cowrie setup against the real service, in a temporary home folder.
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { CLIENT_RECIPES } from '@cowrie/sdk/clients'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Machine } from '../src/system/machine.ts'
import { cowrie } from './cowrie.ts'

let server: TestServer
let url: string
let ada: Person
let key: string
let home: string

beforeAll(async () => {
  server = await startTestServer({
    variables: {
      SERVICE_UPSTREAM_BASE_URL: 'http://127.0.0.1:9',
      SERVICE_UPSTREAM_OPEN_MODEL: 'small-1',
      SERVICE_UPSTREAM_API_KEY: 'sk-test',
      SERVICE_UPSTREAM_FRONTIER_MODEL: 'big-1',
    },
  })
  url = await server.listen()
  ada = await server.person({ type: 'team', email: 'ada@example.com' })
  key = (await server.key(ada, ['agent:run', 'wallet:read', 'metrics:read', 'keys:manage'])).bearer
})
afterAll(() => server.close())
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'cowrie-setup-'))
})
afterEach(async () => {
  await rm(home, { recursive: true, force: true })
  await server.sql.rows`update api_keys set revoked_at = now() where name like '% on lagos'`
})

type Options = { env?: Record<string, string>; machine?: Partial<Machine> }
const say = (args: string[], { env = {}, machine = {} }: Options = {}) =>
  cowrie(['setup', ...args], {
    env: { HOME: home, COWRIE_URL: url, COWRIE_API_KEY: key, NO_COLOR: '1', ...env },
    machine: { hostName: 'lagos', platform: 'linux', cwd: home, ...machine },
  })
const json = async (args: string[], options?: Options) => {
  const ended = await say([...args, '--json'], options)
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  return JSON.parse(ended.stdout)
}
const write = async (path: string, text: string, mode = 0o644) => {
  await mkdir(dirname(join(home, path)), { recursive: true })
  await writeFile(join(home, path), text, { mode })
}
const read = (path: string) => readFile(join(home, path), 'utf8')
const modeOf = async (path: string) => (await stat(join(home, path))).mode & 0o777
const keys = () =>
  server.sql.rows<{ id: string; name: string; scopes: string[]; budget_minor: bigint | null }>`
    select id, name, scopes, budget_minor from api_keys
    where revoked_at is null and name like '% on lagos' order by id`
const works = async (bearer: string) => (await server.call('GET', '/v1/models', { as: { bearer } })).status

const SETTINGS = '{\n  // Mine\n  "theme": "dark",\n  "env": {\n    "FOO": "1", // keep\n  },\n}\n'

describe('cowrie setup claude-code', () => {
  test('shows a masked diff, writes the file for this user alone, and the undo restores every byte', async () => {
    await write('.claude/settings.json', SETTINGS)
    const ended = await say(['claude-code', '--yes'])
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.stderr).toContain('+    "ANTHROPIC_AUTH_TOKEN": "csk_…"')
    expect(ended.stderr + ended.stdout).not.toMatch(/csk_\w{8}_/)
    expect(ended.stdout).toContain('Start it with: claude')
    const text = await read('.claude/settings.json')
    const [, token = ''] = /"ANTHROPIC_AUTH_TOKEN": "(csk_\w+)"/.exec(text) ?? []
    expect(text).toContain('"FOO": "1", // keep')
    expect(text).toContain(`"ANTHROPIC_BASE_URL": "${url}"`)
    expect(text).toContain('"ANTHROPIC_DEFAULT_HAIKU_MODEL": "frontier"')
    expect(await modeOf('.claude/settings.json')).toBe(0o600)
    expect(await keys()).toMatchObject([{ name: 'Claude Code on lagos', scopes: ['agent:run'] }])
    expect(await works(token)).toBe(200)

    expect(await say(['claude-code', '--undo', '--yes'])).toMatchObject({ code: 0 })
    expect(await read('.claude/settings.json')).toBe(SETTINGS)
    expect(await modeOf('.claude/settings.json')).toBe(0o644)
    expect(await works(token)).toBe(401)
    expect(await keys()).toEqual([])
  })

  test('creates the file and its folder, and the undo removes both', async () => {
    await say(['claude-code', '--yes'])
    expect(await modeOf('.claude')).toBe(0o700)
    await say(['claude-code', '--undo', '--yes'])
    expect(existsSync(join(home, '.claude'))).toBe(false)
    expect(await say(['claude-code', '--undo', '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(not_set_up)'),
    })
  })

  test('replaces an earlier setup and its key, and the undo restores the state before the first', async () => {
    await write('.claude/settings.json', SETTINGS)
    await say(['claude-code', '--yes', '--budget', '100', '--period', 'month'])
    const [first] = await keys()
    const again = await say(['claude-code', '--yes', '--model', 'open'])
    expect(again.stderr).toContain('-    "ANTHROPIC_MODEL": "frontier"')
    expect(again.stderr).not.toMatch(/csk_\w{8}_/)
    const left = await keys()
    expect(left).toHaveLength(1)
    expect(left[0]?.id).not.toBe(first?.id)
    expect(left[0]).toMatchObject({ budget_minor: 10_000n })
    expect(again.stderr).toContain('keeps the limits of the former one')
    expect(await read('.claude/settings.json')).toContain('"ANTHROPIC_MODEL": "open"')
    await say(['claude-code', '--undo', '--yes'])
    expect(await read('.claude/settings.json')).toBe(SETTINGS)
  })

  test('keeps later edits at the undo, and names values that the user changed', async () => {
    await write('.claude/settings.json', SETTINGS)
    await say(['claude-code', '--yes'])
    const text = await read('.claude/settings.json')
    await write(
      '.claude/settings.json',
      text
        .replace('"theme": "dark"', '"theme": "light"')
        .replace(/("ANTHROPIC_MODEL": )"frontier"/, '$1"mine"'),
    )
    const { code, stderr } = await say(['claude-code', '--undo', '--yes'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('env.ANTHROPIC_MODEL in ')])
    expect(await read('.claude/settings.json')).toBe(
      SETTINGS.replace('dark', 'light').replace('// keep\n', '// keep\n    "ANTHROPIC_MODEL": "mine",\n'),
    )
  })

  test('refuses the undo of a malformed file, and keeps the key', async () => {
    await say(['claude-code', '--yes'])
    await write('.claude/settings.json', '{ "env": ')
    expect(await say(['claude-code', '--undo', '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not valid JSON at line 1. Nothing was changed.'),
    })
    expect(await keys()).toHaveLength(1)
    await rm(join(home, '.claude/settings.json'))
    expect(await say(['claude-code', '--undo', '--yes'])).toMatchObject({ code: 0 })
    expect(await keys()).toEqual([])
  })

  test.for([
    { it: 'malformed', text: '{"env": ', mode: 0o644, says: 'is not valid JSON' },
    { it: 'read-only', text: '{}', mode: 0o444, says: 'is read-only' },
    { it: 'not text', text: '\udc00', mode: 0o644, says: 'is not valid JSON' },
  ])('changes nothing and creates no key if the file is $it', async ({ text, mode, says }) => {
    await write('.claude/settings.json', text, mode)
    const before = await readFile(join(home, '.claude/settings.json'))
    expect(await say(['claude-code', '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(says),
    })
    expect(await readFile(join(home, '.claude/settings.json'))).toEqual(before)
    expect(await keys()).toEqual([])
  })

  test('revokes the new key and leaves no trace if the file cannot be written', async () => {
    await write('.claude', 'a file, not a folder')
    const { code, stderr } = await say(['claude-code', '--yes'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('(config_un')])
    expect(await keys()).toEqual([])
    expect((await json(['--list'])).clients[0]).toMatchObject({ id: 'claude-code', isSetUp: false })
  })

  test('follows a link and keeps it', async () => {
    await write('dotfiles/claude.json', '{}\n')
    await mkdir(join(home, '.claude'))
    await symlink(join(home, 'dotfiles/claude.json'), join(home, '.claude/settings.json'))
    await say(['claude-code', '--yes'])
    expect(await read('dotfiles/claude.json')).toContain('ANTHROPIC_BASE_URL')
    await say(['claude-code', '--undo', '--yes'])
    expect(await read('dotfiles/claude.json')).toBe('{}\n')
    await rm(join(home, 'dotfiles/claude.json'))
    expect(await say(['claude-code', '--yes'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is a link to a missing file'),
    })
  })

  test('warns about variables that override it', async () => {
    const { stderr } = await say(['claude-code', '--yes'], { env: { ANTHROPIC_API_KEY: 'x' } })
    expect(stderr).toContain('ANTHROPIC_API_KEY in your environment can override this setup.')
    await say(['claude-code', '--undo', '--yes'])
  })

  test('asks first, and changes nothing without agreement', async () => {
    expect(await say(['claude-code'])).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('Use --yes'),
    })
    const stdin = async function* () {
      yield 'n\n'
    }
    expect(await say(['claude-code'], { machine: { isStdinTerminal: true, stdin } })).toMatchObject({
      code: 2,
    })
    expect(existsSync(join(home, '.claude'))).toBe(false)
    expect(await keys()).toEqual([])
  })

  test('needs the permission to create keys', async () => {
    const poor = (await server.key(ada, ['agent:run', 'wallet:read'])).bearer
    const { code, stderr } = await say(['claude-code', '--yes'], { env: { COWRIE_API_KEY: poor } })
    expect([code, stderr]).toEqual([6, expect.stringContaining('cowrie auth login --scopes')])
  })
})

test('a budget and a list of models limit the key', async () => {
  await say([
    'codex',
    '--yes',
    '--model',
    'open',
    '--budget',
    '5000.50',
    '--period',
    'month',
    '--models',
    'open',
  ])
  const { body } = await server.call<{ keys: object[] }>('GET', '/auth/keys', { as: ada })
  expect(body.keys[0]).toMatchObject({
    name: 'Codex on lagos',
    budgetMinor: 500_050n,
    budgetPeriod: 'month',
    models: ['open'],
  })
  expect(await read('.codex/config.toml')).toContain('wire_api = "responses"')
  await say(['codex', '--undo', '--yes'])
  expect(await say(['codex', '--budget', '5,000'])).toMatchObject({ code: 64 })
  expect(await say(['codex', '--period', 'month'])).toMatchObject({ code: 64 })
})

const WRITABLE = CLIENT_RECIPES.filter(({ files }) => files.length > 0).map(({ id }) => id)

test.for(WRITABLE)('%s is set up, checked and removed', async (client) => {
  const made = await json([client, '--yes', '--model', 'open'])
  for (const path of made.files) expect(path.startsWith(home)).toBe(true)
  expect(await json([client, '--check'])).toMatchObject({
    baseUrl: url,
    model: 'open',
    isModelAvailable: true,
    models: ['open', 'frontier'],
    differing: [],
  })
  expect((await json(['--list'])).clients.filter((each: { isSetUp: boolean }) => each.isSetUp)).toMatchObject(
    [{ id: client, model: 'open', keyId: made.keyId }],
  )
  await json([client, '--undo', '--yes'])
  for (const path of made.files) expect(existsSync(path)).toBe(false)
})

test('the check reports a changed file and a revoked key', async () => {
  const { keyId } = await json(['aider', '--yes', '--model', 'open'])
  await write('.aider.conf.yml', 'model: gpt\n')
  expect(await say(['aider', '--check'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was changed since: openai-api-base, openai-api-key, model'),
  })
  await server.call('DELETE', `/auth/keys/${keyId}`, { as: ada })
  expect(await say(['aider', '--check'])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('The key of aider was revoked or has expired.'),
  })
})

test('clients without a file get exact steps', async () => {
  expect(await say(['cursor', '--yes'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Cursor accepts only addresses with HTTPS'),
  })
  const { stdout } = await say(['cursor', '--print', '--model', 'open'])
  expect(stdout).toContain(`3. Turn on "Override OpenAI Base URL" and enter ${url}/v1\n`)
  const zed = await say(['zed', '--yes', '--model', 'open'])
  expect(zed.stdout).toMatch(/2\. Below LLM Providers, open "Cowrie AI", paste csk_\w+ and press Enter\./)
  expect(await read('.config/zed/settings.json')).not.toContain('csk_')
  await say(['zed', '--undo', '--yes'])
})

test('--print writes nothing, and creates a key only with --key', async () => {
  const { stdout } = await say(['codex', '--print', '--model', 'open'])
  expect(stdout).toContain('experimental_bearer_token = "<your key>"')
  expect(await keys()).toEqual([])
  const printed = await json(['codex', '--print', '--key'])
  expect(printed.files[0].content).toMatch(/experimental_bearer_token = "csk_\w+"/)
  expect(await keys()).toMatchObject([{ id: printed.keyId }])
  await server.call('DELETE', `/auth/keys/${printed.keyId}`, { as: ada })
  expect(existsSync(join(home, '.codex'))).toBe(false)
  const offline = await say(['aider', '--print'], { env: { COWRIE_URL: 'http://127.0.0.1:1' } })
  expect(offline).toMatchObject({ code: 0, stdout: expect.stringContaining('model: openai/open\n') })
  const signedOut = await say(['opencode', '--print'], { env: { COWRIE_API_KEY: '' } })
  expect(signedOut).toMatchObject({ code: 0, stdout: expect.stringContaining('"model": "cowrie/open"') })
})

describe('the file', () => {
  const fileOf = async (client: string, options: Options) =>
    (await json([client, '--print', '--model', 'open'], options)).files[0].path

  test.for([
    { client: 'claude-code', env: { CLAUDE_CONFIG_DIR: '/x' }, path: '/x/settings.json' },
    { client: 'codex', env: { CODEX_HOME: '/x' }, path: '/x/config.toml' },
    { client: 'opencode', env: { XDG_CONFIG_HOME: '/x' }, path: '/x/opencode/opencode.json' },
    { client: 'cline', env: { CLINE_DIR: '/x' }, path: '/x/data/settings/providers.json' },
    { client: 'gemini-cli', env: { GEMINI_CLI_HOME: '/x' }, path: '/x/.gemini/.env' },
    { client: 'vscode', env: { XDG_CONFIG_HOME: '/x' }, path: '/x/Code/User/chatLanguageModels.json' },
  ])('of $client follows its variable', async ({ client, env, path }) => {
    expect(await fileOf(client, { env: env as Record<string, string> })).toBe(path)
  })

  test('is found on macOS and Windows', async () => {
    const mac = { machine: { platform: 'darwin' } as const }
    expect(await fileOf('vscode', mac)).toBe(
      join(home, 'Library/Application Support/Code/User/chatLanguageModels.json'),
    )
    const windows = {
      machine: { platform: 'win32' } as const,
      env: { USERPROFILE: 'C:\\Users\\Ada', APPDATA: 'C:\\Users\\Ada\\AppData\\Roaming' },
    }
    expect(await fileOf('claude-code', windows)).toBe('C:\\Users\\Ada\\.claude\\settings.json')
    expect(await fileOf('zed', windows)).toBe('C:\\Users\\Ada\\AppData\\Roaming\\Zed\\settings.json')
  })

  test('of opencode may have its other name', async () => {
    await write('.config/opencode/opencode.jsonc', '{ /* mine */ }\n')
    await say(['opencode', '--yes'])
    expect(await read('.config/opencode/opencode.jsonc')).toContain('/* mine */')
    expect(existsSync(join(home, '.config/opencode/opencode.json'))).toBe(false)
    await say(['opencode', '--undo', '--yes'])
    expect(await read('.config/opencode/opencode.jsonc')).toBe('{ /* mine */ }\n')
  })
})

test.for([
  { args: ['emacs'], says: 'Unknown client "emacs"' },
  { args: ['codex', '--print', '--undo'], says: '--print and --undo cannot be combined' },
  { args: ['codex', '--key'], says: '--key is for --print only' },
  { args: ['codex', '--list'], says: '--list takes no client' },
  { args: ['codex', '--model', 'a"b'], says: 'is not the id of a model' },
])('cowrie setup $args is wrong usage', async ({ args, says }) => {
  expect(await say(args)).toMatchObject({ code: 64, stderr: expect.stringContaining(says) })
})

test('an unknown model names the available ones', async () => {
  expect(await say(['codex', '--yes', '--model', 'gpt-2'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Available: open, frontier'),
  })
})
