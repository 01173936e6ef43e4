// Commands that run in the background until they end, are stopped, or the session ends.
import { toPlainOutput } from '@cowrie/workspace/text/plain-text.ts'
import { cutMiddle } from './bounded-output.ts'
import { type ProcessResult, type RunningProcess, startProcess } from './run-process.ts'
import type { Sandbox } from './sandbox/sandbox.ts'

export type BackgroundCommand = { readonly id: string; readonly command: string; readonly state: string }

export type Background = {
  /** The text for the model. */
  start(command: string, isOnline: boolean, onOutput?: (text: string) => void): Promise<BackgroundReply>
  output(id: string): Promise<BackgroundReply>
  stop(id: string): Promise<BackgroundReply>
  running(): readonly BackgroundCommand[]
  close(): Promise<void>
}

export type BackgroundReply = { readonly ok: boolean; readonly headline: string; readonly output: string }

type Entry = {
  readonly command: string
  readonly process: RunningProcess
  result: ProcessResult | null
  /** Characters of the output that were returned already. */
  seen: number
}

const AT_ONCE_MAX = 8
const ENDED_KEPT = 16
/** A command that fails at once is reported as such. */
const FIRST_LOOK_MS = 700

export function createBackground(sandbox: Sandbox, charactersMax: number): Background {
  const entries = new Map<string, Entry>()
  let count = 0
  const alive = () => [...entries.values()].filter(({ result }) => result === null)

  const unknown = (id: string): BackgroundReply => ({
    ok: false,
    headline: `No background command is named "${id}". ${
      entries.size === 0
        ? 'None was started in this session; those of an earlier one have ended.'
        : `There are: ${[...entries.keys()].join(', ')}.`
    }`,
    output: '',
  })
  const look = (id: string, entry: Entry): BackgroundReply => {
    const text = toPlainOutput(entry.process.output.text())
    const fresh = text.length >= entry.seen ? text.slice(entry.seen) : text
    entry.seen = text.length
    return {
      ok: entry.result === null || (entry.result.outcome === 'exited' && entry.result.exitCode === 0),
      headline: `${id} ${stateOf(entry)}.${fresh.trim() === '' ? ' It printed nothing new.' : ''}`,
      output: cutMiddle(fresh, charactersMax),
    }
  }
  return {
    async start(command, isOnline, onOutput) {
      if (alive().length >= AT_ONCE_MAX)
        return {
          ok: false,
          headline: `${AT_ONCE_MAX} background commands are running. Stop one first.`,
          output: '',
        }
      const process = startProcess(await sandbox.launch(command, { isOnline }), { timeoutMs: null, onOutput })
      const id = `bg${++count}`
      const entry: Entry = { command, process, result: null, seen: 0 }
      entries.set(id, entry)
      const ended = process.ended.then((result) => {
        entry.result = result
      })
      forget()
      await Promise.race([ended, delay(FIRST_LOOK_MS)])
      return look(id, entry)
    },
    async output(id) {
      const entry = entries.get(id)
      return entry ? look(id, entry) : unknown(id)
    },
    async stop(id) {
      const entry = entries.get(id)
      if (!entry) return unknown(id)
      entry.process.stop()
      entry.result = await entry.process.ended
      return { ...look(id, entry), ok: true }
    },
    running: () => [...entries].map(([id, entry]) => ({ id, command: entry.command, state: stateOf(entry) })),
    async close() {
      for (const { process } of alive()) process.stop()
      await Promise.all([...entries.values()].map(({ process }) => process.ended))
      entries.clear()
    },
  }

  function forget(): void {
    const ended = [...entries].filter(([, { result }]) => result !== null)
    for (const [id] of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) entries.delete(id)
  }
}

function stateOf({ result }: Entry): string {
  if (result === null) return 'is running'
  if (result.outcome === 'stopped') return 'was stopped'
  if (result.outcome === 'flooded') return 'was stopped because it printed too much'
  if (result.outcome === 'failed') return `could not be started: ${result.reason ?? 'unknown reason'}`
  return result.exitCode === null
    ? `was ended by ${result.signal ?? 'a signal'}`
    : `ended with exit code ${result.exitCode}`
}

const delay = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
