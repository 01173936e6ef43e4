import type { CallEvent, Hit, Rule } from '../../rule.ts'
import { matchesInFunction } from '../../rule-helpers/function-text.ts'
import { findTaintedInterpolation, flowHit, isDirectRequest } from '../../rule-helpers/interpolations.ts'
import { words } from '../model/values.ts'

/** Rules about HTML built from input. */
export const crossSiteScripting: Rule = {
  id: 'PH-XSS-01',
  title: 'Input is printed without escaping',
  cwe: 79,
  severity: 'error',
  confidence: 'high',
  languages: ['php'],
  message:
    'A value from the request is printed into a page unchanged. A crafted link runs a script in the browser of everyone who opens it, with their session.',
  fix: 'Print it with `htmlspecialchars($value, ENT_QUOTES)`, or through a template that escapes.',
  on: { call: findPrinted },
}

const PRINTING = new Set(words('echo print exit die printf vprintf print_r wp_die'))
const OTHER_TYPE = /Content-Type:\s*(?!text\/html)[a-z]+\/|wp_send_json/i

function findPrinted(event: CallEvent): Hit | undefined {
  if (event.receiver || !PRINTING.has(event.name)) return undefined
  for (const { value } of event.args) {
    const found = findTaintedInterpolation(value, ['html'], isDirectRequest)
    if (found)
      return matchesInFunction(event, OTHER_TYPE) ? undefined : flowHit(event.expr.at, found.taint, 'a page')
  }
  return undefined
}
