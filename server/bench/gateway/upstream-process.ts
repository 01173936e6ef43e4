// A fake model without CPU cost: it sends every token as a separate event, at a steady pace, to all clients.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { answer, processUsage } from '../processes.ts'
import { TOKENS } from './requests.ts'

type Pace = { tickMs: number }
type Listener = { response: ServerResponse; sent: number }

const head = {
  id: 'chatcmpl-bench',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'small-1',
}
const frame = (value: object) => `data: ${JSON.stringify({ ...head, ...value })}\n\n`
const TOKEN = frame({ choices: [{ index: 0, delta: { content: ' token' }, finish_reason: null }] })
const used = { prompt_tokens: 40, completion_tokens: TOKENS, total_tokens: 40 + TOKENS }
const END = `${frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}${frame({ choices: [], usage: used })}data: [DONE]\n\n`
const WHOLE = JSON.stringify({
  ...head,
  object: 'chat.completion',
  choices: [
    { index: 0, message: { role: 'assistant', content: ' token'.repeat(TOKENS) }, finish_reason: 'stop' },
  ],
  usage: used,
})

/** The answer to a coding task: one new file. The marks contain the nonce of the task. */
const editAnswer = (nonce: string): string => {
  const mark = (words: string) => `[[${nonce} ${words}]]`
  const file = [mark('FILE create src/naira.ts'), 'why: asked for', mark('BODY'), NAIRA, mark('END')]
  return [mark('PLAN'), '1. Add it.', ...file, mark('SUMMARY'), 'Formats kobo as naira.'].join('\n')
}
const NAIRA = "export const naira = (kobo: number): string => '₦' + (kobo / 100).toFixed(2)"

const listeners = new Set<Listener>()
let ticker: NodeJS.Timeout | null = null
let isFlowing = false

const server = createServer(async (request, response) => {
  const asked = await text(request)
  const streams = asked.includes('"stream":true')
  // The Responses API is translated to chat completions.
  if (request.url?.endsWith('/responses')) {
    response.writeHead(404).end()
    return
  }
  if (!streams) {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(WHOLE),
    })
    response.end(WHOLE)
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const nonce = /\[\[([0-9a-f]{8}) PLAN\]\]/.exec(asked)?.[1]
  if (nonce) {
    const choice = { index: 0, delta: { content: editAnswer(nonce) }, finish_reason: null }
    response.end(frame({ choices: [choice] }) + END)
    return
  }
  const listener = { response, sent: 0 }
  sendToken(listener)
  listeners.add(listener)
  response.on('close', () => listeners.delete(listener))
})
server.keepAliveTimeout = 60_000
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve))

function sendToken(listener: Listener): void {
  listener.response.write(TOKEN)
  if (++listener.sent < TOKENS) return
  listener.response.end(END)
  listeners.delete(listener)
}

/** Sends a token to every client per tick; without a tick, per turn of the event loop. */
function setPace({ tickMs }: Pace): void {
  if (ticker) clearInterval(ticker)
  ticker = tickMs > 0 ? setInterval(() => listeners.forEach(sendToken), tickMs) : null
  isFlowing = tickMs === 0
  if (isFlowing) flow()
}

function flow(): void {
  listeners.forEach(sendToken)
  if (!isFlowing) return
  if (listeners.size > 0) setImmediate(flow)
  else setTimeout(flow, 1)
}

answer((question: 'port' | 'usage' | 'memory' | Pace) => {
  if (typeof question === 'object') return setPace(question)
  return question === 'port' ? (server.address() as AddressInfo).port : processUsage(question === 'memory')
})
