// Translates a whole answer of a provider for a client of any format.
import {
  type Block,
  type Choice,
  type Conversation,
  type Finish,
  MalformedReplyError,
  type ProviderWire,
  type Reply,
  type TokenUsage,
  type ToolCallBlock,
  type WireName,
} from './conversation.ts'
import { customCall, customToolsIn } from './custom-tools.ts'
import { familyOf, tagProof, tagSignature } from './signatures.ts'
import { isTruncatedJson, parseArguments } from './values.ts'
import type { Cost, Fields, ReplyMeta, Wire } from './wire.ts'

export type Translation = {
  readonly from: ProviderWire
  readonly to: WireName
  readonly conversation: Conversation
  readonly meta: ReplyMeta
}

export type TranslatedReply = {
  /** The answer with the usage that the provider reported. */
  readonly reply: Fields
  /** The answer with the usage and the cost of the settlement. */
  write(usage: TokenUsage, cost?: Cost): Fields
  readonly usage: TokenUsage | null
  readonly finish: Finish
  /** Text, reasoning and tool calls, for our own token count. */
  readonly text: string
}

/** Formats with a field for the proof of a tool call. Others get it as reasoning without text before the call. */
export const hasCallProofs = (wire: WireName): boolean => wire === 'gemini' || wire === 'openai-chat'
/** Formats that have the arguments of a tool call as an object, not as text. */
export const hasArgumentObjects = (wire: WireName): boolean => wire === 'anthropic' || wire === 'gemini'
/** After these, arguments may be incomplete. */
export const isCut = (finish: Finish): boolean => finish === 'length' || finish === 'content_filter'
export const BLOCKS_MAX = 10_000

export function translate(
  provider: Wire,
  client: Wire,
  translation: Translation,
  body: unknown,
): TranslatedReply {
  const read = provider.readReply(body)
  const { conversation, meta } = translation
  if (read.choices.length > (conversation.options.count ?? 1))
    throw new MalformedReplyError('the reply has more answers than requested')
  const names = customToolsIn(conversation)
  const choices = read.choices.map((choice) => choiceFor(choice, names, translation))
  const id = familyOf(translation.to) === translation.from ? read.id : ''
  const reply: Reply = { ...read, id, choices }
  return {
    get reply() {
      return client.writeReply(reply, meta)
    },
    write: (usage, cost) => client.writeReply({ ...reply, usage }, cost ? { ...meta, cost } : meta),
    usage: read.usage,
    finish: choices[0]?.finish ?? 'stop',
    text: read.choices.flatMap(({ blocks }) => blocks.map(textOf)).join('\n'),
  }
}

function textOf(block: Block): string {
  if (block.kind === 'tool_call') return `${block.name}\n${block.arguments}`
  return 'text' in block ? block.text : ''
}

function choiceFor(choice: Choice, custom: ReadonlySet<string>, translation: Translation): Choice {
  if (choice.blocks.length > BLOCKS_MAX) throw new MalformedReplyError('the reply has too many blocks')
  const { to } = translation
  const blocks = choice.blocks.flatMap((block): readonly Block[] => {
    if (block.kind === 'tool_call')
      return isWholeCall(block, choice.finish, to) ? callFor(block, custom, translation) : []
    if (block.kind === 'thinking') return [thinkingFor(block, translation)]
    if (block.kind !== 'text' || block.signature === undefined || to === 'gemini') return [block]
    const { signature: _, ...plain } = block
    return plain.text === '' ? [] : [plain]
  })
  return { ...choice, blocks }
}

/** Whether the client's format can hold the arguments. Throws for arguments that no client could parse. */
function isWholeCall({ arguments: text, isCustom }: ToolCallBlock, finish: Finish, to: WireName): boolean {
  if (isCustom) return true
  if (!isCut(finish) && isTruncatedJson(text))
    throw new MalformedReplyError('the arguments of a tool call are cut')
  if (!hasArgumentObjects(to) || parseArguments(text) !== null) return true
  if (isCut(finish)) return false
  throw new MalformedReplyError('the arguments of a tool call are no JSON object')
}

function callFor(
  block: ToolCallBlock,
  custom: ReadonlySet<string>,
  { from, to }: Translation,
): readonly Block[] {
  const call = !block.isCustom && custom.has(block.name) ? customCall(block) : block
  if (call.signature === undefined) return [call]
  const signature = tagProof({ wire: from, text: call.signature, isRedacted: false }, to)
  if (hasCallProofs(to)) return [{ ...call, signature }]
  const { signature: _, ...plain } = call
  return [{ kind: 'thinking', text: '', signature }, plain]
}

function thinkingFor(block: Block & { kind: 'thinking' }, { from, to }: Translation): Block {
  if (familyOf(to) === from) return block
  const { kind, text, redacted } = block
  if (redacted !== undefined)
    return { kind, text, redacted: tagProof({ wire: from, text: redacted, isRedacted: true }, to) }
  const signature = tagSignature(block.signature, from, to)
  return signature === undefined ? { kind, text } : { kind, text, signature }
}
