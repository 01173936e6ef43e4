// JSON-RPC messages and errors.
import { z } from 'zod'

const ID_CHARACTERS = 200
const METHOD_CHARACTERS = 200
const BATCH_MAX = 20

const RequestId = z.union([z.string().max(ID_CHARACTERS), z.int()])
export type RequestId = z.output<typeof RequestId>

/** A request has an id and a method; a notification has only a method. Without a method it is a response, which is ignored. */
export const Message = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: RequestId.optional(),
    method: z.string().min(1).max(METHOD_CHARACTERS).optional(),
    params: z.looseObject({}).optional(),
  })
  .meta({ id: 'McpMessage' })
export type Message = z.output<typeof Message>
export type Request = Message & { id: RequestId; method: string }

export const Messages = z.union([Message, z.array(Message).min(1).max(BATCH_MAX)])

export const Reply = z
  .looseObject({
    jsonrpc: z.literal('2.0'),
    id: RequestId.optional(),
    result: z.looseObject({}).optional(),
    error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }).optional(),
  })
  .meta({ id: 'McpReply' })
export const Replies = z.union([Reply, z.array(Reply)])

export const isRequest = (message: Message): message is Request =>
  message.id !== undefined && message.method !== undefined

export const RPC = {
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedRevision: -32022,
  interrupted: -32000,
} as const

/** An error of the message itself. Errors of tools are results, so that a model can read them. */
export class RpcError extends Error {
  readonly code: number
  readonly status: number
  readonly data: object | undefined

  constructor(
    code: number,
    message: string,
    { status = 200, data }: { status?: number; data?: object } = {},
  ) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.status = status
    this.data = data
  }
}

export const resultOf = (id: RequestId, result: object): object => ({ jsonrpc: '2.0', id, result })
export const errorOf = (id: RequestId, { code, message, data }: RpcError): object => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data && { data }) },
})

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
