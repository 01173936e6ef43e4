import type { AbstractValue } from '../../abstract-value.ts'
import { isCall } from '../../engine/name-patterns.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'

/** Connections that trust whoever answers. */
export const uncheckedCertificate: Rule = {
  id: 'GO-TLS-01',
  title: 'Certificates are not checked',
  cwe: 295,
  severity: 'error',
  confidence: 'high',
  languages: ['go'],
  message:
    'With `InsecureSkipVerify` the other side may be anybody: whoever is on the way reads and changes everything, passwords and amounts included.',
  fix: 'Leave it out. For a certificate of your own put its authority into `RootCAs`; to pin one, set `VerifyConnection` as well.',
  on: {
    call: (event) => {
      if (!event.isNew || !isCall(event, 'crypto/tls.Config') || isChosen(event)) return undefined
      const isSkipped = event.option('InsecureSkipVerify')?.known === true
      const isCheckedElsewhere = event.option('VerifyConnection') ?? event.option('VerifyPeerCertificate')
      return isSkipped && !isCheckedElsewhere
        ? { at: placeOfEntry(event.args[0]?.expr) ?? event.expr.at }
        : undefined
    },
    // Behind a condition it is somebody's decision.
    assign: ({ name, isEntry, value, target, conditions }) =>
      !isEntry && name === 'InsecureSkipVerify' && isTrue(value) && conditions.length === 0
        ? { at: target.at }
        : undefined,
  },
}

const isTrue = ({ known }: AbstractValue): boolean => known === true

/** The line that says so, not the one on which the literal begins. */
function placeOfEntry(
  expr: Parameters<NonNullable<Rule['on']['call']>>[0]['expr']['args'][number]['value'] | undefined,
): Hit['at'] | undefined {
  if (expr?.kind !== 'map') return undefined
  const entry = expr.entries.find(({ key }) => key?.kind === 'literal' && key.value === 'InsecureSkipVerify')
  return entry?.key?.at
}

/** A setting of that name was asked before. */
const isChosen = ({ conditions, source }: CallEvent): boolean =>
  conditions.some(({ at }) => /insecure|skip|verify|test|dev|debug/i.test(source(at)))
