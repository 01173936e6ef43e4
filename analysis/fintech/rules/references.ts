// Rules about payment references and keys.
import type { AssignEvent, CompareEvent, Hit, Rule, TextEvent } from '../../rule.ts'
import { codeOf } from '../code-text.ts'
import { functionText, isAboutPayments } from '../context.ts'

export const referenceRules: readonly Rule[] = [
  {
    id: 'FIN-REF-01',
    title: 'A payment reference can be guessed or repeated',
    cwe: 340,
    severity: 'warn',
    confidence: 'high',
    languages: ['javascript', 'php', 'python'],
    message:
      'Two buyers in the same millisecond get the same reference, and a buyer can guess a reference to claim the payment of another.',
    fix: 'Generate it with crypto.randomUUID() or 16 random bytes, and store it under a unique index before calling the provider.',
    on: { assign: guessableReference },
  },
  {
    id: 'FIN-IDEM-02',
    title: 'Every retry creates a new payment',
    cwe: 837,
    severity: 'error',
    confidence: 'medium',
    languages: ['javascript', 'python', 'php', 'java', 'go', 'csharp', 'kotlin'],
    message:
      'Each attempt generates a new reference. If only the response was lost, the next attempt pays a second time.',
    fix: 'Generate the reference once, before the loop, and send the same one with every attempt.',
    on: { assign: referencePerAttempt },
  },
  {
    id: 'SEC-FLW-HASH',
    title: 'The secret hash of a webhook is in the code',
    cwe: 798,
    severity: 'warn',
    confidence: 'high',
    languages: ['javascript', 'python', 'php', 'java', 'go', 'csharp', 'kotlin'],
    message: 'Anyone who can read the code can send payment webhooks that pass the check.',
    fix: 'Read it from the environment, and replace it at the provider, because this one is known.',
    on: { compare: findHardCodedHash },
  },
]

export const referenceTextRules: readonly Rule[] = [
  {
    id: 'FIN-KEY-01',
    title: 'A secret key is included in the browser bundle',
    cwe: 522,
    severity: 'error',
    confidence: 'high',
    languages: 'any text',
    message:
      'Variables with this prefix are copied into the bundle. Every visitor gets the key, and with it the account.',
    fix: 'Call the provider from the server. Only the public key may be in a bundle.',
    on: { text: keyInBundle },
  },
  {
    id: 'FIN-NET-01',
    title: 'A payment provider is called without encryption',
    cwe: 319,
    severity: 'warn',
    confidence: 'high',
    languages: 'any text',
    message: 'Keys, cards and amounts can be read and changed in transit.',
    fix: 'Use https://.',
    on: { text: plainAddress },
  },
]

const REFERENCE =
  /^(?:reference|tx_?ref|txRef|trx_?ref|payment_?ref(?:erence)?|paymentRef(?:erence)?|transaction_?ref(?:erence)?|transactionRef(?:erence)?)$/i
const RANDOM_SOURCE =
  /uuid|nanoid|ulid|cuid|crypto|randomBytes|randomUUID|secrets\.|random_bytes|random_int|Str::|bin2hex|objectid|_id\b|\.id\b|orderId|order_id|userId/i
const GUESSABLE =
  /Math\.random\(\)|Date\.now\(\)|new Date\(\)\.(?:getTime|valueOf)\(\)|\btime\(\)|\bmt_rand\(|\brand\(|uniqid\(|time\.time\(\)|random\.randint\(|random\.choice/

function guessableReference(event: AssignEvent): Hit | undefined {
  if (!REFERENCE.test(event.name)) return undefined
  const written = event.source(event.expr.at)
  if (!GUESSABLE.test(written) || RANDOM_SOURCE.test(written)) return undefined
  return isAboutPayments(event) ? { at: event.expr.at } : undefined
}

function referencePerAttempt(event: AssignEvent): Hit | undefined {
  if (
    !/^(?:\w+_)?(?:reference|tx_?ref|txRef|idempotency_?key)$|Reference$|IdempotencyKey$/i.test(event.name) ||
    !event.isInLoop
  )
    return undefined
  const isRetry =
    event.conditions.some(({ at }) => /attempt|retr(?:y|ies)|tries/i.test(event.source(at))) ||
    /for\s*\([^)]*(?:attempt|retr|tries)|for \w*(?:attempt|retr)\w* in|while[^\n]*(?:attempt|retr|tries)/i.test(
      functionText(event),
    )
  const written = event.source(event.expr.at)
  const isNew = /uuid|random|nanoid|Date\.now|time\(\)|uniqid/i.test(written)
  return isRetry && isNew && isAboutPayments(event) ? { at: event.expr.at } : undefined
}

function findHardCodedHash(event: CompareEvent): Hit | undefined {
  if (!/^[!=]==?$/.test(event.operator)) return undefined
  for (const [given, other] of [
    [event.left, event.expr.right],
    [event.right, event.expr.left],
  ] as const) {
    const isWritten = typeof given.known === 'string' && given.known.length >= 6
    if (
      isWritten &&
      /verif-hash|verif_hash|VERIF_HASH|verifHash/.test(sourceOrAssigned(event, event.source(other.at)))
    )
      return { at: event.expr.at }
  }
  return undefined
}

/** `signature` was assigned from `req.headers['verif-hash']` a line above. */
function sourceOrAssigned(event: CompareEvent, written: string): string {
  if (!/^\$?\w+$/.test(written)) return written
  const assigned = new RegExp(`\\b${written.replace('$', '')}\\s*=\\s*([^\\n;]+)`).exec(
    functionText(event),
  )?.[1]
  return assigned ?? written
}

function hitsOf(text: string, pattern: RegExp): Hit[] {
  return [...text.matchAll(pattern)].slice(0, 20).map((match) => {
    const line = text.slice(0, match.index).split('\n').length
    return { at: { start: match.index, end: match.index + match[0].length, line, endLine: line } }
  })
}

/** In a known language, comments do not count. */
const withoutComments = ({ text, language }: TextEvent): string =>
  language ? codeOf({ text, language }) : text

function keyInBundle(event: TextEvent): Hit[] {
  const text = withoutComments(event)
  return text.includes('SECRET') || text.includes('PRIVATE')
    ? hitsOf(
        text,
        /\b(?:NEXT_PUBLIC|VITE|REACT_APP|EXPO_PUBLIC|NUXT_PUBLIC|GATSBY|VUE_APP)_(?:\w+_)?(?:SECRET|PRIVATE)_?(?:KEY|TOKEN)?\b(?!\w)/g,
      )
    : []
}

function plainAddress(event: TextEvent): Hit[] {
  const text = event.text.includes('http://') ? withoutComments(event) : ''
  return text.includes('http://')
    ? hitsOf(
        text,
        /\bhttp:\/\/(?:[\w-]+\.)*(?:paystack\.(?:co|com)|flutterwave\.com|monnify\.com|interswitchng\.com|remita\.net|squadco\.com|safaricom\.co\.ke|stripe\.com|korapay\.com)\/(?!docs|blog|www)[\w/]*(?:api|v\d|transaction|charge|transfer|verify|initialize|mpesa|oauth)/gi,
      )
    : []
}
