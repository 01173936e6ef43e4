// `!command`: runs a command as the user typed it, and offers its output to the model.
import { spawn } from 'node:child_process'
import { dim, green, type Line, red, verbatim } from '../terminal/line.ts'
import { maskKnownFormats } from '../tools/commands/mask-known-formats.ts'
import type { TerminalSession } from './terminal-session.ts'
import { sizeText } from './units.ts'

const OUTPUT_CHARACTERS_MAX = 200_000
const SHOWN_LINES_MAX = 200
const TAIL_LINES = 5

export async function runByUser(terminal: TerminalSession, command: string): Promise<void> {
  const { screen } = terminal
  if (command === '') {
    screen.print(['Write the command after "!", such as "!npm test".'])
    return
  }
  const { output, code } = await screen.during((signal) => start(terminal, command, signal))
  screen.setTail([])
  screen.setActivity(null)
  const lines = output.replace(/\n$/, '').split('\n')
  const cut = lines.length - SHOWN_LINES_MAX
  screen.print([
    ...(cut > 0 ? [[dim(`… ${cut} earlier lines`)]] : []),
    ...(output === '' ? [] : lines.slice(-SHOWN_LINES_MAX).map((line): Line => [verbatim(line)])),
    code === 0
      ? [green('✓ '), command]
      : [red('✗ '), `${command} (${code === null ? 'stopped' : `exit ${code}`})`],
  ])
  if (output.trim() === '') return
  const isWanted = await screen.choose({
    title: `Give this output (${sizeText(Buffer.byteLength(output))}) to the agent with your next message?`,
    choices: [
      { key: 'y', label: 'yes', value: true },
      { key: 'n', label: 'no', value: false },
    ],
    usual: false,
  })
  if (isWanted !== true) return
  terminal.facts.push(
    `[The user ran "${command}", which ended with ${code === null ? 'a signal' : `exit code ${code}`}. Its output is attached.]`,
  )
  terminal.attachments.push({ name: 'output.txt', content: maskKnownFormats(output) })
}

function start(
  { work, context, screen }: TerminalSession,
  command: string,
  signal: AbortSignal,
): Promise<{ output: string; code: number | null }> {
  screen.setActivity(command)
  const isWindows = process.platform === 'win32'
  return new Promise((resolve) => {
    const child = spawn(command, {
      cwd: work.root,
      env: { ...context.env },
      shell: isWindows ? true : (context.env.SHELL ?? '/bin/sh'),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A separate group, so that Esc also ends processes that the command started.
      detached: !isWindows,
    })
    let output = ''
    const take = (text: string) => {
      output = (output + text).slice(-OUTPUT_CHARACTERS_MAX)
      screen.setTail(
        output
          .split('\n')
          .filter((line) => line.trim() !== '')
          .slice(-TAIL_LINES),
      )
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    const kill = () => {
      try {
        if (isWindows || child.pid === undefined) child.kill()
        else process.kill(-child.pid, 'SIGTERM')
      } catch {
        // It has ended.
      }
    }
    signal.addEventListener('abort', kill, { once: true })
    child.on('error', (error) => resolve({ output: error.message, code: null }))
    child.on('close', (code) => {
      signal.removeEventListener('abort', kill)
      resolve({ output: output.replaceAll('\r\n', '\n'), code })
    })
  })
}
