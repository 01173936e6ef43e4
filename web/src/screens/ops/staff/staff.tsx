// Staff: tiers with permissions, staff members and invitations.
import type { AdminOperatorsListReply, Operator, OperatorInvite } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useResource } from '../../../data/resource.ts'
import { session } from '../../../data/session.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Page, Section } from '../../../ui/base/sheet.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { Select } from '../../../ui/input/select.tsx'
import { api } from '../shared/staff-api.ts'
import { disabledReasonFor, TIER_TEXTS, TIERS } from '../shared/tiers.ts'
import { AddStaff } from './staff-add.tsx'
import { TierTable } from './staff-tiers.tsx'

type Listed = { listing: AdminOperatorsListReply; reload: () => Promise<void> }

export default function Staff() {
  const done = useSignal<string | null>(null)
  const listing = useResource('ops.staff', () => api.admin.operators.list())
  const current = listing.current.value
  return (
    <Page title={t('Staff')} action={<AddStaff reload={listing.load} done={done} />} width="work">
      {done.value && <p class="ok">{done.value}</p>}
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={listing.load} />}
      {current.state === 'loading' && <div class="blank page-place" aria-busy="true" />}
      {current.state === 'ready' && (
        <>
          <People listing={current.value} reload={listing.load} />
          <Invitations listing={current.value} reload={listing.load} />
        </>
      )}
      {current.state !== 'loading' && (
        <Section title={t('Permissions by tier')}>
          <TierTable />
        </Section>
      )}
    </Page>
  )
}

function People({ listing: { operators }, reload }: Listed) {
  return (
    <Section title={t('People')}>
      <ul class="rows">
        {operators.map((person) => (
          <li key={person.userId} class="row">
            <Person person={person} locked={lockOf(person, operators)} reload={reload} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** Why a staff member cannot be changed or removed, whatever the tier of the user. */
function lockOf({ isRoot, isSuperAdmin, userId }: Operator, all: readonly Operator[]): string | null {
  if (isRoot) return t('The root administrator is set by the configuration.')
  const isLast = !all.some((other) => other.isSuperAdmin && other.userId !== userId)
  return isSuperAdmin && isLast ? t('The last super admin cannot be removed. Make another one first.') : null
}

type PersonProps = { person: Operator; locked: string | null; reload: () => Promise<void> }

function Person({ person, locked, reload }: PersonProps) {
  const { email, role, isRoot, userId } = person
  const disabledReason = disabledReasonFor('staff') ?? locked
  const isSelf = session.value.state === 'in' && session.value.me.userId === userId
  return (
    <>
      <div>
        <p class="row-name">
          <bdi>{email}</bdi> <span class="chip">{t(TIER_TEXTS[role])}</span>{' '}
          {isRoot && <span class="chip warn">{t('root')}</span>}{' '}
          {isSelf && <span class="chip">{t('you')}</span>}
        </p>
        {disabledReason !== null && (
          <p class="help" id={`why-${userId}`}>
            {disabledReason}
          </p>
        )}
      </div>
      {disabledReason === null ? (
        <PersonActions person={person} isSelf={isSelf} reload={reload} />
      ) : (
        <UnavailableNote id={userId} />
      )}
    </>
  )
}

/** An unavailable action stays visible with its reason. */
const UnavailableNote = ({ id }: { id: string }) => (
  <div class="row-acts">
    {[t('Change tier'), t('Remove')].map((label) => (
      <button key={label} type="button" disabled aria-describedby={`why-${id}`}>
        {label}
      </button>
    ))}
  </div>
)

type ActionsProps = { person: Operator; isSelf: boolean; reload: () => Promise<void> }

function PersonActions({ person: { email, role, userId }, isSelf, reload }: ActionsProps) {
  return (
    <div class="row-acts">
      <DialogButton
        label={t('Change tier')}
        name={email}
        question={t('Tier of {email}', { email })}
        act={async (form) => {
          await api.admin.operators.changeRole(userId, { role: String(form.get('new-role')) })
          await reload()
          announce(t('Tier of {email} changed.', { email }))
        }}
      >
        <p>{t('Applies from their next request.')}</p>
        {isSelf && <p class="bad">{t('This is you. You cannot undo a lower tier yourself.')}</p>}
        <Select
          name="new-role"
          label={t('Tier')}
          value={role}
          options={TIERS.map((tier) => [tier, t(TIER_TEXTS[tier])])}
        />
      </DialogButton>
      <DialogButton
        label={t('Remove')}
        name={email}
        question={t('Remove {email} from the staff?', { email })}
        look="grave"
        act={async () => {
          await api.admin.operators.remove(userId)
          await reload()
          announce(t('{email} is no longer staff.', { email }))
        }}
      >
        <p>{t('They lose console access immediately. Their customer account stays.')}</p>
      </DialogButton>
    </div>
  )
}

function Invitations({ listing: { invites }, reload }: Listed) {
  if (invites.length === 0) return null
  return (
    <Section title={t('Invitations')}>
      <ul class="rows">
        {invites.map((invite) => (
          <li key={invite.id} class="row">
            <Invitation invite={invite} reload={reload} />
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Invitation({ invite, reload }: { invite: OperatorInvite; reload: () => Promise<void> }) {
  const { id, email, role, expiresAt, invitedByEmail } = invite
  return (
    <>
      <div>
        <p class="row-name">
          <bdi>{email}</bdi> <span class="chip">{t(TIER_TEXTS[role])}</span>
        </p>
        <p class="help">
          {t('Open until {time}.', { time: formatDateTime(expiresAt) })}{' '}
          {invitedByEmail !== null && t('Invited by {who}.', { who: invitedByEmail })}
        </p>
      </div>
      <DialogButton
        label={t('Withdraw')}
        name={email}
        question={t('Withdraw the invitation of {email}?', { email })}
        disabledReason={disabledReasonFor('staff')}
        look="grave"
        act={async () => {
          await api.admin.operators.revokeInvite(id)
          await reload()
          announce(t('The invitation was withdrawn.'))
        }}
      >
        <p>{t('The link in their mail stops working.')}</p>
      </DialogButton>
    </>
  )
}
