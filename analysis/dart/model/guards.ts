// Guards: conditions that sanitize a value.

import type { GuardModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

export const guards: readonly GuardModel[] = [
  { name: ['path.isWithin', 'isWithin'], subject: 1, when: true, sanitizes: ['path'] },
  { name: '*.hasMatch', subject: 0, when: true, sanitizes: ['all'], appliesTo: isStrict },
  {
    name: '*.hasMatch',
    subject: 0,
    when: false,
    sanitizes: ['path'],
    appliesTo: (event) => /\\\.\\\./.test(event.source(event.expr.at)),
  },
  {
    name: '*.contains',
    subject: 'receiver',
    when: false,
    sanitizes: ['path'],
    appliesTo: asks(/^(?:\.\.|\/|\.\.\/)$/),
  },
  {
    name: '*.contains',
    subject: 'receiver',
    when: false,
    sanitizes: ['redirect', 'url'],
    appliesTo: asks(/^(?::?\/\/|:)$/),
  },
  {
    name: '*.startsWith',
    subject: 'receiver',
    when: true,
    sanitizes: ['path'],
    appliesTo: ({ arg }) => !/^\/?$/.test(String(arg(0)?.value.known ?? 'x')),
  },
  {
    name: '*.startsWith',
    subject: 'receiver',
    when: true,
    sanitizes: ['url', 'redirect'],
    appliesTo: asks(/^https?:\/\/[^/]+\/|^\/[^/\\]/),
  },
  {
    name: '*.startsWith',
    subject: 'receiver',
    when: false,
    sanitizes: ['redirect'],
    appliesTo: asks(/^\/\/$|^http/),
  },
]

function asks(wanted: RegExp): (event: CallEvent) => boolean {
  return ({ arg }) => {
    const asked = arg(0)?.value.known
    return typeof asked === 'string' && wanted.test(asked)
  }
}

/** `RegExp(r'^[a-z]+$').hasMatch(x)`, without a wildcard. */
function isStrict({ expr, source, receiver }: CallEvent): boolean {
  const written = expr.callee.kind === 'member' ? source(expr.callee.object.at) : ''
  const pattern = /RegExp\(\s*r?(['"])([\s\S]*)\1/.exec(written)?.[2] ?? String(receiver?.known ?? '')
  return /^\^.*\$$/.test(pattern) && !/(?<!\\)\.[*+]|\[\^|\\[WSD]/.test(pattern)
}
