// Checks the vocabulary of the repository: plain technical English in comments, texts, documents and type names.
// `npm run language` lists every finding; `npm run language -- server/src/wallet` those of one folder.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseSync } from 'rolldown/utils'
import { tokensOf } from '../server/test/sources.ts'

const ROOT = join(import.meta.dirname, '..')

export type Finding = { path: string; line: number; rule: Rule; text: string }
export type Rule = 'word' | 'subject' | 'type name'

/** Words and phrases of the former vocabulary. docs/glossary.md has the terms to use instead. */
const WORDS = [
  /\b(whoever|whomever|nobody|somebody|naught|thence|whence|therein|thereof|whereof|hither|anew|albeit)\b/i,
  /(?<!\b(?:than you were|what it was) )\btold\b/i,
  /\b(deeds?|errands?|narrations?|stand-ins?|mended|sieves?|beholden|forthwith)\b/i,
  /\bmends?\b(?! )/i,
  /\bthe (beat|wall|face|desk|door)\b/i,
  /\b(go|goes|went|gone|going) on\b/i,
  /\b(in|into) the place of\b/i,
  /\bunless it is said\b/i,
  /\bof (its|their|his|her|our|your|my) own\b/i,
  /\b(has|have|had) words\b/i,
  /\bturned? away\b/i,
  /\b(hears?|heard) (of|from)\b/i,
  /\b(let|lets|letting) go\b/i,
  /\bcome?s? to nothing\b/i,
  /\bonce more\b/i,
  /\bby and by\b/i,
  /\bno (other|one) (than|but)\b/i,
  /\bas it (stands|stood|were)\b/i,
  /\b(says?|said) (so|aloud|nothing)\b/i,
  /\bfor good\b/i,
  /\bset aside\b/i,
  /\bkeeps? (its|their|his) word\b/i,
  /\bhow (it|they|things) (stands?|stood)\b/i,
]

/** A sentence whose subject is a pronoun: "What nobody came back for is given back." A question may begin so. */
const PRONOUN_SUBJECT =
  /(?:^|[.;:]\s+)(What|Who|Whoever|Whose|Nobody|Somebody|Whatever)\s[^.?!\n]*(?![^.?!]*\?)/

const ANY_WORD = new RegExp(WORDS.map(({ source }) => source).join('|'), 'i')
const ANY_SUBJECT = /(?:What|Who|Whoever|Whose|Nobody|Somebody|Whatever) /

