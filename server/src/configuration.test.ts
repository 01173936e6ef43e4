// A start validates the whole configuration in one pass and reports how to correct each problem.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundled } from '@cowrie/testkit/harness/bundle.ts'
import { COMPILE_CACHE } from '@cowrie/testkit/harness/compile-cache.ts'
import { createDatabase, dropDatabase } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { GENEROUS_TIMEOUTS } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { loadConfig, type Origins } from './configuration.ts'
import { REQUIRED_IN_PRODUCTION } from './platform/config.ts'
import { checkDatabase } from './platform/db/check-database.ts'
import { ConfigError } from './platform/environment/environment.ts'
import { createLog } from './platform/log/log.ts'
import { startService } from './service.ts'

const folder = mkdtempSync(join(tmpdir(), 'cowrie-configuration-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const SOUND = {
  SERVICE_ENV: 'production',
  SERVICE_SECRET: 'k3Jx9vQ2mZ7pL4wT8rY1nB6cF5hG0dSa',
  SERVICE_BASE_URL: 'https://cowrie.example',
  SERVICE_SMTP_URL: 'smtp://127.0.0.1:9',
  SERVICE_MAIL_FROM: 'Cowrie <hello@cowrie.example>',
}

function load(variables: Record<string, string>, origins: Partial<Origins> = {}) {
  return loadConfig({ ...variables }, { version: '0.4.0', root: folder, hasEmbedded: true, ...origins })
}

function problemsOf(variables: Record<string, string>, origins?: Partial<Origins>): readonly string[] {
  try {
    load(variables, origins)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

const namesIn = (problems: readonly string[]) => problems.map((problem) => problem.split(' ')[0]).sort()

describe('a production start', () => {
  test('reports invalid variables, payment keys, seeds of settings, files and unknown names together', () => {
    const problems = problemsOf({
      ...SOUND,
      PORT: 'eighty',
      SERVICE_PRICE_OPEN_KOBO_PER_1M: 'cheap',
      SERVICE_DEFAULT_SKIN: 'plaid',
      PALMPAY_APP_ID: 'half of it',
      METRICS_TOKEN_FILE: join(folder, 'absent'),
      SERVICE_MAINTENENCE_MODE: 'true',
    })
    expect(namesIn(problems)).toEqual(
      expect.arrayContaining([
        'METRICS_TOKEN_FILE',
        'PORT',
        'SERVICE_DEFAULT_SKIN',
        'SERVICE_MAINTENENCE_MODE',
        'SERVICE_PRICE_OPEN_KOBO_PER_1M',
      ]),
    )
    expect(problems.join()).toContain('PALMPAY_')
    expect(problems.join()).not.toMatch(/eighty|cheap|plaid|half of it/)
  })

  test('reports all required variables, including the database when none is embedded', () => {
    expect(namesIn(problemsOf({ SERVICE_ENV: 'production' }, { hasEmbedded: false }))).toEqual(
      [...Object.keys(REQUIRED_IN_PRODUCTION), 'DATABASE_URL'].sort(),
    )
    expect(namesIn(problemsOf({ SERVICE_ENV: 'production' }))).toEqual(
      Object.keys(REQUIRED_IN_PRODUCTION).sort(),
    )
  })

  test('does not report a secret as missing when its file cannot be read', () => {
    const { SERVICE_SECRET: _, ...others } = SOUND
    expect(problemsOf({ ...others, SERVICE_SECRET_FILE: join(folder, 'absent') })).toEqual([
      'SERVICE_SECRET_FILE has a path that cannot be read (ENOENT). Correct it.',
    ])
  })

  test.for([
    ['SERVICE_SERCET', 'SERVICE_SECRET'],
    ['SERVICE_MAIL_FORM', 'SERVICE_MAIL_FROM'],
    ['SERVICE_PRICE_OPEN_KOBO_PER_M', 'SERVICE_PRICE_OPEN_KOBO_PER_1M'],
    ['SERVICE_GITHUB_APPID', 'SERVICE_GITHUB_APP_ID'],
    ['SERVICE_SEARCH_APIKEY', 'SERVICE_SEARCH_API_KEY'],
  ])('rejects the misspelt %s and suggests %s', ([wrong = '', right]) => {
    expect(problemsOf({ ...SOUND, [wrong]: 'x' })).toEqual([
      `${wrong} is not a variable of this service. Did you mean ${right}?`,
    ])
  })

  test('has no suggestion for an unsimilar name', () => {
    expect(problemsOf({ ...SOUND, SERVICE_TELEPATHY_ENDPOINTS: 'x' })).toEqual([
      'SERVICE_TELEPATHY_ENDPOINTS is not a variable of this service. Remove it or correct its name.',
    ])
  })

  test('accepts every known name, also of unused groups', () => {
    expect(
      load({
        ...SOUND,
        SERVICE_GITHUB_PRIVATE_KEY: 'x',
        SERVICE_SEARCH_API_KEY: 'x',
        SERVICE_SIGNUPS_ENABLED: 'false',
        SERVICE_UPSTREAM_BASE_URL: '',
        SERVICE_UNKNOWN_BUT_EMPTY: ' ',
      }).warnings,
    ).toEqual([])
  })
})

test('a development start logs unknown names and continues', () => {
  expect(load({ SERVICE_SERCET: 'x' }).warnings).toEqual([
    'SERVICE_SERCET is not a variable of this service. Did you mean SERVICE_SECRET?',
  ])
})

test('the commit is that of the variable, else of the checkout, else unknown', () => {
  expect(load({ SERVICE_COMMIT: 'abc' }).commit).toBe('abc')
  expect(load({}).commit).toBe('unknown')
  const root = mkdtempSync(join(folder, 'checkout-'))
  writeFileSync(join(root, '.git'), 'gitdir: git')
  const hash = 'a1b2c3d4e5f60718293a4b5c6d7e8f9012345678'
  expect(load({ SERVICE_COMMIT: 'unknown' }, { root }).commit).toBe('unknown')
  rmSync(join(root, '.git'))
  writeFileSync(join(root, 'HEAD'), hash)
  writeFileSync(join(root, '.git'), 'gitdir: .')
  expect(load({ SERVICE_COMMIT: 'unknown' }, { root }).commit).toBe(hash.slice(0, 12))
})

const UNREACHABLE = [
  ['postgres://127.0.0.1:1/cowrie', /server of DATABASE_URL refused the connection\. Start PostgreSQL there/],
  ['postgres://nowhere.invalid/cowrie', /host name that (does not exist|cannot be resolved)/],
] as const
const UNWRITABLE = /The data folder \S+ cannot be written \(ENOTDIR\)\. .*SERVICE_DATA_DIR/
const portInUse = (port: number) =>
  `Port ${port} is in use by another process. Stop that process, or choose another port: PORT=${port + 1}`

/** A data folder that cannot be created, because it would be inside a file. */
function closedFolder(): string {
  const file = join(folder, 'a-file')
  writeFileSync(file, '')
  chmodSync(file, 0o644)
  return join(file, 'data')
}

/** Runs the work with an occupied port and a database. */
async function withPortInUse(work: (port: number, url: string) => Promise<void>): Promise<void> {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const url = await createDatabase()
  try {
    await work(typeof address === 'object' && address ? address.port : 0, url)
  } finally {
    other.close()
    await dropDatabase(url)
  }
}

describe('a start fails with a clear message about', () => {
  const start = (variables: Record<string, string>) => {
    const all = { SERVICE_ENV: 'test', SERVICE_DATA_DIR: join(folder, 'data'), ...variables }
    const log = createLog({ level: 'silent' })
    return startService({
      config: load(all),
      variables: all,
      log,
      background: false,
      timeouts: GENEROUS_TIMEOUTS,
    })
  }

  test.for(UNREACHABLE)('%s, which is unreachable', async ([url, sentence]) => {
    await expect(checkDatabase(url, false, () => undefined)).rejects.toThrow(sentence)
  })

  test('a port in use', () =>
    withPortInUse(async (port, url) => {
      const service = await start({ DATABASE_URL: url, HOST: '127.0.0.1', PORT: String(port) })
      await expect(service.listen()).rejects.toThrow(portInUse(port))
    }))

  test('a data folder without access', async () => {
    await expect(start({ SERVICE_DATA_DIR: closedFolder() })).rejects.toThrow(UNWRITABLE)
  })
})

describe('the process', () => {
  /** The exit of the service with these variables, and its stderr output. */
  async function startWith(variables: Record<string, string>, user: { uid?: number; gid?: number } = {}) {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', await bundled('service')],
      {
        env: {
          PATH: process.env.PATH,
          ...COMPILE_CACHE,
          SERVICE_DATA_DIR: join(folder, 'data'),
          PORT: '0',
          ...variables,
        },
        stdio: ['ignore', 'ignore', 'pipe'],
        ...user,
      },
    )
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
    })
    const [code] = await once(child, 'close')
    return { code, errors }
  }

  test('rejects a database superuser in production, and explains the fix', async () => {
    const url = await createDatabase()
    try {
      const { code, errors } = await startWith({ ...SOUND, DATABASE_URL: url })
      expect(code).toBe(78)
      expect(errors).toMatch(/The role in DATABASE_URL is a superuser.*create role cowrie login createrole/)
    } finally {
      await dropDatabase(url)
    }
  })

  soakTest.for(UNREACHABLE)('reports that %s is unreachable', async ([url, sentence]) => {
    const { code, errors } = await startWith({ DATABASE_URL: url })
    expect(code).toBe(1)
    expect(errors).toMatch(sentence)
    expect(errors).not.toMatch(/\n {4}at /)
  })

  soakTest('names the variable that changes an occupied port', () =>
    withPortInUse(async (port, url) => {
      const { code, errors } = await startWith({ DATABASE_URL: url, PORT: String(port) })
      expect(code).toBe(1)
      expect(errors).toBe(`Cowrie could not start: ${portInUse(port)}\n`)
    }),
  )

  soakTest('names the variable that changes an inaccessible data folder', async () => {
    const { code, errors } = await startWith({ SERVICE_DATA_DIR: closedFolder() })
    expect(code).toBe(1)
    expect(errors).toMatch(UNWRITABLE)
  })
})
