// A scripted model for research tests. It answers each kind of prompt from a table, and plants content into its answers that
// the service must filter.

import type { Message } from '@cowrie/server/src/platform/inference/inference.ts'
import { replyTo } from '../../dev/model/reply.ts'
import type { FakeReply, FakeRequest } from '../fakes/models/fake-upstream.ts'

export type ScriptedTurn = 'clarify' | 'plan' | 'extract' | 'gap' | 'report' | 'repair'

export type Plant =
  /** Findings with an invented quote, a changed number, or a page that was not shown. */
  | 'fabricated_quote'
  | 'altered_number'
  | 'foreign_source'
  /** Sentences of the report. */
  | 'unknown_id'
  | 'link'
  | 'image'
  | 'html'
  /** Any answer. */
  | 'prose'
  | 'thinking'
  | 'cut'

/** The planted content, so that tests can search for it. */
export const PLANTED = {
  claim: 'Lighthouse keepers confirmed in 1742 that oysters sing at night.',
  quote: 'The keepers of the lighthouse confirmed in 1742 that oysters sing at night.',
  page: 9_999,
  id: 'F9999',
  url: 'http://canary.invalid/?k=secret',
  html: '<script>document.title="canary"</script><img src="x" onerror="canary()">',
  prose: 'I would rather talk about the weather. It has been a mild year, all in all.',
} as const

type ScriptedAnswer = string | ((messages: readonly Message[]) => string)
/** Constant, or depends on how many turns of this kind came before. */
type Plants = readonly Plant[] | ((nth: number) => readonly Plant[])

export type ModelScript = {
  /** The development model answers the turns that are not in the table. */
  readonly answers?: Partial<Record<ScriptedTurn, ScriptedAnswer>>
  readonly plants?: Partial<Record<ScriptedTurn, Plants>>
}

export type ScriptedModel = {
  answer(messages: readonly Message[]): string
  /** For `upstream.fallback`: as `answer`, with the finish reason of a cut answer. */
  reply(request: FakeRequest): FakeReply
  /** The turns so far, oldest first; null for a request that is not a research turn. */
  readonly turns: readonly (ScriptedTurn | null)[]
}

export function scriptedModel({ answers = {}, plants = {} }: ModelScript = {}): ScriptedModel {
  const turns: (ScriptedTurn | null)[] = []
  const answered = (messages: readonly Message[]): { text: string; isCut: boolean } => {
    const turn = turnOf(messages)
    const nth = turns.filter((each) => each === turn).length
    turns.push(turn)
    if (turn === null) return { text: replyTo(messages), isCut: false }
    const answer = answers[turn] ?? replyTo
    const script = plants[turn] ?? []
    const planted = typeof script === 'function' ? script(nth) : script
    const text = typeof answer === 'function' ? answer(messages) : answer
    return {
      text: planted.reduce((answer, plant) => PLANT_FUNCTIONS[plant](answer), text),
      isCut: planted.includes('cut'),
    }
  }
  return {
    answer: (messages) => answered(messages).text,
    reply: ({ body }) => {
      // The service sends messages in this form.
      const { text, isCut } = answered(body.messages as readonly Message[])
      return isCut ? { text, finish: 'length' } : text
    },
    turns,
  }
}

const PROMPT_MARKERS: readonly (readonly [form: string, turn: ScriptedTurn])[] = [
  ['{"ask": ["', 'clarify'],
  ['{"subquestions": [', 'plan'],
  ['{"findings": [{"n"', 'extract'],
  ['{"queries": [', 'gap'],
  ['{"repairs": [', 'repair'],
  ['such as [F3] or [F3][F7]', 'report'],
]

export function turnOf(messages: readonly Message[]): ScriptedTurn | null {
  const system = messages.find(({ role }) => role === 'system')?.content ?? ''
  return PROMPT_MARKERS.find(([form]) => system.includes(form))?.[1] ?? null
}

type ScriptedFinding = { n: number; sub: number; claim: string; quote: string; kind: string }

const PLANT_FUNCTIONS: Readonly<Record<Plant, (text: string) => string>> = {
  fabricated_quote: (text) =>
    withFinding(text, ({ n, sub }) => ({ n, sub, claim: PLANTED.claim, quote: PLANTED.quote, kind: 'fact' })),
  altered_number: (text) => {
    const { findings } = JSON.parse(text) as { findings: ScriptedFinding[] }
    const found = findings.find(({ quote }) => /\d/.test(quote))
    if (!found) return text
    const altered = { ...found, claim: nextDigit(found.claim), quote: nextDigit(found.quote) }
    return JSON.stringify({ findings: [...findings, altered] })
  },
  foreign_source: (text) => withFinding(text, (found) => ({ ...found, n: PLANTED.page })),
  unknown_id: (text) => `${text}\n\n${PLANTED.claim.slice(0, -1)} [${PLANTED.id}].`,
  link: (text) => `${text}\n\nThe [details](${PLANTED.url}) are there [F1]. See also ${PLANTED.url} [F1].`,
  image: (text) => `${text}\n\n![a picture](${PLANTED.url}) [F1].`,
  html: (text) => `${text}\n\n${PLANTED.html} [F1].`,
  prose: () => PLANTED.prose,
  thinking: (text) =>
    `<think>Perhaps ${JSON.stringify({ findings: [{ n: 1, sub: 1, claim: PLANTED.claim, quote: PLANTED.quote }] })} or [${PLANTED.id}]?</think>\n${text}`,
  cut: (text) => text.slice(0, Math.floor(text.length * 0.6)),
}

/** Adds a finding derived from the first one. */
function withFinding(text: string, make: (first: ScriptedFinding) => ScriptedFinding): string {
  const { findings } = JSON.parse(text) as { findings: ScriptedFinding[] }
  const [first] = findings
  return first ? JSON.stringify({ findings: [...findings, make(first)] }) : text
}

const nextDigit = (text: string): string =>
  text.replace(/\d/, (digit) => String(digit === '9' ? 1 : Number(digit) + 1))
