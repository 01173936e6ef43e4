import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../kernel/errors.ts'
import type { Turn } from '../../metering/metering.ts'
import type { Once } from '../../platform/http/idempotency/idempotency.ts'
import type { EventStream } from '../../platform/http/reply/sse.ts'
import { LimitReached } from '../../platform/inference/http/deadlines.ts'
import type { UpstreamReply } from '../../platform/inference/http/send.ts'
import { chatGrammar } from '../chat/chat-grammar.ts'
import type { StreamCall } from '../model-call.ts'
import { relay } from './relay.ts'
import { SseFilter } from './sse-filter.ts'
import { callerSignal, StreamOutput } from './stream-output.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

const here = new AbortController().signal
const bytes = (size: number) => Buffer.alloc(size, 'x')

const listenerOf = (open: () => EventStream, isKeyed = false) =>
  new StreamOutput({
    once: { isKeyed } as Once,
    gone: here,
    open,
    silenceMs: 10_000,
    errorText: (refusal) => refusal,
  })

function listening(isKeyed = false) {
  const heard: number[] = []
  const sendRaw = async (said: string | Uint8Array) => void heard.push(said.length)
  const stream: EventStream = {
    send: async () => undefined,
    sendRaw,
    formatErrors: () => undefined,
    closed: here,
  }
  return { output: listenerOf(() => stream, isKeyed), heard }
}

test('calls under a key share no signal, because its listeners would keep every call in memory', () => {
  const once = { isKeyed: true } as Once
  expect(callerSignal(once, here)).not.toBe(callerSignal(once, here))
})

test('bytes before the first text are withheld, but not for long', async () => {
  const { output, heard } = listening()
  await output.keep(bytes(10))
  vi.advanceTimersByTime(2_900)
  expect(output.isOpen).toBe(false)
  vi.advanceTimersByTime(200)
  expect(heard).toEqual([10])
  await output.keep(bytes(5))
  expect(heard).toEqual([10, 5])
})

test('bytes before the first text are withheld, up to a limit', async () => {
  const { output, heard } = listening()
  await output.keep(bytes(60_000))
  expect(output.isOpen).toBe(false)
  await output.keep(bytes(10_000))
  expect(heard).toEqual([70_000])
})

test('a stream that cannot open while a model is silent ends the call with its error', async () => {
  const refusal = new ApiError('too_many_streams')
  const output = listenerOf(() => {
    throw refusal
  })
  const beginning = { choices: [{ index: 0, delta: { role: 'assistant' }, finish_reason: null }] }
  const packets = [Buffer.from(`data: ${JSON.stringify(beginning)}\n\n`)]
  const close = vi.fn()
  const thinking = new Promise<never>((_, reject) =>
    output.signal.addEventListener('abort', () => reject(new Error('the caller disconnected'))),
  )
  const reply = { read: async () => packets.shift() ?? thinking, close } as unknown as UpstreamReply
  const like = { id: 'c', created: 1, model: 'small-1' }
  const call = { route: { isModelPinned: false }, signal: output.signal, output } as StreamCall
  const relayed = relay(
    call,
    { outputCeiling: 9 } as Turn,
    reply,
    new SseFilter(chatGrammar({ like, requireModel: () => undefined, answers: 1 })),
  )
  const ended = expect(relayed).rejects.toBe(refusal)
  await vi.advanceTimersByTimeAsync(3_100)
  await ended
  expect(close).toHaveBeenCalled()
})

test('a stream opens with a keep-alive after ten seconds of silence, and not before if output comes', async () => {
  const silent = listening()
  silent.output.awaitFirstByte()
  vi.advanceTimersByTime(9_900)
  expect(silent.output.isOpen).toBe(false)
  await vi.advanceTimersByTimeAsync(200)
  expect(silent.heard).toEqual([': keep-alive\n\n'.length])

  const quick = listening()
  quick.output.awaitFirstByte()
  await quick.output.send(bytes(5))
  await vi.advanceTimersByTimeAsync(20_000)
  expect(quick.heard).toEqual([5])
})

test('a stream under a key is recorded as it is sent, and ends at the recording limit', async () => {
  const { output } = listening(true)
  await output.keep(Buffer.from('early '))
  await output.send('late ')
  expect(output.recorded('end').text).toBe('early late end')
  const fill = () => output.send(bytes(16 * 1024 * 1024))
  expect(fill).toThrow(LimitReached)
  expect(output.recorded('end').text).toBe('early late end')
})
