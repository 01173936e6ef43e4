// What the service refuses, as the result of a tool: a sentence for the model and the person, and facts for programs.
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

/** A refusal of an operation. One that money would mend says how much is missing and where it can be paid in. */
export function toToolError(caller: Caller, body: unknown, isReplayed = false): ToolResult {
  const facts = isRecord(body) ? body : {}
  const error =
    typeof facts.error === 'string' ? facts.error : 'The service did not answer as it should; try again.'
  const code = typeof facts.code === 'string' ? facts.code : 'internal'
  // What was refused once stays refused under its key, also when the reason is gone.
  const replayed = isReplayed
    ? ` This is what the same request was told before; pass another ${KEY} to have it tried anew.`
    : ''
  const common = { requestId: caller.request.id, ...facts, ...(isReplayed && { replayed: true }) }
  if (code !== 'insufficient_funds') return toolError({ ...common, error: `${error}${replayed}`, code })
  const { currency } = caller.actor.org
  const missingMinor = shortfallIn(facts)
  const topUpUrl = `${caller.app.config.baseUrl}/app/wallet#top-up`
  const missing = missingMinor === null ? '' : ` ${format(money(missingMinor, currency))} are missing.`
  return toolError({
    ...common,
    error: `The wallet does not cover this work.${missing} Ask the person to top it up at ${topUpUrl}, or ask for less.${replayed}`,
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

/** A paid tool was called without saying what it may cost: nothing is done, and the price is told. */
export function maxCostRequired(caller: Caller, quote: unknown): ToolResult {
  const most = isRecord(quote) && typeof quote.maxMinor === 'bigint' ? quote.maxMinor : null
  const { currency } = caller.actor.org
  const price =
    most === null ? '' : ` It costs at most ${format(money(most, currency))} (${MAX_COST}: ${most}).`
  return toolError({
    error: `Nothing was done or charged: say with ${MAX_COST} what this may cost at most, after the person has agreed.${price}`,
    code: 'max_cost_required',
    requestId: caller.request.id,
    currency,
    quote,
  })
}
