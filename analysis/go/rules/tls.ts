import type { AbstractValue } from '../../abstract-value.ts'
import { isCall } from '../../engine/name-patterns.ts'
import type { CallEvent, Hit, Rule } from '../../rule.ts'

/** Rules about TLS verification. */
export const uncheckedCertificate: Rule = {
  id: 'GO-TLS-01',
  title: 'TLS certificates are not verified',
  cwe: 295,
  severity: 'error',
  confidence: 'high',
  languages: ['go'],
  message:
    'With `InsecureSkipVerify` any server is accepted. Anyone on the network path can read and change the traffic, including passwords and amounts.',
  fix: 'Remove it. For your own certificate add its authority to `RootCAs`; to pin one, also set `VerifyConnection`.',
  on: {
    call: (event) => {
      if (!event.isNew || !isCall(event, 'crypto/tls.Config') || isChosen(event)) return undefined
      const isSkipped = event.option('InsecureSkipVerify')?.known === true
      const isCheckedElsewhere = event.option('VerifyConnection') ?? event.option('VerifyPeerCertificate')
      return isSkipped && !isCheckedElsewhere
        ? { at: rangeOfEntry(event.args[0]?.expr) ?? event.expr.at }
        : undefined
    },
    // Inside a condition it is a deliberate choice.
    assign: (event) => {
      if (event.name !== 'InsecureSkipVerify') return undefined
      const { isEntry, value, target, conditions } = event
      return !isEntry && isTrue(value) && conditions.length === 0 ? { at: target.at } : undefined
    },
  },
}

const isTrue = ({ known }: AbstractValue): boolean => known === true

/** The line of the entry, not the first line of the literal. */
function rangeOfEntry(
  expr: Parameters<NonNullable<Rule['on']['call']>>[0]['expr']['args'][number]['value'] | undefined,
): Hit['at'] | undefined {
  if (expr?.kind !== 'map') return undefined
  const entry = expr.entries.find(({ key }) => key?.kind === 'literal' && key.value === 'InsecureSkipVerify')
  return entry?.key?.at
}

/** A condition tests a setting of that name. */
const isChosen = ({ conditions, source }: CallEvent): boolean =>
  conditions.some(({ at }) => /insecure|skip|verify|test|dev|debug/i.test(source(at)))
