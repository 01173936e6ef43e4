import {
  breakOff,
  type FakeService,
  json,
  page,
  silent,
  startFakeService,
  stream,
} from '@cowrie/testkit/fakes/service.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { PROBE_TABLES, probe } from '@cowrie/testkit/harness/probe.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { cowrie as runCowrie } from '../test/cowrie.ts'

const cowrie = (url: string, args: string[], env: Record<string, string> = {}, signal?: AbortSignal) =>
  runCowrie(args, { env: { COWRIE_URL: url, ...env }, ...(signal ? { signal } : {}) })

describe('against the service', () => {
  let server: TestServer
  let url: string
  let person: Person
  beforeAll(async () => {
    server = await startTestServer({ modules: [probe], tables: PROBE_TABLES })
    url = await server.listen()
    person = await server.person({ email: 'ada@example.com' })
  })
  afterAll(() => server.close())
  const asPerson = (...args: string[]) => cowrie(url, args, { COWRIE_API_KEY: `${person.bearer}\n` })

  test('health reports that the service is alive and ready', async () => {
    expect(await cowrie(url, ['health'])).toEqual({
      code: 0,
      stdout: `${url} is alive and ready.\n`,
      stderr: '',
    })
  })

  test('version prints the versions of CLI and service', async () => {
    const { code, stdout } = await cowrie(url, ['version'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^cowrie 0\.4\.0, API 2\nservice 0\.4\.0\+unknown, API 2, test, at http/)
  })

  test('auth status shows the user and the balance', async () => {
    const { code, stdout } = await asPerson('auth', 'status')
    expect(code).toBe(0)
    expect(stdout).toContain('ada@example.com\n')
    expect(stdout).toContain(person.orgId)
    expect(stdout).toMatch(/balance\s+₦0\.00/)
  })

  test('auth status --json prints the reply of the service, with the option before or after the command', async () => {
    const [after, before] = [
      await asPerson('auth', 'status', '--json'),
      await asPerson('--json', 'auth', 'status'),
    ]
    expect(JSON.parse(after.stdout)).toMatchObject({ userId: person.userId, balanceMinor: 0 })
    expect(before).toEqual(after)
  })

  test('auth status without a key prints the error, its code, the request id and a hint', async () => {
    const { code, stdout, stderr } = await cowrie(url, ['auth', 'status'])
    expect([code, stdout]).toEqual([4, ''])
    expect(stderr).toMatch(
      /^cowrie: You are not signed in\. \(unauthenticated\)\n {2}Run "cowrie auth login", or set COWRIE_API_KEY\.\n {2}ref req_\w+\n$/,
    )
  })

  test('api sends numbers exactly', async () => {
    const { code, stdout } = await asPerson(
      'api',
      'post',
      '/probe/money',
      '--body',
      '{"amountMinor": 9223372036854775807}',
    )
    expect([code, stdout]).toEqual([0, '{\n  "amountMinor": 9223372036854775807\n}\n'])
  })

  test('api names invalid fields, as text and as JSON', async () => {
    const forPeople = await asPerson('api', 'POST', '/probe/money', '--body', '{}')
    expect(forPeople.code).toBe(1)
    expect(forPeople.stderr).toContain('invalid_fields')
    expect(forPeople.stderr).toContain('\n  amountMinor: ')
    const forPrograms = await asPerson('api', 'POST', '/probe/money', '--body', '{}', '--json')
    expect(JSON.parse(forPrograms.stderr)).toMatchObject({
      code: 'invalid_fields',
      status: 400,
      fields: [{ path: 'amountMinor' }],
    })
  })

  test('api prints a stream frame by frame', async () => {
    const { code, stdout } = await asPerson('api', 'POST', '/probe/stream', '--body', '{"frames":2}')
    expect(code).toBe(0)
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([{ delta: 'xxxxx' }, { delta: 'xxxxx' }, { done: true, spends: 1 }])
  })

  test('api with a key is executed once', async () => {
    const spend = () =>
      asPerson(
        'api',
        'POST',
        '/probe/spend',
        '--body',
        '{"amountMinor":1}',
        '--idempotency-key',
        'k1',
        '--json',
      )
    const first = await spend()
    expect(first.code).toBe(0)
    expect(await spend()).toEqual(first)
  })

  test('api requests another media type with a header', async () => {
    const { code, stdout } = await asPerson('api', 'GET', '/audit?limit=1', '--header', 'accept: text/csv')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^createdAt,/)
  })
})

