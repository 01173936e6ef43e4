// The permissions that the GitHub App needs, and the features that are lost without them.

export type GrantedPermissions = Readonly<Record<string, string>>
export type Permission = 'metadata' | 'pull_requests' | 'checks' | 'contents' | 'issues' | 'workflows'
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

const HOW_TO_GRANT = 'Approve the permission in the installation settings on GitHub.'

type PermissionDemand = RequiredPermission & { readonly lost: PermissionGap['lost']; readonly reason: string }

const DEMANDS: readonly PermissionDemand[] = [
  {
    permission: 'metadata',
    access: 'read',
    why: 'Lists the selected repositories.',
    isFatal: true,
    lost: 'reviews',
    reason: `Without permission to read metadata, nothing can be reviewed. ${HOW_TO_GRANT}`,
  },
  {
    permission: 'pull_request event',
    access: 'subscribed',
    why: 'Notifies Cowrie of new pull requests and commits.',
    isFatal: true,
    lost: 'reviews',
    reason:
      'Without the pull_request event, pull requests are not reviewed. Subscribe the app to the event on GitHub.',
  },
  {
    permission: 'pull_requests',
    access: 'write',
    why: 'Posts comments on the lines of findings.',
    isFatal: false,
    lost: 'inline comments',
    reason: `Without permission to write pull requests, findings appear in the check instead of inline comments. ${HOW_TO_GRANT}`,
  },
  {
    permission: 'checks',
    access: 'write',
    why: 'Publishes the result as a check, which can block a merge.',
    isFatal: false,
    lost: 'blocking',
    reason: `Without permission to write checks, no merge is blocked and findings appear as comments. ${HOW_TO_GRANT}`,
  },
  {
    permission: 'contents',
    access: 'read',
    why: 'Reads whole files, the repository policy and the code that validation runs.',
    isFatal: false,
    lost: 'validation',
    reason: `Without permission to read contents, nothing is validated and only changed lines are reviewed. ${HOW_TO_GRANT}`,
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

type OptionalPermission = { readonly why: string } & (
  | { readonly permission: Permission; readonly access: 'write' }
  | {
      readonly permission: `${'issue_comment' | 'pull_request_review_comment'} event`
      readonly access: 'subscribed'
    }
)

/** Tasks need these to open pull requests and to answer comments. Reviews are complete without them. */
const OPTIONAL_PERMISSIONS: readonly OptionalPermission[] = [
  { permission: 'contents', access: 'write', why: 'Pushes the branch of a task for its pull request.' },
  { permission: 'workflows', access: 'write', why: 'Pushes changes of files in .github/workflows.' },
  {
    permission: 'issue_comment event',
    access: 'subscribed',
    why: 'Starts a turn from a comment on the pull request of a task.',
  },
  {
    permission: 'pull_request_review_comment event',
    access: 'subscribed',
    why: 'Starts a turn from a comment on a line of the pull request of a task.',
  },
]

export const listOptionalPermissions = (granted: GrantedPermissions, events: readonly string[]) =>
  OPTIONAL_PERMISSIONS.map((each) => ({
    ...each,
    isGranted:
      each.access === 'subscribed'
        ? events.includes(each.permission.replace(' event', ''))
        : hasPermission(granted, each.permission, each.access),
  }))

/** The permissions of a token that pushes a branch and opens a pull request. */
export const publishingPermissions = (changesWorkflows: boolean): Partial<Record<Permission, 'write'>> => ({
  contents: 'write',
  pull_requests: 'write',
  ...(changesWorkflows && { workflows: 'write' }),
})

/** The permissions that were not granted, such as `contents: write`. */
export const findMissingPermissions = (
  granted: GrantedPermissions,
  needed: Partial<Record<Permission, 'read' | 'write'>>,
): string[] =>
  (Object.entries(needed) as [Permission, 'read' | 'write'][])
    .filter(([permission, access]) => !hasPermission(granted, permission, access))
    .map(([permission, access]) => `${permission}: ${access}`)

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

/** Whether a permission is missing without which no review is possible. */
export const lacksEssentialPermission = (granted: GrantedPermissions, events: readonly string[]): boolean =>
  DEMANDS.some((demand) => demand.isFatal && !isGranted(demand, granted, events))

/** The permissions to request for a review token. GitHub refuses a token with permissions that were not granted. */
export function tokenPermissions(granted: GrantedPermissions): Record<string, 'read' | 'write'> {
  const requested: Record<string, 'read' | 'write'> = {}
  const request = (permission: Permission, access: 'read' | 'write') => {
    if (hasPermission(granted, permission, access)) requested[permission] = access
    else if (hasPermission(granted, permission, 'read')) requested[permission] = 'read'
  }
  request('metadata', 'read')
  request('contents', 'read')
  request('pull_requests', 'write')
  request('checks', 'write')
  if (!hasPermission(granted, 'pull_requests', 'write')) request('issues', 'write')
  return requested
}

const isGranted = (
  { permission, access }: PermissionDemand,
  granted: GrantedPermissions,
  events: readonly string[],
): boolean =>
  permission === 'pull_request event'
    ? events.includes('pull_request')
    : hasPermission(granted, permission, access === 'write' ? 'write' : 'read')
