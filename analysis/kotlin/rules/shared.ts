// A rule of Java, applied to Kotlin.

import type { CallEvent, Hit, Rule } from '../../rule.ts'

type Extra = {
  readonly fix?: string
  /** Calls that only Kotlin has. */
  readonly call?: (event: CallEvent) => Hit | undefined
  /** Calls that the rule ignores. */
  readonly except?: (event: CallEvent) => boolean
}

export function inKotlin(rule: Rule, { fix = rule.fix, call: extra, except }: Extra = {}): Rule {
  const { call } = rule.on
  return {
    ...rule,
    id: rule.id.replace(/^JV-/, 'KT-'),
    languages: ['kotlin'],
    fix,
    on: {
      ...rule.on,
      ...((extra || except) && {
        call: (event: CallEvent) => (except?.(event) ? [] : [call?.(event) ?? extra?.(event) ?? []].flat()),
      }),
    },
  }
}
