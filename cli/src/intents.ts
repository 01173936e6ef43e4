// What was sent and is not known to have been answered. The key of a paid call is written down before the call is sent: the same
// intent again, also by a later command, goes out under the same key for the price that was told then, and is paid once.
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { resumable, toJson } from '@cowrie/sdk'
import { type Context, textOf } from './command.ts'
import { forget, isRecord, readKept, writeKept } from './kept.ts'
import { Failure, UsageError } from './wrong.ts'

/** The service remembers outcomes for longer than that. */
const AGE_MAX_MS = 20 * 60 * 60_000
const KEPT_MAX = 500

export type Sent = {
  readonly key: string
  /** What the person was told that it costs at most, and what was sent as that. */
  readonly maxMinor: bigint
  /** What else must be known to ask for the outcome. */
  readonly note: string
}

export type Intent = {
  /** What was sent before and has no known outcome; null for a new intent. */
  readonly before: Sent | null
  /** Writes down what is about to be sent. What was sent before stays as it was. */
  begin(maxMinor: bigint, note?: string): Promise<Sent>
  /** Its outcome is known. */
  settle(): void
  /** Settles it when this failure is final: nothing was done under the key and nothing will be. */
  settleAfter(error: unknown): void
}

/** Who pays: what one of them was told and agreed to is nothing to another. */
export type Payer = { readonly userId: string; readonly orgId: string }

/** `about` is what makes two of them the same; only a digest of it is kept. */
export function intentOf(
  { baseUrl, places, values, machine }: Pick<Context, 'baseUrl' | 'places' | 'values' | 'machine'>,
  { userId, orgId }: Payer,
  kind: string,
  about: unknown,
): Intent {
  const folder = folderOf(places.state)
  const given = keyIn(values)
  const digest = createHash('sha256')
    .update(toJson([kind, baseUrl, userId, orgId, given, about]))
    .digest('hex')
  const path = join(folder, `${digest.slice(0, 32)}.json`)
  const nowMs = machine.now().getTime()
  discardOld(folder, nowMs)
  let before = readKept(path, isKept)
  if (before && nowMs - before.atMs > AGE_MAX_MS) before = null
  return {
    before,
    async begin(maxMinor, note = '') {
      if (before) return before
      const sent = { key: given ?? `cli_${randomBytes(16).toString('hex')}`, maxMinor, note }
      await writeKept(path, { ...sent, atMs: nowMs })
      return sent
    },
    settle: () => forget(path),
    settleAfter(error) {
      if (!resumable(error)) forget(path)
    },
  }
}

function keyIn(values: Context['values']): string | null {
  const given = textOf(values, 'idempotency-key')
  if (given !== undefined && !/^[\x21-\x7e]{1,255}$/.test(given))
    throw new UsageError('--idempotency-key must be 1 to 255 visible ASCII characters.')
  return given ?? null
}

function folderOf(state: string | null): string {
  if (state) return join(state, 'sent')
  throw new Failure('no_home', 'What is paid for is written down first, and there is no place for that.', {
    next: 'Set HOME or XDG_STATE_HOME.',
  })
}

function discardOld(folder: string, nowMs: number): void {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return
  }
  if (names.length < KEPT_MAX) return
  for (const name of names) {
    const path = join(folder, name)
    const found = statSync(path, { throwIfNoEntry: false })
    if (found && nowMs - found.mtimeMs > AGE_MAX_MS) forget(path)
  }
}

type Kept = Sent & { readonly atMs: number }
const isKept = (value: unknown): value is Kept =>
  isRecord(value) &&
  typeof value.key === 'string' &&
  typeof value.maxMinor === 'bigint' &&
  typeof value.note === 'string' &&
  typeof value.atMs === 'number'
