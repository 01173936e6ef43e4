// Whether a statement says more than its evidence: words that nobody of those it rests on has used. A paraphrase has a few.
import { isMonth } from './figures.ts'
import { synonymsOf } from './synonyms.ts'
import { onceFor, type Token, type Words } from './tokens.ts'
import { contentOf, isDown, isReporting, isUp, stemOf } from './words.ts'

/** For each word of the evidence so many may be the writer's own, and one in any case. */
const OWN_SHARE = 0.25
const OWN_MIN = 1
/** Words that begin alike are taken for forms of one. */
const ROOT = 5

export function saysMore(claim: Words, texts: readonly Words[]): boolean {
  const isOwn = ownWordsBeside(texts)
  const clauses = clausesOf(claim)
  const all = clauses.flat()
  const told = all.filter((token) => stands(token, texts)).length
  if (all.filter(isOwn).length > Math.max(OWN_MIN, Math.floor(told * OWN_SHARE))) return true
  // A part of a sentence that has nothing of the evidence is about something else.
  return clauses.some((clause) => clause.some(isOwn) && !clause.some((token) => stands(token, texts)))
}

/** How many words of a text stand in none of the others, and are none that every report has. */
export const ownWordsIn = (words: Words, texts: readonly Words[]): number =>
  clausesOf(words).flat().filter(ownWordsBeside(texts)).length

function ownWordsBeside(texts: readonly Words[]): (token: Token) => boolean {
  const ways = { up: texts.some(hasUp), down: texts.some(hasDown) }
  return (token) => {
    if (isReporting(token) || isMonth(token) || stands(token, texts)) return false
    return !(ways.up && isUp(token)) && !(ways.down && isDown(token))
  }
}

const hasUp = onceFor(({ tokens }) => tokens.some(isUp))
const hasDown = onceFor(({ tokens }) => tokens.some(isDown))

const stemsOf = onceFor(({ tokens }) => contentOf(tokens))
const rootsOf = onceFor((words) => new Set(Array.from(stemsOf(words), rootOf)))
const rootOf = (stem: string): string => stem.slice(0, ROOT)

function stands({ norm }: Token, texts: readonly Words[]): boolean {
  const stem = stemOf(norm)
  const isIn = (text: Words) =>
    stemsOf(text).has(stem) || (stem.length >= ROOT && rootsOf(text).has(rootOf(stem)))
  return texts.some((text) => isIn(text) || synonymsOf(stem).some((other) => stemsOf(text).has(other)))
}

const JOINS = /^(?:and|but|while|whereas|which|who|because|so|et|mais|qui|e|mas|que|y|pero)$/

/** The words that mean something, by the parts of the sentence they stand in. */
function clausesOf({ text, tokens }: Words): Token[][] {
  const clauses: Token[][] = [[]]
  let end = 0
  for (const token of tokens) {
    if (/[,;:–—()]/.test(text.slice(end, token.start)) || JOINS.test(token.norm)) clauses.push([])
    if (token.kind === 'word' && contentOf([token]).size > 0) clauses.at(-1)?.push(token)
    end = token.end
  }
  return clauses
}
