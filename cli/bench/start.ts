// `npm run bench:cli`: the start time of the packed command, compared with an empty Node.js program in the same run.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCli } from '../../scripts/packages/pack.mjs'

const ROUNDS = 21
const AIM_MS = 100
const PROMPT = 'until the prompt'

const stage = mkdtempSync(join(tmpdir(), 'cowrie-start-'))
try {
  await buildCli(stage)
  const command = join(stage, 'bin', 'cowrie.mjs')
  const kinds: Record<string, string[]> = {
    'node -e 0': ['-e', '0'],
    'cowrie --version': [command, '--version'],
    'cowrie --help': [command, '--help'],
    [PROMPT]: [command],
  }
  mkdirSync(join(stage, 'work', '.git'), { recursive: true })
  const times = new Map(Object.keys(kinds).map((name) => [name, [] as number[]]))
  // Alternate the commands, so that other load affects all of them. The first round fills the cache and is not counted.
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, args] of Object.entries(kinds)) {
      const ms = name === PROMPT ? await timeToPrompt(args) : timeOf(args)
      if (round > 0) times.get(name)?.push(ms)
    }
  const bareMs = median(times.get('node -e 0') ?? [])
  process.stdout.write(`Node.js ${process.version}, median of ${ROUNDS}\n`)
  for (const [name, measured] of times) {
    const ms = median(measured)
    process.stdout.write(
      `${name.padEnd(20)} ${ms.toFixed(0).padStart(4)} ms  ${(ms / bareMs).toFixed(2)} × node -e 0${ms > AIM_MS ? `, over ${AIM_MS} ms` : ''}\n`,
    )
  }
} finally {
  rmSync(stage, { recursive: true, force: true })
}

function timeOf(args: readonly string[]): number {
  const from = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: { HOME: stage, PATH: process.env.PATH },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}: ${stderr}`)
  return performance.now() - from
}

/** In a terminal, until a session takes a message. */
function timeToPrompt(args: readonly string[]): Promise<number> {
  const line = [process.execPath, ...args].map((word) => `'${word}'`).join(' ')
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
    let ms: number | null = null
    child.on('close', () => (ms === null ? reject(new Error(`no prompt: ${shown}`)) : resolve(ms)))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text
      if (ms !== null || !shown.includes('/help shows')) return
      ms = performance.now() - from
      child.stdin.end('\x04')
    })
  })
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
