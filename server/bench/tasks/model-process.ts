// A fake model without CPU cost: it replies with the tool calls of a script, one answer after the other.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { answer, processUsage } from '../processes.ts'

export type ScriptedCall = readonly [tool: string, input: object]
/** The tool calls of each answer of a turn. After the last one the model says that it is done. */
export type ModelScript = { readonly script: readonly (readonly ScriptedCall[])[] }
/** The bodies of all requests since the script was set. */
export type ModelRequests = { readonly bodies: readonly string[] }
export type ModelQuestion = 'port' | 'usage' | 'memory' | 'requests' | ModelScript

type SentMessage = { readonly role: string; readonly content: unknown }

const head = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1_700_000_000 }
const frame = (value: object) => `data: ${JSON.stringify({ ...head, model: 'small-1', ...value })}\n\n`
const CHARACTERS_PER_TOKEN = 4

let script: ModelScript['script'] = []
let bodies: string[] = []

const server = createServer(async (request, response) => {
  if (!request.url?.endsWith('/chat/completions')) return void response.writeHead(404).end()
  const body = await text(request)
  bodies.push(body)
  const { messages } = JSON.parse(body) as { messages: readonly SentMessage[] }
  const sent = replyTo(messages)
  const usage = { prompt_tokens: Math.ceil(body.length / CHARACTERS_PER_TOKEN), completion_tokens: 50 }
  const finish = 'tool_calls' in sent ? 'tool_calls' : 'stop'
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(
    frame({ choices: [{ index: 0, delta: { role: 'assistant', ...sent }, finish_reason: null }] }) +
      frame({ choices: [{ index: 0, delta: {}, finish_reason: finish }] }) +
      frame({ choices: [], usage: { ...usage, total_tokens: usage.prompt_tokens + 50 } }) +
      'data: [DONE]\n\n',
  )
})
server.keepAliveTimeout = 60_000
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

/** By the number of answers since the last request of the caller. */
function replyTo(messages: readonly SentMessage[]): object {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  const answers = messages.slice(asked).filter(({ role }) => role === 'assistant').length
  const calls = script[answers]
  if (!calls) return { content: 'Done.' }
  const toolCalls = calls.map(([name, input], index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }))
  return { tool_calls: toolCalls }
}

answer(
  (question: ModelQuestion) => {
    if (question === 'port') return (server.address() as AddressInfo).port
    if (question === 'requests') return { bodies } satisfies ModelRequests
    if (typeof question === 'string') return processUsage(question === 'memory')
    script = question.script
    bodies = []
    return null
  },
  () => server.close(),
)
