// Tells users who were removed from a team why they are in another organisation after signing in again.
import { effect, signal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { asFailure } from '../../data/failure.ts'
import { type Me, session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'

const removedFrom = signal<string | null>(null)

/** Kept in memory only. */
export function watchMembership(): void {
  let last: Me | null = null
  let wasOut = false
  effect(() => {
    const { value } = session
    if (value.state === 'out') {
      wasOut = true
      // The next user must not see it.
      removedFrom.value = null
    }
    if (value.state !== 'in') return
    const before = last
    const isBack = wasOut && before?.userId === value.me.userId
    last = value.me
    wasOut = false
    if (before && isBack && before.orgId !== value.me.orgId) void checkMembership(before)
  })
}

async function checkMembership({ orgId, orgName }: Me): Promise<void> {
  try {
    const { orgs } = await api.me.orgs()
    if (!orgs.some((org) => org.orgId === orgId)) removedFrom.value = orgName
  } catch (error) {
    // Only the reason stays unknown.
    asFailure(error)
  }
}

export function RemovedFromTeam() {
  if (removedFrom.value === null) return null
  return (
    <p class="suspended-band" role="status">
      {t('You are no longer a member of {team}. You are now in another organisation.', {
        team: removedFrom.value,
      })}{' '}
      <button
        type="button"
        class="plain"
        onClick={() => {
          removedFrom.value = null
        }}
      >
        {t('OK')}
      </button>
    </p>
  )
}
