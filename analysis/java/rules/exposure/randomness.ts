// Rules about secrets from predictable random number generators.

import type { AbstractValue } from '../../../abstract-value.ts'
import type { AssignEvent, CallEvent, EventContext, Hit, Rule } from '../../../rule.ts'
import { PREDICTABLE_RANDOM } from '../../model/types.ts'
import { isMethodOf, piecesOf } from '../taint-flow.ts'

export const SECRET =
  /(^|_)otp($|_)|Otp(Code)?$|passw(or)?d|passwd|secret|token|nonce|csrf|xsrf|salt|session_?(id|key)|remember_?me|reset_?code|verification_?code|api_?key|crypt\w*key|captcha|pin_?code|one_?time/i

export const predictableSecret: Rule = {
  id: 'JV-RAND-01',
  title: 'A secret comes from a predictable generator',
  cwe: 330,
  severity: 'warn',
  confidence: 'high',
  languages: ['java'],
  message:
    'The values of `java.util.Random` and `Math.random` can be computed from a few earlier ones. A token or password made from them can be guessed.',
  fix: 'Use `java.security.SecureRandom`, at least 16 bytes of it.',
  on: {
    assign: ({ name, value, expr }) =>
      SECRET.test(name) && isPredictable(value) ? { at: expr.at } : undefined,
    return({ value, at, functions }) {
      const [definition] = functions
      return definition && SECRET.test(definition.name) && isPredictable(value) ? { at } : undefined
    },
    function: ({ calls, assigns }) => filled(calls, assigns),
    call(event) {
      const { expr, args } = event
      const isKept =
        (event.isNew && /(^|\.)Cookie$/.test(event.name)) ||
        (isMethodOf(event, ['javax.servlet.http.HttpSession'], /^(setAttribute|putValue)$/) &&
          isSecretKey(event)) ||
        isMethodOf(event, ['javax.servlet.http.Cookie'], /^setValue$/)
      return isKept && args.some(({ value }) => isPredictable(value)) ? { at: expr.at } : undefined
    },
  },
}

/** `random.nextBytes(bytes)` fills its argument, which later becomes a secret. */
function filled(calls: readonly CallEvent[], assigns: readonly AssignEvent[]): Hit | undefined {
  const call = calls.find(
    ({ method, receiver }) => method === 'nextBytes' && /(^|\.)Random$/.test(receiver?.type ?? ''),
  )
  return call && assigns.some(({ name }) => SECRET.test(name)) ? { at: call.expr.at } : undefined
}

const isSecretKey = (event: Parameters<typeof isMethodOf>[0] & EventContext): boolean =>
  SECRET.test(String(event.arg(0)?.value.known ?? ''))

function isPredictable(value: AbstractValue): boolean {
  return piecesOf(value).some(
    (piece) => typeof piece !== 'string' && (piece.name === PREDICTABLE_RANDOM || hasRandomLabel(piece)),
  )
}

const hasRandomLabel = ({ taints }: AbstractValue): boolean =>
  taints.some(({ label }) => label === PREDICTABLE_RANDOM)
