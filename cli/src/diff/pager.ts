// Long diffs are leafed through, where somebody sits at a terminal that can.
import { spawn } from 'node:child_process'
import type { Context } from '../command.ts'
import { type Line, render } from '../terminal/line.ts'

/** Lines on the screen with a pager when they are too many for it; true when the pager has shown them. */
export async function page(
  { machine, env, out }: Pick<Context, 'machine' | 'env' | 'out'>,
  lines: readonly Line[],
): Promise<boolean> {
  const isWatched = machine.isTyped && machine.isShown && !out.json && env.TERM !== 'dumb'
  if (!isWatched || lines.length < (process.stdout.rows ?? Number.POSITIVE_INFINITY)) return false
  const [program, ...args] = (env.PAGER ?? 'less -R').split(/\s+/).filter((word) => word !== '')
  if (program === undefined || program === 'cat') return false
  const text = lines.map((line) => `${render(line, out.manner.color)}\n`).join('')
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      // Colours are shown, what fits on one screen does not wait for a key, and the diff stays on the screen.
      env: { LESS: 'FRX', LESSSECURE: '1', ...env },
      stdio: ['pipe', 'inherit', 'inherit'],
    })
    child.on('error', () => resolve(false))
    child.on('close', () => resolve(true))
    // Somebody who has seen enough leaves before the end.
    child.stdin.on('error', () => undefined)
    child.stdin.end(text)
  })
}
