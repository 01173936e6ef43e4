// The client: every operation of the table as a method, grouped by name.
import { CowrieError } from './errors.ts'
import { type Api, operations } from './generated.ts'
import { fromJson } from './json.ts'
import { newIdempotencyKey } from './key.ts'
import type { CallOptions, Operation } from './operation.ts'
import { bodyText, type Call, type ClientOptions, createTransport, type Transport } from './transport.ts'

/** For addresses without a method here, and for answers that are not JSON. */
export type RequestOptions = CallOptions & {
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
  /** JSON text that is sent unchanged, instead of `body`. */
  readonly bodyText?: string | undefined
}

export type Answer = {
  readonly status: number
  readonly headers: Headers
  /** The whole body; empty for a stream. */
  readonly bytes: Uint8Array
  text(): string
  /** Parsed, with bigints in `…Minor` fields. */
  json(): unknown
  /** The frames of a stream; null for other answers. */
  readonly frames: AsyncGenerator<unknown, void, undefined> | null
}

export type Client = Api & {
  /** Makes any call. With an `idempotencyKey` it is retried when it fails, so pass one only where the service accepts it. */
  request(method: string, path: `/${string}`, options?: RequestOptions): Promise<Answer>
}

/** Has no operations of staff, for apps whose size matters. */
export type CustomerClient = Omit<Client, 'admin'>

export const createCustomerClient = (options: ClientOptions): CustomerClient =>
  clientWith<CustomerClient>(operations, options)

export function clientWith<C extends CustomerClient>(
  table: Readonly<Record<string, Operation>>,
  options: ClientOptions,
): C {
  const transport = createTransport(options)
  return { ...bindOperations<C>(table, transport), request: requestWith(transport) }
}

/** Turns `{'me.get': …}` into `{me: {get()}}`. */
export function bindOperations<T>(table: Readonly<Record<string, Operation>>, transport: Transport): T {
  type Group = { [word: string]: Group | ((...args: unknown[]) => unknown) }
  const client: Group = {}
  for (const [name, operation] of Object.entries(table)) {
    const words = name.split('.')
    const last = words.pop() ?? name
    let group = client
    for (const word of words) {
      group[word] ??= {}
      group = group[word] as Group
    }
    group[last] = methodOf(name, operation, transport)
  }
  return client as T
}

function methodOf(name: string, operation: Operation, transport: Transport): (...args: unknown[]) => unknown {
  const { reply: kind = 'json' } = operation
  if (kind === 'stream') return (...args) => streamOf(() => callOf(name, operation, args), transport)
  const accept = kind === 'json' ? 'application/json' : '*/*'
  return async (...args) =>
    transport.send({ ...callOf(name, operation, args), accept }, (reply) => reply[kind]())
}

/** Nothing is sent before the caller asks for the first frame. */
async function* streamOf(make: () => Call, transport: Transport): AsyncGenerator<unknown, void, undefined> {
  const call = make()
  try {
    yield* await transport.send({ ...call, accept: 'text/event-stream' }, async (reply) => reply.frames())
  } catch (failure) {
    if (failure instanceof CowrieError) failure.idempotencyKey = call.options?.idempotencyKey ?? null
    throw failure
  }
}

/** Reads arguments by position: the path parameters, then body, query and options where the operation has them. */
function callOf(name: string, operation: Operation, input: readonly unknown[]): Call {
  const args = [...input]
  const path = fillPath(name, operation.path, args)
  const body = operation.body ? bodyText(args.shift()) : undefined
  const query = operation.query ? (args.shift() as Call['query']) : undefined
  const options = withKey(name, operation, args.shift() as CallOptions | undefined)
  return { method: operation.method, path, query, body, options }
}

function requestWith(transport: Transport): Client['request'] {
  return async (method, path, { query, body, bodyText: text, ...options } = {}) =>
    transport.send(
      {
        method: method.toUpperCase(),
        path,
        query,
        body: text ?? bodyText(body),
        accept: 'application/json, */*',
        options,
      },
      async (reply) => {
        const { status, headers } = reply
        const streams = (headers.get('content-type') ?? '').startsWith('text/event-stream')
        const bytes = streams ? new Uint8Array() : await reply.bytes()
        const decoded = () => new TextDecoder().decode(bytes)
        return {
          status,
          headers,
          bytes,
          text: decoded,
          json: () => fromJson(decoded()),
          frames: streams ? reply.frames() : null,
        }
      },
    )
}

/** Takes the arguments of the path. Rejects an empty or dotted value, which would lead to another address. */
function fillPath(name: string, path: string, args: unknown[]): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, param) => {
    const value = args.shift()
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name} needs ${param} as a string other than "", "." and ".."`)
    return encodeURIComponent(value)
  })
}

function withKey(name: string, { idempotent }: Operation, options: CallOptions = {}): CallOptions {
  if (idempotent) return { ...options, idempotencyKey: options.idempotencyKey ?? newIdempotencyKey() }
  if (options.idempotencyKey !== undefined)
    throw new TypeError(`${name} does not accept an Idempotency-Key: the service would ignore it`)
  return options
}