describe('against a failing service', () => {
  let fakeService: FakeService
  afterEach(() => fakeService.close())

  test('health fails if the service is alive but not ready', async () => {
    fakeService = await startFakeService(
      json(200, { ok: true }),
      json(
        503,
        { error: 'The database cannot be reached.', code: 'database_unavailable', requestId: 'req_9' },
        { 'retry-after': '2' },
      ),
    )
    const { code, stderr } = await cowrie(fakeService.url, ['health'])
    expect(code).toBe(7)
    expect(stderr).toBe(
      `${fakeService.url} is alive, but not ready.\ncowrie: The database cannot be reached. (database_unavailable)\n  Try again in 2 s.\n  ref req_9\n`,
    )
  })

  test('a file that cannot be written is named, without a stack trace', async () => {
    const report = { files: [{ id: 'att_1', contentType: 'text/markdown' }] }
    fakeService = await startFakeService(
      json(200, { id: 'run_1', status: 'completed', report }),
      page(200, '# x'),
    )
    const { code, stderr } = await cowrie(fakeService.url, [
      'research',
      'show',
      'run_1',
      '-o',
      '/absent/x.md',
    ])
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^cowrie: ENOENT.* \(file_unusable\)\n$/)])
  })

  test('an answer that is not from the service is reported', async () => {
    fakeService = await startFakeService(page(200, '<h1>Welcome</h1>'))
    const { code, stderr } = await cowrie(fakeService.url, ['health'])
    expect([code, stderr]).toEqual([
      7,
      'cowrie: The answer is not JSON. Check that the base URL is the service itself. (malformed_reply)\n',
    ])
  })

  test('a broken stream is a network failure after its frames', async () => {
    fakeService = await startFakeService(breakOff('text/event-stream', 'data: {"delta":"a"}\n\ndata: {'))
    const { code, stdout, stderr } = await cowrie(fakeService.url, ['api', 'GET', '/x'])
    expect([code, stdout]).toEqual([7, '{"delta":"a"}\n'])
    expect(stderr).toContain('stream_cut')
  })

  test('an error frame is an error after the frames before it', async () => {
    fakeService = await startFakeService(
      stream('data: {"delta":"a"}\n\ndata: {"error":"It broke.","code":"internal"}\n\n'),
    )
    const { code, stdout, stderr } = await cowrie(fakeService.url, ['api', 'GET', '/x'])
    expect([code, stdout, stderr]).toEqual([
      7,
      '{"delta":"a"}\n',
      'cowrie: It broke. (internal)\n  ref req_of_the_stream\n',
    ])
  })

  test('an interrupted call exits with 2 and closes its connection', async () => {
    fakeService = await startFakeService(silent('data: {}\n\n'))
    const interrupted = new AbortController()
    const ending = cowrie(fakeService.url, ['api', 'GET', '/x'], {}, interrupted.signal)
    await expect.poll(() => fakeService.requests.length, { timeout: 10_000 }).toBe(1)
    interrupted.abort()
    expect(await ending).toMatchObject({ code: 2, stderr: '' })
    await fakeService.requests[0]?.closed
  })

  test('escape codes in answers do not reach the terminal', async () => {
    fakeService = await startFakeService(json(403, { error: 'no\u001b[2Jway\u009b5n', code: 'forbidden' }))
    expect((await cowrie(fakeService.url, ['auth', 'status'])).stderr).toBe(
      'cowrie: no [2Jway 5n (forbidden)\n',
    )
  })

  test('a different API version causes a warning', async () => {
    fakeService = await startFakeService(
      json(200, { version: '9.0.0', apiVersion: 3, commit: 'abc', builtAt: null, environment: 'production' }),
    )
    const { code, stderr } = await cowrie(fakeService.url, ['version'])
    expect(code).toBe(0)
    expect(stderr).toContain('has API 3')
  })

  test('an unreachable service is a network failure, but the CLI version is still printed', async () => {
    fakeService = await startFakeService()
    const { url } = fakeService
    await fakeService.close()
    const { code, stdout, stderr } = await cowrie(url, ['version'])
    expect([code, stdout]).toEqual([7, 'cowrie 0.4.0, API 2\n'])
    expect(stderr).toContain(`${url} cannot be reached`)
    expect((await cowrie('http://unused.invalid', ['health', '--base-url', url])).stderr).toContain(url)
  })

  test.for([
    {
      code: 'insufficient_scope',
      says: 'Set COWRIE_API_KEY to a key with that scope. Scopes: agent:run, wallet:read, metrics:read, keys:manage.',
    },
    { code: 'session_required', says: 'Use the app: run "cowrie open".' },
    {
      code: 'second_factor_required',
      says: 'A terminal cannot use a passkey. Add an authenticator app in your security settings, or use the app: run "cowrie open".',
    },
  ])('$code has a hint', async ({ code, says }) => {
    fakeService = await startFakeService(json(403, { error: 'No.', code }))
    const env = { COWRIE_API_KEY: 'csk_abcdefghijkl_mnop' }
    const ended = await cowrie(fakeService.url, ['keys', 'create', 'ci'], env)
    expect([ended.code, ended.stderr]).toEqual([6, `cowrie: No. (${code})\n  ${says}\n`])
  })
})

