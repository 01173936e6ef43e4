// Translates the stream of a provider for a client of any format, event by event.
import {
  type BlockStart,
  type Finish,
  MalformedReplyError,
  type StreamEvent,
  type TokenUsage,
} from './conversation.ts'
import { customInput, customToolsIn } from './custom-tools.ts'
import { familyOf, tagProof, tagSignature } from './signatures.ts'
import { BLOCKS_MAX, hasArgumentObjects, hasCallProofs, isCut, type Translation } from './translate-reply.ts'
import { isTruncatedJson, parseArguments } from './values.ts'
import type { Cost, Refusal, StreamWriter, Wire } from './wire.ts'

const ARGUMENTS_MAX = 8 * 1024 * 1024

/** `text` is the text, reasoning and tool calls of this piece, for our own token count. */
export type StreamPiece = { readonly bytes: string; readonly text: string }

export type StreamTranslator = {
  /** Takes the data of one event. Throws a MalformedReplyError, or a ProviderStreamError for an error event. */
  push(data: string): StreamPiece
  /** The end of the provider's stream. Throws when the answer is incomplete. */
  end(): StreamPiece
  /** As the provider reported it so far. */
  usage(): TokenUsage | null
  finish(): Finish | null
  /** The model as the provider names it; null before it does. */
  model(): string | null
  /** The last bytes, once the usage and the cost are known. `isCut`: the answer ends here, before the provider's end. */
  close(usage: TokenUsage, cost: Cost, isCut?: boolean): string
  /** An error after the first byte, as the last bytes. */
  error(refusal: Refusal): string
  readonly keepAlive: string
}

export function createTranslator(provider: Wire, client: Wire, translation: Translation): StreamTranslator {
  const reader = provider.createReader()
  const writer = client.createWriter(translation.meta)
  const events = new EventTranslator(writer, translation)
  return {
    push: (data) => events.take(reader.read(data)),
    end: () => events.take(reader.end()),
    usage: () => events.usage,
    finish: () => events.finish,
    model: () => events.model,
    close: (usage, cost, isCut = false) => (isCut ? events.cut() : '') + writer.end(usage, cost),
    error: (refusal) => writer.error(refusal),
    keepAlive: writer.keepAlive,
  }
}

/** The block of a choice that is open. */
type OpenBlock = {
  readonly kind: BlockStart['kind']
  readonly index: number
  /** A function call that the client sees as a custom tool. */
  readonly isWrapped: boolean
  /** The arguments of a call, as pieces; null where they are not JSON. */
  pieces: string[] | null
  length: number
  /** It has a signature, or is encrypted and needs none. */
  isSigned: boolean
}

class EventTranslator {
  usage: TokenUsage | null = null
  finish: Finish | null = null
  model: string | null = null
  readonly #writer: StreamWriter
  readonly #translation: Translation
  readonly #custom: ReadonlySet<string>
  readonly #choicesMax: number
  readonly #open = new Map<number, OpenBlock>()
  readonly #finished = new Set<number>()
  #blocks = 0
  /** Blocks added before others, which changes the numbers of those. */
  #added = 0
  /** A tool call has arguments that the client cannot parse. */
  #hasCutCall = false
  #cutBytes: string | null = null
  #text = ''

  constructor(writer: StreamWriter, translation: Translation) {
    this.#writer = writer
    this.#translation = translation
    this.#custom = customToolsIn(translation.conversation)
    this.#choicesMax = translation.conversation.options.count ?? 1
  }

