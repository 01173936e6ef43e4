// Chat completions without an upstream: the model that needs none answers, in the same shapes and at the same price.
import { newId } from '../kernel/ids.ts'
import type { App } from '../platform/app.ts'
import type { Answer } from '../platform/http/answer.ts'
import { askModel, type Message, type ModelAnswer } from '../platform/inference/inference.ts'
import { chunkText, costHeaders, DONE, usageChunk, usageOf } from './completion.ts'
import { type Call, metered, type Paid, requireOurPatience } from './gateway.ts'
import type { Listener } from './listener.ts'
import type { ChatRequest } from './schema.ts'

export async function completeOurselves(
  app: App,
  call: Call,
  asked: ChatRequest,
  listener: Listener,
): Promise<Answer | undefined> {
  const like = { id: newId('chatcmpl'), created: secondsOf(app), model: call.route.model }
  if (!asked.stream) return costHeaders(await wholeOf(app, call, asked, like))
  const say = (delta: object, finish_reason: string | null = null) =>
    listener.send(
      chunkText({ ...like, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] }),
    )
  const onText = (content: string) => say(listener.isOpen ? { content } : { role: 'assistant', content })
  const { value, ...cost } = await askOurselves(app, call, messagesIn(asked.messages), onText)
  await say({}, value.finish)
  if (asked.stream_options?.include_usage === true)
    await listener.send(chunkText(usageChunk(like, usageOf(value.used), cost)))
  await listener.send(DONE)
  return undefined
}

/** Holds, asks and settles. Nothing that was delivered costs nothing. */
export function askOurselves(
  app: App,
  call: Call,
  messages: readonly Message[],
  onText: (text: string) => Promise<void>,
): Promise<Paid<ModelAnswer>> {
  return metered(app, call, async (turn) => {
    const { signal, route } = call
    const answered = await askModel(app, {
      ...route,
      messages,
      maxOutputTokens: turn.outputCeiling,
      signal,
      onText,
    })
    if (signal.aborted) requireOurPatience(call)
    const { countedBy: _, ...used } = answered.used
    return { used: answered.text === '' ? null : used, finish: answered.finish, value: answered }
  })
}

/** What a conversation says, as far as it is said in words. */
export const messagesIn = (messages: ChatRequest['messages']): Message[] =>
  messages.map(({ role, content }) => ({ role: roleOf(role), content: textOf(content) }))

export const secondsOf = (app: App): number => Math.floor(app.clock.now().getTime() / 1000)

async function wholeOf(app: App, call: Call, asked: ChatRequest, like: object): Promise<Paid<string>> {
  const { value, ...cost } = await askOurselves(app, call, messagesIn(asked.messages), async () => undefined)
  const message = { role: 'assistant', content: value.text, refusal: null }
  const choices = [{ index: 0, message, logprobs: null, finish_reason: value.finish }]
  return {
    ...cost,
    value: JSON.stringify({ ...like, object: 'chat.completion', choices, usage: usageOf(value.used) }),
  }
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
