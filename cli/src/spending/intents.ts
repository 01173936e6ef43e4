// Paid calls without a known outcome. The idempotency key is stored before the call is sent. The same call again, also from
// a later command, uses the same key and the price shown then, so it is charged once.
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { resumable, toJson } from '@cowrie/sdk'
import { type Context, textOf } from '../command.ts'
import { Failure, UsageError } from '../errors.ts'
import { isRecord, readState, removeState, writeState } from '../system/state-file.ts'

/** The service keeps outcomes longer than this. */
const AGE_MAX_MS = 20 * 60 * 60_000
const KEPT_MAX = 500

export type SentCall = {
  readonly key: string
  /** The maximum cost that was shown and sent. */
  readonly maxMinor: bigint
  /** Data that is needed to look up the outcome. */
  readonly note: string
}

export type Intent = {
  /** An earlier call without a known outcome; null for a new one. */
  readonly before: SentCall | null
  /** Stores the call before it is sent. An earlier record stays unchanged. */
  begin(maxMinor: bigint, note?: string): Promise<SentCall>
  /** The outcome is known: removes the record. */
  settle(): void
  /** Removes the record if this error proves that nothing happened and nothing will. */
  settleAfter(error: unknown): void
}

/** The payer: a price confirmed by one payer does not apply to another. */
export type Payer = { readonly userId: string; readonly orgId: string }

/** `about` identifies the call; only its digest is stored. */
export function intentOf(
  { baseUrl, paths, values, machine }: Pick<Context, 'baseUrl' | 'paths' | 'values' | 'machine'>,
  { userId, orgId }: Payer,
  kind: string,
  about: unknown,
): Intent {
  const folder = folderOf(paths.state)
  const given = keyIn(values)
  const digest = createHash('sha256')
    .update(toJson([kind, baseUrl, userId, orgId, given, about]))
    .digest('hex')
  const path = join(folder, `${digest.slice(0, 32)}.json`)
  const nowMs = machine.now().getTime()
  discardOld(folder, nowMs)
  let before = readState(path, isStoredIntent)
  if (before && nowMs - before.atMs > AGE_MAX_MS) before = null
  return {
    before,
    async begin(maxMinor, note = '') {
      if (before) return before
      const sent = { key: given ?? `cli_${randomBytes(16).toString('hex')}`, maxMinor, note }
      await writeState(path, { ...sent, atMs: nowMs })
      return sent
    },
    settle: () => removeState(path),
    settleAfter(error) {
      if (!resumable(error)) removeState(path)
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
  throw new Failure(
    'no_home',
    'A paid call must be recorded before it is sent, and no state folder is available.',
    {
      next: 'Set HOME or XDG_STATE_HOME.',
    },
  )
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
    if (found && nowMs - found.mtimeMs > AGE_MAX_MS) removeState(path)
  }
}

type StoredIntent = SentCall & { readonly atMs: number }
const isStoredIntent = (value: unknown): value is StoredIntent =>
  isRecord(value) &&
  typeof value.key === 'string' &&
  typeof value.maxMinor === 'bigint' &&
  typeof value.note === 'string' &&
  typeof value.atMs === 'number'
