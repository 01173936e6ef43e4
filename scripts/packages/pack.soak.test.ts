// The published packages: installed from their files, without the repository and without a network.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { npmCommand } from '../install.mjs'
import { type PackageFiles, pack } from './pack.mjs'
import { supportedNodes } from './supported-nodes.ts'

const ROOT = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const PATIENT_MS = scaledTimeout(120_000)

let place: string
let packed: PackageFiles
let server: TestServer
let url: string
let person: Person
beforeAll(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), 'cowrie-packages-')))
  server = await startTestServer()
  url = await server.listen()
  person = await server.person({ email: 'ada@example.com' })
  packed = await pack(join(place, 'first'))
  await npm(['install', '-g', '--prefix', join(place, 'prefix'), packed.cli])
  await mkdir(join(place, 'project'))
  await writeFile(join(place, 'project', 'package.json'), '{"type":"module"}')
  await npm(['install', packed.sdk], join(place, 'project'))
})
afterAll(async () => {
  await server?.close()
  await rm(place, { recursive: true, force: true })
})

/** Offline: a package may not download anything. */
function npm(args: string[], cwd = place) {
  const [command = '', ...prefix] = npmCommand()
  const all = [...prefix, ...args, '--offline', '--no-audit', '--no-fund', '--loglevel=error']
  const env = { ...process.env, npm_config_cache: join(place, 'cache') }
  return run(command, all, { cwd, env, timeout: PATIENT_MS })
}

const sumOf = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

const manifestOf = async (folder: string): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))

test('builds are reproducible', async () => {
  const again = await pack(join(place, 'second'))
  expect([await sumOf(again.sdk), await sumOf(again.cli)]).toEqual([
    await sumOf(packed.sdk),
    await sumOf(packed.cli),
  ])
})

describe('the SDK', () => {
  const installed = () => join(place, 'project', 'node_modules', '@cowrie', 'sdk')

  test('is public, has no dependencies and declares its Node.js version', async () => {
    const { version } = await manifestOf(join(ROOT, 'sdk'))
    const manifest = await manifestOf(installed())
    expect(manifest).toMatchObject({
      name: '@cowrie/sdk',
      version,
      license: 'Apache-2.0',
      type: 'module',
      sideEffects: false,
      engines: { node: '>=20' },
      publishConfig: { access: 'public' },
    })
    for (const field of ['private', 'workspaces', 'dependencies', 'devDependencies', 'scripts'])
      expect(manifest).not.toHaveProperty(field)
    expect(await readdir(installed())).toEqual(
      expect.arrayContaining(['README.md', 'LICENSE', 'CHANGELOG.md', 'dist']),
    )
  })

  test('contains only JavaScript and type declarations that import each other', async () => {
    const names = await readdir(join(installed(), 'dist'))
    expect(names.filter((name) => !/\.(js|d\.ts)$/.test(name))).toEqual([])
    for (const name of names)
      expect(await readFile(join(installed(), 'dist', name), 'utf8'), name).not.toMatch(
        /from '\.[^']*(?<!\.js)'/,
      )
  })

  test('works on every supported Node.js of this machine', async () => {
    const program = `
      import { CowrieError, createClient } from '@cowrie/sdk'
      const cowrie = createClient({ baseUrl: '${url}', key: '${person.bearer}' })
      const { email, balanceMinor } = await cowrie.me.get()
      const refused = await createClient({ baseUrl: '${url}' }).me.get().catch((error) => error)
      console.log(email, typeof balanceMinor, refused instanceof CowrieError, refused.code)`
    const file = join(place, 'project', 'program.js')
    await writeFile(file, program)
    for (const node of await supportedNodes()) {
      const { stdout } = await run(node, [file], { timeout: PATIENT_MS })
      expect(stdout, node).toBe('ada@example.com bigint true unauthenticated\n')
    }
  })

  test.for([
    { it: 'for Node.js', module: 'nodenext', moduleResolution: 'nodenext' },
    { it: 'for an older Node.js', module: 'node16', moduleResolution: 'node16' },
    { it: 'for a bundler', module: 'esnext', moduleResolution: 'bundler' },
  ])(
    'has types that compile in a strict project $it, without skipLibCheck',
    async ({ module, moduleResolution }) => {
      const folder = join(place, 'project', `types-${moduleResolution}`)
      await mkdir(folder)
      await writeFile(join(folder, 'package.json'), '{"type":"module"}')
      await writeFile(
        join(folder, 'program.ts'),
        `
      import { createClient, type Me } from '@cowrie/sdk'
      const cowrie = createClient({ baseUrl: 'https://cowrie.example' })
      export const me: Promise<Me> = cowrie.me.get()
      export const balance: bigint = (await me).balanceMinor
      await cowrie.me.sing()
      await cowrie.agent.run({ prompt: 'x', maxMinor: 12.5 })`,
      )
      const options = {
        compilerOptions: {
          module,
          moduleResolution,
          target: 'es2022',
          lib: ['es2022', 'dom', 'dom.iterable'],
          types: [],
          strict: true,
          exactOptionalPropertyTypes: true,
          noUncheckedIndexedAccess: true,
          skipLibCheck: false,
          noEmit: true,
        },
        files: ['program.ts'],
      }
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options))
      const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')
      const { stdout } = await run(tsc, ['-p', folder], { timeout: PATIENT_MS }).catch((error) => error)
      const complaints = String(stdout).matchAll(/^(\S+?)\((\d+),.*?error (TS\d+)/gm)
      // Only the two intended errors: an unknown method, and an amount that is not a bigint.
      expect(Array.from(complaints, ([, file, line, code]) => `${file}:${line} ${code}`)).toEqual([
        expect.stringMatching(/program\.ts:6 TS2339$/),
        expect.stringMatching(/program\.ts:7 TS2322$/),
      ])
    },
  )
})

