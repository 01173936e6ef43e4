// The expected answer of a case in the conversation model of the server, for a format with these abilities.
import { type Answer, type Case, TOKENS } from './cases.ts'

type Fields = Record<string, unknown>
export type Abilities = {
  readonly model: string
  /** The id of the reply in this format. */
  readonly idOf: (number: number) => string
  readonly callIdOf?: (item: Case, at: number) => string
  readonly hasSignatures: (item: Case) => boolean
  readonly hasRedacted: boolean
  readonly hasRefusals: boolean
  readonly hasStopSequences: boolean
  readonly hasLogprobs: boolean
  readonly hasBytes?: boolean
  readonly hasReasoningUsage: boolean
  readonly hasCacheWrites: boolean
  readonly hasChoices: boolean
}

export function expectedOf(item: Case, can: Abilities): Fields {
  const { usage } = item
  const answers = can.hasChoices ? item.answers : item.answers.slice(0, 1)
  return {
    id: can.idOf(item.number),
    model: can.model,
    choices: answers.map((answer) => choiceOf(answer, item, can)),
    usage: usage && {
      inputTokens: usage.input - (can.hasCacheWrites ? 0 : usage.written),
      cachedInputTokens: usage.cached,
      cacheWriteTokens: can.hasCacheWrites ? usage.written : 0,
      outputTokens: usage.output,
      reasoningTokens: can.hasReasoningUsage ? usage.reasoning : 0,
    },
  }
}

function choiceOf(answer: Answer, item: Case, can: Abilities): Fields {
  const blocks: Fields[] = []
  for (const { text, signature, redacted } of answer.thoughts) {
    if (redacted !== undefined) {
      if (can.hasRedacted) blocks.push({ kind: 'thinking', text: '', redacted })
    } else {
      const isSigned = signature !== undefined && can.hasSignatures(item)
      blocks.push({ kind: 'thinking', text, ...(isSigned && { signature }) })
    }
  }
  if (answer.text !== '') blocks.push({ kind: 'text', text: answer.text, ...logprobsOf(answer, can) })
  if (answer.refusal !== '') blocks.push({ kind: can.hasRefusals ? 'refusal' : 'text', text: answer.refusal })
  for (const [at, call] of answer.calls.entries())
    blocks.push({
      kind: 'tool_call',
      id: can.callIdOf?.(item, at) ?? call.id,
      name: call.name,
      arguments: JSON.stringify(call.args),
    })
  return {
    blocks,
    finish: answer.finish,
    ...(can.hasStopSequences && answer.stopSequence !== undefined && { stopSequence: answer.stopSequence }),
  }
}

function logprobsOf(answer: Answer, can: Abilities): Fields {
  if (!answer.logprobs || !can.hasLogprobs) return {}
  const bytes = (token: string) => (can.hasBytes ? { bytes: [...Buffer.from(token)] } : {})
  return {
    logprobs: TOKENS.map(({ token, logprob, top }) => ({
      token,
      logprob,
      ...bytes(token),
      top: top.map((each) => ({ ...each, ...bytes(each.token) })),
    })),
  }
}
