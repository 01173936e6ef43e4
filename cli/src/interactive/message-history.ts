// Earlier messages of a folder, for the arrow keys and Ctrl-R.
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { secretSpans } from '@cowrie/sdk/secrets'
import { writeAtomically } from '../system/atomic-write.ts'
import type { Paths } from '../system/paths.ts'

const MESSAGES_MAX = 500
const CHARACTERS_MAX = 10_000

export type MessageHistory = { readonly messages: readonly string[]; add(message: string): void }

export function openHistory({ state }: Pick<Paths, 'state'>, rootHash: string): MessageHistory {
  const path = state && join(state, 'history', `${rootHash}.jsonl`)
  const stored = path ? read(path) : []
  const messages = stored.slice(-MESSAGES_MAX)
  if (path && stored.length > 2 * MESSAGES_MAX) void shorten(path, messages)
  return {
    messages,
    add(message) {
      // A message with a secret, and a very long one, is not stored.
      if (!path || message.length > CHARACTERS_MAX || secretSpans(message).length > 0) return
      try {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
        appendFileSync(path, `${JSON.stringify(message)}\n`, { mode: 0o600 })
      } catch {
        // The history is a convenience.
      }
    },
  }
}

function read(path: string): string[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return []
  }
  return text.split('\n').flatMap((line) => {
    try {
      const message: unknown = line === '' ? null : JSON.parse(line)
      return typeof message === 'string' ? [message] : []
    } catch {
      return []
    }
  })
}

const shorten = (path: string, messages: readonly string[]): Promise<void> =>
  writeAtomically(path, messages.map((message) => `${JSON.stringify(message)}\n`).join('')).catch(
    () => undefined,
  )
