// Proofs of reasoning: signatures and encrypted reasoning that only the provider that made them can read. A client of another
// format gets them with a tag and returns them in its history; only a provider of the tag's format receives them again.
import type { Block, Conversation, ProviderWire, ThinkingBlock, WireName } from './conversation.ts'

/** `cw1.<wire>.<signature>`, and `cw1r.<wire>.<data>` for reasoning that the provider encrypted as a whole. */
const TAG = /^cw1(r?)\.(openai|anthropic|gemini)\./
/** The start of a tag as base64, the only form that clients of Gemini accept. */
const ENCODED = /^Y3cx[Lc]/

const FAMILIES: Readonly<Record<WireName, ProviderWire>> = {
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'gemini',
}

/** The format of a provider that a client of this format expects. */
export const familyOf = (wire: WireName): ProviderWire => FAMILIES[wire]

export type Proof = { readonly wire: ProviderWire; readonly text: string; readonly isRedacted: boolean }

/** A proof as a client of another format gets it. */
export function tagProof({ wire, text, isRedacted }: Proof, client: WireName): string {
  if (familyOf(client) === wire) return text
  const tagged = `cw1${isRedacted ? 'r' : ''}.${wire}.${text}`
  return client === 'gemini' ? Buffer.from(tagged).toString('base64') : tagged
}

/**
 * The proof of reasoning. A client of Anthropic's format keeps only signed reasoning, so reasoning without a signature gets a
 * tag alone.
 */
export function tagSignature(
  signature: string | undefined,
  from: ProviderWire,
  to: WireName,
): string | undefined {
  if (familyOf(to) === from) return signature
  if (signature === undefined && to !== 'anthropic') return undefined
  return tagProof({ wire: from, text: signature ?? '', isRedacted: false }, to)
}

/** A proof as a client sent it. Without a tag it is of the client's own format. */
export function readProof(text: string, client: WireName, isRedacted = false): Proof {
  const tagged = client === 'gemini' && ENCODED.test(text) ? Buffer.from(text, 'base64').toString() : text
  const match = TAG.exec(tagged)
  if (!match) return { wire: familyOf(client), text, isRedacted }
  return { wire: match[2] as ProviderWire, text: tagged.slice(match[0].length), isRedacted: match[1] === 'r' }
}

/** The blocks of an answer with proofs that name their provider, so that `withProofsFor` can read them in a later request. */
export const tagBlocks = (blocks: readonly Block[], from: ProviderWire, to: WireName): Block[] =>
  familyOf(to) === from ? [...blocks] : blocks.map((block) => tagBlock(block, from, to))

function tagBlock(block: Block, from: ProviderWire, to: WireName): Block {
  if (block.kind === 'thinking' && block.redacted !== undefined)
    return { ...block, redacted: tagProof({ wire: from, text: block.redacted, isRedacted: true }, to) }
  if (!('signature' in block) || block.signature === undefined) return block
  return { ...block, signature: tagProof({ wire: from, text: block.signature, isRedacted: false }, to) }
}

export type ProvenConversation = {
  readonly conversation: Conversation
  /** Reasoning of another provider was left out. */
  readonly isReduced: boolean
}

/**
 * The conversation with the reasoning and the proofs of this provider's format. Reasoning of other providers is left out: they
 * cannot verify it, and some refuse it.
 */
export function withProofsFor(conversation: Conversation, provider: ProviderWire): ProvenConversation {
  if (!conversation.messages.some(({ blocks }) => blocks.some(hasProof)))
    return { conversation, isReduced: false }
  let isReduced = false
  const messages = conversation.messages.map((message) => {
    if (!message.blocks.some(hasProof)) return message
    const blocks = provenBlocks(message.blocks, conversation.wire, provider)
    if (blocks.length < message.blocks.length) isReduced = true
    return { ...message, blocks }
  })
  const kept = messages.filter(
    ({ blocks }, i) => blocks.length > 0 || conversation.messages[i]?.blocks.length === 0,
  )
  return { conversation: { ...conversation, messages: kept }, isReduced }
}

const hasProof = (block: Block): boolean =>
  block.kind === 'thinking' || ('signature' in block && block.signature !== undefined)

function provenBlocks(blocks: readonly Block[], client: WireName, provider: ProviderWire): Block[] {
  const proven: Block[] = []
  /** The proof of the next call, which arrived as reasoning without text. */
  let carried: string | null = null
  for (const block of blocks) {
    if (block.kind === 'thinking') {
      const thinking = thinkingFor(block, client, provider)
      if (thinking && isCarrier(block, client)) carried = thinking.signature ?? null
      else if (thinking) proven.push(thinking)
    } else if (block.kind === 'tool_call' && carried !== null) {
      proven.push({ ...block, signature: carried })
      carried = null
    } else proven.push(withSignatureFor(block, client, provider))
  }
  return proven
}

/** Formats without a field for the proof of a call get it as reasoning without text before the call. */
const isCarrier = ({ text, signature }: ThinkingBlock, client: WireName): boolean =>
  text === '' &&
  signature !== undefined &&
  client !== 'gemini' &&
  readProof(signature, client).wire === 'gemini'

/** Null for reasoning of another provider. */
function thinkingFor(block: ThinkingBlock, client: WireName, provider: ProviderWire): ThinkingBlock | null {
  const { signature, redacted, ...plain } = block
  const proof = readProof(redacted ?? signature ?? '', client, redacted !== undefined)
  if (proof.wire !== provider) return null
  if (proof.isRedacted) return { kind: 'thinking', text: '', redacted: proof.text }
  return proof.text === '' ? plain : { ...plain, signature: proof.text }
}

function withSignatureFor(block: Block, client: WireName, provider: ProviderWire): Block {
  if (!('signature' in block) || block.signature === undefined) return block
  const { signature, ...plain } = block
  const proof = readProof(signature, client)
  return proof.wire === provider ? { ...plain, signature: proof.text } : plain
}
