// Password rules and hashing. Passwords are used byte for byte, without trimming or normalisation.
import { randomBytes } from 'node:crypto'
import { type Algorithm, hash, parseOptions, verify } from '@node-rs/argon2'
import { ApiError } from '../../kernel/errors.ts'
import type { Config } from '../../platform/config.ts'
import { createSemaphore } from '../../platform/db/semaphore.ts'
import { isCommon } from './common-passwords.ts'

export const PASSWORD_CHARACTERS_MIN = 8
export const PASSWORD_CHARACTERS_MAX = 128

/** Counts characters as users do; cheap for any length. */
export function hasLengthBetween(text: string, min: number, max: number): boolean {
  if (text.length > 2 * max) return false
  const { length } = [...text]
  return length >= min && length <= max
}

/**
 * Rejects a password that is too short, too long or easy to guess. `email` is the owner's address, `path` the
 * field of the request.
 */
export function checkPassword(password: string, email: string, path = 'password'): void {
  const problem = !hasLengthBetween(password, PASSWORD_CHARACTERS_MIN, PASSWORD_CHARACTERS_MAX)
    ? `must have ${PASSWORD_CHARACTERS_MIN} to ${PASSWORD_CHARACTERS_MAX} characters`
    : isCommon(password, email)
      ? 'is too easy to guess; choose one that is longer or less common'
      : null
  if (problem) throw new ApiError('weak_password', { fields: [{ path, message: problem }] })
}

type HashCost = { memoryCost: number; timeCost: number }
const FULL: HashCost = { memoryCost: 19_456, timeCost: 2 }
/** Tests sign in thousands of users and need no strong hashes. */
const TEST: HashCost = { memoryCost: 64, timeCost: 1 }

/** The configuration that hashing needs. */
type HashingContext = { readonly config: Pick<Config, 'environment'> }

const hashCost = ({ config }: HashingContext): HashCost => (config.environment === 'test' ? TEST : FULL)

// 2 is argon2id. The library declares a const enum, which type stripping cannot inline.
const hashParameters = (cost: HashCost) => ({ algorithm: 2 as Algorithm, parallelism: 1, ...cost })

// A hash takes 19 MiB and a core for tens of milliseconds, so two run at a time. The queue is bounded:
// further calls fail at once with a time to retry.
const CONCURRENCY_MAX = 2
const WAITING_MAX = 32
const WAIT_MS = 10_000
const slots = createSemaphore(CONCURRENCY_MAX, WAIT_MS, WAITING_MAX)

/** Throws `busy` when the queue is full. Never call it inside a transaction. */
export const hashPassword = (service: HashingContext, password: string): Promise<string> =>
  withHashingSlot(() => hash(Buffer.from(password), hashParameters(hashCost(service))))

/**
 * Whether the password matches the hash. For an account without a password it takes the same time and returns
 * false. `admit` runs when the call leaves the queue, so that rejected calls are not counted.
 */
export function verifyPassword(
  service: HashingContext,
  stored: string | null,
  password: string,
  admit: () => Promise<void> = async () => undefined,
): Promise<boolean> {
  return withHashingSlot(async () => {
    await admit()
    const isRight = await verify(stored ?? dummyHash(hashCost(service)), Buffer.from(password))
    return isRight && stored !== null
  })
}

/** Whether a hash was made with other parameters than the current ones. */
export function isOutdated(service: HashingContext, stored: string): boolean {
  const parameters = parseOptions(stored)
  const today = hashParameters(hashCost(service))
  return (
    parameters.algorithm !== today.algorithm ||
    parameters.memoryCost !== today.memoryCost ||
    parameters.timeCost !== today.timeCost ||
    parameters.parallelism !== today.parallelism
  )
}

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '')
const SALT_AND_HASH = `${base64(16)}$${base64(32)}`

/** A hash that matches no password and takes as long to verify as a real one. */
const dummyHash = ({ memoryCost, timeCost }: HashCost): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${SALT_AND_HASH}`

async function withHashingSlot<T>(work: () => Promise<T>): Promise<T> {
  await slots.acquire()
  try {
    return await work()
  } finally {
    slots.release()
  }
}
