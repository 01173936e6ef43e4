// Files of a repository that start programs, such as its MCP servers and hooks. They are used only after the user agreed to exactly
// this content; any change asks again.
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRecord, readState, writeState } from '../../system/state-file.ts'
import type { Line } from '../../terminal/line.ts'

export type Trust = {
  /** Of the user and this repository; null without a home folder, then each session asks. */
  readonly stateFile: string | null
  readonly ask: (title: Line, body: readonly Line[]) => Promise<boolean>
}

const BYTES_MAX = 64 * 1024

/** The text of the file; null if there is none. Throws a sentence if it cannot be used. */
export function readSmallFile(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (!found.isFile()) throw new Error(`${path} is not a regular file.`)
  if (found.size > BYTES_MAX) throw new Error(`${path} is larger than 64 KiB.`)
  return readFileSync(path, 'utf8')
}

/** Asks unless the user agreed to the same content before. `describe` shows what the file would start. */
export async function isTrusted(
  { stateFile, ask }: Trust,
  path: string,
  text: string,
  describe: () => { readonly title: Line; readonly body: readonly Line[] },
): Promise<boolean> {
  const digest = createHash('sha256').update(text).digest('hex')
  const known = (stateFile !== null && readState(stateFile, isStored)?.trusted) || []
  if (known.some((each) => each.path === path && each.sha256 === digest)) return true
  const { title, body } = describe()
  if (!(await ask(title, body))) return false
  const others = known.filter((each) => each.path !== path)
  if (stateFile !== null) await writeState(stateFile, { trusted: [...others, { path, sha256: digest }] })
  return true
}

export const trustFileIn = (state: string, rootHash: string): string =>
  join(state, 'trust', `${rootHash}.json`)

type Stored = { readonly trusted: readonly { readonly path: string; readonly sha256: string }[] }

const isStored = (value: unknown): value is Stored =>
  isRecord(value) &&
  Array.isArray(value.trusted) &&
  value.trusted.every(
    (each) => isRecord(each) && typeof each.path === 'string' && typeof each.sha256 === 'string',
  )
