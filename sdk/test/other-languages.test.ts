// The Python and Go clients: their own tests, and their examples as processes against the real service.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { hasGo } from '@cowrie/testkit/harness/programs.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const PATIENT = { timeout: 60_000 }

let place: string
let server: TestServer
let url: string
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'cowrie languages '))
  cpSync(join(ROOT, 'python'), join(place, 'python'), { recursive: true })
  server = await startTestServer()
  url = await server.listen()
})
afterAll(async () => {
  await server?.close()
  rmSync(place, { recursive: true, force: true })
})

async function rich(): Promise<Person> {
  const person = await server.person({ type: 'team' })
  await giveCredit(server, person.orgId, 1_000_000n)
  return person
}

type Outcome = { readonly code: number | null; readonly out: string; readonly faults: string }

/** Runs a program, and the jobs of the service until it has ended. */
async function run(command: string, args: readonly string[], env: Record<string, string> = {}, cwd = place) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: join(place, 'python'), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let faults = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (faults += text))
  let ended: Outcome | undefined
  child.on('close', (code) => {
    ended = { code, out, faults }
  })
  await expect.poll(() => server.app.jobs.drain().then(() => ended), PATIENT).toBeDefined()
  return ended as Outcome
}

async function printed(command: string, args: readonly string[], { bearer }: Person, env = {}, cwd?: string) {
  const { code, out, faults } = await run(
    command,
    args,
    { COWRIE_URL: url, COWRIE_API_KEY: bearer, ...env },
    cwd,
  )
  expect(`${code} ${faults}`).toBe('0 ')
  return out
}

/** A folder with one file that the model of the tests can change. */
function demo(name: string): string {
  const folder = join(place, name)
  mkdirSync(folder)
  writeFileSync(join(folder, 'kobo.js'), 'export function add(a, b) {\n  return a + b\n}\n')
  return folder
}

const PROMPT = 'Rename the function add to sum in kobo.js.'

function hasPython(): boolean {
  const { status } = spawnSync('python3', [
    '-c',
    'import sys, asyncio, ssl; sys.exit(sys.version_info < (3, 9))',
  ])
  if (status !== 0)
    process.stderr.write('\n*** Python 3.9 is not installed: the Python client was NOT tested. ***\n')
  return status === 0
}

describe.runIf(hasPython())('the Python client', () => {
  const example = (name: string) => join(place, 'python/examples', name)

  test('keeps its promises over bad networks', async () => {
    const { code, faults } = await run('python3', ['-m', 'unittest', 'discover', 'python/tests'])
    expect(`${code} ${faults}`).toMatch(/^0 [\s\S]*\nOK\s*$/)
  })

  test('tells who you are, charges once and lists the ledger', async () => {
    const ada = await rich()
    expect(await printed('python3', [example('first_call.py')], ada)).toMatch(
      new RegExp(`^${ada.email} of .+ can spend 1000000 kobo\\n$`),
    )
    const env = { COWRIE_FORGET: 'no' }
    const first = await printed('python3', [example('retry_safe_charge.py')], ada, env)
    expect(first).toMatch(/^agr_\w+ cost \d+, the balance is \d+\n$/)
    expect(await printed('python3', [example('retry_safe_charge.py')], ada, env)).toBe(first)
    const [head, ...rows] = (await printed('python3', [example('ledger_export.py')], ada))
      .trim()
      .split(/\r?\n/)
    expect(head).toBe('at,type,source,amountMinor,balanceAfterMinor')
    expect(rows.map((row) => row.split(',').slice(1, 3).join()).sort()).toEqual([
      'credit,topup',
      'debit,agent',
    ])
  })

  test('lets the agent change files of this machine', async () => {
    const folder = demo('python files')
    const out = await printed('python3', [example('task_on_local_files.py'), folder, PROMPT], await rich())
    expect(out).toMatch(/^task tsk_\w+\nIt costs at most \d+\.\n(?:\w+\n)+completed, cost \d+\n$/)
    expect(readFileSync(join(folder, 'kobo.js'), 'utf8')).toContain('function sum')
  })

  test('follows two tasks at once with asyncio', async () => {
    const out = await printed('python3', [example('two_tasks_at_once.py')], await rich())
    for (const name of ['Lagos', 'Nairobi'])
      expect(out).toMatch(new RegExp(`${name}: \\d+ so far\\n[\\s\\S]*${name}: completed\\n`))
  })

  test('builds a wheel without any download', async () => {
    const { code, out, faults } = await run(
      'python3',
      [
        '-c',
        'import build_backend; print(build_backend.build_wheel("..")); print(build_backend.build_sdist(".."))',
      ],
      {},
      join(place, 'python'),
    )
    expect({ code, faults }).toEqual({ code: 0, faults: '' })
    const [wheel = ''] = out.split('\n')
    const installed = await run(
      'python3',
      ['-c', 'import cowrie; print(cowrie.__version__, cowrie.__file__)'],
      { PYTHONPATH: join(place, wheel) },
    )
    expect(installed.out).toMatch(/^\d+\.\d+\.\d+ .*\.whl\/cowrie\/__init__\.py\n$/)
  })
})

describe.runIf(hasGo())('the Go client', () => {
  const go = { GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' }

  test('keeps its promises over bad networks', async () => {
    const { code, out, faults } = await run('go', ['test', '.'], go, join(ROOT, 'go'))
    expect(`${code} ${out}${faults}`).toMatch(/^0 ok\s/)
  })

  test('tells who you are, charges once and lets the agent change files of this machine', async () => {
    const ada = await rich()
    const built = await run('go', ['build', '-o', `${place}/bin/`, './examples/...'], go, join(ROOT, 'go'))
    expect(`${built.code} ${built.faults}`).toBe('0 ')
    const example = (name: string) => join(place, 'bin', name)
    expect(await printed(example('first_call'), [], ada)).toMatch(/ can spend 1000000 kobo\n$/)
    const folder = demo('go files')
    const env = { COWRIE_FORGET: 'no' }
    const first = await printed(example('retry_safe_charge'), [], ada, env, folder)
    expect(first).toMatch(/^agr_\w+ cost \d+, the balance is \d+\n$/)
    expect(await printed(example('retry_safe_charge'), [], ada, env, folder)).toBe(first)
    const out = await printed(example('local_files'), [folder, PROMPT], ada)
    expect(out).toMatch(/^It costs at most \d+\.\n(?:\w+\n)+completed, cost \d+\n$/)
    expect(readFileSync(join(folder, 'kobo.js'), 'utf8')).toContain('function sum')
  })
})
