// Stores a response for later requests, after it was settled. A response that is not stored has `store: false`.
import { before } from '../../kernel/clock.ts'
import { toJson } from '../../kernel/json.ts'
import type { Cost, ModelOutcome } from '../../metering/metering.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { Answer } from '../../platform/http/answer.ts'
import { isDeep } from '../../platform/wires/values.ts'
import type { StreamCall } from '../model-call.ts'
import { insertResponse, type ResponseOwner } from './stored-responses-sql.ts'

type Fields = Record<string, unknown>

/** The prompt with its images, and the answer. */
const RESPONSE_BYTES_MAX = 4 * 1024 * 1024
/** Of one organisation in a day. Storage costs nothing, so it is limited. */
const DAY_LIMITS = { responsesMax: 10_000, bytesMax: 512 * 1024 * 1024 }

const sizeOf = (text: string): number => Buffer.byteLength(text)
/** Whether a response to these items, also as JSON, can be stored. The database reads deep nesting with its stack. */
export const isStorable = (items: readonly Fields[], input: string): boolean =>
  sizeOf(input) < RESPONSE_BYTES_MAX && !isDeep(items)

export type StoredRequest = {
  readonly id: string
  readonly previousId: string | null
  /** The items of the prompt, as JSON. */
  readonly input: string
  readonly metadata: unknown
}

export class ResponseStorage {
  readonly #owner: ResponseOwner
  readonly #request: StoredRequest
  #isStored = false

  constructor(owner: ResponseOwner, request: StoredRequest) {
    this.#owner = owner
    this.#request = request
  }

  /** The response of a provider under our id. */
  identified<T extends Fields>(response: T): T {
    const { id, previousId, metadata } = this.#request
    return { ...response, id, store: true, previous_response_id: previousId, metadata: metadata ?? {} }
  }

  /** The outcome whose response is stored with its settlement. */
  storing(outcome: ModelOutcome, call: StreamCall): ModelOutcome {
    let made: { readonly cost: Cost; readonly reply: Answer | string } | null = null
    // Made once for each cost: the events of a stream are numbered as they are written.
    const lastOf = (cost: Cost): Answer | string => {
      if (made?.cost !== cost) made = { cost, reply: outcome.last(cost) }
      return made.reply
    }
    return {
      ...outcome,
      keeper: {
        keep: async (tx, cost) => {
          // A client that disconnected does not have the whole answer.
          this.#isStored = outcome.finish !== 'stopped' && (await this.#store(tx, lastOf(cost)))
          if (!this.#isStored) call.nameIgnored('store')
        },
        fail: () => {
          this.#isStored = false
          call.nameIgnored('store')
        },
      },
      last: (cost: Cost) => (this.#isStored ? lastOf(cost) : unstored(lastOf(cost))),
    }
  }

  async #store(tx: Tx, last: Answer | string): Promise<boolean> {
    const { response } = readLast(last)
    // An answer that we cut may have no output to continue from.
    if (!response || !Array.isArray(response.output) || response.output.length === 0) return false
    const { id, previousId, input } = this.#request
    const text = toJson(response)
    if (sizeOf(input) + sizeOf(text) > RESPONSE_BYTES_MAX) return false
    const limits = { since: before(tx.now, { days: 1 }), ...DAY_LIMITS }
    return insertResponse(tx, this.#owner, { id, previousId, input, response: text }, limits)
  }
}

type LastReply = { readonly response: Fields | null; readonly event?: Fields; readonly earlier?: string }

const DATA = '\ndata: '

/** The response of a complete reply, or of the last event of a stream. */
function readLast(last: Answer | string): LastReply {
  if (last instanceof Answer) return { response: JSON.parse(textOf(last.body)) as Fields }
  // The text of an answer may contain the marker, but never after a line break.
  const at = last.lastIndexOf(DATA)
  if (at === -1) return { response: null }
  const event = JSON.parse(last.slice(at + DATA.length)) as Fields
  return { response: (event.response as Fields | undefined) ?? null, event, earlier: last.slice(0, at) }
}

/** The same reply, with a response that says that it is not stored. */
function unstored(last: Answer | string): Answer | string {
  const { response, event, earlier } = readLast(last)
  if (!response) return last
  const said = { ...response, store: false }
  return last instanceof Answer
    ? new Answer(last.status, toJson(said), { ...last.headers })
    : `${earlier}${DATA}${toJson({ ...event, response: said })}\n\n`
}

const textOf = (body: unknown): string =>
  body instanceof Uint8Array ? Buffer.from(body).toString() : String(body)
