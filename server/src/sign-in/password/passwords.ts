// Passwords: which are good enough, and how they are kept. They are taken byte for byte: nothing is trimmed, cut or
// brought into another form.
import { randomBytes } from 'node:crypto'
import { type Algorithm, hash, parseOptions, verify } from '@node-rs/argon2'
import { ApiError } from '../../kernel/errors.ts'
import type { Config } from '../../platform/config.ts'
import { createSlots } from '../../platform/db/slots.ts'
import { isCommon } from './common-passwords.ts'

export const PASSWORD_CHARACTERS_MIN = 8
export const PASSWORD_CHARACTERS_MAX = 128

/** How many characters a person would count; cheap for any length. */
export function hasLengthBetween(text: string, min: number, max: number): boolean {
  if (text.length > 2 * max) return false
  const { length } = [...text]
  return length >= min && length <= max
}

/**
 * Refuses a password that is too short, too long, or would be guessed. `email` is the address of whose it will be,
 * `path` the field that it came in.
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
/** Tests sign in thousands of people whose passwords protect nothing. */
const TEST: HashCost = { memoryCost: 64, timeCost: 1 }

/** What hashing needs to know of a service. */
type HashingContext = { readonly config: Pick<Config, 'environment'> }

const hashCost = ({ config }: HashingContext): HashCost => (config.environment === 'test' ? TEST : FULL)

// 2 is argon2id; the library declares its names for a compiler that puts them in place.
const hashParameters = (cost: HashCost) => ({ algorithm: 2 as Algorithm, parallelism: 1, ...cost })

// Each hashing takes 19 MiB and a core for tens of milliseconds: two at a time leave room for everything else. Who
// would be the 35th is told to come back, instead of waiting for longer than anybody does.
const AT_ONCE = 2
const WAITING_MAX = 32
const WAIT_MS = 10_000
const slots = createSlots(AT_ONCE, WAIT_MS, WAITING_MAX)

/** Throws `busy` when too many wait already. Never call it inside a transaction. */
export const hashPassword = (service: HashingContext, password: string): Promise<string> =>
  withHashingSlot(() => hash(Buffer.from(password), hashParameters(hashCost(service))))

/**
 * Whether it is the password of this hash; false for an account without one, after the same time. `admit` is called
 * when its turn has come: who was turned away because too many wait has not been counted.
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

/** Whether a hash was made with other parameters than today's. */
export function isOutdated(service: HashingContext, stored: string): boolean {
  const made = parseOptions(stored)
  const today = hashParameters(hashCost(service))
  return (
    made.algorithm !== today.algorithm ||
    made.memoryCost !== today.memoryCost ||
    made.timeCost !== today.timeCost ||
    made.parallelism !== today.parallelism
  )
}

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '')
const SALT_AND_HASH = `${base64(16)}$${base64(32)}`

/** The hash of no password, which takes as long to compare as a real one. */
const dummyHash = ({ memoryCost, timeCost }: HashCost): string =>
  `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${SALT_AND_HASH}`

async function withHashingSlot<T>(work: () => Promise<T>): Promise<T> {
  await slots.take()
  try {
    return await work()
  } finally {
    slots.give()
  }
}
