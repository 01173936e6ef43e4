import type { CallEvent, Hit, Rule } from '../../rule.ts'

/** Rules about predictable random numbers. */
export const weakRandomness: Rule = {
  id: 'GO-RAND-01',
  title: 'A secret comes from a predictable generator',
  cwe: 338,
  severity: 'warn',
  confidence: 'high',
  languages: ['go'],
  message:
    'math/rand is made for simulations. From a few of its numbers an attacker computes the next ones, so a token, code or password made with it can be guessed.',
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

/** The name the result is assigned to: the last word before the sign. */
function targetOf({ text, expr }: CallEvent): string {
  const start = text.lastIndexOf('\n', expr.at.start) + 1
  return (
    /^\s*(?:var\s+)?([\w.[\]]+)\s*(?:,\s*\w+\s*)?:?=[^=]/.exec(text.slice(start, expr.at.start + 1))?.[1] ??
    ''
  )
}
