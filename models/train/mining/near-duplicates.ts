// Recognizes pairs that are in the evaluation set, or copies with other spacing, variable names or an
// additional line.
import { hashOf } from '../../embedding/features.ts'
import type { Pair } from './pair.ts'

const WORDS_PER_GROUP = 5
/** A function that shares more than this part of its word groups is a copy. */
const SHARED_MAX = 0.5

export function duplicateDetector(measured: readonly Pair[]): (pair: Pair) => boolean {
  const questions = new Set(measured.map(({ question }) => plain(question)))
  const groups = new Set(measured.flatMap(({ code }) => groupsOf(code)))
  return ({ question, code }) => {
    if (questions.has(plain(question))) return true
    const own = groupsOf(code)
    const shared = own.filter((group) => groups.has(group)).length
    return own.length > 0 && shared / own.length > SHARED_MAX
  }
}

const plain = (question: string): string =>
  question
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

function groupsOf(code: string): number[] {
  const words = code.match(/[A-Za-z_$][\w$]*/g) ?? []
  const groups = Array.from({ length: Math.max(0, words.length - WORDS_PER_GROUP + 1) }, (_, at) =>
    hashOf(words.slice(at, at + WORDS_PER_GROUP).join(' ')),
  )
  return [...new Set(groups)]
}
