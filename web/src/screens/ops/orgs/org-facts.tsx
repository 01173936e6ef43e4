// Facts, members and suspension of an organisation.

import { formatDateTime } from '../../../i18n/format.ts'
import { t, tn } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { Copyable } from '../../../ui/base/copyable.tsx'
import { Facts } from '../../../ui/base/facts.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { textOf } from '../../../ui/form/form.tsx'
import { DialogButton } from '../../../ui/input/dialog-button.tsx'
import { LongField } from '../../../ui/input/long-field.tsx'
import { moneyIn } from '../../../ui/money/currencies.ts'
import { ROLES } from '../../shared/org-texts.ts'
import { api } from '../shared/staff-api.ts'
import type { OrgTabProps } from './org-texts.ts'
import { disabledReasonFor, ISOLATIONS, ORG_TYPES } from './org-texts.ts'

export function OrgFacts({ detail, reload }: OrgTabProps) {
  const { org, wallet } = detail
  return (
    <>
      {org.suspended && (
        <section class="why-suspended" aria-label={t('Suspension')}>
          <h2>{t('Suspended')}</h2>
          <p dir="auto">{org.suspendedReason ?? t('No reason given.')}</p>
          <p class="help">
            {org.suspendedAt && formatDateTime(org.suspendedAt)} · <bdi>{org.suspendedByEmail}</bdi>
          </p>
        </section>
      )}
      <Facts
        lines={[
          [t('Kind'), t(ORG_TYPES[org.type])],
          [t('Plan'), org.plan ?? t('Pay as you go')],
          [
            t('Available'),
            <span key="available" data-testid="org-available">
              {moneyIn(wallet.availableMinor, wallet.currency)}
            </span>,
          ],
          [t('Held for work in progress'), moneyIn(wallet.heldMinor, wallet.currency)],
          [t('Allowance left'), moneyIn(wallet.includedRemainingMinor, wallet.currency)],
          [t('Content stored in'), t(ISOLATIONS[org.dataIsolation])],
          [t('Region'), org.residencyRegion ?? t('Any region')],
          [t('Since'), formatDateTime(org.createdAt)],
        ]}
      />
      <Copyable text={org.orgId} label={t('the id of the organisation')} />
      <div class="choices">
        {org.suspended ? (
          <Reinstate detail={detail} reload={reload} />
        ) : (
          <Suspend detail={detail} reload={reload} />
        )}
      </div>
      <Members detail={detail} />
    </>
  )
}

const Suspend = ({ detail: { org, members }, reload }: OrgTabProps) => (
  <DialogButton
    label={t('Suspend')}
    name={org.name}
    question={t('Suspend {name}?', { name: org.name })}
    look="grave"
    typed={org.name}
    fields={['reason']}
    disabledReason={org.closed ? t('The organisation is closed.') : disabledReasonFor('suspend', members)}
    act={async (form) => {
      await api.admin.orgs.suspend(org.orgId, { reason: textOf(form, 'reason').trim() })
      await reload()
      announce(t('{name} is suspended.', { name: org.name }))
    }}
  >
    {(failure) => (
      <>
        <p>
          {t(
            'Paid work of {name} stops immediately; reading still works. Owners and administrators are notified by email.',
            { name: org.name },
          )}
        </p>
        <LongField
          name="reason"
          label={t('Reason (visible to the customer)')}
          failure={failure}
          required
          maxLength={500}
        />
      </>
    )}
  </DialogButton>
)

const Reinstate = ({ detail: { org, members }, reload }: OrgTabProps) => (
  <DialogButton
    label={t('Reinstate')}
    name={org.name}
    question={t('Reinstate {name}?', { name: org.name })}
    disabledReason={disabledReasonFor('suspend', members)}
    act={async () => {
      await api.admin.orgs.unsuspend(org.orgId)
      await reload()
      announce(t('{name} is reinstated.', { name: org.name }))
    }}
  >
    <p>{t('Paid work of {name} is allowed again. Its owners are notified by email.', { name: org.name })}</p>
  </DialogButton>
)

const Members = ({ detail: { org, members } }: Pick<OrgTabProps, 'detail'>) => (
  <Section title={tn(org.members, '{n} member', '{n} members')}>
    <ul class="rows">
      {members.map(({ userId, email, role, joinedAt }) => (
        <li key={userId}>
          <div class="row">
            <div>
              <p class="row-name">
                <bdi dir="ltr">{email}</bdi>
              </p>
              <p class="help">
                {t(ROLES[role] ?? role)} · {formatDateTime(joinedAt)}
              </p>
            </div>
          </div>
        </li>
      ))}
    </ul>
    {org.members > members.length && (
      <p class="help">{t('The first {n} are shown.', { n: members.length })}</p>
    )}
  </Section>
)
