// API errors as tool results: a sentence for the model and the user, and structured fields for programs.
import { format, money } from '../../kernel/money.ts'
import type { Caller } from '../caller.ts'
import { isRecord } from '../message.ts'
import { KEY, MAX_COST, type Reply } from './tool.ts'

export type ToolResult = {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[]
  readonly structuredContent: object
  readonly isError?: true
}

export const toolError = (facts: Reply & { error: string; code: string }): ToolResult => ({
  content: [{ type: 'text', text: `${facts.error} (${facts.code})` }],
  structuredContent: facts,
  isError: true,
})

/** Converts an error of an operation. For insufficient funds it adds the missing amount and the top-up URL. */
export function toToolError(caller: Caller, body: unknown, isReplayed = false): ToolResult {
  const facts = isRecord(body) ? body : {}
  const error =
    typeof facts.error === 'string' ? facts.error : 'The service returned an unexpected reply. Try again.'
  const code = typeof facts.code === 'string' ? facts.code : 'internal'
  // A stored refusal is replayed for its key, even after its cause is resolved.
  const replayed = isReplayed
    ? ` This is the stored reply of an identical earlier request. Pass another ${KEY} to try again.`
    : ''
  const common = { requestId: caller.request.id, ...facts, ...(isReplayed && { replayed: true }) }
  if (code !== 'insufficient_funds') return toolError({ ...common, error: `${error}${replayed}`, code })
  const { currency } = caller.actor.org
  const missingMinor = shortfallIn(facts)
  const topUpUrl = `${caller.app.config.baseUrl}/app/wallet#top-up`
  const missing = missingMinor === null ? '' : ` ${format(money(missingMinor, currency))} is missing.`
  return toolError({
    ...common,
    error: `The wallet balance is too low.${missing} Ask the user to top up at ${topUpUrl}, or request less work.${replayed}`,
    code: 'payment_required',
    reason: code,
    ...(missingMinor !== null && { missingMinor }),
    currency,
    topUpUrl,
  })
}

function shortfallIn({ requiredMinor, availableMinor }: Reply): bigint | null {
  if (typeof requiredMinor !== 'bigint' || typeof availableMinor !== 'bigint') return null
  return requiredMinor > availableMinor ? requiredMinor - availableMinor : null
}

/** The reply to a paid tool call without a cost limit: nothing runs, and the reply states the price. */
export function maxCostRequired(caller: Caller, quote: unknown): ToolResult {
  const most = isRecord(quote) && typeof quote.maxMinor === 'bigint' ? quote.maxMinor : null
  const { currency } = caller.actor.org
  const price =
    most === null ? '' : ` It costs at most ${format(money(most, currency))} (${MAX_COST}: ${most}).`
  return toolError({
    error: `Nothing was run or charged. Ask the user to agree to a maximum cost, then pass it as ${MAX_COST}.${price}`,
    code: 'max_cost_required',
    requestId: caller.request.id,
    currency,
    quote,
  })
}
