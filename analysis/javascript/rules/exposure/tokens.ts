// Rules about unverified tokens and hard-coded secrets.
import type { CallEvent, Hit, Rule } from '../../../rule.ts'

export const tokenRules: readonly Rule[] = [
  {
    id: 'JS-JWT-01',
    title: 'A token is trusted without verifying its signature',
    cwe: 347,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message: 'Anyone can create a token. Only the signature proves who issued it and that it is still valid.',
    fix: 'Use `verify` with the key and the list of algorithms you issue tokens with.',
    on: { call: findUnverifiedToken },
  },
  {
    id: 'JS-JWT-02',
    title: 'The secret that signs tokens is in the code',
    cwe: 798,
    severity: 'error',
    confidence: 'high',
    languages: ['javascript'],
    message: 'Anyone who can read the code can sign tokens and sessions for any user.',
    fix: 'Read the secret from the environment, refuse to start without it, and replace the one in the code.',
    on: { call: findHardCodedSecret },
  },
]

function findUnverifiedToken(event: CallEvent): Hit | undefined {
  const { name, expr } = event
  const at = expr.at
  if (name === 'jwt-simple.decode') return event.arg(2)?.value.known === true ? { at } : undefined
  if (name === 'jsonwebtoken.verify') return findWeakVerification(event)
  if (name !== 'jsonwebtoken.decode' || /\bverify\s*\(/.test(event.text)) return undefined
  // Reading the header to find the key, or the expiry time, does not trust the token.
  const isHeader = event.option('complete')?.known === true
  return isHeader || !event.isUsed || readsOnlyTimes(event) || /\.exp\b|\.header\b/.test(lineOf(event))
    ? undefined
    : { at, confidence: 'medium' }
}

/** The variable of the decoded token is tested, and otherwise only asked for its times and its key. */
function readsOnlyTimes({ text, expr: { at }, functions }: CallEvent): boolean {
  const name = /(?:const|let|var)\s+(\w+)[^=;\n]{0,40}=\s*$/.exec(text.slice(at.start - 80, at.start))?.[1]
  const [inner] = functions
  if (name === undefined || !inner) return false
  const use = new RegExp(`(if\\s*\\(\\s*|!\\s*)?\\b${name}\\b(?:[?!]?\\.(\\w+)|\\s*(&&|[!=]==?))?`, 'g')
  const uses = [...text.slice(at.end, inner.at.end).matchAll(use)]
  const isTime = (member: string | undefined) => member !== undefined && TIMES.has(member)
  return (
    uses.some(([, , member]) => isTime(member)) &&
    uses.every(([, tested, member, compared]) => isTime(member) || (!member && (tested ?? compared)))
  )
}

const TIMES: ReadonlySet<string> = new Set(['exp', 'iat', 'nbf', 'header', 'kid'])

function findWeakVerification(event: CallEvent): Hit | undefined {
  const { at } = event.expr
  const algorithms = event.option('algorithms')
  const list = [...(algorithms?.fields?.values() ?? [])].map(({ known }) => known)
  if (list.some((each) => /^none$/i.test(String(each))))
    return { at, detail: 'The algorithm `none` has no signature.' }
  if (event.option('ignoreExpiration')?.known === true)
    return { at, severity: 'warn', confidence: 'medium', detail: 'The token never expires.' }
  const key = event.arg(1)
  return key && (key.value.known === null || key.value.known === '')
    ? { at, detail: 'There is no key.' }
    : undefined
}

const lineOf = ({ text, expr }: CallEvent): string =>
  text.slice(expr.at.start, text.indexOf('\n', expr.at.end))

function findHardCodedSecret(event: CallEvent): Hit | undefined {
  const { name, expr } = event
  const secret = SIGNING.has(name) ? event.arg(1) : undefined
  const value = secret?.value ?? (SESSIONS.has(name) ? event.option('secret') : undefined)
  if (!value) return undefined
  const hit: Hit = { at: expr.at }
  if (typeof value.known === 'string')
    return value.known.length > 0 && !/BEGIN (?:RSA )?PUBLIC KEY/.test(value.known) ? hit : undefined
  // `process.env.SECRET || 'secret'`: the program also runs without the variable.
  const fallback = secret?.expr
  const isFallback =
    fallback?.kind === 'binary' &&
    /^(?:\|\||\?\?)$/.test(fallback.operator) &&
    fallback.right.kind === 'literal'
  return isFallback && typeof fallback.right.value === 'string' && fallback.right.value !== ''
    ? { ...hit, confidence: 'medium' }
    : undefined
}

const SIGNING: ReadonlySet<string> = new Set([
  'jsonwebtoken.sign',
  'jsonwebtoken.verify',
  'jwt-simple.encode',
  'jwt-simple.decode',
])
const SESSIONS: ReadonlySet<string> = new Set(['express-session', 'cookie-session', 'express-jwt', 'koa-jwt'])
