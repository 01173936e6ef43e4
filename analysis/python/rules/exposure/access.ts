// Rules about access checks, mass assignment and tokens.
import { isCall } from '../../../engine/name-patterns.ts'
import type { CallEvent, Rule } from '../../../rule.ts'
import { findTaint, flowHit } from '../taint-flow.ts'

export const assertion: Rule = {
  id: 'PY-AUTH-01',
  title: 'Access is checked by an assertion',
  cwe: 617,
  severity: 'warn',
  confidence: 'medium',
  languages: ['python'],
  message: '`python -O` removes assertions, and with them this check.',
  fix: 'Use `if` and raise: `if not user.is_staff: raise PermissionDenied`.',
  on: {
    call(event) {
      if (event.method !== 'AssertionError') return undefined
      const source = event.source(event.expr.at)
      if (!source.startsWith('assert')) return undefined
      return ACCESS.test(source) && !/\b(?:self\.assert|mock|response\.|resp\.)/.test(source)
        ? { at: event.expr.at }
        : undefined
    },
  },
}

const ACCESS =
  /^assert\s+[\w.()[\]'" ]*\b(?:user|request|session|account|current_user|g)\b[\w.]*\.(?:is_(?:authenticated|staff|superuser|admin|active)|has_perms?|has_permission|can_\w+|is_owner)\b/

export const mass: Rule = {
  id: 'PY-MASS-01',
  title: 'A request can set any field',
  cwe: 915,
  severity: 'warn',
  confidence: 'medium',
  languages: ['python'],
  message: 'A request may contain fields that no form shows: `is_admin`, `balance`, `owner_id`.',
  fix: 'Read the intended fields one by one, or use a form, serializer or schema that lists them.',
  on: {
    call(event) {
      if (isCall(event, 'setattr')) {
        const taint = findTaint(event.arg(1)?.value, { sinks: ['key'], unknownCallsMax: 0 })
        return taint && flowHit(event, taint)
      }
      const spread = event.args.filter(({ name, isSpread }) => isSpread && name === '**')
      if (spread.length === 0 || !isModel(event)) return undefined
      const taint = spread
        .map(({ value }) => findTaint({ taints: value.taints }, { sinks: ['key'], unknownCallsMax: 0 }))
        .find((each) => each)
      return taint && { ...flowHit(event, taint), confidence: 'medium' }
    },
  },
}

const isModel = ({ name, method, source, expr }: CallEvent): boolean => {
  const written = source(expr.callee.at)
  if (/\.(?:create|update|update_or_create|get_or_create|bulk_create|insert|values)$/.test(written))
    return true
  return (
    /^[A-Z]\w*[a-z]\w*$/.test(method === '' ? written : method) &&
    !/Form|Serializer|Schema|Response|Request|Exception|Error|Query|Filter|Config|Params|Input/.test(
      `${name} ${method}`,
    )
  )
}

export const tokens: Rule = {
  id: 'PY-JWT-01',
  title: 'A token is read without verifying its signature',
  cwe: 347,
  severity: 'error',
  confidence: 'high',
  languages: ['python'],
  message: 'An attacker can create a token for any user.',
  fix: 'Pass the key and the one algorithm you use: `jwt.decode(token, key, algorithms=["RS256"])`.',
  on: {
    function({ calls }) {
      const decodes = calls.filter(({ name }) => /(?:^|\.)jwt\.decode$/.test(name))
      // Decoded once to select the key, then verified with it.
      if (decodes.some((call) => !isUnverified(call))) return undefined
      return decodes.map(({ expr }) => ({ at: expr.at }))
    },
  },
}

function isUnverified(event: CallEvent): boolean {
  const options = event.args.find(({ name }) => name === 'options')?.value
  if (event.args.some(({ name, value }) => name === 'verify' && value.known === false)) return true
  if (options?.fields?.get('verify_signature')?.known === false) return true
  const algorithms = event.args.find(({ name }) => name === 'algorithms')?.value ?? event.arg(2)?.value
  return [...(algorithms?.fields?.values() ?? [])].some(
    ({ known }) => typeof known === 'string' && known.toLowerCase() === 'none',
  )
}
