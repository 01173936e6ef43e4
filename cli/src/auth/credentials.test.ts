import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findPaths } from '../system/paths.ts'
import { type Credential, Credentials, credentialsIn, keyFor, serviceName } from './credentials.ts'

const ADA: Credential = {
  key: 'csk_a',
  id: 'key_1',
  origin: 'login',
  userId: 'usr_1',
  orgId: 'org_1',
  orgName: 'Ada & Co',
}
const BOLA: Credential = { ...ADA, key: 'csk_b', id: null, origin: 'given' }
const CHIDI: Credential = { ...ADA, key: 'csk_c', orgId: 'org_2', orgName: 'Chidi Labs' }
const alone = (credential: Credential) => ({
  org: credential.orgId,
  keys: new Map([[credential.orgId, credential]]),
})

let home: string
let credentials: Credentials
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'cowrie-home-'))
  credentials = new Credentials(join(home, 'cowrie', 'credentials.json'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777

test('the store is empty at first', async () => {
  expect(await credentials.read()).toEqual({ current: null, services: new Map(), exposed: null })
})

describe('a stored key', () => {
  test('is returned, one per service and organisation, and the last one is current', async () => {
    await credentials.save('https://a.example', ADA)
    await credentials.save('https://b.example', ADA)
    await credentials.save('https://B.example/', BOLA)
    expect(await credentials.read()).toEqual({
      current: 'https://b.example',
      services: new Map([
        ['https://a.example', alone(ADA)],
        ['https://b.example', alone(BOLA)],
      ]),
      exposed: null,
    })
  })

  test('is found by the id or the name of its organisation', async () => {
    await credentials.save('https://a.example', ADA)
    await credentials.save('https://a.example', CHIDI)
    const stored = (await credentials.read()).services.get('https://a.example')
    expect(stored?.keys.size).toBe(2)
    expect(keyFor(stored, undefined)).toEqual(CHIDI)
    expect(keyFor(stored, 'org_1')).toEqual(ADA)
    expect(keyFor(stored, 'ada & co')).toEqual(ADA)
    expect(keyFor(stored, 'ada')).toBeUndefined()
    await credentials.remove('https://a.example', 'org_2')
    expect(keyFor((await credentials.read()).services.get('https://a.example'), undefined)).toEqual(ADA)
  })

  test('can be removed individually', async () => {
    await credentials.save('https://a.example', ADA)
    await credentials.save('https://b.example', BOLA)
    await credentials.remove('https://a.example')
    expect([...(await credentials.read()).services.keys()]).toEqual(['https://b.example'])
    expect((await credentials.read()).current).toBe('https://b.example')
    await credentials.remove('https://b.example')
    expect(await credentials.read()).toMatchObject({ current: null, services: new Map() })
  })

  test('is readable only by its owner, whatever the folder mode and umask', async () => {
    await mkdir(dirname(credentials.path), { mode: 0o755 })
    const mask = process.umask(0)
    try {
      await credentials.save('https://a.example', ADA)
    } finally {
      process.umask(mask)
    }
    expect(await modeOf(credentials.path)).toBe(0o600)
    expect(await modeOf(dirname(credentials.path))).toBe(0o700)
    expect(await readdir(dirname(credentials.path))).toEqual(['credentials.json'])
  })

  test('leaves no temporary file if it cannot be written', async () => {
    // The name fits the limit, but the name of the temporary file does not.
    const blocked = new Credentials(join(home, 'cowrie', 'x'.repeat(250)))
    await expect(blocked.save('https://a.example', ADA)).rejects.toThrow(/cannot be written \(ENAMETOOLONG/)
    expect(await readdir(dirname(blocked.path))).toEqual([])
  })
})

test('a folder in its place is reported and left unchanged', async () => {
  await mkdir(credentials.path, { recursive: true })
  await expect(credentials.save('https://a.example', ADA)).rejects.toThrow('is not a credentials file')
})

describe('a credentials file that others can open', () => {
  test.for([0o640, 0o604, 0o620, 0o602])('(mode %o) is reported and never changed', async (mode) => {
    await credentials.save('https://a.example', ADA)
    await chmod(credentials.path, mode)
    expect((await credentials.read()).exposed).toBe('is readable by other users')
    for (const change of [
      () => credentials.prepare(),
      () => credentials.save('https://b.example', BOLA),
      () => credentials.remove('https://a.example'),
    ])
      await expect(change()).rejects.toThrow('chmod 600')
    expect(await modeOf(credentials.path)).toBe(mode)
  })
})

test.for(['', '{', '[]', '{"services":[]}', '{"services":{"https://a.example":{"key":1}}}', 'null'])(
  'a damaged file (%j) is reported and left unchanged',
  async (text) => {
    await mkdir(dirname(credentials.path))
    await writeFile(credentials.path, text, { mode: 0o600 })
    await expect(credentials.read()).rejects.toThrow(/credentials\.json is damaged/)
    expect(await readFile(credentials.path, 'utf8')).toBe(text)
  },
)

test.for([
  { env: { XDG_CONFIG_HOME: '/x', HOME: '/people/ada' }, path: '/x/cowrie/credentials.json' },
  { env: { XDG_CONFIG_HOME: 'x', HOME: '/people/ada' }, path: '/people/ada/.config/cowrie/credentials.json' },
  { env: { HOME: '/people/ada' }, path: '/people/ada/.config/cowrie/credentials.json' },
  { env: {}, path: undefined },
])('with $env, keys are stored in $path', ({ env, path }) => {
  expect(credentialsIn(findPaths(env, '/', undefined))?.path).toBe(path)
})

test.for([
  ['https://Cowrie.Example:443/', 'https://cowrie.example'],
  ['https://user:secret@cowrie.example/base/', 'https://cowrie.example/base'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
])('%s is stored as %s', ([url, name]) => {
  expect(serviceName(url ?? '')).toBe(name)
})
