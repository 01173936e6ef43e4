// Guards: conditions that sanitize a value.
import type { GuardModel } from '../../language-model.ts'
import type { CallEvent } from '../../rule.ts'

export const guards: readonly GuardModel[] = [
  { name: ['path/filepath.IsLocal', 'io/fs.ValidPath'], subject: 0, when: true, sanitizes: ['path'] },
  {
    name: ['strings.Contains'],
    subject: 0,
    when: false,
    sanitizes: ['path'],
    appliesTo: testsFor(/^(\.\.\/?|\/)$/),
  },
  {
    name: ['strings.ContainsAny'],
    subject: 0,
    when: false,
    sanitizes: ['path'],
    appliesTo: testsFor(/[./\\]/),
  },
  { name: ['strings.HasPrefix'], subject: 0, when: false, sanitizes: ['path'], appliesTo: testsFor(/^\.\./) },
  // A prefix that is a folder. The root alone proves nothing.
  {
    name: ['strings.HasPrefix'],
    subject: 0,
    when: true,
    sanitizes: ['path'],
    appliesTo: ({ arg }) => !/^\/?$/.test(String(arg(1)?.value.known ?? 'x')),
  },
  {
    name: ['strings.HasPrefix'],
    subject: 0,
    when: true,
    sanitizes: ['url', 'redirect'],
    appliesTo: testsFor(/^https?:\/\/[^/]+\/|^\/[^/\\]/),
  },
  {
    name: ['strings.HasPrefix'],
    subject: 0,
    when: false,
    sanitizes: ['redirect'],
    appliesTo: testsFor(/^\/\/$/),
  },
  {
    name: ['slices.Contains', 'golang.org/x/exp/slices.Contains'],
    subject: 1,
    when: true,
    sanitizes: ['all'],
    appliesTo: isUntaintedList,
  },
  {
    name: ['regexp.Regexp#MatchString'],
    subject: 0,
    when: true,
    sanitizes: ['all'],
    appliesTo: ({ receiver }) => isStrict(receiver?.fields?.get('source')?.known),
  },
  {
    name: ['regexp.MatchString'],
    subject: 1,
    when: true,
    sanitizes: ['all'],
    appliesTo: ({ arg }) => isStrict(arg(0)?.value.known),
  },
]

function testsFor(wanted: RegExp): (event: CallEvent) => boolean {
  return ({ arg }) => {
    const asked = arg(1)?.value.known
    return typeof asked === 'string' && wanted.test(asked)
  }
}

function isUntaintedList({ arg }: CallEvent): boolean {
  return (arg(0)?.value.taints.length ?? 1) === 0
}

/** Anchored at both ends, without a wildcard in between. */
function isStrict(source: unknown): boolean {
  return typeof source === 'string' && /^(\^|\\A).*(\$|\\z)$/s.test(source) && !/\.[*+]|\[\^/.test(source)
}
