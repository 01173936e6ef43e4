// Shows long diffs in a pager on a capable terminal.
import { spawn } from 'node:child_process'
import type { Context } from '../command.ts'
import { type Line, render } from '../terminal/line.ts'

/** Shows the lines in a pager if they do not fit on the screen; true when it did. */
export async function showInPager(
  { machine, env, out }: Pick<Context, 'machine' | 'env' | 'out'>,
  lines: readonly Line[],
): Promise<boolean> {
  const isInteractive =
    machine.isStdinTerminal && machine.isStdoutTerminal && !out.json && env.TERM !== 'dumb'
  if (!isInteractive || lines.length < (process.stdout.rows ?? Number.POSITIVE_INFINITY)) return false
  const [program, ...args] = (env.PAGER ?? 'less -R').split(/\s+/).filter((word) => word !== '')
  if (program === undefined || program === 'cat') return false
  const text = lines.map((line) => `${render(line, out.mode.color)}\n`).join('')
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      // Keep colours, exit at once if it fits on one screen, and leave the diff on the screen.
      env: { LESS: 'FRX', LESSSECURE: '1', ...env },
      stdio: ['pipe', 'inherit', 'inherit'],
    })
    child.on('error', () => resolve(false))
    child.on('close', () => resolve(true))
    // The user may quit before the end.
    child.stdin.on('error', () => undefined)
    child.stdin.end(text)
  })
}