describe('wrong usage', () => {
  test.for([
    { it: 'an unknown command', args: ['fly'], says: 'Unknown command "fly".' },
    { it: 'an unknown option', args: ['auth', 'status', '--fast'], says: '--fast' },
    {
      it: 'an option of a different command',
      args: ['auth', 'status', '--body', '{}'],
      says: '"cowrie auth status" has no option --body.',
    },
    { it: 'a missing argument', args: ['api', 'GET'], says: '"cowrie api" needs <METHOD> <path>.' },
    {
      it: 'one argument too many',
      args: ['auth', 'status', 'myself'],
      says: 'Unexpected argument "myself".',
    },
    { it: 'an invalid method', args: ['api', 'FETCH', '/me'], says: '"FETCH" is not one of GET' },
    { it: 'an invalid path', args: ['api', 'GET', 'me'], says: '"me" is not a path' },
    {
      it: 'a path with another host',
      args: ['api', 'GET', '//evil.example/me'],
      says: 'is not a path',
    },
    {
      it: 'a body that is not JSON',
      args: ['api', 'POST', '/x', '--body', '{'],
      says: '--body is not valid JSON',
    },
    {
      it: 'an invalid header',
      args: ['api', 'GET', '/x', '--header', 'accept'],
      says: 'is not a header',
    },
    {
      it: 'a key with a space',
      args: ['api', 'POST', '/x', '--idempotency-key', 'a b'],
      says: '--idempotency-key must be',
    },
    {
      it: 'an invalid base URL',
      args: ['auth', 'status', '--base-url', 'cowrie.example'],
      says: 'The base URL must be',
    },
  ])('$it exits with 64 and a message', async ({ args, says }) => {
    const { code, stdout, stderr } = await cowrie('http://127.0.0.1:9', args)
    expect([code, stdout]).toEqual([64, ''])
    expect(stderr).toContain(says)
    expect(stderr).toContain('cowrie help')
  })

  test('the error points to the help of the command', async () => {
    const { stderr } = await cowrie('http://127.0.0.1:9', ['usage', '--timeout', 'soon'])
    expect(stderr).toContain('\nRun "cowrie help usage" for usage')
  })

  test('an invalid key in the environment is refused', async () => {
    const { code, stderr } = await cowrie('http://127.0.0.1:9', ['auth', 'status'], {
      COWRIE_API_KEY: 'two words',
    })
    expect([code, stderr.split('\n')[0]]).toEqual([
      64,
      'cowrie: COWRIE_API_KEY must be visible ASCII characters without spaces.',
    ])
  })
})

describe('help', () => {
  test('--version makes no request', async () => {
    expect(await cowrie('http://127.0.0.1:9', ['--version'])).toEqual({
      code: 0,
      stdout: 'cowrie 0.4.0\n',
      stderr: '',
    })
  })

  test('a common first word of several commands lists them', async () => {
    const { code, stdout } = await cowrie('', ['help', 'auth'])
    expect([code, stdout.match(/^ {2}auth \w+/gm)]).toEqual([
      0,
      ['  auth login', '  auth status', '  auth token', '  auth logout'],
    ])
  })

  test.for([[], ['help'], ['--help'], ['-h']])('%j lists every command', async (args) => {
    const { code, stdout } = await cowrie('', [...args])
    expect(code).toBe(0)
    for (const name of [
      'auth',
      'status',
      'api <METHOD> <path>',
      'health',
      'version',
      '--json',
      'COWRIE_API_KEY',
    ])
      expect(stdout).toContain(name)
  })

  test.for([
    ['help', 'api'],
    ['api', '--help'],
  ])('%s %s shows the command and its options', async (args) => {
    const { code, stdout } = await cowrie('', [...args])
    expect(code).toBe(0)
    expect(stdout).toContain('Usage: cowrie api <METHOD> <path>')
    expect(stdout).toContain('--body <json>')
  })
})
