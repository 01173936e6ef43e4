// Builds the conversation with the model from the stored turns and steps. Between two compactions it only grows, so that providers
// can cache its beginning.
import { showPath } from '@cowrie/workspace/text/plain-text.ts'
import { fence } from '../../agent/agent.ts'
import { present } from '../../kernel/assert.ts'
import type { Block, Conversation, Message, TextBlock, Tool } from '../../platform/wires/conversation.ts'
import { countRepeats } from '../steps/progress.ts'
import {
  type CompactOutcome,
  callIdOf,
  modelOutcomeOf,
  toolInputOf,
  toolOutcomeOf,
} from '../steps/step-types.ts'
import type { StepOfTask, TurnState } from '../steps/turn-context.ts'
import type { TaskTurn } from '../turns-sql.ts'
import type { TurnVerification } from '../verify/types.ts'

export type TranscriptOptions = {
  readonly model: string
  readonly system: string
  readonly tools: readonly Tool[]
  /** Marks foreign text. */
  readonly nonce: string
  /** The prompt of a turn without secrets. */
  readonly promptOf: (turn: TaskTurn) => readonly Block[]
  /** Cuts the results of tools, for a summary. */
  readonly outputCharacters?: number
}

const REPEATS_NAMED = 3
const EDITED_NAMED_MAX = 50

export function buildConversation(
  state: Pick<TurnState, 'turns' | 'steps' | 'edited'>,
  options: TranscriptOptions,
): Conversation {
  const messages = new MessageList()
  const from = lastCompaction(state.steps)
  const stepsOf = Map.groupBy(state.steps, ({ turnId }) => turnId)
  for (const turn of state.turns) {
    if (from && turn.ordinal < from.ordinal) continue
    const edited = state.edited.get(turn.id) ?? []
    if (edited.length > 0) messages.add('user', text(editedText(edited)))
    addTurn(messages, turn, stepsOf.get(turn.id) ?? [], from, options)
  }
  return {
    wire: 'openai-chat',
    model: options.model,
    system: [{ kind: 'text', text: options.system, cache: { ttl: '5m' } }],
    messages: messages.toList(),
    tools: [...options.tools],
    toolChoice: null,
    options: {},
    isStream: true,
    ignored: [],
  }
}

function editedText(paths: readonly string[]): string {
  const named = paths.slice(0, EDITED_NAMED_MAX).map(showPath).join(', ')
  const rest = paths.length > EDITED_NAMED_MAX ? ` and ${paths.length - EDITED_NAMED_MAX} more` : ''
  return `Before the next request, the caller reverted or rejected changes in these files: ${named}${rest}. Read them again before you rely on earlier results, and do not repeat such a change unless you are asked to.`
}

const lastCompaction = (steps: readonly StepOfTask[]): StepOfTask | undefined =>
  steps.findLast(({ kind, doneAt }) => kind === 'compact' && doneAt !== null)

function addTurn(
  messages: MessageList,
  turn: TaskTurn,
  steps: readonly StepOfTask[],
  from: StepOfTask | undefined,
  options: TranscriptOptions,
): void {
  const isCompacted = from !== undefined && from.turnId === turn.id
  if (isCompacted) messages.add('user', text(summaryText(from.outcome as CompactOutcome)))
  messages.add('user', ...options.promptOf(turn))
  const repeats = countRepeats(steps)
  for (const [i, step] of steps.entries()) {
    if (isCompacted && step.n <= from.n) continue
    if (step.kind === 'model' && step.doneAt !== null) addAnswer(messages, turn, steps, i)
    if (step.kind === 'tool') messages.add('user', resultBlock(turn, step, repeats.get(step) ?? 0, options))
    if (step.kind === 'verify' && step.doneAt !== null) {
      const words = verificationText(step.outcome as TurnVerification, options.nonce)
      if (words !== null) messages.add('user', text(words))
    }
  }
}

const summaryText = ({ summary }: CompactOutcome): string =>
  `The conversation so far was replaced by this summary of it. The files of the workspace are as it says.\n\n${summary}\n\nThe current request is:`

/** The stored blocks, with our ids for its tool calls: those follow the answer as steps. */
function addAnswer(messages: MessageList, turn: TaskTurn, steps: readonly StepOfTask[], at: number): void {
  const outcome = modelOutcomeOf(present(steps[at], 'the answer is a step'))
  const first = at + 1
  const calls = steps.slice(first, first + outcome.blocks.filter(({ kind }) => kind === 'tool_call').length)
  const own = outcome.blocks.filter(({ kind }) => kind === 'text' || kind === 'thinking')
  messages.add('assistant', ...own, ...calls.map((call) => callBlock(turn, call)))
  if (outcome.finish === 'length' && calls.length === 0)
    messages.add('user', text('Your answer was cut at its length limit. Continue where it ended.'))
}

function callBlock(turn: TaskTurn, step: StepOfTask): Block {
  const { tool, arguments: args, signature } = toolInputOf(step)
  return {
    kind: 'tool_call',
    id: callIdOf(turn.ordinal, step.n),
    name: tool,
    arguments: args,
    ...(signature !== undefined && { signature }),
  }
}

function resultBlock(
  turn: TaskTurn,
  step: StepOfTask,
  repeats: number,
  { outputCharacters = Number.POSITIVE_INFINITY }: TranscriptOptions,
): Block {
  const outcome = toolOutcomeOf(step)
  const output = outcome?.output ?? 'This call was not run: the turn ended before it.'
  const note =
    repeats >= REPEATS_NAMED
      ? '\n\nThis call was made several times with the same result. Do something else.'
      : ''
  const shown =
    output.length > outputCharacters
      ? `${output.slice(0, outputCharacters)}\n… ${output.length - outputCharacters} characters left out`
      : output
  return {
    kind: 'tool_result',
    callId: callIdOf(turn.ordinal, step.n),
    name: toolInputOf(step).tool,
    content: [text(shown + note)],
    ...(outcome?.ok !== true && { isError: true }),
  }
}

/** The text for the model about a verification that it can repair; null where there is nothing to do. */
function verificationText(verification: TurnVerification, nonce: string): string | null {
  const { command, reason, detail, excerpt } = verification
  if (reason === 'still_fails')
    return `The tests were run after your changes and fail. Correct the code. If the tests cannot pass for another reason, say which.\n${fence(nonce, 'tests', excerpt, { command: command ?? '' })}`
  if (reason === 'tests_changed')
    return `Your changes make the tests prove less: ${detail ?? 'they change tests, their configuration or their runner'}. Restore that, and correct the code instead. New tests in new files are welcome.`
  if (reason === 'hard_coded')
    return `The tests pass, but a pass proves nothing yet: ${detail ?? 'the program knows values of the tests.'} Write code that is right for all inputs.`
  return null
}

/** A text that was cut inside a surrogate pair would be refused by providers. */
const text = (words: string): TextBlock => ({ kind: 'text', text: words.toWellFormed() })

/** Joins neighbouring messages of one role: some providers accept only alternating roles. */
class MessageList {
  readonly #messages: { role: 'user' | 'assistant'; blocks: Block[] }[] = []

  add(role: 'user' | 'assistant', ...blocks: readonly Block[]): void {
    if (blocks.length === 0) return
    const last = this.#messages.at(-1)
    if (last?.role === role) last.blocks.push(...blocks)
    else this.#messages.push({ role, blocks: [...blocks] })
  }

  toList(): readonly Message[] {
    return this.#messages
  }
}
