// The soak runs every command in the shell blocks of the README as an unprivileged user. It only replaces what a reader
// replaces: the port and earlier output (a reference, a key, the id of a run).
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type FakeWeb, startWeb } from '@cowrie/testkit/fakes/web-pages.ts'
import { soakTest } from '@cowrie/testkit/harness/soak-test.ts'
import { scaledTimeout } from '@cowrie/testkit/harness/timeouts.ts'
import { expect, test } from 'vitest'
import { screenOf } from '../cli/test/pty.ts'
import { copyCheckout, type StartedProgram, type UnprivilegedCheckout } from './unprivileged-checkout.ts'

const README = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')
const PATIENCE = { timeout: scaledTimeout(90_000), interval: 50 }

let checkout: UnprivilegedCheckout
let web: FakeWeb
let port: number
let service: StartedProgram | null = null

/** A command of the README with a check of its output and the answers to its prompts. */
type Step = {
  readonly begins: string
  readonly check?: (printed: string) => void
  readonly answer?: (terminal: Terminal) => Promise<void>
}
type Terminal = {
  until(shown: RegExp): Promise<RegExpExecArray>
  press(keys: string): void
}

/** Values that a reader copies from the output into a later command. */
const copied = { reference: '', key: '', run: '' }
const take = (name: keyof typeof copied, pattern: RegExp) => (printed: string) => {
  copied[name] = pattern.exec(printed)?.[1] ?? ''
  expect(copied[name], printed).not.toBe('')
}
const shows = (pattern: RegExp) => (printed: string) => expect(printed).toMatch(pattern)

const SIGNED_IN = /Signed in to .* as ada@example\.com/

async function approveSignIn({ until }: Terminal): Promise<void> {
  const [, code = ''] = await until(/\b([A-Z0-9]{4}-[A-Z0-9]{4})\b/)
  const jar = join(checkout.root, 'jar')
  const { printed } = await shell(`curl -s -b '${jar}' -X POST localhost:${port}/auth/device/${code}/approve`)
  expect(printed).toContain('"ok":true')
}

const STEPS: readonly Step[] = [
  { begins: 'npm start' },
  // This test is part of it.
  { begins: 'npm test' },
  { begins: 'SERVICE_DEV_AUTH=on npm start' },
  { begins: 'curl localhost:8080/health', check: shows(/^\{"ok":true\}/m) },
  { begins: 'curl -X POST localhost:8080/auth/dev-login', check: shows(/"ok":true/) },
  { begins: 'curl -b jar localhost:8080/me', check: shows(/"email":"ada@example.com".*"balanceMinor":0/) },
  { begins: 'curl -b jar -X POST localhost:8080/auth/keys', check: take('key', /"key":"(csk_[\w-]+)"/) },
  {
    begins: 'curl -b jar -X POST localhost:8080/wallet/topup',
    check: take('reference', /"reference":"(tp01\w+)"/),
  },
  {
    begins: 'curl -b jar -X POST localhost:8080/wallet/verify',
    check: shows(/"status":"settled".*"balanceMinor":500000/),
  },
  {
    begins: 'curl -b jar localhost:8080/wallet/ledger',
    check: shows(/"type":"credit","amountMinor":500000/),
  },
  { begins: 'curl -b jar localhost:8080/wallet/proof', check: shows(/"matches":true/) },
  {
    begins: 'curl -b jar -N -X POST localhost:8080/agent/run-loop',
    check: (printed) => {
      expect(printed).toContain('"note":"Before anything is changed.","tests":{"passed":0,"failed":1}')
      expect(printed).toContain('return a + b')
      expect(printed).toMatch(/"verified":true,"iterations":1,.*"stopReason":"verified".*"evidence":"tests"/)
    },
  },
  { begins: 'export OPENAI_BASE_URL' },
  { begins: 'curl $OPENAI_BASE_URL/chat/completions', check: shows(/84[\s\S]*data: \[DONE\]/) },
  { begins: 'npm run pack && npm install -g', check: shows(/cowrie-cli-[\d.]+\.tgz[\s\S]*added 1 package/) },
  { begins: 'export PATH=' },
  { begins: 'mkdir -p ~/cowrie-demo/src' },
  { begins: 'cd ~/cowrie-demo' },
  { begins: 'printf ' },
  { begins: 'git init -q' },
  { begins: 'cowrie auth login', check: shows(SIGNED_IN), answer: approveSignIn },
  {
    begins: 'cowrie topup 2000',
    check: shows(/₦2,000\.00/),
    async answer({ until, press }) {
      await until(/\[y\/N\]/)
      press('y\r')
      const [page] = await until(/http:\/\/127\.0\.0\.1:\d+\/pay\/mock\/\w+/)
      const paid = await fetch(page, {
        method: 'POST',
        body: new URLSearchParams({ decision: 'approved' }),
        redirect: 'manual',
      })
      expect(paid.status).toBe(302)
    },
  },
  {
    begins: 'cowrie run "Add a function multiply to src/kobo.js."',
    async answer({ until, press }) {
      await until(/Run it for at most .*\[y\/N\]/)
      press('y\r')
      await until(/\+.*export function multiply/)
      await until(/Apply\?/)
      press('y\r')
    },
    check() {
      expect(demoFile()).toContain('export function multiply(a, b)')
    },
  },
  {
    begins: 'cowrie undo',
    check() {
      expect(demoFile()).toBe('export function add(a, b) {\n  return a + b\n}\n')
    },
  },
  { begins: 'cowrie auth login --scopes', check: shows(SIGNED_IN), answer: approveSignIn },
  {
    begins: 'cowrie setup claude-code --budget 5000',
    check: shows(/claude/),
    async answer({ until, press }) {
      await until(/\[y\/N\]/)
      press('y\r')
    },
  },
  { begins: 'cowrie logs' },
  { begins: 'curl localhost:8080/repo/index', check: shows(/"indexed":1/) },
  { begins: 'curl localhost:8080/repo/search', check: shows(/"path":"src\/kobo\.js"/) },
  { begins: 'curl localhost:8080/review/scan', check: shows(/"ruleId":"JS-CMD-01"/) },
  { begins: 'SERVICE_SEARCH_URL=http://localhost:8888 npm start' },
  { begins: 'curl localhost:8080/research ', check: take('run', /"(run_\w+)"/) },
  { begins: 'curl -N localhost:8080/research/run_…/stream', check: shows(/"status":"completed"/) },
  { begins: 'curl localhost:8080/research/run_…', check: shows(/"status":"completed"/) },
]

