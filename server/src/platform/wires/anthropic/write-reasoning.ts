// The fields of the Anthropic Messages API that depend on reasoning.
import {
  type Block,
  type Conversation,
  InexpressibleError,
  type Options,
  type Reasoning,
} from '../conversation.ts'
import type { Fields } from '../wire.ts'

/** Where the caller asked for reasoning by effort alone, the budget is this part of the ceiling. */
const EFFORT_SHARES: ReadonlyMap<string, number> = new Map([
  ['minimal', 0.1],
  ['low', 0.2],
  ['medium', 0.5],
  ['high', 0.8],
  ['xhigh', 0.9],
])
const BUDGET_MIN = 1_024
/** The part of the ceiling that remains for the answer. */
const ANSWER_SHARE = 0.1

export function writeReasoning(conversation: Conversation, maxTokens: number, adapted: string[]): Fields {
  const { options } = conversation
  const isNative = conversation.wire === 'anthropic'
  const asked = isNative ? withoutEffort(options.reasoning) : options.reasoning
  const reasoning = canReason(conversation, asked, adapted) ? asked : undefined
  const thinking = reasoning && writeThinking(reasoning, maxTokens, adapted)
  const isOn = thinking !== undefined && thinking.type !== 'disabled'
  const effort = isNative ? nativeEffort(options.reasoning, adapted) : effortBeside(reasoning)
  const output = { ...(effort !== undefined && { effort }), ...writeFormat(options.format) }
  return {
    ...writeSampling(options, isOn, adapted),
    ...(thinking && { thinking }),
    ...(Object.keys(output).length > 0 && { output_config: output }),
  }
}

/** In this format, effort is a field that does not turn reasoning on. */
function withoutEffort(reasoning: Reasoning | undefined): Reasoning | undefined {
  if (!reasoning || reasoning.effort === 'none') return reasoning
  const { effort: _, ...thinking } = reasoning
  return Object.keys(thinking).length > 0 ? thinking : undefined
}

function nativeEffort(reasoning: Reasoning | undefined, adapted: string[]): string | undefined {
  const effort = reasoning?.answerEffort ?? reasoning?.effort
  if (effort === 'none') return undefined
  if (effort !== 'minimal') return effort
  adapted.push('reasoning.effort')
  return 'low'
}

const effortBeside = (reasoning: Reasoning | undefined): string | undefined =>
  reasoning?.isAdaptive || reasoning?.budgetTokens !== undefined ? reasoning.effort : undefined

function writeFormat(format: Options['format']): Fields {
  if (format?.kind === 'json') throw new InexpressibleError('options.format', 'anthropic')
  return format ? { format: { type: 'json_schema', schema: format.schema } } : {}
}

/** The provider accepts only reasoning that it signed. */
export const isUnsigned = (block: Block): boolean =>
  block.kind === 'thinking' && block.signature === undefined && block.redacted === undefined

/**
 * With reasoning on, the provider requires signed reasoning before the tool calls that it continues, and lets the model choose
 * whether it calls a tool. Otherwise the answer comes without reasoning instead of an error.
 */
function canReason(
  { messages, toolChoice, tools }: Conversation,
  reasoning: Reasoning | undefined,
  adapted: string[],
): boolean {
  if (!reasoning || reasoning.effort === 'none') return true
  const last = messages.findLast(({ role }) => role === 'assistant')
  const isContinued = messages.at(-1)?.blocks.some(({ kind }) => kind === 'tool_result') ?? false
  const isSigned = last?.blocks.some((block) => block.kind === 'thinking' && !isUnsigned(block)) ?? true
  const isForced = tools.length > 0 && (toolChoice?.kind === 'required' || toolChoice?.kind === 'tool')
  // Adaptive reasoning does not require the reasoning of earlier steps.
  const isBroken = isContinued && !isSigned && !reasoning.isAdaptive
  if (!isBroken && !isForced) return true
  adapted.push('options.reasoning')
  return false
}

function writeThinking(
  { effort, budgetTokens, isAdaptive, isShown, isSummarized }: Reasoning,
  maxTokens: number,
  adapted: string[],
): Fields | undefined {
  if (effort === 'none') return { type: 'disabled' }
  const display = isShown === false ? { display: 'omitted' } : isSummarized ? { display: 'summarized' } : {}
  if (isAdaptive) return { type: 'adaptive', ...display }
  if (budgetTokens === undefined && effort === undefined)
    return isShown ? { type: 'adaptive', ...display } : undefined
  if (budgetTokens === undefined) adapted.push('reasoning.effort')
  const asked = budgetTokens ?? Math.floor(maxTokens * (EFFORT_SHARES.get(effort ?? '') ?? 0.8))
  const budget = Math.min(asked, Math.floor(maxTokens * (1 - ANSWER_SHARE)))
  if (budgetTokens !== undefined && budget < budgetTokens) adapted.push('reasoning.budgetTokens')
  return budget < BUDGET_MIN ? undefined : { type: 'enabled', budget_tokens: budget, ...display }
}

/** The scale ends at 1; other formats end at 2. With reasoning on, the provider samples by itself. */
function writeSampling({ temperature, topP, topK }: Options, isOn: boolean, adapted: string[]): Fields {
  if (isOn) {
    if (temperature !== undefined && temperature !== 1) adapted.push('options.temperature')
    if (topP !== undefined && topP < 0.95) adapted.push('options.topP')
    if (topK !== undefined) adapted.push('options.topK')
    return topP !== undefined && topP >= 0.95 ? { top_p: topP } : {}
  }
  if (temperature !== undefined && temperature > 1) adapted.push('options.temperature')
  return {
    ...(temperature !== undefined && { temperature: Math.min(1, temperature) }),
    ...(topP !== undefined && { top_p: topP }),
    ...(topK !== undefined && { top_k: topK }),
  }
}
