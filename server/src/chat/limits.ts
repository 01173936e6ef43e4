// The bounds of chat, in one place. What happens at each is said where it is reached.
import { before } from '../kernel/clock.ts'
import { LEASE } from '../kernel/lease.ts'

/** Threads of one person in one organisation, archived ones included. */
export const THREADS_MAX = 1_000
/** Messages of one thread, questions and answers together. */
export const MESSAGES_MAX = 2_000
export const PROMPT_CHARACTERS_MAX = 200_000

/** What one reply shows of a thread. */
export const PAGE_MESSAGES = 200
export const PAGE_BYTES = 4 * 1024 * 1024

const OUTPUT_TOKENS_MAX = 4_096
/** The shortest answer that is of any use. */
export const OUTPUT_TOKENS_MIN = 64
/** Tokens that a provider's own wrapping of messages may take. */
const MARGIN_TOKENS = 512

/** A small model must not spend all it can take on the answer. */
export const outputCeiling = (contextTokens: number): number =>
  Math.min(OUTPUT_TOKENS_MAX, Math.floor(contextTokens / 4))

/** What is left for the conversation. */
export const windowTokens = (contextTokens: number): number =>
  contextTokens - outputCeiling(contextTokens) - MARGIN_TOKENS

/** More bytes than this never fit, so they are not even read. */
export const windowBytes = (contextTokens: number): number => windowTokens(contextTokens) * 8

/** An answer that has shown no life since then is lost with its process. */
export const leaseCutoff = (now: Date): Date => before(now, LEASE)
