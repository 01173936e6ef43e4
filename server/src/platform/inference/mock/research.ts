// The turns of a research run without a model: plans from the question's own words, findings that are sentences of the pages,
// a report that repeats what was found. What the pages say about what to do is text like any other.
import type { Message } from '../question.ts'
import { fencesIn, fenceTexts, type ResearchFence, sentencesIn, tellingWords } from './research-material.ts'

/** By what each kind of prompt shows as the form of its answer. */
const FORMS: readonly (readonly [form: string, reply: (asked: Asked) => string])[] = [
  ['{"subquestions": [{"question":', planReply],
  ['{"findings": [{"n":', findingsReply],
  ['{"queries": [{"sub":', queriesReply],
  ['{"repairs": [{"s":', () => JSON.stringify({ repairs: [] })],
  ['such as [F3] or [F3][F7]', reportReply],
]

type Asked = { readonly system: string; readonly fences: readonly ResearchFence[] }

/** Null when nobody asks for a turn of research. */
export function researchReply(messages: readonly Message[]): string | null {
  const system = messages.find(({ role }) => role === 'system')?.content.slice(0, 8_000) ?? ''
  const nonce = /<<end ([0-9a-f]{4,64})>>/.exec(system)?.[1]
  const reply = FORMS.find(([form]) => system.includes(form))?.[1]
  if (nonce === undefined || reply === undefined) return null
  const shown = messages.filter(({ role }) => role === 'user').map(({ content }) => content)
  return reply({ system, fences: fencesIn(shown.join('\n'), nonce) })
}

const PARTS_MAX = 8
const WORDS_IN_QUERY = 8
const WORDS_LEAST = 3
const QUESTION_MAX = 280

/** Each of the questions in it; one alone is asked about its subject a second time. */
function planReply({ system, fences }: Asked): string {
  const most = Math.min(PARTS_MAX, Number(/at most (\d{1,2}) sub-questions/.exec(system)?.[1] ?? 1))
  const question = fenceTexts(fences, 'question').join(' ').slice(0, 2_000).trim()
  const clauses = question
    .split(/[?？؟;\n]+|,? (?:and|et|na) (?=(?:how|what|why|when|which|who|where)\b)/i)
    .map((clause) => clause.trim().slice(0, QUESTION_MAX))
    .filter((clause) => tellingWords(clause).length > 0)
  const subject = tellingWords(question).slice(0, WORDS_IN_QUERY).join(' ')
  const parts = clauses.length > 1 ? clauses : [...clauses, `What are the main facts about ${subject}`]
  const subquestions = parts.slice(0, Math.max(1, most)).map((part) => {
    // "How do they compare?" says nothing without its subject.
    const whole = tellingWords(part).length < WORDS_LEAST ? `${part} (${subject})` : part
    return { question: `${whole.charAt(0).toUpperCase()}${whole.slice(1)}?`, queries: [queryOf(whole)] }
  })
  return JSON.stringify({ subquestions })
}

const queryOf = (text: string): string => tellingWords(text).slice(0, WORDS_IN_QUERY).join(' ')

const PER_PAGE = 4
/** Of a page whose sentences share little with the question: it was found for it all the same. */
const PER_PAGE_LEAST = 2
const SHARED_ENOUGH = 2

type Match = { readonly sentence: string; readonly sub: number; readonly shared: number; readonly at: number }

/** Of each page the sentences that share most words with a sub-question. */
function findingsReply({ fences }: Asked): string {
  const parts = numberedIn(fenceTexts(fences, 'subquestions').join('\n')).map(({ number, text }) => ({
    sub: number,
    words: new Set(tellingWords(text)),
  }))
  const findings = fences
    .filter(({ kind }) => kind === 'page')
    .flatMap(({ about, text }) => {
      const matches = sentencesIn(text).flatMap((sentence, at) => bestPart(sentence, at, parts) ?? [])
      matches.sort((one, other) => other.shared - one.shared || one.at - other.at)
      const good = matches.filter(({ shared }) => shared >= SHARED_ENOUGH).length
      const taken = Math.min(PER_PAGE, Math.max(PER_PAGE_LEAST, good))
      return matches.slice(0, taken).map(({ sentence, sub }) => ({
        n: Number(about.n),
        sub,
        claim: sentence,
        quote: sentence,
        kind: /\d/.test(sentence) ? 'number' : 'fact',
      }))
    })
  return JSON.stringify({ findings: findings.slice(0, 40) })
}

function bestPart(
  sentence: string,
  at: number,
  parts: readonly { readonly sub: number; readonly words: ReadonlySet<string> }[],
): Match | null {
  const own = new Set(tellingWords(sentence))
  const matches = parts.map(({ sub, words }) => {
    const shared = [...words].filter((word) => own.has(word)).length
    return { sentence, sub, at, shared }
  })
  return matches.reduce<Match | null>(
    (most, match) => (match.shared > (most?.shared ?? 0) ? match : most),
    null,
  )
}

const WAYS = ['report', 'data', 'study', 'official', 'history', 'guide']

/** The words of each open point with one that was not tried. */
function queriesReply({ system, fences }: Asked): string {
  const most = Number(/up to (\d{1,2}) new/.exec(system)?.[1] ?? 1)
  const asked = new Set(fenceTexts(fences, 'asked').join('\n').toLowerCase().split('\n'))
  const queries = numberedIn(fenceTexts(fences, 'open').join('\n')).flatMap(({ number, text }) => {
    const subject = queryOf(text.replace(/\([^()]*\)$/, ''))
    const query = WAYS.map((way) => `${subject} ${way}`).find((each) => !asked.has(each.toLowerCase()))
    return query === undefined ? [] : [{ sub: number, query }]
  })
  return JSON.stringify({ queries: queries.slice(0, most) })
}

const FINDING = /^(F\d{1,5}) \([^)\n]{0,40}\): (.+)$/gm
const IN_SHORT = 3

/** Every sentence is what a finding claims, with its id. */
function reportReply({ fences }: Asked): string {
  const parts = numberedIn(fenceTexts(fences, 'subquestions').join('\n'))
  const groups = fences
    .filter(({ kind }) => kind === 'findings')
    .map(({ about, text }) => ({
      heading: parts.find(({ number }) => number === Number(about.sub))?.text ?? 'Findings',
      sentences: [...text.matchAll(FINDING)].map(([, id = '', claim = '']) => cited(claim, id)),
    }))
  const short = groups.flatMap(({ sentences }) => sentences.slice(0, 1)).slice(0, IN_SHORT)
  const found = new Set(groups.map(({ heading }) => heading))
  const open = parts.filter(({ text }) => !found.has(text)).map(({ text }) => `Not established: ${text}`)
  return [
    `## Short answer\n\n${[...short, ...open].join(' ')}`,
    ...groups.map(({ heading, sentences }) => `## ${heading}\n\n${sentences.join(' ')}`),
  ].join('\n\n')
}

const cited = (claim: string, id: string): string => `${claim.replace(/[.!?…]$/, '').trimEnd()} [${id}].`

/** Lines such as `2. text`. */
const numberedIn = (text: string): { readonly number: number; readonly text: string }[] =>
  [...text.matchAll(/^(\d{1,2})\. (.+)$/gm)].map(([, number, line = '']) => ({
    number: Number(number),
    text: line.trim(),
  }))
