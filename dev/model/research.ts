// Answers the prompts of research and review in their formats. Findings are sentences of the given pages, the report repeats
// the given findings, and no review finding is judged.
import { type Fence, fencesIn, type Message, systemOf, textsOf } from './prompt.ts'

type Asked = { readonly system: string; readonly fences: readonly Fence[] }

/** Replies by the example answer that each prompt contains. */
const FORMS: readonly (readonly [form: string, reply: (asked: Asked) => string])[] = [
  ['{"verdicts": [{"id":', verdictsReply],
  ['{"ask": ["', clarifyReply],
  ['{"subquestions": [{"question":', planReply],
  ['{"findings": [{"n":', findingsReply],
  ['{"queries": [{"sub":', queriesReply],
  ['{"repairs": [{"s":', () => '{"repairs":[]}'],
  ['such as [F3] or [F3][F7]', reportReply],
]

/** Null when the prompt is neither of research nor of review. */
export function materialReply(messages: readonly Message[]): string | null {
  const system = systemOf(messages).slice(0, 8_000)
  const nonce = /<<end ([0-9a-f]{4,64})>>/.exec(system)?.[1]
  const reply = FORMS.find(([form]) => system.includes(form))?.[1]
  if (nonce === undefined || reply === undefined) return null
  return reply({ system, fences: fencesIn(textsOf(messages, 'user').join('\n'), nonce) })
}

const materialOf = ({ fences }: Asked, kind: string): string =>
  fences.flatMap((fence) => (fence.kind === kind ? [fence.text] : [])).join('\n')

function verdictsReply({ fences }: Asked): string {
  const other = { verdict: 'unproven', evidence: [], reason: 'The development model cannot judge findings.' }
  const findings = fences.filter(({ kind }) => kind === 'finding')
  return JSON.stringify({ verdicts: findings.map(({ attributes }) => ({ id: attributes.id, ...other })) })
}

/** A question of one or two words is unclear. */
function clarifyReply(asked: Asked): string {
  const question = materialOf(asked, 'question')
  const isUnclear = !question.includes('Answer:') && keywordsOf(question).length < 3
  return JSON.stringify({ ask: isUnclear ? [`Which part of this do you mean: ${queryOf(question)}?`] : [] })
}

/** Each question of the text. A single one gets a second about its subject. */
function planReply(asked: Asked): string {
  const most = Number(/at most (\d{1,2}) sub-questions/.exec(asked.system)?.[1] ?? 1)
  const question = materialOf(asked, 'question').slice(0, 2_000).trim()
  const subject = queryOf(question)
  const clauses = question
    .split(/[?？؟;\n]+|,? (?:and|et|na) (?=(?:how|what|why|when|which|who|where)\b)/i)
    .map((clause) => clause.trim().slice(0, 280))
    .filter((clause) => keywordsOf(clause).length > 0)
  const parts = clauses.length > 1 ? clauses : [...clauses, `Which are the main facts about ${subject}`]
  const subquestions = parts.slice(0, Math.max(1, most)).map((part) => {
    // "How do they compare?" is unclear without its subject.
    const whole = keywordsOf(part).length < 3 ? `${part} (${subject})` : part
    return { question: `${whole.charAt(0).toUpperCase()}${whole.slice(1)}?`, queries: [queryOf(whole)] }
  })
  return JSON.stringify({ subquestions })
}

const queryOf = (text: string): string => keywordsOf(text).slice(0, 8).join(' ')

/** The sentences of each page that share most words with a sub-question: two, or up to four that share several. */
function findingsReply(asked: Asked): string {
  const parts = numberedIn(materialOf(asked, 'subquestions'))
  const wordsOf = new Map(parts.map(({ number, text }) => [number, keywordsOf(text)]))
  const findings = asked.fences.flatMap(({ kind, attributes, text }) => {
    const matches = (kind === 'page' ? sentencesIn(text) : [])
      .map((sentence) => ({ sentence, ...closestPart(sentence, wordsOf) }))
      .filter(({ shared }) => shared > 0)
      .sort((one, other) => other.shared - one.shared)
    const good = matches.filter(({ shared }) => shared > 1).length
    return matches.slice(0, Math.min(4, Math.max(2, good))).map(({ sentence, sub }) => ({
      ...{ n: Number(attributes.n), sub, claim: sentence, quote: sentence },
      kind: /\d/.test(sentence) ? 'number' : 'fact',
    }))
  })
  return JSON.stringify({ findings: findings.slice(0, 40) })
}

