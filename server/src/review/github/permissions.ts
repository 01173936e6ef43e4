// What our app asks of an installation, and what is lost where it was not granted.

export type GrantedPermissions = Readonly<Record<string, string>>
export type Permission = 'metadata' | 'pull_requests' | 'checks' | 'contents' | 'issues'
export type RequiredPermission = {
  readonly permission: Permission | 'pull_request event'
  readonly access: 'read' | 'write' | 'subscribed'
  readonly why: string
  readonly isFatal: boolean
}
export type PermissionGap = {
  readonly permission: string
  readonly need: string
  readonly have: string
  readonly lost: 'reviews' | 'inline comments' | 'blocking' | 'validation' | 'summary comments'
  readonly reason: string
}

const HOW_TO_GRANT = 'Approve the permission on GitHub under the settings of the installation.'

type PermissionDemand = RequiredPermission & { readonly lost: PermissionGap['lost']; readonly reason: string }

const DEMANDS: readonly PermissionDemand[] = [
  {
    permission: 'metadata',
    access: 'read',
    why: 'Names the repositories that were chosen.',
    isFatal: true,
    lost: 'reviews',
    reason: `Without reading metadata nothing can be reviewed. ${HOW_TO_GRANT}`,
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
    reason: `Without writing to pull requests there are no inline comments; findings are shown in the check instead. ${HOW_TO_GRANT}`,
  },
  {
    permission: 'checks',
    access: 'write',
    why: 'Shows the result as a check, which can block a merge.',
    isFatal: false,
    lost: 'blocking',
    reason: `Without writing checks no merge is blocked; findings are shown as comments. ${HOW_TO_GRANT}`,
  },
  {
    permission: 'contents',
    access: 'read',
    why: 'Reads changed files whole, the policy of the repository, and what validation runs.',
    isFatal: false,
    lost: 'validation',
    reason: `Without reading contents nothing is validated, and only the lines of the change are reviewed. ${HOW_TO_GRANT}`,
  },
]

export const REQUIRED_PERMISSIONS: readonly RequiredPermission[] = DEMANDS.map(
  ({ permission, access, why, isFatal }) => ({
    permission,
    access,
    why,
    isFatal,
  }),
)

export const hasPermission = (
  granted: GrantedPermissions,
  permission: Permission,
  access: 'read' | 'write',
): boolean =>
  granted[permission] === 'write' || granted[permission] === 'admin' || granted[permission] === access

export function findPermissionGaps(granted: GrantedPermissions, events: readonly string[]): PermissionGap[] {
  return DEMANDS.filter((demand) => !isGranted(demand, granted, events)).map(
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
export const isFatal = (granted: GrantedPermissions, events: readonly string[]): boolean =>
  DEMANDS.some((demand) => demand.isFatal && !isGranted(demand, granted, events))

/** What a token for a review asks for: what it needs, as far as it was granted. GitHub refuses to give more. */
export function tokenPermissions(granted: GrantedPermissions): Record<string, 'read' | 'write'> {
  const wanted: Record<string, 'read' | 'write'> = {}
  const ask = (permission: Permission, access: 'read' | 'write') => {
    if (hasPermission(granted, permission, access)) wanted[permission] = access
    else if (hasPermission(granted, permission, 'read')) wanted[permission] = 'read'
  }
  ask('metadata', 'read')
  ask('contents', 'read')
  ask('pull_requests', 'write')
  ask('checks', 'write')
  if (!hasPermission(granted, 'pull_requests', 'write')) ask('issues', 'write')
  return wanted
}

const isGranted = (
  { permission, access }: PermissionDemand,
  granted: GrantedPermissions,
  events: readonly string[],
): boolean =>
  permission === 'pull_request event'
    ? events.includes('pull_request')
    : hasPermission(granted, permission, access === 'write' ? 'write' : 'read')
