// Success rates, durations and fees of provider accounts.
import type { AdminRailPerformanceReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { msg, t } from '../../../i18n/t.ts'
import { figure } from '../overview/overview-types.ts'

const PERIODS = { day: msg('Last 24 hours'), month: msg('Last 30 days') } as const

export function RailPerformance({ accounts, isComplete }: AdminRailPerformanceReply) {
  const period = useSignal<keyof typeof PERIODS>('day')
  if (accounts.length === 0) return <p class="help">{t('No payment was started in the last 30 days.')}</p>
  const columns = [
    ...[t('Attempts'), t('Accepted'), t('Settled'), t('Failed'), t('Expired'), t('Success')],
    ...[t('Median'), t('Failovers'), t('Fees')],
  ]
  return (
    <>
      <div class="choices">
        {(Object.keys(PERIODS) as (keyof typeof PERIODS)[]).map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={period.value === each}
            onClick={() => {
              period.value = each
            }}
          >
            {t(PERIODS[each])}
          </button>
        ))}
      </div>
      {!isComplete && <p class="help">{t('Only the newest 100,000 attempts are counted.')}</p>}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
      <section class="table-box" tabIndex={0} aria-label={t('Results of accounts')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Account')}</th>
              {columns.map((name) => (
                <th scope="col" class="number" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {accounts.map((account) => (
              <Row
                key={`${account.rail} ${account.account} ${account.channel} ${account.currency}`}
                {...{ account, period: period.value }}
              />
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

type Account = AdminRailPerformanceReply['accounts'][number]

function Row({ account, period }: { account: Account; period: keyof typeof PERIODS }) {
  const { attempts, accepted, settled, failed, expired, failovers, ...rest } = account.results[period]
  const { successPercent, medianSeconds, feeBasisPoints } = rest
  const orDash = (value: number | null, unit: string) => (value === null ? '–' : `${figure(value)} ${unit}`)
  const cells = [
    ...[attempts, accepted, settled, failed, expired].map((count) => figure(count)),
    ...[orDash(successPercent, '%'), orDash(medianSeconds, 's'), figure(failovers)],
    orDash(feeBasisPoints === null ? null : feeBasisPoints / 100, '%'),
  ]
  return (
    <tr>
      <th scope="row">
        <bdi>{`${account.rail} ${account.account}, ${account.channel} ${account.currency}`}</bdi>
      </th>
      {cells.map((cell, index) => (
        <td class="number" key={index}>
          {cell}
        </td>
      ))}
    </tr>
  )
}
