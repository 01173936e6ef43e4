// Questions that a Go program asks about a value before it uses it.
import type { GuardModel } from '../language-model.ts'
import type { CallEvent } from '../rule.ts'

export const guards: readonly GuardModel[] = [
  { name: ['path/filepath.IsLocal', 'io/fs.ValidPath'], about: 0, when: true, cleans: ['path'] },
  { name: ['strings.Contains'], about: 0, when: false, cleans: ['path'], holds: asksFor(/^(\.\.\/?|\/)$/) },
  { name: ['strings.ContainsAny'], about: 0, when: false, cleans: ['path'], holds: asksFor(/[./\\]/) },
  { name: ['strings.HasPrefix'], about: 0, when: false, cleans: ['path'], holds: asksFor(/^\.\./) },
  // A prefix that is a folder; one that is only the root says nothing.
  {
    name: ['strings.HasPrefix'],
    about: 0,
    when: true,
    cleans: ['path'],
    holds: ({ arg }) => !/^\/?$/.test(String(arg(1)?.value.known ?? 'x')),
  },
  {
    name: ['strings.HasPrefix'],
    about: 0,
    when: true,
    cleans: ['url', 'redirect'],
    holds: asksFor(/^https?:\/\/[^/]+\/|^\/[^/\\]/),
  },
  { name: ['strings.HasPrefix'], about: 0, when: false, cleans: ['redirect'], holds: asksFor(/^\/\/$/) },
  {
    name: ['slices.Contains', 'golang.org/x/exp/slices.Contains'],
    about: 1,
    when: true,
    cleans: ['all'],
    holds: isOurList,
  },
  {
    name: ['regexp.Regexp#MatchString'],
    about: 0,
    when: true,
    cleans: ['all'],
    holds: ({ receiver }) => isStrict(receiver?.fields?.get('source')?.known),
  },
  {
    name: ['regexp.MatchString'],
    about: 1,
    when: true,
    cleans: ['all'],
    holds: ({ arg }) => isStrict(arg(0)?.value.known),
  },
]

function asksFor(wanted: RegExp): (event: CallEvent) => boolean {
  return ({ arg }) => {
    const asked = arg(1)?.value.known
    return typeof asked === 'string' && wanted.test(asked)
  }
}

function isOurList({ arg }: CallEvent): boolean {
  return (arg(0)?.value.taints.length ?? 1) === 0
}

/** From the first sign to the last, and nothing in between that lets everything through. */
function isStrict(source: unknown): boolean {
  return typeof source === 'string' && /^(\^|\\A).*(\$|\\z)$/s.test(source) && !/\.[*+]|\[\^/.test(source)
}
