// The small functions that the stand-in model can write, and how it finds the one that is meant.
import { elsewhere } from './elsewhere.ts'
import type { Known, Language, Value } from './entry.ts'
import { lists } from './lists.ts'
import { mathematics } from './mathematics.ts'
import { numbers } from './numbers.ts'
import { records } from './records.ts'
import { text } from './text.ts'
import { timing } from './timing.ts'

export type { Known, Language, Value } from './entry.ts'

export const KNOWN: readonly Known[] = [...numbers, ...mathematics, ...lists, ...text, ...records, ...timing]

/** A function as one language has it: what it imports, its text, its name and its parameters. */
export type Written = {
  readonly imports: readonly string[]
  readonly code: string
  readonly name: string
  readonly params: readonly string[]
}

/** By its name or one of its other names, however they are spelt. */
export const knownByName = (name: string): Known | undefined => BY_NAME.get(plain(name))

/** By what is said about it: whoever matches the longest stretch of the words is meant. */
export function knownByMeaning(words: string): Known | undefined {
  const spoken = words.toLowerCase()
  let best: { known: Known; length: number } | undefined
  for (const known of KNOWN) {
    const length = known.meaning.exec(spoken)?.[0].length ?? 0
    if (length > (best?.length ?? 0)) best = { known, length }
  }
  return best?.known
}

/** Undefined where the language does not have it. */
export function writeKnown(known: Known, language: Language, name?: string): Written | undefined {
  const source = sourceOf(known, language)
  if (source === undefined) return undefined
  const lines = source.split('\n')
  const start = lines.findIndex((line) => !/^(import|from)\b|^$/.test(line))
  const body = lines.slice(start).join('\n')
  const [, own = known.name, params = ''] = /(\w+)(?:<[^(]*>)?\(([^)]*)\)/.exec(body) ?? []
  const wanted = name ?? own
  return {
    imports: lines.slice(0, start).filter((line) => line !== ''),
    code: wanted === own ? body : body.replaceAll(new RegExp(`\\b${own}\\b(?=[(<])`, 'g'), wanted),
    name: wanted,
    params: params.split(',').map((each) => each.trim()),
  }
}

/** A name in camelCase the way a language spells it. */
export function spell(name: string, language: Language): string {
  if (language === 'py') return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  if (language === 'go') return name.charAt(0).toUpperCase() + name.slice(1)
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** A value as a language writes it. */
export function literal(value: Value, language: Language): string {
  if (language !== 'py') return JSON.stringify(value)
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map((each: Value) => literal(each, language)).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  const pairs = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${literal(each, language)}`,
  )
  return `{${pairs.join(', ')}}`
}

const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()

const BY_NAME: ReadonlyMap<string, Known> = new Map(
  // Later ones win, so that a proper name beats another's alias.
  [
    ...KNOWN.flatMap((known) => (known.aliases ?? []).map((alias) => [plain(alias), known] as const)),
    ...KNOWN.map((known) => [plain(known.name), known] as const),
  ],
)

function sourceOf(known: Known, language: Language): string | undefined {
  if (language === 'ts') return known.js.replaceAll(/[«»]/g, '')
  if (language === 'js') return known.js.replaceAll(/«[^»]*»/g, '')
  if (language === 'py') return known.py
  return elsewhere[known.name]?.[language]
}