function closestPart(sentence: string, wordsOf: ReadonlyMap<number, readonly string[]>) {
  const own = new Set(keywordsOf(sentence))
  return [...wordsOf]
    .map(([sub, words]) => ({ sub, shared: words.filter((word) => own.has(word)).length }))
    .reduce((best, each) => (each.shared > best.shared ? each : best), { sub: 1, shared: 0 })
}

/** The words of each open point and one more, unless that was tried. */
function queriesReply(asked: Asked): string {
  const most = Number(/up to (\d{1,2}) new/.exec(asked.system)?.[1] ?? 1)
  const tried = new Set(materialOf(asked, 'asked').toLowerCase().split('\n'))
  const queries = numberedIn(materialOf(asked, 'open'))
    .map(({ number, text }) => ({ sub: number, query: `${queryOf(text.replace(/\([^()]*\)$/, ''))} report` }))
    .filter(({ query }) => !tried.has(query))
  return JSON.stringify({ queries: queries.slice(0, most) })
}

/** Every sentence is the claim of a finding, with its id. */
function reportReply(asked: Asked): string {
  // The prompt names both titles in the language of the question.
  const wordsAfter = (start: string) => asked.system.split(start)[1]?.split(/:?"/)[0] ?? ''
  const parts = numberedIn(materialOf(asked, 'subquestions'))
  const groups = asked.fences.flatMap(({ kind, attributes, text }) => {
    const claims = kind === 'findings' ? text.matchAll(/^(F\d{1,5}) \([^)\n]{0,40}\): (.+)$/gm) : []
    const sentences = [...claims].map(([, id, claim = '']) => `${claim.replace(/\s*[.!?…]$/, '')} [${id}].`)
    const heading = parts.find(({ number }) => number === Number(attributes.sub))?.text ?? 'Findings'
    return sentences.length > 0 ? [{ heading, sentences }] : []
  })
  const short = groups.flatMap(({ sentences }) => sentences.slice(0, 1)).slice(0, 3)
  const open = parts
    .filter(({ text }) => !groups.some(({ heading }) => heading === text))
    .map(({ text }) => `${wordsAfter('begins with "')}: ${text}`)
  return [
    `## ${wordsAfter('First "## ')}\n\n${[...short, ...open].join(' ')}`,
    ...groups.map(({ heading, sentences }) => `## ${heading}\n\n${sentences.join(' ')}`),
  ].join('\n\n')
}

/** Lines such as `2. text`. */
const numberedIn = (lines: string) =>
  [...lines.matchAll(/^(\d{1,2})\. +(.*\S)/gm)].map(([, at, text = '']) => ({ number: Number(at), text }))

/** Sentences that can be quoted: no headings, no fragments. */
const sentencesIn = (text: string): string[] =>
  text
    .replaceAll(/^(?:#{1,6} |\[…\]).*$|^[-*•] /gm, '')
    .split(/\n|(?<=[.!?؟。])\s+(?=[^\p{Ll}])/u)
    .map((sentence) => sentence.trim())
    .filter(({ length }) => length >= 30 && length <= 300)

const STOP_WORDS =
  /^(?:about|after|also|and|are|between|can|could|does|for|from|had|has|have|how|into|its|main|facts|more|most|not|our|should|such|than|that|the|their|them|there|these|they|this|those|use|used|was|were|what|when|where|which|while|who|why|will|with|would|you|your)$/

/** In lower case, each once, without the ending of a plural. */
function keywordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const telling = words.filter((word) => (word.length > 2 || /\d/.test(word)) && !STOP_WORDS.test(word))
  return [...new Set(telling.map((word) => (word.length > 4 ? word.replace(/([^siu])s$/, '$1') : word)))]
}
