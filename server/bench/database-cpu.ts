// The CPU time that the database has used: the time of a request that its own process does not show.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { once } from '../src/kernel/once.ts'

const ticksPerSecond = once(() => Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })))

/** The main process, its running children and those that ended. Linux only; NaN elsewhere. */
export function databaseCpuMicros(pid: number): number {
  try {
    const [own = 0, ended = 0] = ticksOf(pid)
    let ticks = own + ended
    for (const child of readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' '))
      if (child !== '') ticks += ticksOf(Number(child))[0] ?? 0
    return (ticks / ticksPerSecond()) * 1e6
  } catch {
    return Number.NaN
  }
}

/** The ticks of a process, and of its children that ended. */
function ticksOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number)
  return [user + system, childUser + childSystem]
}
