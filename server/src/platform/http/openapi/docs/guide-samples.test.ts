// Every sample of the guides runs against a real service: one process per language. Go is compiled in the soak only.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { scratchFolder } from '@cowrie/testkit/harness/scratch-folder.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GUIDE_NAMES, QUICKSTART, readGuide } from './guides.ts'

const GUIDES = [QUICKSTART, ...GUIDE_NAMES]
const REPOSITORY = fileURLToPath(new URL('../../../../../../', import.meta.url))
const FOLDER = scratchFolder()
const MARK = '=== guide'

let server: TestServer
let url = ''
let environment: NodeJS.ProcessEnv = {}
beforeAll(async () => {
  server = await startTestServer({ background: true })
  url = await server.listen()
  const person = await server.person()
  await giveCredit(server, person.orgId, 1_000_000n)
  const key = await server.key(person, ['agent:run', 'wallet:read', 'keys:manage', 'metrics:read'])
  environment = {
    PATH: process.env.PATH,
    HOME: FOLDER,
    COWRIE_API_KEY: key.bearer,
    COWRIE_SESSION: person.bearer,
  }
  symlinkSync(join(REPOSITORY, 'node_modules'), join(FOLDER, 'node_modules'))
})
afterAll(async () => {
  await server.close()
  rmSync(FOLDER, { recursive: true, force: true })
})

type Sample = { guide: string; code: string; output: string | null }

/** The samples of all guides in a language. An output belongs to the samples before it. */
function samplesIn(language: string): Sample[] {
  return GUIDES.flatMap((guide) => {
    const blocks = readGuide(guide, url).filter((block) => block.kind === 'code')
    return blocks.flatMap((block, at) => {
      if (block.language !== language) return []
      const next = blocks.slice(at + 1).find((later) => !['ts', 'python', 'go'].includes(later.language))
      return [{ guide, code: block.text, output: next?.language === 'text' ? next.text : null }]
    })
  })
}

const byGuide = (language: string): [string, string][] =>
  [...Map.groupBy(samplesIn(language), ({ guide }) => guide)].map(([guide, samples]) => [
    guide,
    samples.map(({ code }) => code).join('\n'),
  ])

/** Runs a program to its end and returns what it printed. */
async function run(command: string, ...parameters: string[]): Promise<string> {
  const child = spawn(command, parameters, {
    cwd: FOLDER,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  let faults = ''
  child.stdout.on('data', (bytes) => {
    printed += bytes
  })
  child.stderr.on('data', (bytes) => {
    faults += bytes
  })
  const [code] = await once(child, 'close')
  expect(code, `${faults}\n${printed}`).toBe(0)
  return printed
}

/** `…` in an output stands for any text. */
function matchesOutput(printed: string, output: string): boolean {
  let end = 0
  return output
    .trim()
    .split('…')
    .every((part, index) => {
      const at = printed.indexOf(part, end)
      end = at + part.length
      return index === 0 ? at === 0 : at >= 0
    })
}

test('the curl samples run in their order and print what the guides show', async () => {
  const samples = samplesIn('sh')
  const script = samples.map(({ code }) => `${code}\necho; echo '${MARK}'\n`).join('\n')
  writeFileSync(join(FOLDER, 'guides.sh'), `set -euo pipefail\n${script}`)
  const outputs = (await run('bash', 'guides.sh')).split(`${MARK}\n`)
  for (const [at, { guide, output, code }] of samples.entries()) {
    const printed = outputs[at]?.trim() ?? ''
    expect(printed, `${guide}: ${code}`).not.toMatch(/"requestId":/)
    if (output !== null && !matchesOutput(printed, output)) expect(printed, `${guide}: ${code}`).toBe(output)
  }
})

test('the TypeScript samples run as one module per guide', async () => {
  const guides = byGuide('ts')
  for (const [guide, code] of guides) writeFileSync(join(FOLDER, `${guide}.ts`), code)
  writeFileSync(join(FOLDER, 'all.mjs'), guides.map(([guide]) => `await import('./${guide}.ts')`).join('\n'))
  await run(process.execPath, '--disable-warning=ExperimentalWarning', 'all.mjs')
})

test('the Python samples run as one program per guide', async () => {
  const guides = byGuide('python')
  for (const [guide, code] of guides) writeFileSync(join(FOLDER, `${guide}.py`), code)
  writeFileSync(
    join(FOLDER, 'all.py'),
    `import runpy\n${guides.map(([guide]) => `runpy.run_path('${guide}.py')`).join('\n')}`,
  )
  await run('python3', '-B', 'all.py')
})

soakTest('the Go samples compile and run', async () => {
  for (const { guide, code } of samplesIn('go')) {
    mkdirSync(join(FOLDER, guide), { recursive: true })
    writeFileSync(join(FOLDER, guide, 'main.go'), code)
    await run('go', 'run', join(guide, 'main.go'))
  }
})