test('the README has the commands that the soak runs', () => {
  expect(commandsOf(README).map((command, i) => command.slice(0, STEPS[i]?.begins.length))).toEqual(
    STEPS.map(({ begins }) => begins),
  )
})

soakTest(
  'every command of the README does what the README says',
  {
    timeout: scaledTimeout(300_000),
  },
  async ({ onTestFinished: later }) => {
    checkout = copyCheckout()
    later(() => checkout.remove())
    web = await startWeb()
    later(() => web.close())
    port = await freePort()
    later(stopService)
    for (const [i, command] of commandsOf(README).entries()) await walk(command, STEPS[i] ?? { begins: '' })
  },
)

test('files that the README creates are ignored by git', () => {
  const ignored = readFileSync(join(import.meta.dirname, '..', '.gitignore'), 'utf8').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['jar', 'dist/', '.data/', 'node_modules/']))
})

/** Commands that change the shell. They are repeated before each following command. */
const before: string[] = []

async function walk(command: string, { check, answer }: Step): Promise<void> {
  if (command === 'npm test') return
  const line = replaced(command)
  if (/^(\w+=\S+ )*npm start$/.test(line)) return startService(line)
  if (/^(cd|export) /.test(line)) return void before.push(line)
  const { code, printed } = await shell(line, answer)
  expect(code, `${line}\n${printed}`).toBe(0)
  check?.(printed)
}

const replaced = (command: string): string =>
  command
    .replaceAll(/(localhost|127\.0\.0\.1):8080/g, `$1:${port}`)
    .replaceAll('http://localhost:8888', web.variables.SERVICE_SEARCH_URL ?? '')
    .replaceAll('tp01…', copied.reference)
    .replaceAll('csk_…', copied.key)
    .replaceAll('run_…', copied.run)

/** Uses a terminal for commands with prompts. */
async function shell(
  line: string,
  answer?: Step['answer'],
): Promise<{ code: number | null; printed: string }> {
  const script = [...before, line].join('\n')
  const env = { COWRIE_URL: `http://127.0.0.1:${port}`, GIT_PAGER: 'cat', PAGER: 'cat' }
  const { child, printed, ended } = checkout.start(
    answer ? 'script' : 'sh',
    answer ? ['-qefc', script, '/dev/null'] : ['-c', script],
    { env },
  )
  const screen = () => screenOf(printed())
  if (!answer) child.stdin.end()
  await answer?.({
    press: (keys) => void child.stdin.write(keys),
    async until(shown) {
      await expect.poll(screen, PATIENCE).toMatch(shown)
      return shown.exec(screen()) as RegExpExecArray
    },
  })
  return { code: await ended, printed: screen() }
}

async function startService(line: string): Promise<void> {
  await stopService()
  const env = {
    PORT: String(port),
    SERVICE_DATA_DIR: join(checkout.home, 'data'),
    // The pages of the fake search are on this machine.
    SERVICE_FETCH_ALLOW: web.variables.SERVICE_FETCH_ALLOW ?? '',
  }
  const started = checkout.start('sh', ['-c', `exec env ${line}`], { env })
  service = started
  await expect.poll(started.printed, PATIENCE).toContain(`http://127.0.0.1:${port}`)
}

async function stopService(): Promise<void> {
  service?.child.kill('SIGTERM')
  await service?.ended
  service = null
}

const demoFile = (): string => readFileSync(join(checkout.home, 'cowrie-demo', 'src', 'kobo.js'), 'utf8')

/** The commands of all shell blocks, without comments. A command may have several lines. */
function commandsOf(text: string): string[] {
  return [...text.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = '']) => {
    const commands: string[] = []
    let open = ''
    for (const line of block.split('\n')) {
      const bare = line.replace(/\s+# .*$/, '')
      open = open === '' ? bare : `${open}\n${bare}`
      if (open.endsWith('\\') || open.split("'").length % 2 === 0) continue
      if (open.trim() !== '') commands.push(open)
      open = ''
    }
    return commands
  })
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
