// Proofs of reasoning: signatures and encrypted reasoning that only the provider that made them can read. A client of another
// format gets them with a tag and returns them in its history; only a provider of the tag's format receives them again.
import type { ProviderWire } from '../inference/inference.ts'
import type { Block, Conversation, Message, ThinkingBlock, WireName } from './conversation.ts'

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

/** A proof as a client sent it. Without a tag it is of the client's own format. */
export function readProof(text: string, client: WireName, isRedacted = false): Proof {
  const tagged = client === 'gemini' && ENCODED.test(text) ? Buffer.from(text, 'base64').toString() : text
  const match = TAG.exec(tagged)
  if (!match) return { wire: familyOf(client), text, isRedacted }
  return { wire: match[2] as ProviderWire, text: tagged.slice(match[0].length), isRedacted: match[1] === 'r' }
}

/** The conversation with the proofs that a provider of this format can read, and without all others. */
export function withProofsFor(conversation: Conversation, provider: ProviderWire): Conversation {
  if (!conversation.messages.some(({ blocks }) => blocks.some(hasProof))) return conversation
  const messages = conversation.messages.map((message) =>
    message.blocks.some(hasProof) ? provenMessage(message, conversation.wire, provider) : message,
  )
  return { ...conversation, messages: messages.filter(({ blocks }) => blocks.length > 0) }
}

const hasProof = (block: Block): boolean =>
  ('signature' in block && block.signature !== undefined) ||
  (block.kind === 'thinking' && block.redacted !== undefined)

function provenMessage(message: Message, client: WireName, provider: ProviderWire): Message {
  const blocks: Block[] = []
  /** The proof of the next call, which arrived as reasoning without text. */
  let carried: string | null = null
  for (const block of message.blocks) {
    const proven = block.kind === 'thinking' ? thinkingFor(block, client, provider) : null
    if (proven && isCarrier(block, client)) carried = proven.signature ?? null
    else if (proven) blocks.push(proven)
    else if (block.kind === 'tool_call' && carried !== null) {
      blocks.push({ ...block, signature: carried })
      carried = null
    } else if (block.kind !== 'thinking') blocks.push(withSignatureFor(block, client, provider))
  }
  return { ...message, blocks }
}

/** Formats without a field for the proof of a call get it as reasoning without text before the call. */
const isCarrier = (block: Block, client: WireName): boolean =>
  block.kind === 'thinking' &&
  block.text === '' &&
  block.signature !== undefined &&
  client !== 'gemini' &&
  readProof(block.signature, client).wire === 'gemini'

/** Null for reasoning that says nothing without its proof. */
function thinkingFor(block: ThinkingBlock, client: WireName, provider: ProviderWire): ThinkingBlock | null {
  const { signature, redacted, ...plain } = block
  const sent = redacted ?? signature
  const proof = sent === undefined ? null : readProof(sent, client, redacted !== undefined)
  if (proof?.wire === provider)
    return proof.isRedacted
      ? { kind: 'thinking', text: '', redacted: proof.text }
      : { ...plain, signature: proof.text }
  return plain.text === '' ? null : { kind: 'thinking', text: plain.text }
}

function withSignatureFor(block: Block, client: WireName, provider: ProviderWire): Block {
  if (!('signature' in block) || block.signature === undefined) return block
  const { signature, ...plain } = block
  const proof = readProof(signature, client)
  return proof.wire === provider ? { ...plain, signature: proof.text } : plain
}
