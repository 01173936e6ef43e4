// Classifies errors of a call that may be running: a final rejection, or an unknown outcome.
import { CowrieError, resumable, retryable } from '@cowrie/sdk'
import type { Result } from '../results/result.ts'

const WAITS_MS = [500, 1_000, 2_000, 4_000, 8_000]

/** Whether sending the same call again with its key may return the outcome. */
export const shouldResend = (error: CowrieError, mayHaveBegun: boolean): boolean =>
  retryable(error) && mayHaveTakenEffect(error, mayHaveBegun)

/** Whether the run may have taken effect although this call failed. */
export const mayHaveTakenEffect = (error: CowrieError, mayHaveBegun: boolean): boolean =>
  resumable(error, { isFirst: !mayHaveBegun })

export const waitMs = ({ retryAfter }: CowrieError, tries: number): number =>
  Math.max((retryAfter ?? 0) * 1_000, WAITS_MS[tries] ?? WAITS_MS.at(-1) ?? 0)

/** The service answered, so the network works. */
export const hasReply = ({ status }: CowrieError): boolean => status !== 0

/** Later the service may have forgotten the key, and the same call would be a new one. */
export const isKeyKnown = ({ createdAt }: Pick<Result, 'createdAt'>, now: Date): boolean =>
  now.getTime() - Date.parse(createdAt) <= KEY_KNOWN_MS

const KEY_KNOWN_MS = 12 * 60 * 60_000

export const streamCutError = (): CowrieError =>
  new CowrieError({ status: 0, code: 'stream_cut', message: 'The stream ended before the result.' })
