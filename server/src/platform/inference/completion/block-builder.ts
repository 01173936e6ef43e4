// Collects the blocks of a streamed answer: text, reasoning and tool calls.
import type { Block, BlockStart, StreamEvent } from '../../wires/conversation.ts'

type BlockEvent = Extract<StreamEvent, { kind: 'block_start' | 'delta' | 'signature' | 'block_end' }>
type Draft = { readonly start: BlockStart; readonly texts: string[]; signature?: string }

export class BlockBuilder {
  readonly #drafts = new Map<number, Draft>()
  /** A high surrogate at the end of a piece. Its second half may come with the next piece. */
  #highSurrogate = ''
  #characters = 0

  /** The characters of all blocks so far. */
  get characters(): number {
    return this.#characters
  }

  /** Returns the text to show, for text and reasoning. */
  add(event: BlockEvent): { kind: 'text' | 'thinking'; text: string } | null {
    if (event.choice !== 0) return null
    if (event.kind === 'block_start') {
      this.#drafts.set(event.index, { start: event.block, texts: [] })
      return null
    }
    const draft = this.#drafts.get(event.index)
    if (!draft || event.kind === 'block_end') return null
    if (event.kind === 'signature') {
      draft.signature = (draft.signature ?? '') + event.signature
      return null
    }
    const text = this.#joinSurrogates(event.text)
    draft.texts.push(text)
    this.#characters += text.length
    const { kind } = draft.start
    return kind === 'text' || kind === 'thinking' ? { kind, text } : null
  }

  addWhole(block: Block): void {
    const index = this.#drafts.size
    const texts = 'text' in block ? [block.text] : block.kind === 'tool_call' ? [block.arguments] : []
    if (block.kind === 'text' || block.kind === 'refusal') this.#put(index, { kind: block.kind }, texts)
    if (block.kind === 'thinking') this.#put(index, { kind: 'thinking' }, texts, block.signature)
    if (block.kind === 'tool_call')
      this.#put(index, { kind: 'tool_call', id: block.id, name: block.name }, texts, block.signature)
  }

  #put(index: number, start: BlockStart, texts: string[], signature?: string): void {
    const storable = texts.map(toStorable)
    this.#drafts.set(index, { start, texts: storable, ...(signature !== undefined && { signature }) })
    this.#characters += storable.reduce((sum, { length }) => sum + length, 0)
  }

  /** All text, to count its tokens. */
  text(): string {
    return [...this.#drafts.values()]
      .map(({ start, texts }) => (start.kind === 'tool_call' ? start.name : '') + texts.join(''))
      .join('\n')
  }

  /** The blocks in order. Empty texts are left out. */
  build(): Block[] {
    return [...this.#drafts].sort(([a], [b]) => a - b).flatMap(([, draft]) => blockOf(draft))
  }

  #joinSurrogates(raw: string): string {
    const text = this.#highSurrogate + raw
    this.#highSurrogate = /[\ud800-\udbff]$/.exec(text)?.[0] ?? ''
    return toStorable(text.slice(0, text.length - this.#highSurrogate.length))
  }
}

function blockOf({ start, texts, signature }: Draft): Block[] {
  const text = texts.join('')
  const proof = signature === undefined ? {} : { signature }
  if (start.kind === 'tool_call') {
    const { id, name } = start
    const own = start.signature === undefined ? proof : { signature: start.signature }
    return [{ kind: 'tool_call', id, name, arguments: text.trim() === '' ? '{}' : text, ...own }]
  }
  if (start.kind === 'thinking') {
    const { redacted } = start
    if (text === '' && redacted === undefined && signature === undefined) return []
    return [{ kind: 'thinking', text, ...proof, ...(redacted !== undefined && { redacted }) }]
  }
  // A refusal is the answer of the model in its own words.
  return text.trim() === '' ? [] : [{ kind: 'text', text, ...proof }]
}

/** Removes NUL, which PostgreSQL cannot store, and replaces unpaired surrogates. Models can write both. */
const toStorable = (text: string): string => text.toWellFormed().replaceAll('\0', '')