/** Whether a sentence of the file can be a finding. Most files are clean without reading their comments and strings. */
function isSuspect(text: string): boolean {
  const joined = text.replace(/\n[\s/*]*|\s{2,}/g, ' ')
  return ANY_WORD.test(joined) || ANY_SUBJECT.test(joined)
}

const PARTICIPLE_TYPE = /^export (?:declare )?(?:type|interface|class|enum) (\w+)/gm

/** Nouns and established terms that merely look like participles. */
const NOUNS = new Set(
  (
    'Embed Feed Seed Speed Need Embedding Setting Pricing Billing Finding Posting Listing Heading Binding Logging Metering ' +
    'Mapping Spelling Lowering Warning Ending Meaning Building String Ring Routing Timing Ordering Rendering Encoding ' +
    'Rounding Reasoning Training Ranking Screening Ping Sampling Rating Padding Saving'
  ).split(' '),
)
const BARE = new Set(
  (
    'Asked Wanted Told Said Kept Taken Heard Place Standing How Who What Whose Where Which Wish Given Held Known Seen Made ' +
    'Done Gone Left Put Sent Paid Read Begun Drawn Shown Written Spoken Sworn Thrown Grown Found Got Met Bound Built Meant ' +
    'Spent Lost Cut Split Understood Chosen Driven Broken Hidden Deed Errand'
  ).split(' '),
)

const isParticiple = (name: string): boolean =>
  BARE.has(name) || (/^[A-Z][a-z]+(ed|ing)$/.test(name) && !NOUNS.has(name))

const GENERATED =
  /(^|\/)generated|package-lock\.json|\/testdata\/|^docs\/glossary\.md$|^scripts\/language|\/word-lists\.ts$/
const CODE = /\.(ts|tsx|mts|mjs)$/
const PROSE = /\.md$/
const COPY = /^web\/words\/fr\/.*\.json$|^openapi\.json$/

/** Every finding of a file, by its line. */
export function findingsIn(path: string, text: string): Finding[] {
  const at = (offset: number) => text.slice(0, offset).split('\n').length
  const found: Finding[] = []
  if (CODE.test(path))
    for (const match of text.matchAll(PARTICIPLE_TYPE))
      if (isParticiple(match[1] ?? ''))
        found.push({ path, line: at(match.index), rule: 'type name', text: match[1] ?? '' })
  if (!isSuspect(text)) return found
  const check = (prose: string, line: number, rules: readonly Rule[]) => {
    const words = prose.replace(/`[^`]*`/g, '``')
    if (rules.includes('word'))
      for (const word of WORDS) {
        const match = word.exec(words)
        if (match) found.push({ path, line, rule: 'word', text: match[0] })
      }
    const subject = rules.includes('subject') && PRONOUN_SUBJECT.exec(words)
    if (subject) found.push({ path, line, rule: 'subject', text: subject[0].trim().slice(0, 60) })
  }
  if (CODE.test(path)) {
    for (const comment of commentsOf(path, text)) check(comment.text, at(comment.start), ['word', 'subject'])
    for (const token of tokensOf(text))
      if (
        (token.kind === 'string' || token.kind === 'template') &&
        / \S+ /.test(token.text) &&
        !/^`\s*(select|insert|update|delete|with|create)\b/i.test(token.text)
      )
        check(token.text.slice(1, -1), token.line, ['word', 'subject'])
  } else if (PROSE.test(path)) {
    const prose = text.replace(/```[\s\S]*?```/g, (block) => block.replace(/[^\n]/g, ''))
    for (const [i, line] of prose.split('\n').entries())
      check(line.replace(/^[\s#>*|-]+/, ''), i + 1, ['word', 'subject'])
  } else if (COPY.test(path)) {
    for (const [i, line] of text.split('\n').entries()) {
      const copy =
        path === 'openapi.json'
          ? /"(?:summary|description)": "(.*)"/.exec(line)?.[1]
          : /^\s*"(.*?)":/.exec(line)?.[1]
      if (copy) check(copy, i + 1, ['word', 'subject'])
    }
  }
  return found
}

/** Adjacent line comments are one text, so that a sentence may span lines. */
function commentsOf(path: string, text: string): { start: number; text: string }[] {
  const { comments } = parseSync(path, text)
  const joined: { start: number; end: number; text: string }[] = []
  for (const { type, value, start, end } of comments) {
    const last = joined.at(-1)
    const plain = value
      .replace(/^\s*\*+/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    if (
      type === 'Line' &&
      last &&
      /^\s*$/.test(text.slice(last.end, start)) &&
      !text.slice(last.end, start).includes('\n\n')
    ) {
      last.text += ` ${plain}`
      last.end = end
    } else joined.push({ start, end, text: plain })
  }
  return joined
}

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.data', '.cache', 'coverage', 'testdata'])

/** Files of the repository that the check covers. */
export function coveredFiles(folder = '.'): string[] {
  const start = join(ROOT, folder)
  const paths = statSync(start).isFile() ? [start] : [...filesBelow(start)]
  return paths
    .map((path) => relative(ROOT, path))
    .filter((path) => !GENERATED.test(path) && (CODE.test(path) || PROSE.test(path) || COPY.test(path)))
    .sort()
}

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (SKIPPED.has(entry.name)) continue
    if (entry.isDirectory()) yield* filesBelow(join(folder, entry.name))
    else if (entry.isFile()) yield join(folder, entry.name)
  }
}

export const findings = (folder?: string): Finding[] =>
  coveredFiles(folder).flatMap((path) => findingsIn(path, readFileSync(join(ROOT, path), 'utf8')))

if (import.meta.main) {
  const found = process.argv.slice(2).length
    ? process.argv.slice(2).flatMap((folder) => findings(relative(ROOT, join(process.cwd(), folder)) || '.'))
    : findings()
  for (const { path, line, rule, text } of found) process.stdout.write(`${path}:${line} ${rule}: ${text}\n`)
  process.stdout.write(`${found.length} findings\n`)
}
