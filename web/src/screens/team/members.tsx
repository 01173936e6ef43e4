// The members with cap and spending of this month.
import type { TeamsUsageReply } from '@cowrie/sdk'
import type { Pages } from '../../data/paged-resource.ts'
import type { Resource } from '../../data/resource.ts'
import type { Me } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Amount } from '../../ui/base/amount.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { PagedList } from '../../ui/base/paged-list.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { CapBar } from '../../ui/charts/cap-bar.tsx'
import { type Member, mayManage, ROLE_NAMES } from './member.ts'
import { MemberActions } from './member-actions.tsx'
import { Spending } from './spending.tsx'

type Usage = TeamsUsageReply | null
type Props = { me: Me; pages: Pages<Member>; usage: Resource<Usage>; onNews: () => Promise<void> }

export function Members({ me, pages, usage, onNews }: Props) {
  const { value } = pages.current
  const owners = value.state === 'ready' ? value.value.filter(({ role }) => role === 'owner').length : 0
  const spent = usage.current.value
  const known = spent.state === 'ready' ? spent.value : null
  return (
    <Section title={t('Members')}>
      {!mayManage(me) && (
        <p class="help">{t('Owners and administrators can invite, change and remove members.')}</p>
      )}
      {spent.state === 'failed' && <ErrorNotice failure={spent.failure} retry={usage.load} />}
      <PagedList pages={pages} empty={t('No members yet.')} more={t('More members')}>
        {(member) => {
          const monthMinor = known?.members.find(({ userId }) => userId === member.userId)?.monthMinor
          return (
            <div class="row member">
              <MemberFacts member={member} me={me} monthMinor={mayManage(me) ? (monthMinor ?? null) : null} />
              {mayManage(me) && <MemberActions me={me} member={member} owners={owners} onNews={onNews} />}
            </div>
          )
        }}
      </PagedList>
      {known && <Spending usage={known} currency={me.currency} />}
    </Section>
  )
}

type MemberFactsProps = { member: Member; me: Me; monthMinor: bigint | null }

/** Spending of others is visible only to users who can manage them. */
function MemberFacts({ member, me, monthMinor }: MemberFactsProps) {
  const { email, name, role, pending, seatCapMinor, userId } = member
  return (
    <>
      <div>
        <p class="row-name">
          <bdi>{name ?? email}</bdi> {userId === me.userId && <span class="chip">{t('You')}</span>}{' '}
          {pending && <span class="chip warn">{t('Invited')}</span>}
        </p>
        <p class="help">
          {name && (
            <>
              <bdi>{email}</bdi> ·{' '}
            </>
          )}
          {t(ROLE_NAMES[role])}
        </p>
      </div>
      {monthMinor !== null && (
        <div class="member-spent">
          <p class="help">
            {seatCapMinor === null ? (
              <Trans
                text="{spent} this month, no cap"
                spent={<Amount minor={monthMinor} currency={me.currency} />}
              />
            ) : (
              <Trans
                text="{spent} of {cap} this month"
                spent={<Amount minor={monthMinor} currency={me.currency} />}
                cap={<Amount minor={seatCapMinor} currency={me.currency} />}
              />
            )}
          </p>
          <CapBar spentMinor={monthMinor} capMinor={seatCapMinor} />
        </div>
      )}
    </>
  )
}
