// The spending of all members as a table.
import type { TeamsUsageReply } from '@cowrie/sdk'
import type { Currency } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { Amount } from '../../ui/base/amount.tsx'

export const Spending = ({ usage, currency }: { usage: TeamsUsageReply; currency: Currency }) => (
  <details>
    <summary>{t('Spending this month as a table')}</summary>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
    <section class="scroller" aria-label={t('Spending this month')} tabIndex={0}>
      <table class="spending">
        <thead>
          <tr>
            <th scope="col">{t('Member')}</th>
            <th scope="col">{t('Spent')}</th>
            <th scope="col">{t('Cap')}</th>
            <th scope="col">{t('Left')}</th>
          </tr>
        </thead>
        <tbody>
          {usage.members.map(({ userId, email, monthMinor, seatCapMinor, remainingMinor }) => (
            <tr key={userId}>
              <th scope="row">
                <bdi>{email}</bdi>
              </th>
              <td>
                <Amount minor={monthMinor} currency={currency} />
              </td>
              <td>
                {seatCapMinor === null ? t('None') : <Amount minor={seatCapMinor} currency={currency} />}
              </td>
              <td>{remainingMinor === null ? '–' : <Amount minor={remainingMinor} currency={currency} />}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('Members')}</th>
            <td>
              <Amount minor={usage.totalMinor} currency={currency} testId="team-spent" />
            </td>
            <td />
            <td />
          </tr>
        </tfoot>
      </table>
    </section>
  </details>
)
