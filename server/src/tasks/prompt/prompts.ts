// The prompts of a turn for the model: whole, or shortened for a summary.

import { fence } from '../../agent/agent.ts'
import type { Block, Conversation } from '../../platform/wires/conversation.ts'
import type { SecretMask } from '../secrets/secret-mask.ts'
import type { TurnContext, TurnState } from '../steps/turn-context.ts'
import type { TaskTurn } from '../turns-sql.ts'
import type { Attachment } from '../types.ts'
import { maskEarlierTurns } from './allowed-secrets.ts'
import { offeredTools } from './offered-tools.ts'
import { fenceNonceOf, PLAN_REQUEST, writeSystemPrompt } from './system-prompt.ts'
import { buildConversation } from './transcript.ts'

export type Prompts = {
  full(model: string): Conversation
  short(model: string, outputCharacters: number): Conversation
  /** There is something before the current request that a summary can replace. */
  readonly canCompact: boolean
}

export async function buildPrompts(context: TurnContext, state: TurnState): Promise<Prompts> {
  const { task, turn, turns, attachments, edited } = state
  const { mask } = context
  const workspace = await context.workspace()
  const steps = await maskEarlierTurns(state, mask)
  const nonce = fenceNonceOf(task)
  const system = await writeSystemPrompt(state, workspace, mask)
  const tools = offeredTools(state, nonce)
  const shown = new Map<string, readonly Block[]>()
  for (const each of turns) {
    const allowSecrets = each.allowSecrets && each.id === turn.id
    const request = { ...each, allowSecrets, attachments: attachments.get(each.id) ?? [] }
    shown.set(each.id, await promptBlocks(request, mask, nonce))
  }
  const options = { system, tools, nonce, promptOf: ({ id }: TaskTurn) => shown.get(id) ?? [] }
  const own = steps.filter(({ turnId }) => turnId === turn.id)
  let full: Conversation | undefined
  return {
    full(model) {
      if (full?.model !== model) full = buildConversation({ turns, steps, edited }, { ...options, model })
      return full
    },
    short: (model, outputCharacters) =>
      buildConversation({ turns, steps, edited }, { ...options, model, outputCharacters }),
    canCompact: own.at(-1)?.kind !== 'compact' && (turns.length > 1 || own.length > 1),
  }
}

/** The request of a turn as the model reads it. */
async function promptBlocks(
  {
    prompt,
    allowSecrets,
    mode,
    attachments,
  }: Pick<TaskTurn, 'prompt' | 'allowSecrets' | 'mode'> & { readonly attachments: readonly Attachment[] },
  mask: SecretMask,
  nonce: string,
): Promise<Block[]> {
  const words = allowSecrets ? prompt : (await mask.hideOutput('prompt', prompt)).text
  const blocks: Block[] = []
  for (const attachment of attachments) {
    if ('data' in attachment) {
      const { mediaType, data } = attachment
      blocks.push({ kind: 'image', source: { kind: 'data', mediaType, data } })
      continue
    }
    const { name, content } = attachment
    const text = (await mask.hide(name, content)).text
    blocks.push({ kind: 'text', text: fence(nonce, 'attachment', text, { name }) })
  }
  blocks.push({ kind: 'text', text: words })
  return mode === 'plan' ? [...blocks, { kind: 'text', text: PLAN_REQUEST }] : blocks
}
