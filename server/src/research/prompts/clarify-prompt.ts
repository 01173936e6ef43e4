// The prompt that finds out whether a question is clear, and the parser of its answer.
import type { Nonce } from '../../agent/agent.ts'
import type { Message } from '../../platform/inference/inference.ts'
import { fenceMaterial, materialRule, toMessages } from './material.ts'
import { parseItems, readField, withoutDuplicates } from './parse-answer.ts'
import { toLine } from './text-lines.ts'

const QUESTIONS_MAX = 3
const QUESTION_MAX = 150

export function clarifyMessages(
  nonce: Nonce,
  { question, askedOn }: { question: string; askedOn: string },
): Message[] {
  const system = `You prepare web research. Today is ${askedOn}.
${materialRule(nonce)}

Say whether the question can be researched as it is. Ask back only what would change the answer and cannot be guessed: which place, period, product, person or meaning of a word. At most ${QUESTIONS_MAX} short questions, in the language of the question; none if it is clear enough.

Answer with one JSON object and nothing else; {"ask": []} if it is clear:
{"ask": ["…"]}`
  return toMessages(system, [fenceMaterial(nonce, 'question', question)])
}

/** Null if the answer cannot be parsed. Empty if the question is clear. */
export function parseClarification(text: string): string[] | null {
  const asked = parseItems(text, ['ask', 'questions', 'clarify'], (value) => {
    const line = toLine(
      typeof value === 'string' ? value : readField(value, ['question', 'text', 'ask']),
      QUESTION_MAX,
    )
    return line === '' ? null : line
  })
  return asked && withoutDuplicates(asked, (question) => question).slice(0, QUESTIONS_MAX)
}
