// Answers a user: a sum, an outline of pasted code, how the service charges; otherwise the identity and abilities of the model.
import { explain } from './explain.ts'
import { evaluate } from './expression.ts'
import { CANNOT, IDENTITY } from './outcome.ts'
import { type Message, requestIn, systemOf, textsOf } from './prompt.ts'

export function chatReply(messages: readonly Message[]): string {
  const [first = '', ...others] = textsOf(messages, 'user').map(requestIn)
  const asked = (others.at(-1) ?? first).slice(0, 20_000)
  // Chat clients ask for the title of a conversation in the system prompt.
  if (/\b(short|brief|concise|generate|only|write)\b[^.\n]{0,60}\btitle\b/i.test(systemOf(messages)))
    return /\S.{0,59}?(?=[.!?]\s|$)|\S.{59}/m.exec(first)?.[0] ?? 'New conversation'
  const code = /```\w*\n([\s\S]*?)(?:```|$)/.exec(asked)?.[1]
  const topic = TOPICS.find(([pattern]) => pattern.test(asked.slice(0, 2_000)))?.[1]
  return `${sum(asked) ?? (code && explain(code)) ?? topic ?? CANNOT}\n\n${IDENTITY}`
}

const SUM =
  /(?:^|\b(?:what(?:'s| is)|calculate|compute|how much is|work out))\s*:?\s*([-\d(][\d\s.,()+*/x×÷%^-]*[\d)])\s*=?\s*[?.!"]*\s*$/i

function sum(asked: string): string | undefined {
  const text = asked.slice(0, 400).replaceAll(/(?<=\d),(?=\d{3})/g, '')
  const [, percent, whole] = /(\d[\d.]*) ?(?:%|percent) of (\d[\d.]*\d|\d)/i.exec(text) ?? []
  const written = percent === undefined ? SUM.exec(text)?.[1]?.trim() : `${percent} * ${whole} / 100`
  if (written === undefined || !/\d\s*[-+*/x×÷%^]/.test(written)) return undefined
  const value = evaluate(written.replaceAll(/[x×]/g, '*').replaceAll('÷', '/').replaceAll('^', '**'))
  if (typeof value !== 'number') return undefined
  return `${written} ${Number.isFinite(value) ? `= **${Number(value.toFixed(10))}**` : 'has no result.'}`
}

/** No prices: they are settings, and a fixed answer would become wrong. */
const TOPICS: readonly (readonly [RegExp, string])[] = [
  [/\b(who|what) are you\b|\bwhich model\b/i, 'No model provider is configured here.'],
  [
    /\b(prices?|costs?|charged?|wallet|balance|hold|held|refund|tokens?|lanes?|top[- ]?up)\b/i,
    'The most that a run can cost is held in your wallet before it starts. Afterwards you are charged for the tokens used, by the price of the lane, and the rest of the hold is released. Failed work is free.',
  ],
  [/^\s*(hi|hello|hey|thanks|good (morning|evening))\b/i, 'Hello! Paste code, or ask for a sum.'],
]
