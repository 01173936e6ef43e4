// The usage and remaining caps of all members, for owners and administrators.
import type { TeamsUsageReply } from '@cowrie/sdk'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import type { Me } from '../../data/session.ts'
import { formatDate } from '../../i18n/format.ts'
import { type Currency, formatMoney, plainAmount } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { saveFile } from '../../ui/base/save-file.ts'
import { CapBar } from '../../ui/charts/cap-bar.tsx'
import { csvOf } from '../../ui/files/csv.ts'

const MEMBERS_MAX = 100

export function Members({ me: { orgId, currency } }: { me: Me }) {
  const read = useResource('usage members', () => api.teams.usage(orgId, { limit: MEMBERS_MAX }))
  const current = read.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={read.load} />
  if (current.state === 'loading') return <span class="blank usage-place" aria-busy="true" />
  return <MemberTable usage={current.value} currency={currency} />
}

function MemberTable({ usage, currency }: { usage: TeamsUsageReply; currency: Currency }) {
  const { members, totalMinor, monthStart, nextCursor } = usage
  const format = (minor: bigint) => formatMoney(minor, currency)
  const most = members.toSorted((a, b) => Number(b.monthMinor - a.monthMinor))
  return (
    <>
      <p class="usage-sum">
        <span class="small-title">{t('Spent since {date}', { date: formatDate(monthStart) })}</span>
        <bdi dir="ltr" class="amount" data-testid="usage-sum">
          {format(totalMinor)}
        </bdi>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
      <section class="number-table" tabIndex={0} aria-label={t('Spend by member')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Member')}</th>
              <th scope="col">{t('Spent')}</th>
              <th scope="col">{t('Monthly cap')}</th>
              <th scope="col">{t('Left')}</th>
            </tr>
          </thead>
          <tbody>
            {most.map(({ userId, email, monthMinor, seatCapMinor, remainingMinor }) => (
              <tr key={userId}>
                <th scope="row" class="member-name">
                  <bdi>{email}</bdi>
                  <CapBar spentMinor={monthMinor} capMinor={seatCapMinor} />
                </th>
                <td>
                  <bdi dir="ltr">{format(monthMinor)}</bdi>
                </td>
                <td>{seatCapMinor === null ? t('None') : <bdi dir="ltr">{format(seatCapMinor)}</bdi>}</td>
                <td>{remainingMinor === null ? '–' : <bdi dir="ltr">{format(remainingMinor)}</bdi>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {nextCursor !== null && (
        <p class="help">{t('Shows the first {n} members. The total includes all.', { n: MEMBERS_MAX })}</p>
      )}
      <div class="choices">
        <button type="button" onClick={() => download(most, currency)}>
          {t('Download as CSV')}
        </button>
        <a class="button" href="/app/team">
          {t('Manage members')}
        </a>
      </div>
    </>
  )
}

function download(members: TeamsUsageReply['members'], currency: Currency): void {
  const plain = (minor: bigint | null) => (minor === null ? '' : plainAmount(minor, currency))
  const rows = members.map(({ email, monthMinor, seatCapMinor, remainingMinor }) => [
    email,
    plain(monthMinor),
    plain(seatCapMinor),
    plain(remainingMinor),
    currency.code,
  ])
  const head = ['member', 'spent', 'cap', 'left', 'currency']
  saveFile('cowrie-usage-members.csv', [csvOf([head, ...rows])], 'text/csv')
}
