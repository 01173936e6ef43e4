// The model that needs no key: the same question always gets the same answer.

import type { ModelAnswer, Question } from '../question.ts'
import { countTokens, promptTokensOf } from '../tokens.ts'

export async function answerOfMock(question: Question): Promise<ModelAnswer> {
  const text = `You said: ${question.messages.at(-1)?.content ?? ''}`
  await question.onText?.(text)
  return {
    text,
    finish: 'stop',
    model: question.model,
    used: {
      promptTokens: promptTokensOf(question.messages),
      outputTokens: countTokens(text),
      countedBy: 'us',
    },
  }
}
