// Local records of top-ups: the idempotency key, stored before the call, so that a lost reply does not start a second
// payment; and the payment instructions, which the service returns only once.
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fromJson, type TopupResult, toJson } from '@cowrie/sdk'
import { Failure } from '../errors.ts'

export type PaymentInstructions = Pick<
  TopupResult,
  'authorizationUrl' | 'ussdCode' | 'displayText' | 'otpRequired' | 'expiresAt'
>

/** Within this time the same request is the same payment, while its outcome is unknown. */
const UNDECIDED_MAX_MS = 60 * 60_000
/** The slowest channel allows three days. */
const KEPT_MAX_MS = 4 * 24 * 60 * 60_000
const BYTES_MAX = 64 * 1024

export class TopupRecords {
  readonly #folder: string

  constructor(state: string) {
    this.#folder = join(state, 'topups')
  }

  /** The idempotency key of this request, durable when this returns. */
  async keyFor(request: string, now: Date): Promise<{ key: string; isAgain: boolean }> {
    const name = nameOf(request)
    const stored = await this.#read(name)
    if (isIntent(stored) && now.getTime() - Date.parse(stored.at) < UNDECIDED_MAX_MS)
      return { key: stored.key, isAgain: true }
    const key = newKey()
    await this.#write(name, { key, at: now.toISOString() })
    return { key, isAgain: false }
  }

  /** Removes the key once the outcome is known: the same request is then a new payment. */
  async removeKey(request: string): Promise<void> {
    await this.#remove(nameOf(request))
  }

  async saveInstructions(reference: string, instructions: PaymentInstructions): Promise<void> {
    await this.#write(`payment-${safe(reference)}.json`, instructions)
  }

  /** Null when it started on another computer. */
  async readInstructions(reference: string): Promise<PaymentInstructions | null> {
    const stored = await this.#read(`payment-${safe(reference)}.json`)
    return isInstructions(stored) ? stored : null
  }

  async removeInstructions(reference: string): Promise<void> {
    await this.#remove(`payment-${safe(reference)}.json`)
  }

  async #read(name: string): Promise<unknown> {
    try {
      const path = join(this.#folder, name)
      if ((await stat(path)).size > BYTES_MAX) return null
      return fromJson(await readFile(path, 'utf8'))
    } catch {
      // Absent and damaged files count the same.
      return null
    }
  }

  /** Atomic and durable. */
  async #write(name: string, value: object): Promise<void> {
    const path = join(this.#folder, name)
    const draft = `${path}.${randomBytes(4).toString('hex')}.draft`
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await this.#discardOld()
      const file = await open(draft, 'wx', 0o600)
      try {
        await file.writeFile(`${toJson(value)}\n`)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, path)
    } catch (error) {
      await unlink(draft).catch(() => undefined)
      const { code = '' } = error as NodeJS.ErrnoException
      throw new Failure('notes_unwritable', `${this.#folder} cannot be written (${code}).`, {
        next: 'Free disk space or fix the permissions: the key of a payment must be stored before it is sent.',
      })
    }
  }

  async #discardOld(): Promise<void> {
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name)
      const found = await stat(path).catch(() => null)
      if (found && Date.now() - found.mtimeMs > KEPT_MAX_MS) await this.#remove(name)
    }
  }

  #remove(name: string): Promise<void> {
    return unlink(join(this.#folder, name)).catch(() => undefined)
  }
}

export const newKey = (): string => `cli_${randomBytes(16).toString('hex')}`

/** Stored by hash: the request may contain a phone number. */
const nameOf = (request: string): string =>
  `wish-${createHash('sha256').update(request).digest('hex').slice(0, 32)}.json`
const safe = (reference: string): string => reference.replace(/[^\w-]/g, '_').slice(0, 100)

const isIntent = (value: unknown): value is { key: string; at: string } =>
  typeof value === 'object' &&
  value !== null &&
  'key' in value &&
  typeof value.key === 'string' &&
  'at' in value &&
  typeof value.at === 'string'
const isInstructions = (value: unknown): value is PaymentInstructions =>
  typeof value === 'object' && value !== null && 'expiresAt' in value && typeof value.expiresAt === 'string'
