// Cookies that travel unprotected, and input that is kept as if it were ours.
import type { Rule } from '../../../rule.ts'
import { flowInto, isMethodOf } from '../taint-flow.ts'

const RESPONSES = ['javax.servlet.http.HttpServletResponse', 'javax.servlet.http.HttpServletResponseWrapper']

export const insecureCookie: Rule = {
  id: 'JV-COOKIE-01',
  title: 'Cookie sent without protection',
  cwe: 614,
  severity: 'warn',
  confidence: 'high',
  languages: ['java'],
  message:
    'The cookie is also sent over connections that are not encrypted. Whoever listens on the way takes it and what it stands for.',
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
  title: 'Input kept in the session',
  cwe: 501,
  severity: 'warn',
  confidence: 'medium',
  languages: ['java'],
  message:
    'Input is put into the session as it is. Code that reads it later takes it for something that was checked.',
  fix: 'Check the value before it is kept: look it up, compare it with what is allowed, or parse it.',
  on: {
    call(event) {
      if (!isMethodOf(event, ['javax.servlet.http.HttpSession'], /^(setAttribute|putValue)$/))
        return undefined
      for (const index of [0, 1]) {
        const hit = flowInto(event.expr.at, event.arg(index)?.value, { cleanedBy: ['html', 'sql'] })
        if (hit?.confidence === 'high') return { ...hit, confidence: 'medium' }
      }
      return undefined
    },
  },
}
