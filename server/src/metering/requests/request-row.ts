// A row of the request log.
import type { Id, OrgId, UserId } from '../../kernel/ids.ts'

export type RequestRowId = Id<'rql'>

/** Four classes without overlap: `input` excludes cached input and cache writes. */
export type TokenClasses = {
  readonly input: number
  readonly cachedInput: number
  readonly cacheWrite: number
  readonly output: number
}

/** One model call. It never has text of a prompt or an answer. */
export type RequestRecord = {
  readonly orgId: OrgId
  readonly keyId: string | null
  /** Null for work without a member. */
  readonly userId: UserId | null
  /** `POST /v1/messages`, or the kind of work without a direct model route: `agent.run`. */
  readonly route: string
  /** The name that the customer uses. */
  readonly model: string
  readonly provider: string | null
  readonly tokens: TokenClasses
  readonly costMinor: bigint
  /** Without rounding, in minor units; null for a charge that does not accrue. */
  readonly exactCost: string | null
  readonly ttftMs: number | null
  readonly durationMs: number
  readonly status: number
  /** The error code; null for a success. */
  readonly code: string | null
  /** Null for background work. */
  readonly requestId: string | null
  readonly ledgerId: string | null
}

export type RequestRow = RequestRecord & { readonly id: RequestRowId; readonly at: Date }

export const NO_TOKENS: TokenClasses = { input: 0, cachedInput: 0, cacheWrite: 0, output: 0 }

export type ReportedUsage = {
  readonly promptTokens: number
  readonly outputTokens: number
  readonly cachedTokens?: number | undefined
  readonly cacheWriteTokens?: number | undefined
}

/** The prompt of a provider's report includes the tokens of its cache. */
export function tokenClasses(used: ReportedUsage): TokenClasses {
  const { promptTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = used
  const input = Math.max(0, promptTokens - cachedTokens - cacheWriteTokens)
  return { input, cachedInput: cachedTokens, cacheWrite: cacheWriteTokens, output: outputTokens }
}
