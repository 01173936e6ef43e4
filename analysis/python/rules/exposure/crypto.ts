// Rules about weak ciphers, hashes and random numbers.
import { isCall } from '../../../engine/name-patterns.ts'
import type { Expr } from '../../../ir.ts'
import type { AssignEvent, CallEvent, FunctionEvent, Rule } from '../../../rule.ts'
import { isWeakRandom, WEAK, WEAK_HASH } from '../../model/crypto.ts'
import { constantText, findTaint, isHandler, SECRET_NAME } from '../taint-flow.ts'

export const cipher: Rule = {
  id: 'PY-CRYPTO-01',
  title: 'A broken cipher is used',
  cwe: 327,
  severity: 'warn',
  confidence: 'high',
  languages: ['python'],
  message: 'DES, RC4 and Blowfish can be broken, and ECB reveals which blocks are equal.',
  fix: 'Use `AESGCM` or `ChaCha20Poly1305` from `cryptography.hazmat.primitives.ciphers.aead`, or `Fernet`.',
  on: {
    call(event) {
      const isOld = /(?:^|\.)(?:Crypto|Cryptodome)\.Cipher\.(?:DES|DES3|ARC2|ARC4|Blowfish|CAST)\.new$/.test(
        event.name,
      )
      const isRaw =
        /(?:^|\.)cryptography\.hazmat\.(?:primitives|decrepit)\.ciphers\.algorithms\.(?:ARC4|TripleDES|Blowfish|IDEA|SEED|CAST5)$/.test(
          event.name,
        )
      const isEcb = event.name.endsWith('.ciphers.modes.ECB') || (isAes(event) && usesEcb(event))
      return isOld || isRaw || isEcb ? { at: event.expr.at } : undefined
    },
  },
}

const isAes = (event: CallEvent): boolean => /(?:Crypto|Cryptodome)\.Cipher\.AES\.new$/.test(event.name)

const usesEcb = (event: CallEvent): boolean =>
  /\.MODE_ECB$/.test((event.arg(1)?.value ?? event.option('mode'))?.name ?? '')

export const hash: Rule = {
  id: 'PY-HASH-01',
  title: 'A broken hash is used',
  cwe: 328,
  severity: 'warn',
  confidence: 'high',
  languages: ['python'],
  message:
    'MD5 and SHA-1 have practical collisions and are fast to brute-force. They protect neither passwords nor signatures.',
  fix: 'Use SHA-256 or better, and argon2, scrypt or bcrypt for passwords. If the hash has no security purpose, pass `usedforsecurity=False`.',
  on: {
    function: (event) =>
      event.calls.filter(isWeak).flatMap((call) => {
        if (isForSecurity(call, event)) return [{ at: call.expr.at }]
        // The input of the handler is unknown. It may be a secret.
        return isHandler(event) && !isHarmless(call, event)
          ? [{ at: call.expr.at, severity: 'note', confidence: 'low' }]
          : []
      }),
  },
}

function isWeak(event: CallEvent): boolean {
  if (!isCall(event, 'hashlib.md5', 'hashlib.sha1', 'hashlib.new')) return false
  if (event.option('usedforsecurity')?.known === false) return false
  if (event.method !== 'new') return true
  const name = event.arg(0)?.value.known ?? event.option('name')?.known
  return typeof name === 'string' && /^(?:md[245]|sha-?1)$/i.test(name)
}

/** The input is a secret or comes from a request, not a file, cache key or image. */
function isForSecurity(call: CallEvent, event: FunctionEvent): boolean {
  const given = call.arg(call.method === 'new' ? 1 : 0)
  const updates = given
    ? [given]
    : event.calls
        .filter((each) => each.method === 'update' && each.receiver?.type === WEAK_HASH)
        .flatMap(({ args }) => args)
  const source = updates.map(({ expr }) => call.source(expr.at)).join(' ')
  if (HARMLESS.test(source) || RANDOM_INPUT.test(source) || isHarmless(call, event)) return false
  if (
    updates.flatMap(({ expr }) => namesIn(expr)).some((name) => SECRET_NAME.test(name)) ||
    /password|signature|token$/i.test(event.definition.name)
  )
    return true
  return (
    isHandler(event) && (updates.some(({ value }) => findTaint(value, { sinks: [] }) !== undefined) || !given)
  )
}

