// Runs a program that must not outlive this process. A small shell holds the other end of a pipe. When our end closes, even
// after kill -9, the shell ends the program with SIGINT, then SIGQUIT, then SIGKILL.
import { spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { present } from '../../../kernel/assert.ts'
import { type ServerUser, spawnAs } from './server-user.ts'

export type SupervisedProcess = {
  /** The pid of the program, not of the shell. Never settles when the program could not be started; see `exited`. */
  readonly pid: Promise<number>
  /** Describes how it ended. Never rejects. */
  readonly exited: Promise<string>
  /** The last few kilobytes it wrote to stderr. */
  tail(): string
  /** Closes our end of the pipe, so that the shell ends the program. */
  terminate(): void
}

const TAIL_CHARACTERS_MAX = 4_000

// The shell reaps the program and ends the watcher in one step, so the watcher never signals a reused pid. The loop ends when
// the program is gone; `kill -0` only checks that.
const GUARD = `
"$@" >/dev/null 3<&- &
pid=$!
echo $pid
exec >/dev/null
(
  read -r _ <&3
  for signal in INT 0 0 0 0 QUIT 0 0 0 0 KILL; do
    kill -$signal $pid || exit
    sleep 1
  done
) 2>/dev/null &
watcher=$!
wait $pid
status=$?
kill $watcher 2>/dev/null
exit $status
`

export function startSupervised(
  command: readonly string[],
  { user, cwd, onLine }: { user: ServerUser; cwd: string; onLine?: (line: string) => void },
): SupervisedProcess {
  const child = spawn('/bin/sh', ['-c', GUARD, 'sh', ...command], {
    ...spawnAs(user),
    cwd,
    // A minimal environment: ours has secrets, and PG… variables would change the configuration of the server.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    // In a separate session, Ctrl-C reaches only this process, which then stops the server gracefully.
    detached: true,
  })
  const exited = new Promise<string>((ended) => {
    child.once('error', (error) => ended(`could not be started (${error.message})`))
    child.once('exit', (code, signal) => ended(signal ? `ended by ${signal}` : wordsFor(code ?? 0)))
  })
  const stdout = present(child.stdout, 'stdout is a pipe') as Socket
  const stderr = present(child.stderr, 'stderr is a pipe') as Socket
  const lifeline = present(child.stdio[3], 'the lifeline is a pipe') as Socket

  const pid = new Promise<number>((found) => {
    stdout.setEncoding('utf8').once('data', (text: string) => found(Number.parseInt(text, 10)))
  })
  let tail = ''
  let unfinished = ''
  stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = (tail + text).slice(-TAIL_CHARACTERS_MAX)
    const lines = (unfinished + text).split('\n')
    unfinished = (lines.pop() ?? '').slice(-TAIL_CHARACTERS_MAX)
    if (onLine) for (const line of lines) onLine(line)
  })

  for (const stream of [stdout, stderr, lifeline]) {
    // The shell may end first. `exited` already reports that, so a broken pipe is ignored.
    stream.on('error', () => undefined)
    stream.unref()
  }
  child.unref()
  return { pid, exited, tail: () => tail.trim(), terminate: () => void lifeline.destroy() }
}

/** A shell reports a program ended by signal n as 128 + n. */
const wordsFor = (code: number): string =>
  code > 128 ? `ended by signal ${code - 128}` : `ended with code ${code}`
