// Rules about data sent to strangers: stack traces and window messages.
import type { CallEvent, Hit, Rule } from '../../../rule.ts'
import { partsIn } from '../../ir-walk.ts'
import { CONTEXT, RESPONSE } from '../../model/requests.ts'

export const messageRules: readonly Rule[] = [
  {
    id: 'JS-ERR-01',
    title: 'A stack trace is sent to the client',
    cwe: 209,
    severity: 'note',
    confidence: 'medium',
    languages: ['javascript'],
    message: 'Paths, versions and statements in the trace tell an attacker what to try next.',
    fix: 'Log the error with an id and send the id.',
    on: { call: findSentTrace },
  },
  {
    id: 'JS-MSG-01',
    title: 'A window message is trusted without checking its origin',
    cwe: 346,
    severity: 'warn',
    confidence: 'medium',
    languages: ['javascript'],
    message:
      'Any page that embeds or opens this one can send messages. Without a check of `event.origin` they are untrusted.',
    fix: 'Compare `event.origin` with the expected origin before using `event.data`.',
    on: { call: findUncheckedMessage },
  },
]

function findSentTrace(event: CallEvent): Hit | undefined {
  const { receiver, method, expr, conditions, source } = event
  const isAnswer = receiver?.type === RESPONSE || receiver?.type === CONTEXT
  if (!isAnswer || !/^(?:send|json|end|write|html|text)$/.test(method)) return undefined
  const hasTrace = [...partsIn(expr.args)].some((part) => part.kind === 'member' && part.property === 'stack')
  if (!hasTrace) return undefined
  const guards = `${conditions.map(({ at }) => source(at)).join(' ')} ${source(expr.at)}`
  return /NODE_ENV|\bdev|debug|isProd|production|\?/i.test(guards) ? undefined : { at: expr.at }
}

/** Only if the message is used as code, HTML or a URL. */
function findUncheckedMessage(event: CallEvent): Hit | undefined {
  const { method, expr, source } = event
  if (method !== 'addEventListener' || event.arg(0)?.value.known !== 'message') return undefined
  if (
    /worker|port|channel|socket|self/i.test(
      expr.callee.kind === 'member' ? source(expr.callee.object.at) : '',
    )
  )
    return undefined
  const handler = event.arg(1)?.value.callable?.definition
  if (!handler) return undefined
  const body = source(handler.at)
  if (/\borigin\b|\.source\b/.test(body)) return undefined
  return /\.innerHTML\s*=|\beval\(|location(?:\.href)?\s*=|document\.write|insertAdjacentHTML/.test(body)
    ? { at: expr.at }
    : undefined
}
