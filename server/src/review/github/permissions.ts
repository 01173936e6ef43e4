// What our app asks of an installation, and what is lost where it was not granted.

export type Granted = Readonly<Record<string, string>>
export type Permission = 'metadata' | 'pull_requests' | 'checks' | 'contents' | 'issues'
export type Required = {
  readonly permission: Permission | 'pull_request event'
  readonly access: 'read' | 'write' | 'subscribed'
  readonly why: string
  readonly isFatal: boolean
}
export type Gap = {
  readonly permission: string
  readonly need: string
  readonly have: string
  readonly lost: 'reviews' | 'inline comments' | 'blocking' | 'validation' | 'summary comments'
  readonly reason: string
}

const WAY_OUT = 'Approve the permission on GitHub under the settings of the installation.'

type Demand = Required & { readonly lost: Gap['lost']; readonly reason: string }

const DEMANDS: readonly Demand[] = [
  {
    permission: 'metadata',
    access: 'read',
    why: 'Names the repositories that were chosen.',
    isFatal: true,
    lost: 'reviews',
    reason: `Without reading metadata nothing can be reviewed. ${WAY_OUT}`,
  },
  {
    permission: 'pull_request event',
    access: 'subscribed',
    why: 'Tells us of new pull requests and commits.',
    isFatal: true,
    lost: 'reviews',
    reason:
      'Without the pull_request event we never hear of a pull request. Subscribe the app to it on GitHub.',
  },
  {
    permission: 'pull_requests',
    access: 'write',
    why: 'Comments on the lines that a finding is about.',
    isFatal: false,
    lost: 'inline comments',
    reason: `Without writing to pull requests there are no inline comments; findings are shown in the check instead. ${WAY_OUT}`,
  },
  {
    permission: 'checks',
    access: 'write',
    why: 'Shows the result as a check, which can block a merge.',
    isFatal: false,
    lost: 'blocking',
    reason: `Without writing checks no merge is blocked; findings are shown as comments. ${WAY_OUT}`,
  },
  {
    permission: 'contents',
    access: 'read',
    why: 'Reads changed files whole, the policy of the repository, and what validation runs.',
    isFatal: false,
    lost: 'validation',
    reason: `Without reading contents nothing is validated, and only the lines of the change are reviewed. ${WAY_OUT}`,
  },
]

export const REQUIRED: readonly Required[] = DEMANDS.map(({ permission, access, why, isFatal }) => ({
  permission,
  access,
  why,
  isFatal,
}))

export const may = (granted: Granted, permission: Permission, access: 'read' | 'write'): boolean =>
  granted[permission] === 'write' || granted[permission] === 'admin' || granted[permission] === access

export function gapsOf(granted: Granted, events: readonly string[]): Gap[] {
  return DEMANDS.filter((demand) => !isMet(demand, granted, events)).map(
    ({ permission, access, lost, reason }) => ({
      permission,
      need: access,
      have: permission === 'pull_request event' ? 'none' : (granted[permission] ?? 'none'),
      lost,
      reason,
    }),
  )
}

/** Whether nothing can be done at all. */
export const isFatal = (granted: Granted, events: readonly string[]): boolean =>
  DEMANDS.some((demand) => demand.isFatal && !isMet(demand, granted, events))

/** What a token for a review asks for: what it needs, as far as it was granted. GitHub refuses to give more. */
export function wantedOf(granted: Granted): Record<string, 'read' | 'write'> {
  const wanted: Record<string, 'read' | 'write'> = {}
  const ask = (permission: Permission, access: 'read' | 'write') => {
    if (may(granted, permission, access)) wanted[permission] = access
    else if (may(granted, permission, 'read')) wanted[permission] = 'read'
  }
  ask('metadata', 'read')
  ask('contents', 'read')
  ask('pull_requests', 'write')
  ask('checks', 'write')
  if (!may(granted, 'pull_requests', 'write')) ask('issues', 'write')
  return wanted
}

const isMet = ({ permission, access }: Demand, granted: Granted, events: readonly string[]): boolean =>
  permission === 'pull_request event'
    ? events.includes('pull_request')
    : may(granted, permission, access === 'write' ? 'write' : 'read')
