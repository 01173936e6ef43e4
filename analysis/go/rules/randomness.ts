import type { CallEvent, Hit, Rule } from '../../rule.ts'

/** Secrets that can be guessed. */
export const weakRandomness: Rule = {
  id: 'GO-RAND-01',
  title: 'Secret from a predictable generator',
  cwe: 338,
  severity: 'warn',
  confidence: 'high',
  languages: ['go'],
  message:
    'math/rand is made for simulations: who has seen a few of its numbers can work out the next. A token, code or password made with it can be guessed.',
  fix: 'Use crypto/rand: `rand.Text()`, `rand.Read`, or `rand.Int` for a number below a limit.',
  on: { call: findRandom },
}

const SECRET =
  /(token|secret|passw(or)?d|passcode|\botp|otp(code)?$|nonce|salt|csrf|api_?key|session_?id|(reset|verif\w*|activation|auth|invite|recovery|backup)_?code|private_?key|credential)/i

function findRandom(event: CallEvent): Hit | undefined {
  if (!/^math\/rand(\/v2)?\./.test(event.name) || !NUMBERS.test(event.method)) return undefined
  const inside = event.functions.find(({ name }) => name !== '')?.name ?? ''
  return SECRET.test(inside) || SECRET.test(targetOf(event)) ? { at: event.expr.at } : undefined
}

const NUMBERS = /^(U?[Ii]nt(n|\d+n?|N)?|U?int\d+N?|Perm|Read|IntN|N|Float\d+)$/

/** The name that the line gives its result: the last word before the sign. */
function targetOf({ text, expr }: CallEvent): string {
  const start = text.lastIndexOf('\n', expr.at.start) + 1
  return (
    /^\s*(?:var\s+)?([\w.[\]]+)\s*(?:,\s*\w+\s*)?:?=[^=]/.exec(text.slice(start, expr.at.start + 1))?.[1] ??
    ''
  )
}
