// Shows one of the known functions in the language that is asked for.
import { spokenLanguage } from '../coding/language.ts'
import { namesIn } from '../coding/mentions.ts'
import {
  KNOWN,
  type Known,
  knownByMeaning,
  knownByName,
  type Language,
  literal,
  writeKnown,
} from '../known/known.ts'

const ASKS =
  /\b(function|method|helper|code|write|show|implement|how (do|can|would|to)|example|snippet|give me|need)\b/i
const TITLES: Readonly<Record<Language, string>> = {
  js: 'JavaScript',
  ts: 'TypeScript',
  py: 'Python',
  go: 'Go',
  php: 'PHP',
  java: 'Java',
}

export function showFunction(asked: string): string | undefined {
  if (!ASKS.test(asked)) return undefined
  const known = knownIn(asked)
  if (known === undefined) return undefined
  const language = spokenLanguage(asked) ?? 'js'
  const written = writeKnown(known, language)
  if (written === undefined)
    return `I know \`${known.name}\` (${known.does}) but not in ${TITLES[language]}; I have it in JavaScript, TypeScript and Python.`
  const code = [...written.imports, ...(written.imports.length > 0 ? ['', ''] : []), written.code].join('\n')
  const [example] = known.examples
  const call =
    example &&
    `\`${written.name}(${example[0].map((each) => literal(each, language)).join(', ')})\` gives \`${literal(example[1], language)}\`.`
  return [
    `${known.does} In ${TITLES[language]}:`,
    '',
    `\`\`\`${language}`,
    code,
    '```',
    ...(call === undefined ? [] : ['', call]),
  ].join('\n')
}

function knownIn(asked: string): Known | undefined {
  const named = namesIn({ text: asked.slice(0, 2_000), blocks: [] })
    .map(knownByName)
    .find((each) => each !== undefined)
  if (named !== undefined) return named
  const words = new Set(asked.slice(0, 2_000).match(/\b[A-Za-z]\w{3,}\b/g) ?? [])
  return knownByMeaning(asked.slice(0, 2_000)) ?? KNOWN.find(({ name }) => name.length > 4 && words.has(name))
}
