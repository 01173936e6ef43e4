// Runs the session with one client, checks its work and measures it.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { applyScript } from '@cowrie/testkit/tasks/apply-script.ts'
import type { SessionClient } from './clients.ts'
import { createModel, promptOf } from './model.ts'
import { runTimed } from './process.ts'
import { HIDDEN_TEST, projectFiles } from './project.ts'
import { openTerminalRun } from './terminal.ts'
import type { Turn } from './turn.ts'
import { openWire, type Traffic } from './wire.ts'
import type { SessionWorld } from './world.ts'

export type Measurement = {
  readonly name: string
  readonly traffic: Traffic
  readonly cpuSeconds: number
  readonly wallSeconds: number
  /** Requests to the model, and those of them that belong to no turn. */
  readonly modelCalls: number
  readonly otherCalls: number
}

export type Setting = {
  readonly world: SessionWorld
  readonly turns: readonly Turn[]
  readonly key: string
  /** The packed command. */
  readonly cowrie: string
  /** An empty folder. */
  readonly stage: string
}

const TURN_MS = 180_000
/** Other addresses than ours are refused at once: telemetry, updates, catalogues of models. */
const OFFLINE = {
  ...Object.fromEntries(
    ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'].map((name) => [name, 'http://127.0.0.1:9']),
  ),
  NO_PROXY: '127.0.0.1,localhost',
  no_proxy: '127.0.0.1,localhost',
}

export async function measureClient(client: SessionClient, setting: Setting): Promise<Measurement> {
  const { world, turns, key, cowrie, stage } = setting
  const program = await client.install(cowrie)
  const [home, root] = ['home', 'project'].map((name) => join(stage, name)) as [string, string]
  mkdirSync(home)
  const before = projectFiles()
  writeProject(root, before)
  const wire = await openWire(world.port)
  try {
    const env = {
      PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
      HOME: home,
      TERM: 'dumb',
      LANG: 'C.UTF-8',
      ...OFFLINE,
      ...client.variables,
      ...(client.recipe === null && { COWRIE_URL: wire.url, COWRIE_API_KEY: key }),
    }
    if (client.recipe) await configure(client.recipe, { cowrie, url: wire.url, key, cwd: root, env })
    const model = createModel(turns, root)
    world.model.reset()
    world.model.fallback(model.reply)
    const atStart = wire.traffic()
    const startedMs = performance.now()
    const runTurns = client.isTerminal ? inOneTerminal : inManyProcesses
    const cpuSeconds = await runTurns(client, { program, turns, cwd: root, env }, (index, output) => {
      const steps = stepsOf(turns.slice(0, index + 1))
      requireFiles(client.name, index, root, applyScript(before, steps), output)
    })
    const wallSeconds = (performance.now() - startedMs) / 1_000
    if (turns.length === 30) requireHiddenTest(client.name, root, env)
    return {
      name: client.name,
      traffic: minus(wire.traffic(), atStart),
      cpuSeconds,
      wallSeconds,
      modelCalls: world.model.requests.filter(({ path }) => path === '/chat/completions').length,
      otherCalls: model.others,
    }
  } finally {
    await wire.close()
  }
}

