// Rules about cookies and session data.
import type { Rule } from '../../../rule.ts'
import { flowHit, isMethodOf } from '../taint-flow.ts'

const RESPONSES = ['javax.servlet.http.HttpServletResponse', 'javax.servlet.http.HttpServletResponseWrapper']

export const insecureCookie: Rule = {
  id: 'JV-COOKIE-01',
  title: 'A cookie is sent over unencrypted connections',
  cwe: 614,
  severity: 'warn',
  confidence: 'high',
  languages: ['java'],
  message:
    'The cookie is also sent over unencrypted connections. Anyone on the network path can read and use it.',
  fix: 'Call `cookie.setSecure(true)` and `cookie.setHttpOnly(true)` before `addCookie`.',
  on: {
    call(event) {
      if (!isMethodOf(event, RESPONSES, /^addCookie$/)) return undefined
      const fields = event.arg(0)?.value.fields
      const isRemoval = fields?.get('maxAge')?.known === 0
      return fields?.get('secure')?.known === false && !isRemoval ? { at: event.expr.at } : undefined
    },
  },
}

export const trustBoundary: Rule = {
  id: 'JV-TRUST-01',
  title: 'Input is stored in the session',
  cwe: 501,
  severity: 'warn',
  confidence: 'medium',
  languages: ['java'],
  message: 'Input is stored in the session unchanged. Code that reads it later trusts it as validated.',
  fix: 'Validate the value before storing it: look it up, compare it with allowed values, or parse it.',
  on: {
    call(event) {
      if (!isMethodOf(event, ['javax.servlet.http.HttpSession'], /^(setAttribute|putValue)$/))
        return undefined
      for (const index of [0, 1]) {
        const hit = flowHit(event.expr.at, event.arg(index)?.value, { sinks: ['html', 'sql'] })
        if (hit?.confidence === 'high') return { ...hit, confidence: 'medium' }
      }
      return undefined
    },
  },
}
