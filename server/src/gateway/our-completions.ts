// Chat completions without an upstream: the model that needs none answers, in the same shapes and at the same price.
import { newId } from '../kernel/ids.ts'
import type { Turn } from '../metering/metering.ts'
import type { App } from '../platform/app.ts'
import { askModel, type Message, type ModelAnswer } from '../platform/inference/inference.ts'
import type { StreamCall } from './call-for.ts'
import { chunkText, costHeaders, DONE, usageChunk, usageOf } from './completion.ts'
import { type Call, requireOurPatience, type Worked } from './gateway.ts'
import type { ChatRequest } from './schema.ts'

export async function completeOurselves(
  app: App,
  call: StreamCall,
  turn: Turn,
  asked: ChatRequest,
): Promise<Worked> {
  const { listener } = call
  const like = { id: newId('chatcmpl'), created: secondsOf(app), model: call.route.model }
  const chunk = (delta: object, finish_reason: string | null = null) =>
    chunkText({ ...like, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
  let isFirst = true
  const onText = async (content: string) => {
    if (!asked.stream) return
    const delta = isFirst ? { role: 'assistant', content } : { content }
    isFirst = false
    await listener.send(chunk(delta))
  }
  const answered = await askOurselves(app, call, turn, messagesIn(asked.messages), onText)
  const { text, finish } = answered
  const { countedBy: _, ...used } = answered.used
  const wantsUsage = asked.stream_options?.include_usage === true
  return {
    used: text === '' ? null : used,
    finish,
    last: (cost) => {
      if (!asked.stream) return costHeaders(wholeOf(answered, like), cost)
      const usage = wantsUsage ? chunkText(usageChunk(like, usageOf(used), cost)) : ''
      return chunk({}, finish) + usage + DONE
    },
  }
}

export async function askOurselves(
  app: App,
  call: Call,
  turn: Turn,
  messages: readonly Message[],
  onText: (text: string) => Promise<void>,
): Promise<ModelAnswer> {
  const { signal, route } = call
  const maxOutputTokens = turn.outputCeiling
  const answered = await askModel(app, { ...route, messages, maxOutputTokens, signal, onText })
  if (signal.aborted) requireOurPatience(call)
  return answered
}

/** What a conversation says, as far as it is said in words. */
export const messagesIn = (messages: ChatRequest['messages']): Message[] =>
  messages.map(({ role, content }) => ({ role: roleOf(role), content: textOf(content) }))

export const secondsOf = (app: App): number => Math.floor(app.clock.now().getTime() / 1000)

function wholeOf({ text, finish, used }: ModelAnswer, like: object): string {
  const message = { role: 'assistant', content: text, refusal: null }
  const choices = [{ index: 0, message, logprobs: null, finish_reason: finish }]
  return JSON.stringify({ ...like, object: 'chat.completion', choices, usage: usageOf(used) })
}

function roleOf(role: unknown): Message['role'] {
  if (role === 'system' || role === 'developer') return 'system'
  return role === 'assistant' ? 'assistant' : 'user'
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .flatMap((part: { text?: unknown }) => (typeof part?.text === 'string' ? [part.text] : []))
    .join('\n')
}
