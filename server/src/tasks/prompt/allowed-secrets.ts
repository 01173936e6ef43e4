// `allowSecrets` holds for one turn. Later turns, perhaps of another model, read the steps of that turn without its secrets.
import { isSecretFile } from '@cowrie/analysis/secret-formats/secrets.ts'
import { withheldProblem } from '@cowrie/workspace/tools/workspace-text.ts'
import type { Block } from '../../platform/wires/conversation.ts'
import type { SecretMask } from '../secrets/secret-mask.ts'
import {
  type CompactOutcome,
  modelOutcomeOf,
  serviceCallOf,
  type ToolInput,
  toolInputOf,
  toolOutcomeOf,
} from '../steps/step-types.ts'
import type { StepOfTask, TurnState } from '../steps/turn-context.ts'

/** Finished steps never change, so each is masked once in an attempt. */
const maskedSteps = new WeakMap<SecretMask, WeakMap<StepOfTask, StepOfTask>>()

export async function maskEarlierTurns(
  { turn, turns, steps }: Pick<TurnState, 'turn' | 'turns' | 'steps'>,
  mask: SecretMask,
): Promise<readonly StepOfTask[]> {
  const allowed = new Set(
    turns.flatMap(({ id, allowSecrets }) => (allowSecrets && id !== turn.id ? [id] : [])),
  )
  if (allowed.size === 0) return steps
  const known = maskedSteps.get(mask) ?? new WeakMap<StepOfTask, StepOfTask>()
  maskedSteps.set(mask, known)
  const own = steps.filter(({ turnId }) => allowed.has(turnId))
  for (const step of own) if (!known.has(step)) await learnOutput(step, mask)
  for (const step of own) if (!known.has(step)) known.set(step, await maskStep(step, mask))
  return steps.map((step) => known.get(step) ?? step)
}

const LINE_NUMBER = /^ *\d+\| ?/gm

/** Secrets that stand at the start of a line are not recognized behind its number. The file may have changed since. */
async function learnOutput(step: StepOfTask, mask: SecretMask): Promise<void> {
  if (step.kind !== 'tool') return
  const output = toolOutcomeOf(step)?.output ?? ''
  const call = serviceCallOf(toolInputOf(step))
  await mask.learn(
    call?.name === 'read' ? call.input.path : 'earlier output',
    output.replace(LINE_NUMBER, ''),
  )
}

async function maskStep(step: StepOfTask, mask: SecretMask): Promise<StepOfTask> {
  const hide = async (text: string) => (await mask.hideOutput('earlier turn', text)).text
  if (step.kind === 'model' && step.doneAt !== null) {
    const outcome = modelOutcomeOf(step)
    const blocks = await Promise.all(outcome.blocks.map((block) => maskBlock(block, hide)))
    return { ...step, outcome: { ...outcome, blocks: blocks.flat() } }
  }
  if (step.kind === 'compact' && step.doneAt !== null) {
    const { summary } = step.outcome as CompactOutcome
    return { ...step, outcome: { summary: await hide(summary) } satisfies CompactOutcome }
  }
  if (step.kind !== 'tool') return step
  const input = toolInputOf(step)
  const outcome = toolOutcomeOf(step)
  const args = { ...input, arguments: await maskJson(input.arguments, hide) } satisfies ToolInput
  return {
    ...step,
    input: args,
    outcome: outcome && { ...outcome, output: await maskOutput(input, outcome.output, hide) },
  }
}

type Hide = (text: string) => Promise<string>

/** Of a file such as `.env`, nothing is shown. */
async function maskOutput(input: ToolInput, output: string, hide: Hide): Promise<string> {
  const call = serviceCallOf(input)
  if (call?.name === 'read' && isSecretFile(call.input.path)) return withheldProblem(call.input.path)
  return hide(output)
}

/** Providers refuse a changed reasoning block, so one with secrets is left out. */
async function maskBlock(block: Block, hide: Hide): Promise<Block[]> {
  if (block.kind === 'text') return [{ ...block, text: await hide(block.text) }]
  if (block.kind !== 'thinking') return [block]
  return (await hide(block.text)) === block.text ? [block] : []
}

async function maskJson(text: string, hide: Hide): Promise<string> {
  return JSON.stringify(await maskStrings(JSON.parse(text), hide))
}

async function maskStrings(value: unknown, hide: Hide): Promise<unknown> {
  if (typeof value === 'string') return hide(value)
  if (Array.isArray(value)) return Promise.all(value.map((each) => maskStrings(each, hide)))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(async ([name, each]) => [name, await maskStrings(each, hide)])
  return Object.fromEntries(await Promise.all(entries))
}
