import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FakeService, json, startFakeService, stream } from '@cowrie/testkit/fakes/service.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type CommandOptions, cowrie } from '../../../test/cowrie.ts'

let cwd: string
let fakeService: FakeService | undefined
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'cowrie-api-'))
  await writeFile(join(cwd, 'body.json'), '{"amountMinor": 9223372036854775807}\n')
})
afterEach(() => fakeService?.close())
afterAll(() => rm(cwd, { recursive: true, force: true }))

async function api(args: string[], options: CommandOptions = {}) {
  fakeService = await startFakeService(json(201, { done: true }, { 'x-request-id': 'req_7' }))
  const { code, stdout, stderr } = await cowrie(['api', ...args], {
    env: { COWRIE_URL: fakeService.url },
    ...options,
    machine: { cwd, ...options.machine },
  })
  return { code, stdout, stderr, seen: fakeService.requests }
}

async function* piped(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

describe('the body', () => {
  test('is read from a file, with exact numbers', async () => {
    const { code, seen } = await api(['POST', '/x', '-d', '@body.json'])
    expect(code).toBe(0)
    expect(seen[0]).toMatchObject({ method: 'POST', body: '{"amountMinor": 9223372036854775807}\n' })
  })

  test('is read from standard input, however it is split', async () => {
    const bytes = new TextEncoder().encode('{"text":"₦500"}')
    const stdin = () => piped(bytes.slice(0, 10), bytes.slice(10))
    const { seen } = await api(['POST', '/x', '--body', '-'], { machine: { stdin } })
    expect(seen[0]?.body).toBe('{"text":"₦500"}')
  })

  test('of a missing file is refused before anything is sent', async () => {
    const { code, stderr, seen } = await api(['POST', '/x', '-d', '@missing.json'])
    expect([code, seen]).toEqual([64, []])
    expect(stderr).toContain(`${join(cwd, 'missing.json')} cannot be read: ENOENT.`)
  })

  test('that never ends is rejected', async () => {
    async function* endless(): AsyncGenerator<string> {
      for (;;) yield ' '.repeat(8 * 1024 * 1024)
    }
    const { code, stderr, seen } = await api(['POST', '/x', '-d', '-'], { machine: { stdin: endless } })
    expect([code, seen]).toEqual([64, []])
    expect(stderr).toContain('Standard input has more than')
  })
})

describe('the query', () => {
  test('is encoded and appended to the query in the path', async () => {
    const { seen } = await api(['GET', '/x?limit=1', '--query', 'q=a b&c=₦', '--query', 'q='])
    expect(seen[0]?.url).toBe('/x?limit=1&q=a+b%26c%3D%E2%82%A6&q=')
  })

  test('without a name is rejected', async () => {
    const { code, stderr, seen } = await api(['GET', '/x', '--query', '=1'])
    expect([code, seen]).toEqual([64, []])
    expect(stderr).toContain('"=1" is not a query parameter such as limit=10.')
  })
})

test('text is printed unchanged to a pipe, and without escape codes to a terminal', async () => {
  const text = 'a\x1b[2Jb\n'
  const asked = async (isTerminal: boolean) => {
    fakeService = await startFakeService((response) =>
      response.writeHead(200, { 'content-type': 'text/csv' }).end(text),
    )
    const { stdout } = await cowrie(['api', 'GET', '/x'], {
      env: { COWRIE_URL: fakeService.url },
      machine: { isStdoutTerminal: isTerminal },
    })
    await fakeService.close()
    return stdout
  }
  expect([await asked(false), await asked(true)]).toEqual([text, 'a [2Jb\n'])
})

describe('--include', () => {
  test('shows status and headers before the body', async () => {
    const { stdout } = await api(['GET', '/x', '--include'])
    const [head = '', body = ''] = stdout.split('\n\n')
    expect(head.split('\n')).toEqual(
      expect.arrayContaining([
        'HTTP 201',
        'content-type: application/json; charset=utf-8',
        'x-request-id: req_7',
      ]),
    )
    expect(JSON.parse(body)).toEqual({ done: true })
  })

  test('shows them before the first frame of a stream', async () => {
    fakeService = await startFakeService(stream('data: {"n":1}\n\n', 'data: {"n":2}\n\n'))
    const { stdout } = await cowrie(['api', 'GET', '/x', '-i'], { env: { COWRIE_URL: fakeService.url } })
    expect(stdout).toMatch(/^HTTP 200\n(?:.+\n)+\n\{"n":1\}\n\{"n":2\}\n$/)
  })
})