describe('the command line', () => {
  const installed = () => join(place, 'prefix', 'lib', 'node_modules', '@cowrie', 'cli')
  const command = () => join(place, 'prefix', 'bin', 'cowrie')

  /** Runs the command with this Node.js first on the PATH. */
  const cowrie = (node: string, ...args: string[]) =>
    run(command(), args, {
      timeout: PATIENT_MS,
      env: {
        PATH: [dirname(node), '/usr/bin', '/bin'].join(delimiter),
        HOME: place,
        COWRIE_URL: url,
        COWRIE_API_KEY: person.bearer,
      },
    })

  test('is public, has no dependencies and contains the licences of bundled packages', async () => {
    const { version } = await manifestOf(join(ROOT, 'cli'))
    const manifest = await manifestOf(installed())
    expect(manifest).toMatchObject({
      name: '@cowrie/cli',
      version,
      license: 'Apache-2.0',
      bin: { cowrie: 'bin/cowrie.cjs' },
      engines: { node: '>=20' },
      publishConfig: { access: 'public' },
    })
    for (const field of ['private', 'dependencies', 'devDependencies', 'scripts'])
      expect(manifest).not.toHaveProperty(field)
    const { dependencies } = (await manifestOf(join(ROOT, 'cli'))) as { dependencies: object }
    const bundled = await readFile(join(installed(), 'lib', 'cowrie.cjs'), 'utf8')
    const licences = await readFile(join(installed(), 'lib', 'LICENSES.txt'), 'utf8')
    for (const name of Object.keys(dependencies)) expect(bundled).not.toMatch(new RegExp(`from"${name}"`))
    // A start reads this file only. A new import that makes it large delays every start.
    expect((await stat(join(installed(), 'lib', 'cowrie-start.cjs'))).size).toBeLessThan(100_000)
    for (const [, name] of licences.matchAll(/^(\S+) \d+\.\d+\.\d+$/gm))
      expect(Object.keys(dependencies)).toContain(name)
  })

  test('runs on every supported Node.js of this machine and stores its cache in the home folder', async () => {
    const { version } = await manifestOf(join(ROOT, 'cli'))
    for (const node of await supportedNodes()) {
      const told = await cowrie(node, 'version')
      expect(told, node).toMatchObject({ stderr: '', stdout: expect.stringContaining(`cowrie ${version},`) })
      const known = await cowrie(node, 'auth', 'status')
      expect(known, node).toMatchObject({ stderr: '', stdout: expect.stringContaining('ada@example.com') })
    }
    expect(await readdir(join(place, '.cache', 'cowrie'))).toEqual(['compiled'])
  })

  test('is a package of Termux: four files, no native code, only Node.js and git needed', async () => {
    const listed = await run('dpkg-deb', ['-c', packed.termux])
    const files = listed.stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(/\s+/))
      .map(([mode, , , , , path]) => `${mode} ${path}`)
    expect(files.toSorted()).toEqual([
      '-rw-r--r-- data/data/com.termux/files/usr/lib/cowrie-licences.txt',
      '-rw-r--r-- data/data/com.termux/files/usr/lib/cowrie-start.cjs',
      '-rw-r--r-- data/data/com.termux/files/usr/lib/cowrie.cjs',
      '-rwxr-xr-x data/data/com.termux/files/usr/bin/cowrie',
    ])
    const { version } = await manifestOf(join(ROOT, 'cli'))
    const told = await run('dpkg-deb', ['-f', packed.termux, 'Package', 'Version', 'Architecture', 'Depends'])
    expect(told.stdout).toBe(
      `Package: cowrie\nVersion: ${version}\nArchitecture: all\nDepends: nodejs | nodejs-lts, git\n`,
    )
    expect(await readFile(join(ROOT, 'cli', 'README.md'), 'utf8')).toContain(`./${basename(packed.termux)}`)
  })

  test('starts from the folders of Termux, and its cache is used by the next start', async () => {
    const root = join(place, 'termux')
    await run('dpkg-deb', ['-x', packed.termux, root])
    const prefix = 'data/data/com.termux/files/usr'
    const program = join(root, prefix, 'bin/cowrie')
    expect(await readFile(program, 'utf8')).toMatch(new RegExp(`^#!/${prefix}/bin/env node\n`))
    for (const node of await supportedNodes()) {
      const HOME = join(place, `phone of ${basename(dirname(dirname(node)))}`)
      const start = async () => {
        const env = { HOME, PATH: '/nowhere', PREFIX: join(root, prefix) }
        const { stdout, stderr } = await run(node, [program, '--version'], { env })
        expect([stdout, stderr], node).toEqual([expect.stringMatching(/^cowrie \d/), ''])
        const cached = await readdir(join(HOME, '.cache', 'cowrie', 'compiled'))
        return Promise.all(
          cached.map(async (name) => [
            name,
            (await stat(join(HOME, '.cache/cowrie/compiled', name))).mtimeMs,
          ]),
        )
      }
      const stored = await start()
      expect(stored).toHaveLength(1)
      // A cache that is refused is written again.
      expect(await start()).toEqual(stored)
    }
  })

  test('runs from its package file with npm exec', async () => {
    const { stdout } = await npm(['exec', '--yes', `--package=${packed.cli}`, '--', 'cowrie', 'help'])
    expect(stdout).toContain('Usage: cowrie <command>')
  })
})
