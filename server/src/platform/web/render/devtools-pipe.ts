// Speaks the DevTools protocol with a browser process over two pipes. No port is opened.
import type { Readable, Writable } from 'node:stream'

type Message = {
  readonly id?: number
  readonly method?: string
  readonly params?: Record<string, unknown>
  readonly result?: Record<string, unknown>
  readonly error?: { readonly message: string }
}
type Waiting = {
  readonly resolve: (result: Record<string, unknown>) => void
  readonly reject: (error: Error) => void
}

export type Devtools = {
  send(method: string, params?: Record<string, unknown>, sessionId?: string): Promise<Record<string, unknown>>
  /** Rejects everything that still waits. */
  close(error: Error): void
}

/** A longer message ends the connection. */
const MESSAGE_BYTES_MAX = 64 * 1024 * 1024

export function connectDevtools(
  input: Writable,
  output: Readable,
  onEvent: (method: string, params: Record<string, unknown>) => void,
): Devtools {
  const waiting = new Map<number, Waiting>()
  let last = 0
  let isClosed = false
  let parts: Buffer[] = []
  let size = 0
  const close = (error: Error) => {
    isClosed = true
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  const take = (text: string) => {
    const message = JSON.parse(text) as Message
    if (message.id === undefined) {
      if (message.method !== undefined) onEvent(message.method, message.params ?? {})
      return
    }
    const caller = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.error) caller?.reject(new Error(`the browser refused: ${message.error.message}`))
    else caller?.resolve(message.result ?? {})
  }
  output.on('data', (chunk: Buffer) => {
    let rest = chunk
    for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
      const text = Buffer.concat([...parts, rest.subarray(0, end)]).toString('utf8')
      rest = rest.subarray(end + 1)
      parts = []
      size = 0
      take(text)
    }
    parts.push(rest)
    size += rest.length
    if (size > MESSAGE_BYTES_MAX) close(new Error('a message of the browser is too long'))
  })
  output.on('close', () => close(new Error('the browser has ended')))
  for (const stream of [input, output]) stream.on('error', (error) => close(error))
  return {
    close,
    send(method, params = {}, sessionId) {
      if (isClosed) return Promise.reject(new Error('the browser has ended'))
      const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>()
      last += 1
      waiting.set(last, { resolve, reject })
      input.write(`${JSON.stringify({ id: last, method, params, ...(sessionId && { sessionId }) })}\0`)
      return promise
    },
  }
}
