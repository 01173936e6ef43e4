// Runs every example as a process on the oldest supported Node.js, with the packed SDK, against the real service.
// `npm test` runs a first call, a charge and a webhook; the soak runs all of them.
import { type ChildProcess, spawn } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addEndpoint, sendDue } from '@cowrie/testkit/fakes/webhook-receiver.ts'
import { type Person, startTestServer, type TestServer } from '@cowrie/testkit/harness/harness.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { addFindings, begin, complete } from '@cowrie/testkit/research/runs.ts'
import { giveCredit } from '@cowrie/testkit/wallet/money.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildSdk } from '../../scripts/packages/pack.mjs'
import { supportedNodes } from '../../scripts/packages/supported-nodes.ts'
import { ManualClock } from '../../server/src/kernel/clock.ts'
import type { ResearchRunId } from '../../server/src/research/types.ts'

const ROOT = join(import.meta.dirname, '../..')
const EXAMPLES = readdirSync(join(ROOT, 'sdk/examples'))
const PATIENT = { timeout: 60_000 }

let place: string
let oldestNode: string
let server: TestServer
let url: string
const tried = new Set<string>()
const children = new Set<ChildProcess>()
beforeAll(async () => {
  ;[oldestNode = process.execPath] = await supportedNodes()
  place = mkdtempSync(join(tmpdir(), 'cowrie-examples-'))
  const modules = join(place, 'node_modules')
  mkdirSync(join(modules, '@cowrie', 'sdk'), { recursive: true })
  await buildSdk(join(modules, '@cowrie', 'sdk'))
  symlinkSync(join(ROOT, 'node_modules/openai'), join(modules, 'openai'))
  cpSync(join(ROOT, 'sdk/examples'), place, { recursive: true })
  // The example processes use the system time, so the service does too.
  server = await startTestServer({
    clock: new ManualClock(new Date()),
    variables: { SERVICE_SEARCH_URL: 'http://127.0.0.1:9/search' },
  })
  url = await server.listen()
})
afterAll(async () => {
  for (const child of children) child.kill()
  await server?.close()
  rmSync(place, { recursive: true, force: true })
})

async function rich(): Promise<Person> {
  const person = await server.person({ type: 'team' })
  await giveCredit(server, person.orgId, 1_000_000n)
  return person
}

