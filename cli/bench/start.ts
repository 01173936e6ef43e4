// `npm run bench:cli [node …]`: the start of the packed command with each Node.js, compared with an empty program in the same run. On a
// busy computer only the processor time says something. It is read where the system has /proc.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buildCli } from '../../scripts/packages/pack.mjs'

const ROUNDS = 21
const AIM_MS = 100
/** Of /proc. */
const TICK_MS = 10
const PROMPT = 'until the prompt'
/** The end of the status below the prompt, which is drawn with it. */
const LAST_ROW = 'ask · /help'

const nodes =
  process.argv.length > 2 ? process.argv.slice(2).map((node) => resolve(node)) : [process.execPath]
const stage = mkdtempSync(join(tmpdir(), 'cowrie-start-'))
try {
  await buildCli(stage)
  const command = join(stage, 'bin', 'cowrie.cjs')
  const kinds: Record<string, string[]> = {
    'node -e 0': ['-e', '0'],
    'cowrie --version': [command, '--version'],
    'cowrie --help': [command, '--help'],
    [PROMPT]: [command],
  }
  mkdirSync(join(stage, 'work', '.git'), { recursive: true })
  for (const node of nodes) {
    const starts = new Map(Object.keys(kinds).map((name) => [name, [] as Start[]]))
    // Alternate the commands, so that other load affects all of them. The first round fills the cache and is not counted.
    for (let round = 0; round <= ROUNDS; round++)
      for (const [name, args] of Object.entries(kinds)) {
        const start = name === PROMPT ? await startToPrompt(node, args) : startOf(node, args)
        if (round > 0) starts.get(name)?.push(start)
      }
    report(node, starts)
  }
} finally {
  rmSync(stage, { recursive: true, force: true })
}

/** From the start until the end or the prompt. `cpuMs` is NaN where the system does not tell it. */
type Start = { readonly ms: number; readonly cpuMs: number }

function report(node: string, starts: ReadonlyMap<string, readonly Start[]>): void {
  const bareMs = median(starts.get('node -e 0') ?? [], ({ ms }) => ms)
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
  process.stdout.write(`Node.js ${version}, ${ROUNDS} starts, median\n`)
  for (const [name, measured] of starts) {
    const ms = median(measured, (start) => start.ms)
    // Ticks of the clock are long, so the mean.
    const cpuMs = measured.reduce((sum, start) => sum + start.cpuMs, 0) / measured.length
    const cpu = Number.isNaN(cpuMs) ? '' : `  processor ${cpuMs.toFixed(0).padStart(3)} ms`
    process.stdout.write(
      `${name.padEnd(20)} ${ms.toFixed(0).padStart(4)} ms  ${(ms / bareMs).toFixed(2)} × node -e 0${cpu}${ms > AIM_MS ? `, over ${AIM_MS} ms` : ''}\n`,
    )
  }
}

function startOf(node: string, args: readonly string[]): Start {
  const cpuBeforeMs = endedChildrenMs()
  const from = performance.now()
  const { status, stderr, error } = spawnSync(node, args, {
    env: { HOME: stage, PATH: process.env.PATH },
    encoding: 'utf8',
  })
  if (status !== 0) throw error ?? new Error(`${args.join(' ')} exited with ${status}: ${stderr}`)
  return { ms: performance.now() - from, cpuMs: endedChildrenMs() - cpuBeforeMs }
}

/** The processor time of all children of this process that have ended. */
function endedChildrenMs(): number {
  if (!existsSync('/proc/self/stat')) return Number.NaN
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[13]) + Number(fields[14])) * TICK_MS
}

/** The processor time of the only child of a process, with all threads. */
function childMs(parent: number | undefined): number {
  const children = `/proc/${parent}/task/${parent}/children`
  if (!existsSync(children)) return Number.NaN
  const threads = `/proc/${readFileSync(children, 'utf8').trim()}/task`
  const nanoseconds = readdirSync(threads).map((thread) =>
    Number(readFileSync(join(threads, thread, 'schedstat'), 'utf8').split(' ')[0]),
  )
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6
}

/** In a terminal, until a session takes a message. */
function startToPrompt(node: string, args: readonly string[]): Promise<Start> {
  const line = [node, ...args].map((word) => `'${word}'`).join(' ')
  const from = performance.now()
  const child = spawn('script', ['-qefc', `exec ${line}`, '/dev/null'], {
    cwd: join(stage, 'work'),
    env: {
      HOME: stage,
      PATH: process.env.PATH,
      TERM: 'xterm',
      COWRIE_API_KEY: 'csk_bench',
      COWRIE_URL: 'http://127.0.0.1:9',
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let shown = ''
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    let start: Start | null = null
    child.on('close', () => (start === null ? reject(new Error(`no prompt: ${shown}`)) : resolve(start)))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      if (start !== null || !shown.includes(LAST_ROW)) return
      start = { ms: performance.now() - from, cpuMs: childMs(child.pid) }
      child.stdin.end('\x04')
    })
  })
}

function median(starts: readonly Start[], measure: (start: Start) => number): number {
  return starts.map(measure).toSorted((a, b) => a - b)[Math.floor(starts.length / 2)] ?? Number.NaN
}
