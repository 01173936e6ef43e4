import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../kernel/errors.ts'
import type { Turn } from '../metering/metering.ts'
import type { EventStream } from '../platform/http/sse.ts'
import type { UpstreamReply } from '../platform/inference/send.ts'
import { chatGrammar } from './chat-grammar.ts'
import type { Call } from './gateway.ts'
import { Listener } from './listener.ts'
import { relay } from './relay.ts'
import { Sieve } from './sieve.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const here = new AbortController().signal
const bytes = (size: number) => Buffer.alloc(size, 'x')

function listening() {
  const heard: number[] = []
  const sendRaw = async (said: string | Uint8Array) => void heard.push(said.length)
  const stream: EventStream = {
    send: async () => undefined,
    sendRaw,
    sayRefusals: () => undefined,
    closed: here,
  }
  return { listener: new Listener(here, () => stream), heard }
}

test('what says nothing yet is kept for the first word, but not for long', async () => {
  const { listener, heard } = listening()
  await listener.keep(bytes(10))
  vi.advanceTimersByTime(2_900)
  expect(listener.isOpen).toBe(false)
  vi.advanceTimersByTime(200)
  expect(heard).toEqual([10])
  await listener.keep(bytes(5))
  expect(heard).toEqual([10, 5])
})

test('what says nothing yet is kept for the first word, but not much of it', async () => {
  const { listener, heard } = listening()
  await listener.keep(bytes(60_000))
  expect(listener.isOpen).toBe(false)
  await listener.keep(bytes(10_000))
  expect(heard).toEqual([70_000])
})

test('a stream that may not begin while a model thinks ends the call with that refusal, and nothing else', async () => {
  const refusal = new ApiError('too_many_streams')
  const listener = new Listener(here, () => {
    throw refusal
  })
  const beginning = { choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }] }
  const packets = [Buffer.from(`data: ${JSON.stringify(beginning)}\n\n`)]
  const close = vi.fn()
  const thinking = new Promise<never>((_, reject) =>
    listener.signal.addEventListener('abort', () => reject(new Error('whoever asked has gone'))),
  )
  const reply = { read: async () => packets.shift() ?? thinking, close } as unknown as UpstreamReply
  const like = { id: 'c', created: 1, model: 'small-1' }
  const call = { route: { isBound: false }, signal: listener.signal } as Call
  const relayed = relay(
    call,
    { outputCeiling: 9 } as Turn,
    reply,
    new Sieve(chatGrammar({ like, requireModel: () => undefined })),
    listener,
  )
  const ended = expect(relayed).rejects.toBe(refusal)
  await vi.advanceTimersByTimeAsync(3_100)
  await ended
  expect(close).toHaveBeenCalled()
})