  take(events: readonly StreamEvent[]): StreamPiece {
    this.#text = ''
    let bytes = ''
    for (const event of events) bytes += this.#translate(event)
    return { bytes, text: this.#text }
  }

  /** Ends the open blocks and the answer. Returns the same when it is called again. */
  cut(): string {
    this.#cutBytes ??= this.#endAll()
    return this.#cutBytes
  }

  #endAll(): string {
    let bytes = ''
    for (const [choice, { index }] of [...this.#open])
      bytes += this.#blockEnd({ kind: 'block_end', choice, index })
    for (let choice = 0; choice < this.#choicesMax; choice++)
      if (!this.#finished.has(choice))
        bytes += this.#writer.write({ kind: 'finish', choice, finish: 'length' })
    this.finish ??= 'length'
    return bytes
  }

  #translate(event: StreamEvent): string {
    switch (event.kind) {
      case 'delta':
        return this.#delta(event)
      case 'start': {
        this.model = event.model
        const { from, to } = this.#translation
        return this.#writer.write(familyOf(to) === from ? event : { ...event, id: '' })
      }
      case 'block_start':
        return this.#blockStart(event)
      case 'block_end':
        return this.#blockEnd(event)
      case 'signature':
        return this.#signature(event)
      case 'finish':
        if (this.#hasCutCall && !isCut(event.finish))
          throw new MalformedReplyError('the arguments of a tool call are cut or no JSON object')
        this.#finished.add(event.choice)
        // The answer is finished when all requested answers are.
        if (this.#finished.size >= this.#choicesMax) this.finish = event.finish
        return this.#writer.write(event)
      case 'usage':
        this.usage = event.usage
        return this.#writer.write(event)
    }
  }

  #delta(event: StreamEvent & { kind: 'delta' }): string {
    const open = this.#open.get(event.choice)
    if (!open) throw new MalformedReplyError('a piece belongs to no block')
    this.#text += event.text
    if (open.pieces) {
      open.length += event.text.length
      if (open.length > ARGUMENTS_MAX)
        throw new MalformedReplyError('the arguments of a tool call are too long')
      open.pieces.push(event.text)
      if (open.isWrapped) return ''
    }
    return this.#writer.write(this.#moved(event))
  }

  #blockStart(event: StreamEvent & { kind: 'block_start' }): string {
    const { choice, block } = event
    if (choice >= this.#choicesMax) throw new MalformedReplyError('the reply has more answers than requested')
    if (++this.#blocks > BLOCKS_MAX) throw new MalformedReplyError('the reply has too many blocks')
    const isCall = block.kind === 'tool_call'
    const isWrapped = isCall && !block.isCustom && this.#custom.has(block.name)
    const pieces = isCall && !block.isCustom ? [] : null
    this.#open.set(choice, {
      kind: block.kind,
      index: event.index,
      isWrapped,
      pieces,
      length: 0,
      isSigned: block.kind === 'thinking' && block.redacted !== undefined,
    })
    if (isCall) {
      this.#text += `${block.name}\n`
      return this.#callStart(isWrapped ? { ...event, block: { ...block, isCustom: true } } : event)
    }
    if (block.kind !== 'thinking' || block.redacted === undefined)
      return this.#writer.write(this.#moved(event))
    const { from, to } = this.#translation
    const redacted = tagProof({ wire: from, text: block.redacted, isRedacted: true }, to)
    return this.#writer.write(this.#moved({ ...event, block: { kind: 'thinking', redacted } }))
  }

  #callStart(event: StreamEvent & { kind: 'block_start' }): string {
    const { block, choice } = event
    if (block.kind !== 'tool_call' || block.signature === undefined)
      return this.#writer.write(this.#moved(event))
    const { signature, ...plain } = block
    const { from, to } = this.#translation
    const tagged = tagProof({ wire: from, text: signature, isRedacted: false }, to)
    if (hasCallProofs(to))
      return this.#writer.write(this.#moved({ ...event, block: { ...plain, signature: tagged } }))
    const place = { choice, index: event.index + this.#added }
    this.#added++
    return (
      this.#writer.write({ kind: 'block_start', ...place, block: { kind: 'thinking' } }) +
      this.#writer.write({ kind: 'signature', ...place, signature: tagged }) +
      this.#writer.write({ kind: 'block_end', ...place }) +
      this.#writer.write(this.#moved({ ...event, block: plain }))
    )
  }

  #blockEnd(event: StreamEvent & { kind: 'block_end' }): string {
    const open = this.#open.get(event.choice)
    if (!open) throw new MalformedReplyError('a block ends that did not start')
    this.#open.delete(event.choice)
    const end = this.#moved(event)
    if (!open.pieces) return this.#sign(open, event) + this.#writer.write(end)
    const whole = open.pieces.join('')
    if (!this.#isWhole(whole, open.isWrapped)) this.#hasCutCall = true
    if (!open.isWrapped) return this.#writer.write(end)
    const input = this.#moved({ ...event, kind: 'delta', text: customInput(whole) })
    return this.#writer.write(input) + this.#writer.write(end)
  }

  #isWhole(text: string, isWrapped: boolean): boolean {
    if (isTruncatedJson(text)) return false
    return isWrapped || !hasArgumentObjects(this.#translation.to) || parseArguments(text) !== null
  }

  /** Only Gemini signs text. */
  #signature(event: StreamEvent & { kind: 'signature' }): string {
    const { from, to } = this.#translation
    const open = this.#open.get(event.choice)
    if (!open) throw new MalformedReplyError('a signature belongs to no block')
    if (open.kind !== 'thinking' && to !== 'gemini') return ''
    open.isSigned = true
    const signature = tagSignature(event.signature, from, to) ?? ''
    return this.#writer.write(this.#moved({ ...event, signature }))
  }

  /** The signature of reasoning that its provider did not sign, where the client's format requires one. */
  #sign({ kind, isSigned }: OpenBlock, { choice, index }: StreamEvent & { kind: 'block_end' }): string {
    const { from, to } = this.#translation
    if (kind !== 'thinking' || isSigned || familyOf(to) === from) return ''
    const signature = tagSignature(undefined, from, to)
    return signature === undefined
      ? ''
      : this.#writer.write(this.#moved({ kind: 'signature', choice, index, signature }))
  }

  #moved<T extends StreamEvent & { readonly index: number }>(event: T): T {
    return this.#added === 0 ? event : { ...event, index: event.index + this.#added }
  }
}
