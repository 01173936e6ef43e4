// Limits of chat.
import { before } from '../kernel/clock.ts'
import { LEASE } from '../kernel/lease.ts'

/** Threads of one user in one organisation, including archived ones. */
export const THREADS_MAX = 1_000
/** Messages of one thread: questions plus answers. */
export const MESSAGES_MAX = 2_000
export const PROMPT_CHARACTERS_MAX = 200_000

/** One page of messages. */
export const PAGE_MESSAGES = 200
export const PAGE_BYTES = 4 * 1024 * 1024

const OUTPUT_TOKENS_MAX = 4_096
/** A shorter answer is not useful. */
export const OUTPUT_TOKENS_MIN = 64
/** Reserved for the message framing of the provider. */
const MARGIN_TOKENS = 512

/** With a small context, at most a quarter goes to the answer. */
export const outputCeiling = (contextTokens: number): number =>
  Math.min(OUTPUT_TOKENS_MAX, Math.floor(contextTokens / 4))

/** The part of the context that is left for the conversation. */
export const windowTokens = (contextTokens: number): number =>
  contextTokens - outputCeiling(contextTokens) - MARGIN_TOKENS

/** More bytes than this never fit, so they are not read from the database. */
export const windowBytes = (contextTokens: number): number => windowTokens(contextTokens) * 8

/** A running answer whose lease was last renewed before this instant is orphaned: its process died. */
export const leaseCutoff = (now: Date): Date => before(now, LEASE)