/** Starts an example with the credentials of a user. */
function start(name: string, { bearer }: Person, env: Record<string, string> = {}, args: string[] = []) {
  tried.add(name)
  const child = spawn(oldestNode, [join(place, name), ...args], {
    cwd: place,
    env: { PATH: process.env.PATH, COWRIE_URL: url, COWRIE_API_KEY: bearer, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.add(child)
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.err += text))
  const ended = new Promise<string>((resolve) => {
    child.on('close', (code) => {
      children.delete(child)
      resolve(code === 0 ? said.out : `ended with ${code}\n${said.out}${said.err}`)
    })
  })
  return { child, said, ended }
}

const run = (name: string, person: Person, env?: Record<string, string>): Promise<string> =>
  start(name, person, env).ended

/** Runs the jobs of the service until the program has ended. */
async function workedOn(ended: Promise<string>): Promise<string> {
  let printed: string | undefined
  void ended.then((text) => {
    printed = text
  })
  await expect.poll(() => server.app.jobs.drain().then(() => printed), PATIENT).toBeDefined()
  return ended
}

describe('the example', () => {
  test('first-call prints the user', async () => {
    const ada = await rich()
    expect(await run('first-call.mjs', ada)).toMatch(
      new RegExp(`^${ada.email} of .+ can spend 1000000 kobo\\n$`),
    )
  })

  soakTest('quote-then-run stays within its quote', async () => {
    expect(await run('quote-then-run.mjs', await rich())).toMatch(
      /^It costs at most \d+; there is enough\.\ncreate src\/amounts\.ts\nIt cost \d+, not more than \d+: true\n$/,
    )
  })

  soakTest('quote-then-run reports insufficient funds', async () => {
    expect(await run('quote-then-run.mjs', await server.person())).toMatch(/top up first\.\nNot enough: /)
  })

  soakTest('loop-with-live-steps prints steps and the result', async () => {
    expect(await run('loop-with-live-steps.mjs', await rich())).toMatch(
      /step edit: ok, \d+ so far\n(?:.*\n)*end: \w+, 1 file, cost \d+\n$/,
    )
  })

  soakTest('chat-stream prints the answer and its cost', async () => {
    expect(await run('chat-stream.mjs', await rich())).toMatch(/84(?:.*\n)*— stop, cost \d+, balance \d+\n$/)
  })

  soakTest('research-with-resume follows a run to its end and resumes an interrupted one', async () => {
    const ada = await rich()
    const { said, ended } = start('research-with-resume.mjs', ada)
    await expect.poll(() => said.out + said.err, PATIENT).toMatch(/^run \S+\n/)
    const id = said.out.slice(4, said.out.indexOf('\n')) as ResearchRunId
    await begin(server, ada, id)
    await addFindings(server, ada, id)
    await expect.poll(() => said.out + said.err, PATIENT).toContain('It takes patience. [1]')
    await complete(server, ada, id)
    const whole = await ended
    expect(whole).toMatch(/\n\d+ completed, spent 0\n$/)

    const lines = whole.trim().split('\n')
    const after = Number.parseInt(lines.at(-2) ?? '', 10)
    expect(await run('research-with-resume.mjs', ada, { COWRIE_RUN: id, COWRIE_AFTER: String(after) })).toBe(
      `run ${id}\n${lines.at(-1)}\n`,
    )
  })

  soakTest('top-up-and-wait ends when the wallet is credited', async () => {
    const ada = await server.person()
    const { said, ended } = start('top-up-and-wait.mjs', ada)
    await expect.poll(() => said.out + said.err, PATIENT).toContain('Dial *')
    const { reference } = await server.sql.one<{ reference: string }>`
      select reference from payments where org_id = ${ada.orgId}`
    await server.call('POST', `/pay/mock/${reference}`, {
      raw: 'decision=pay',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect(await ended).toMatch(/\nsettled: 500000 came, the balance is 500000\n$/)
  })

  soakTest('ledger-export prints every entry of several pages', async () => {
    const ada = await rich()
    for (let more = 0; more < 4; more++) await giveCredit(server, ada.orgId, 100n)
    const [head, ...rows] = (await run('ledger-export.mjs', ada)).trim().split('\n')
    expect(head).toBe('at,type,source,amountMinor,balanceAfterMinor')
    expect(rows.map((row) => row.split(',').slice(1, 4).join()).sort()).toEqual([
      ...Array(4).fill('credit,topup,100'),
      'credit,topup,1000000',
    ])
  })

  test('retry-safe-charge is charged once, however often it is started', async () => {
    const ada = await rich()
    const env = { COWRIE_NOTE: 'once.key', COWRIE_FORGET: 'no' }
    const first = await run('retry-safe-charge.mjs', ada, env)
    expect(first).toMatch(/^agr_\w+ cost \d+, the balance is \d+\n$/)
    expect(await run('retry-safe-charge.mjs', ada, env)).toBe(first)
  })

  soakTest('openai-client prints the answer and its usage', async () => {
    expect(await run('openai-client.mjs', await rich())).toMatch(/84(?:.*\n)*— \d+ tokens\n$/)
  })

  soakTest('task-on-local-files edits files of a folder, and follow-task follows two turns', async () => {
    const ada = await rich()
    const file = join(place, 'demo', 'kobo.js')
    mkdirSync(join(place, 'demo'))
    writeFileSync(file, 'export function add(a, b) {\n  return a + b\n}\n')
    const prompt = 'Rename the function add to sum in kobo.js.'
    const local = start('task-on-local-files.mjs', ada, {}, [join(place, 'demo'), prompt])
    expect(await workedOn(local.ended)).toMatch(/\n\d+ update kobo\.js \+3 -3\ncompleted, cost \d+\n/)
    expect(readFileSync(file, 'utf8')).toContain('function sum')
    const whole = await workedOn(start('follow-task.mjs', ada).ended)
    expect(whole).toMatch(/\n(\d+ \w+ kobo\.js\n)+.*\n[\s\S]*completed, cost \d+\nexport function total/)
  })

  test('webhook-receiver accepts a signed event once and refuses others', async () => {
    const ada = await rich()
    const { id, secret } = await addEndpoint(server, ada, 'http://127.0.0.1:9/')
    const { child, said } = start('webhook-receiver.mjs', ada, { PORT: '0', COWRIE_WEBHOOK_SECRET: secret })
    await expect.poll(() => said.out + said.err, PATIENT).toMatch(/^listening on \d+\n/)
    const address = `http://127.0.0.1:${said.out.slice(13).trim()}/`
    expect((await fetch(address, { method: 'POST', body: '{}' })).status).toBe(400)

    const moved = await server.call('PATCH', `/webhook-endpoints/${id}`, { as: ada, body: { url: address } })
    const pinged = await server.call('POST', `/webhook-endpoints/${id}/test`, { as: ada, body: {} })
    expect([moved.status, pinged.status]).toEqual([200, 202])
    // The receiver uses the system time and refuses old timestamps.
    server.clock.advance({ ms: Date.now() - server.clock.now().getTime() })
    await sendDue(server)
    await expect.poll(() => said.out + said.err, PATIENT).toMatch(/^listening on \d+\nping\n$/)
    child.kill()
  })
})

soakTest('every example is tested', () => {
  expect([...tried].sort()).toEqual(EXAMPLES.sort())
})

test('the SDK page lists every example', () => {
  const page = readFileSync(join(ROOT, 'sdk/README.md'), 'utf8')
  for (const name of EXAMPLES) expect(page).toContain(`examples/${name}`)
})
