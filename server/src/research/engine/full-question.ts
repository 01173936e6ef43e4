// The question as prompts show it: with the answer to a clarifying question, and with the question of an earlier run.
import { cutAtWord } from '../prompts/text-lines.ts'
import type { RunRecord } from '../runs-sql.ts'

/** The limit of a question. Prices are computed for it, so everything together stays within it. */
export const QUESTION_CHARACTERS = 2_000

export function fullQuestion({
  question,
  clarification,
  options,
}: Pick<RunRecord, 'question' | 'clarification' | 'options'>): string {
  const { questions = [], answer = null } = clarification ?? {}
  const parts = [
    question,
    ...(answer === null ? [] : [`${questions.join(' ')}\nAnswer: ${answer}`]),
    ...(options.context === null ? [] : [`It follows this question: ${options.context}`]),
  ]
  const whole = parts.join('\n\n')
  if (whole.length <= QUESTION_CHARACTERS) return whole
  const short = answer === null ? question : `${question}\n\nAnswer: ${answer}`
  const left = QUESTION_CHARACTERS - short.length - 2
  const context = options.context === null ? '' : cutAtWord(options.context, Math.max(0, left))
  return context === '' ? short : `${short}\n\n${context}`
}

/** The longest answer to a clarifying question that fits beside the question. */
export const answerCharactersMax = (question: string): number =>
  Math.max(0, QUESTION_CHARACTERS - question.length - '\n\nAnswer: '.length)
