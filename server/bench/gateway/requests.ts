// The chat requests of the gateway benchmark.
import type { Caller } from '../http/requests.ts'
import { byKey, post } from '../http/requests.ts'

export const TOKENS = 200
export const PATH = '/v1/chat/completions'

const body = (model: string, stream: boolean) => ({
  model,
  messages: [
    { role: 'system', content: 'You are a careful programmer. Answer with code and few words.' },
    { role: 'user', content: 'Write a function that formats an amount of kobo as naira.' },
  ],
  max_tokens: 1_000,
  ...(stream && { stream: true, stream_options: { include_usage: true } }),
})

export type RequestsByRoute = { ours: string[]; direct: string[]; peer: string[] }

/** The same question over three routes. The model and the peer accept any key. */
export function chatRequests(callers: Caller[], upstreamPort: number, stream: boolean): RequestsByRoute {
  const peer = [
    'authorization: Bearer anything',
    'x-portkey-provider: openai',
    `x-portkey-custom-host: http://127.0.0.1:${upstreamPort}/v1`,
  ]
  return {
    ours: callers.map((caller) => post(PATH, byKey(caller), body('open', stream))),
    direct: [post(PATH, ['authorization: Bearer anything'], body('small-1', stream))],
    peer: [post(PATH, peer, body('small-1', stream))],
  }
}

export const CLIENT_WIRES = ['chat', 'responses', 'messages', 'gemini'] as const
export type ClientWire = (typeof CLIENT_WIRES)[number]

/** The end of a stream in each format. */
export const STREAM_ENDS: Readonly<Record<ClientWire, string>> = {
  chat: '[DONE]',
  responses: '"type":"response.completed"',
  messages: '"type":"message_stop"',
  gemini: '"finishReason":"STOP"',
}

const QUESTION = 'Write a function that formats an amount of kobo as naira.'
const SYSTEM = 'You are a careful programmer. Answer with code and few words.'

const WIRE_REQUESTS: Readonly<Record<ClientWire, (stream: boolean) => { path: string; body: object }>> = {
  chat: (stream) => ({ path: PATH, body: body('open', stream) }),
  responses: (stream) => ({
    path: '/v1/responses',
    body: { model: 'open', instructions: SYSTEM, input: QUESTION, max_output_tokens: 1_000, stream },
  }),
  messages: (stream) => ({
    path: '/v1/messages',
    body: {
      model: 'open',
      system: SYSTEM,
      messages: [{ role: 'user', content: QUESTION }],
      max_tokens: 1_000,
      stream,
    },
  }),
  gemini: (stream) => ({
    path: `/v1beta/models/open:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: {
      systemInstruction: { parts: [{ text: SYSTEM }] },
      contents: [{ role: 'user', parts: [{ text: QUESTION }] }],
      generationConfig: { maxOutputTokens: 1_000 },
    },
  }),
}

/** The same question in the format of each client. */
export const wireRequests = (callers: Caller[], wire: ClientWire, stream: boolean): string[] => {
  const request = WIRE_REQUESTS[wire](stream)
  return callers.map((caller) => post(request.path, byKey(caller), request.body))
}