const isHarmless = (call: CallEvent, event: FunctionEvent): boolean => {
  const around = `${event.definition.name} ${call.source(statementAround(call))}`
  return HARMLESS.test(around) || RANDOM_INPUT.test(around)
}

const HARMLESS =
  /etag|cache|pwned|breach|gravatar|avatar|checksum|fingerprint|dedup|digest_auth|websocket|md5sum|content_md5|color|colour|bucket|shard|filename|file_hash|\bha1\b|\bha2\b|\bA1\b|\bA2\b|realm/i

/** The hash of random bytes is as random as they are. */
const RANDOM_INPUT = /\burandom\(|\btoken_(?:bytes|hex|urlsafe)\(|\buuid4\(/

const statementAround = ({ expr, text }: CallEvent) => {
  const start = text.lastIndexOf('\n', expr.at.start) + 1
  const end = text.indexOf('\n', expr.at.end)
  return { ...expr.at, start, end: end === -1 ? text.length : end }
}

/** The names in the input, also inside calls and concatenations. */
function namesIn(expr: Expr): string[] {
  switch (expr.kind) {
    case 'name':
      return [expr.name]
    case 'member':
      return [expr.property]
    case 'index':
      return expr.key.kind === 'literal' ? [String(expr.key.value)] : namesIn(expr.object)
    case 'template':
      return expr.parts.flatMap(namesIn)
    case 'binary':
      return [...namesIn(expr.left), ...namesIn(expr.right)]
    case 'call':
      return [
        ...(expr.callee.kind === 'member' ? namesIn(expr.callee.object) : []),
        ...expr.args.flatMap(({ value }) => namesIn(value)),
      ]
    default:
      return []
  }
}

export const random: Rule = {
  id: 'PY-RAND-01',
  title: 'A secret comes from a predictable generator',
  cwe: 330,
  severity: 'warn',
  confidence: 'medium',
  languages: ['python'],
  message:
    '`random` is made for simulations. From a few of its numbers an attacker computes the next ones, and with them the next token.',
  fix: 'Use `secrets.token_urlsafe()`, `secrets.choice` or `secrets.randbelow`.',
  on: {
    assign(event) {
      if (!isWeakRandom(event.value) || isHarmlessName(event.name)) return undefined
      return SECRET_NAME.test(event.name) || isSessionEntry(event) ? { at: event.expr.at } : undefined
    },
    call(event) {
      if (event.method !== 'set_cookie') return undefined
      const value = event.arg(1)?.value ?? event.option('value')
      return value && isWeakRandom(value) ? { at: event.expr.at, confidence: 'high' } : undefined
    },
    return(event) {
      const name = event.functions[0]?.name ?? ''
      return event.expr && SECRET_NAME.test(name) && !isHarmlessName(name) && isWeakRandom(event.value)
        ? { at: event.expr.at }
        : undefined
    },
    function: (event) => (isHandler(event) ? beside(event) : undefined),
  },
}

/** `session[key] = number` or `remembered[f'rememberMe{user}'] = number`. */
function isSessionEntry({ target, lookUp, source }: AssignEvent): boolean {
  if (target.kind !== 'index') return false
  if (/(?:^|[._])(?:my|user_?|http_?)?(?:session|cookie)s?$/i.test(source(target.object.at))) return true
  const { key } = target
  const value = key.kind === 'name' ? lookUp(key.name) : undefined
  return value !== undefined && /remember_?me|session_?id|csrf/i.test(constantText(value))
}

const isHarmlessName = (name: string): boolean =>
  /tokens_?count|max_tokens|num_tokens|tokeni[sz]e|_tokens$/i.test(name)

/** A handler that draws a number and sets a session cookie uses the number for the session. */
function beside({ calls, assigns }: FunctionEvent) {
  const isKept =
    calls.some(({ method }) => method === 'set_cookie') &&
    assigns.some(({ name }) => /remember|cookie|session/i.test(name))
  if (!isKept) return undefined
  return calls.filter((call) => isCall(call, ...DRAWS)).map(({ expr }) => ({ at: expr.at }))
}

const DRAWS = WEAK()
  .filter((name) => name !== 'shuffle')
  .map((name) => `random.${name}`)
