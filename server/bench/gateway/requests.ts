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
