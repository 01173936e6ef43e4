// Turns the answer of a model into what is stored: its blocks, and a step for each tool call.
import { placeholdersIn } from '@cowrie/workspace/secrets/placeholders.ts'
import type { ConversationAnswer } from '../../platform/inference/inference.ts'
import type { Block, ToolCallBlock } from '../../platform/wires/conversation.ts'
import type { TaskEvent } from '../events.ts'
import {
  type CompactOutcome,
  callIdOf,
  type ModelOutcome,
  type ToolInput,
  textOf,
} from '../steps/step-types.ts'
import type { TurnState } from '../steps/turn-context.ts'
import type { NewToolStep } from '../steps-sql.ts'
import { readOfferedCall } from '../tools/tools.ts'

/** Further calls of an answer are dropped. The model sees that they have no result. */
const CALLS_MAX = 16

export type StoredAnswer = {
  readonly outcome: ModelOutcome | CompactOutcome
  readonly tools: readonly NewToolStep[]
  readonly events: readonly TaskEvent[]
  /** The turn waits for the caller's tools. */
  readonly isWaiting: boolean
}

export function storeAnswer(
  state: TurnState,
  { n, kind }: { readonly n: number; readonly kind: 'model' | 'compact' },
  { blocks, finish, model }: ConversationAnswer,
): StoredAnswer {
  const outcome: ModelOutcome = {
    blocks: withFewCalls(blocks),
    finish: finish === 'stopped' ? 'stop' : finish,
    model,
  }
  if (kind === 'compact')
    return {
      outcome: { summary: textOf(outcome) },
      tools: [],
      events: [{ kind: 'status', status: 'running', note: 'compacted' }],
      isWaiting: false,
    }
  const { task, turn } = state
  const isClient = task.workspace.kind === 'client'
  const inputs = outcome.blocks.filter(isCall).map((call) => toInput(call, state))
  const tools = inputs.map((input, i): NewToolStep => {
    const step = n + 1 + i
    const awaits = isClient && input.call !== null ? 'result' : null
    return { n: step, callId: callIdOf(turn.ordinal, step), input, awaits }
  })
  const isWaiting = tools.length > 0 && tools.every(({ awaits }) => awaits !== null)
  return { outcome, tools, events: eventsOf(tools, isWaiting), isWaiting }
}

const isCall = (block: Block): block is ToolCallBlock => block.kind === 'tool_call'

function withFewCalls(blocks: readonly Block[]): Block[] {
  let calls = 0
  return blocks.filter((block) => !isCall(block) || ++calls <= CALLS_MAX)
}

function toInput(
  { name, arguments: text, signature }: ToolCallBlock,
  { task, turn, client }: TurnState,
): ToolInput {
  const proof = signature === undefined ? {} : { signature }
  const args = toArguments(text)
  const clientTools = client?.tools ?? []
  const read = readOfferedCall(name, text, { clientTools, mode: turn.mode })
  const tool = name.slice(0, 64).replace(/[^\w-]/g, '_')
  if ('problem' in read) return { tool, arguments: args, call: null, problem: read.problem, ...proof }
  // The values of placeholders that this service made are known only here. The parsed input has no escapes that could hide one.
  if (task.workspace.kind === 'client' && placeholdersIn(JSON.stringify(read.call.input)).length > 0)
    return { tool, arguments: args, call: null, problem: PLACEHOLDER_PROBLEM, ...proof }
  const mayWrite = clientTools.some((each) => each.name === name && !each.isReadOnly)
  return { tool, arguments: args, call: read.call, ...(mayWrite && { mayWrite }), ...proof }
}

const PLACEHOLDER_PROBLEM =
  'The call contains a withheld secret. Change the lines around it, and leave the line with the secret as it is.'

/** Providers accept only JSON objects of well-formed texts when the call is sent back to them. */
function toArguments(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return '{}'
    return /\\ud[89a-f]/i.test(text) ? JSON.stringify(value, wellFormed) : text
  } catch {
    return '{}'
  }
}

const wellFormed = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? value.toWellFormed() : value

function eventsOf(tools: readonly NewToolStep[], isWaiting: boolean): TaskEvent[] {
  const events = tools.map((step): TaskEvent => {
    const { tool, call } = step.input as ToolInput
    const about = { step: step.n, callId: step.callId, tool, input: call?.input ?? null }
    return step.awaits === 'result' ? { kind: 'needs_tool', ...about } : { kind: 'tool', ...about }
  })
  return isWaiting ? [...events, { kind: 'status', status: 'waiting' }] : events
}
