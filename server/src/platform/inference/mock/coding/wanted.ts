// Which function a clause asks for: one that is known by name or by meaning, or one whose result is spelt out.
import {
  type Known,
  knownByMeaning,
  knownByName,
  type Language,
  spell,
  type Written,
  writeKnown,
} from '../known/known.ts'
import type { Clause } from './clauses.ts'
import { namesIn } from './mentions.ts'

export type Wanted = { readonly written: Written; readonly known: Known | undefined; readonly does: string }

/** All that are asked for, in order. A known name beats a described meaning; a name that means nothing else is its own. */
export function wantedIn(clause: Clause, language: Language): readonly Wanted[] {
  const names = [...namesIn(clause), ...listed(clause.text)]
  const byName = [...new Set(names)].flatMap((name) => {
    const known = knownByName(name)
    return known === undefined ? [] : [fromKnown(known, language, name)]
  })
  if (byName.some((each) => each !== undefined)) return byName.filter((each) => each !== undefined)

  const spelt = speltOut(clause, names[0], language)
  if (spelt !== undefined) return [spelt]
  const known = knownByMeaning(withoutPaths(clause.text)) ?? bareName(clause.text)
  const wanted = known === undefined ? undefined : fromKnown(known, language, names[0])
  return wanted === undefined ? [] : [wanted]
}

/** "isPrime, gcd and lcm functions": with the plural, each of the words may be one. */
const listed = (text: string): readonly string[] =>
  /\b(functions|methods|helpers)\b/i.test(text)
    ? (withoutPaths(text).match(/\b[a-z][A-Za-z]{2,}\b/g) ?? []).filter(
        (word) => knownByName(word) !== undefined && !EVERYDAY.has(word),
      )
    : []

function fromKnown(known: Known, language: Language, name: string | undefined): Wanted | undefined {
  const own = writeKnown(known, language)
  if (own === undefined) return undefined
  // A name that the language would spell differently is spelt its way; `addNumbers` stays what it was asked to be.
  const wanted =
    name === undefined || spell(name, language) === spell(known.name, language)
      ? own.name
      : spell(name, language)
  const written = writeKnown(known, language, wanted)
  return written && { written, known, does: known.does }
}

/** Known names that are no everyday words, said without any sign that they are names. */
function bareName(text: string): Known | undefined {
  for (const [word] of withoutPaths(text).matchAll(/\b[a-z]+[A-Z]\w*\b|\b[a-z]{5,}\b|\b(gcd|lcm|sum)\b/g)) {
    const known = knownByName(word)
    if (known !== undefined && !EVERYDAY.has(word)) return known
  }
  return undefined
}

const EVERYDAY = new Set([
  'limit',
  'bound',
  'total',
  'range',
  'group',
  'delay',
  'pause',
  'batch',
  'times',
  'without',
  'product',
  'sequence',
  'difference',
  'reversed',
  'cached',
  'maximum',
  'percent',
])

const withoutPaths = (text: string): string => text.replaceAll(/\S*[/\\.]\w+\S*/g, ' ')

const RETURNS =
  /\breturn(?:s|ing)?\s+(?:the\s+(?:string|number|value|text)\s+)?(`[^`]+`|"[^"]*"|'[^']*'|[\w$.]+(?:\s*[-+*/%]\s*[\w$.]+)*|true|false)\s*(?:(?:to|in|into)\s+\S+)?\s*[.!]?\s*$/i

/** "a function double(n) that returns n * 2" */
function speltOut(clause: Clause, name: string | undefined, language: Language): Wanted | undefined {
  if (name === undefined || !/\b(function|method|helper|def|func)\b/i.test(clause.text)) return undefined
  const result = RETURNS.exec(clause.text)?.[1]?.replace(/^`([\s\S]*)`$/, '$1')
  if (result === undefined) return undefined
  const [, list = ''] =
    new RegExp(`\\b${name.replaceAll('$', '\\$')}\\(([\\w$, ]*)\\)`).exec(clause.text) ?? []
  const params = list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  // A word that is neither a number nor a parameter is prose, not code.
  const words =
    result.startsWith('"') || result.startsWith("'") ? [] : (result.match(/[A-Za-z_$][\w$]*/g) ?? [])
  if (words.some((word) => !params.includes(word) && !/^(true|false|True|False|Math|len)$/.test(word)))
    return undefined
  const written = writeOut(spell(name, language), params, result, language)
  return written && { written, known: undefined, does: `Returns ${result}.` }
}

function writeOut(
  name: string,
  params: readonly string[],
  result: string,
  language: Language,
): Written | undefined {
  const list = params.join(', ')
  const typed = params.map((each) => `${each}: number`).join(', ')
  const code = {
    js: `function ${name}(${list}) {\n  return ${result};\n}`,
    ts: `function ${name}(${typed}) {\n  return ${result};\n}`,
    py: `def ${name}(${list}):\n    return ${result}`,
    php: `function ${name}(${params.map((each) => `$${each}`).join(', ')})\n{\n    return ${result};\n}`,
  }
  const text = language === 'go' || language === 'java' ? undefined : code[language]
  return text === undefined ? undefined : { imports: [], code: text, name, params }
}
