// A chat client over a real socket that reads frames and can disconnect.

import { fromJson, toJson } from '@cowrie/server/src/kernel/json.ts'
import { readBalances } from '@cowrie/server/src/wallet/wallet.ts'
import type { Person, TestServer } from '../harness/harness.ts'

export type Message = {
  id: string
  role: string
  content: string
  createdAt: string
  lane: string | null
  model: string | null
  costMinor: bigint
  status: string
  errorCode: string | null
}
export type Thread = {
  id: string
  title: string
  mode: string
  archived: boolean
  createdAt: string
  updatedAt: string
  busy: boolean
}
export type ThreadDetail = Thread & { messages: Message[]; messagesCursor: string | null }
export type Frame = {
  seq?: number
  delta?: string
  message?: Message
  costMinor?: bigint
  balanceMinor?: bigint
  userMessage?: { id: string; createdAt: string }
  finish?: string
  context?: { messages: number; dropped: number }
  error?: string
  code?: string
}

export type ChatStream = {
  /** The frames received so far. */
  readonly frames: Frame[]
  readonly text: string
  readonly replayed: boolean
  /** Resolves with the last frame when the stream ends. */
  readonly ended: Promise<Frame>
  /** Closes the connection. */
  disconnect(): Promise<void>
}

export type Body = { prompt: string; frontier?: boolean; maxMinor?: bigint; allowSecrets?: boolean }

/** Sends a message and returns when the stream has started. */
export async function openChatStream(
  base: string,
  as: { bearer: string },
  thread: Thread,
  body: Body,
  key?: string,
): Promise<ChatStream> {
  const abort = new AbortController()
  const response = await fetch(`${base}/chat/threads/${thread.id}/messages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${as.bearer}`,
      'content-type': 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
    },
    body: toJson(body),
    signal: abort.signal,
  })
  if (response.status !== 200) throw new Error(`refused with ${response.status}: ${await response.text()}`)
  const received = { text: '' }
  // A read error after our own disconnect is expected.
  const ended = readAll(response, received).catch((error) => {
    if (!abort.signal.aborted) throw error
  })
  return {
    get frames() {
      return framesOf(received.text)
    },
    get text() {
      return received.text
    },
    replayed: response.headers.get('idempotency-replayed') === 'true',
    ended: ended.then(() => framesOf(received.text).at(-1) ?? {}),
    async disconnect() {
      abort.abort()
      await ended
    },
  }
}

async function readAll(response: Response, received: { text: string }): Promise<void> {
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? []) received.text += decoder.decode(bytes, { stream: true })
}

export const framesOf = (text: string): Frame[] =>
  text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => fromJson(event.slice('data: '.length)) as Frame)

export const deltasOf = (frames: readonly Frame[]): string => frames.map(({ delta = '' }) => delta).join('')

export async function createThread(
  server: TestServer,
  as: { bearer: string },
  body: object = {},
): Promise<Thread> {
  return (await server.call<Thread>('POST', '/chat/threads', { as, body })).body
}

export async function readThread(
  server: TestServer,
  as: { bearer: string },
  thread: Thread,
): Promise<ThreadDetail> {
  return (await server.call<ThreadDetail>('GET', `/chat/threads/${thread.id}`, { as })).body
}

export const readFunds = (server: TestServer, { orgId }: Person) => readBalances(server.app.db.direct, orgId)
