// Runs a program and measures the CPU time of its whole process tree.
import { spawn } from 'node:child_process'

export type Program = {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

export type ProgramRun = {
  readonly code: number | null
  readonly output: string
  readonly cpuSeconds: number
}

/** The shell adds up the time of all descendants that were waited for, and reports it in the last line of its errors. */
export const TIMED = 'TIMEFORMAT="cpu %U %S"; time "$@" 2>&1'

export function runTimed({ command, cwd, env, timeoutMs }: Program): Promise<ProgramRun> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['-c', TIMED, 'bash', ...command], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), timeoutMs)
    let output = ''
    let timing = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      timing += text
    })
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, output, cpuSeconds: timeIn(timing) })
    })
  })
}

/** The seconds that the shell reported. */
export function timeIn(errors: string): number {
  const [, user = 'NaN', system = 'NaN'] = /cpu ([\d.]+) ([\d.]+)\s*$/.exec(errors) ?? []
  return Number(user) + Number(system)
}
