// The model that needs no key: the same question always gets the same answer, and simple tasks are really done.
import { setImmediate } from 'node:timers/promises'
import type { ModelAnswer, Question } from '../question.ts'
import { countTokens, promptTokensOf } from '../tokens.ts'
import { piecesOf, withinTokens } from './pieces.ts'
import { replyTo } from './reply.ts'

export async function answerOfMock(question: Question): Promise<ModelAnswer> {
  const reply = replyTo(question.messages)
  const allowed = withinTokens(reply, question.maxOutputTokens)
  const text = await tell(allowed, question)
  const isCut = allowed.length < reply.length
  return {
    text,
    finish: text.length < allowed.length ? 'stopped' : isCut ? 'length' : 'stop',
    model: question.model,
    used: {
      promptTokens: promptTokensOf(question.messages),
      outputTokens: Math.min(countTokens(text), question.maxOutputTokens),
      countedBy: 'us',
    },
  }
}

/** What had been said when nobody wanted any more. */
async function tell(text: string, { signal, onText }: Question): Promise<string> {
  let told = ''
  for (const piece of piecesOf(text)) {
    if (signal.aborted) break
    await onText?.(piece)
    told += piece
    // The one who hangs up is only heard when the process gets to listen.
    if (onText !== undefined) await setImmediate()
  }
  return told
}
