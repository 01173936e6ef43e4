// What an answer used and cost, as the Responses API says it.
import type { Cost } from '../gateway.ts'
import type { CountedUsage } from '../upstream/usage-count.ts'

export function responseUsage(used: CountedUsage | null, { costMinor, balanceMinor }: Cost) {
  const { promptTokens = 0, outputTokens = 0, cachedTokens = 0, reasoningTokens = 0 } = used ?? {}
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + outputTokens,
    cost_minor: costMinor,
    balance_minor: balanceMinor,
  }
}
