// Compares the words of a name with those of a query.
import { tokenize } from '../ranking/tokenize.ts'
import { areRelated } from './related-terms.ts'

/** The names of a chunk of several small definitions. */
export const namesOf = (symbol: string): string[] => symbol.split(', ')

/** `find` of `Registry.prototype.find`. */
export const lastPartOf = (name: string): string => /[^.:#]*$/.exec(name)?.[0] ?? name

export const bestOf = <T>(parts: readonly T[], score: (part: T) => number): number =>
  Math.max(...parts.map(score))

export const sumOf = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

export const shareOf = <T>(items: readonly T[], isCounted: (item: T) => boolean): number =>
  items.length === 0 ? 0 : items.filter(isCounted).length / items.length

/** The words of a name without its joined form. */
export function wordsOf(symbol: string): string[] {
  const all = [...new Set(tokenize(symbol))]
  return all.filter(
    (term) => !all.some((other) => other !== term && other.length > 1 && term.startsWith(other)),
  )
}

const PART_MIN = 3

/** `dir` and `directory`. */
export const isAbbreviation = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= PART_MIN && (a.startsWith(b) || b.startsWith(a))

/** `tree` and `rmtree`. */
export const isPart = (a: string, b: string): boolean =>
  Math.min(a.length, b.length) >= PART_MIN && !isAbbreviation(a, b) && (a.includes(b) || b.includes(a))

/** Documentation and questions begin with the verb that the name often begins with. */
export const isVerb = (verb: string | undefined, word: string): boolean =>
  verb !== undefined && (verb === word || areRelated(verb, word))

/** Groups of three letters, with marks for the beginning and the end. */
export function lettersOf(words: readonly string[]): Set<string> {
  const groups = new Set<string>()
  for (const word of words) {
    const marked = `^${word}$`
    for (let at = 0; at + 3 <= marked.length; at++) groups.add(marked.slice(at, at + 3))
  }
  return groups
}

export const lettersShare = (query: ReadonlySet<string>, words: readonly string[]): number =>
  shareOf([...lettersOf(words)], (group) => query.has(group))