type Turns = {
  readonly program: string
  readonly turns: readonly Turn[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}
/** Called after each turn. */
type AfterTurn = (index: number, output: string) => void

/** Returns the CPU time of all processes. */
async function inManyProcesses(
  client: SessionClient,
  { program, turns, cwd, env }: Turns,
  check: AfterTurn,
): Promise<number> {
  let cpuSeconds = 0
  for (const [index, turn] of turns.entries()) {
    const command = client.command({ prompt: promptOf(turn, index), isFirst: index === 0, program })
    const run = await runTimed({ command, cwd, env, timeoutMs: TURN_MS })
    if (run.code !== 0)
      throw new Error(`${client.name} ended turn ${index + 1} with ${run.code}:\n${run.output.slice(-6_000)}`)
    cpuSeconds += run.cpuSeconds
    check(index, run.output)
  }
  return cpuSeconds
}

async function inOneTerminal(
  client: SessionClient,
  { program, turns, cwd, env }: Turns,
  check: AfterTurn,
): Promise<number> {
  const command = client.command({ prompt: '', isFirst: true, program })
  const terminal = openTerminalRun(command, { cwd, env, timeoutMs: TURN_MS })
  for (const [index, turn] of turns.entries()) {
    await terminal.turn(promptOf(turn, index))
    check(index, terminal.output())
  }
  return terminal.end()
}

const stepsOf = (turns: readonly Turn[]) =>
  turns.flatMap(({ answers }) => answers.map(([, ...calls]) => calls))

const minus = (now: Traffic, before: Traffic): Traffic => ({
  up: now.up - before.up,
  down: now.down - before.down,
  connections: now.connections - before.connections,
})

function writeProject(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd: root,
      stdio: 'ignore',
    })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('commit', '-q', '-m', 'Begin')
}

/** As a customer does it, with `cowrie setup`. */
async function configure(
  recipe: string,
  customer: { cowrie: string; url: string; key: string; cwd: string; env: Record<string, string> },
): Promise<void> {
  const { cowrie, url, key, cwd, env } = customer
  const { code, output } = await runTimed({
    command: [process.execPath, cowrie, 'setup', recipe, '--model', 'open', '--yes'],
    cwd,
    env: { ...env, COWRIE_URL: url, COWRIE_API_KEY: key },
    timeoutMs: TURN_MS,
  })
  if (code !== 0) throw new Error(`cowrie setup ${recipe} ended with ${code}: ${output}`)
}

/** The files of every client are the same after each turn. */
function requireFiles(
  name: string,
  index: number,
  root: string,
  expected: ReadonlyMap<string, string>,
  output: string,
): void {
  const found = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).includes('/.git/'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  const wrong = [...new Set([...found, ...expected.keys()])].filter(
    (path) => !found.includes(path) || readFileSync(join(root, path), 'utf8') !== expected.get(path),
  )
  if (wrong.length > 0)
    throw new Error(
      `${name} left other files after turn ${index + 1}: ${wrong.join(', ')}\n${output.slice(-6_000)}`,
    )
}

function requireHiddenTest(name: string, root: string, env: Record<string, string>): void {
  const path = join(root, 'test', 'hidden.test.js')
  writeFileSync(path, HIDDEN_TEST)
  const { status, stdout } = spawnSync(process.execPath, ['--test', path], {
    cwd: root,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`the hidden test fails after the session of ${name}:\n${stdout}`)
}

export function tableOf(measured: readonly Measurement[], turns: readonly Turn[]): string {
  const ours = measured.find(({ name }) => name.startsWith('cowrie'))
  const total = ({ traffic }: Measurement) => traffic.up + traffic.down
  const times = (value: number, own: number | undefined) => (own ? `${(value / own).toFixed(1)} ×` : '')
  const header = ['', 'up', 'down', 'together', '', 'connections', 'model calls', 'CPU s', '', 'wall s']
  const rows = measured.map((each) => [
    each.name,
    kilobytes(each.traffic.up),
    kilobytes(each.traffic.down),
    kilobytes(total(each)),
    times(total(each), ours && total(ours)),
    String(each.traffic.connections),
    `${each.modelCalls}${each.otherCalls > 0 ? ` (${each.otherCalls} for titles)` : ''}`,
    each.cpuSeconds.toFixed(1),
    times(each.cpuSeconds, ours?.cpuSeconds),
    each.wallSeconds.toFixed(0),
  ])
  const widths = header.map((_, i) => Math.max(...[header, ...rows].map((row) => row[i]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')
  return [`${turns.length} turns`, line(header), ...rows.map(line)].join('\n')
}

const kilobytes = (bytes: number): string =>
  `${(bytes / 1_000).toLocaleString('en', { maximumFractionDigits: 0 })} kB`
