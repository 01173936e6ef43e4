// The figures of a range. Cash, recognised usage and subscriptions are never added up.
import type { MetricsKpisReply } from '@cowrie/sdk'
import { msg, t, tn } from '../../../i18n/t.ts'
import { Facts } from '../../../ui/base/facts.tsx'
import { Section } from '../../../ui/base/sheet.tsx'
import { figure, money } from './overview-types.ts'

export function Figures({ kpis }: { kpis: MetricsKpisReply }) {
  return (
    <>
      <Three kpis={kpis} />
      {kpis.clamped && (
        <p class="bad">{t('A total is too large to show. The figures by currency are exact.')}</p>
      )}
      <Rest kpis={kpis} />
      <Margin kpis={kpis} />
      {kpis.byCurrency.length > 1 && <ByCurrency kpis={kpis} />}
    </>
  )
}

function Three({ kpis }: { kpis: MetricsKpisReply }) {
  const { currency, netCreditedMinor, mrrMinor, subscriptionMrrMinor, activeSubscriptions } = kpis
  return (
    <ul class="three">
      <li>
        <span class="small-title">{t('Cash in')}</span>
        <bdi class="big-figure" dir="ltr" data-testid="cash-in">
          {money(netCreditedMinor, currency)}
        </bdi>
        <span class="help">{t('Payments minus chargebacks.')}</span>
      </li>
      <li>
        <span class="small-title">{t('Recognised usage')}</span>
        <bdi class="big-figure" dir="ltr" data-testid="recognised">
          {money(mrrMinor, currency)}
        </bdi>
        <span class="help">{t('Paid from wallets for work.')}</span>
      </li>
      <li>
        <span class="small-title">{t('Subscription MRR')}</span>
        <bdi class="big-figure" dir="ltr" data-testid="subscription-mrr">
          {money(subscriptionMrrMinor, currency)}
        </bdi>
        <span class="help">
          {tn(activeSubscriptions, 'Of {n} active subscription, now.', 'Of {n} active subscriptions, now.')}
        </span>
      </li>
    </ul>
  )
}

function Rest({ kpis }: { kpis: MetricsKpisReply }) {
  const { currency } = kpis
  const amount = (minor: bigint) => <bdi dir="ltr">{money(minor, currency)}</bdi>
  return (
    <div class="facts-columns">
      <Facts
        lines={[
          [t('Float: current wallet balances'), amount(kpis.floatMinor)],
          [t('Usage paid by allowances'), amount(kpis.allowanceUsedMinor)],
          [t('Paid for plans'), amount(kpis.subscriptionPaidMinor)],
          [t('Granted by staff, no cash'), amount(kpis.grantedMinor)],
          [t('Forfeited'), amount(kpis.forfeitedMinor)],
          [
            t('Past due, a month'),
            <>
              {amount(kpis.pastDueMrrMinor)} ({figure(kpis.pastDueSubscriptions)})
            </>,
          ],
          [t('Complimentary plans'), figure(kpis.compedSubscriptions)],
          [t('Paying organisations'), figure(kpis.payingOrgs)],
          [t('Revenue per paying organisation'), kpis.arpuMinor === null ? '–' : amount(kpis.arpuMinor)],
          [t('Rate card'), kpis.rateCardVersion],
        ]}
      />
    </div>
  )
}

const LANES = { open: msg('Open lane'), frontier: msg('Frontier lane') } as const

function Margin({ kpis: { margin, currency } }: { kpis: MetricsKpisReply }) {
  const orDash = (minor: bigint | null) => (minor === null ? '–' : money(minor, currency))
  return (
    <Section title={t('Margin')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
      <section class="table-box" tabIndex={0} aria-label={t('Margin by lane')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Lane')}</th>
              <th scope="col" class="number">
                {t('Charged')}
              </th>
              <th scope="col" class="number">
                {t('Cost to us')}
              </th>
              <th scope="col" class="number">
                {t('Margin')}
              </th>
            </tr>
          </thead>
          <tbody>
            {margin.map(({ lane, revenueMinor, cogsMinor, marginMinor, marginPct }) => (
              <tr key={lane}>
                <th scope="row">{t(LANES[lane])}</th>
                <td class="number">{money(revenueMinor, currency)}</td>
                <td class="number">{orDash(cogsMinor)}</td>
                <td class="number">
                  {orDash(marginMinor)} {marginPct !== null && `(${figure(marginPct)} %)`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Section>
  )
}

const ByCurrency = ({ kpis: { byCurrency } }: { kpis: MetricsKpisReply }) => (
  <Section title={t('By currency, exactly')}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
    <section class="table-box" tabIndex={0} aria-label={t('By currency, exactly')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Currency')}</th>
            {[t('Cash in'), t('Recognised usage'), t('Subscription MRR'), t('Float')].map((name) => (
              <th scope="col" class="number" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {byCurrency.map((each) => (
            <tr key={each.currency}>
              <th scope="row">{each.currency}</th>
              <td class="number">{money(each.netCreditedMinor, each.currency)}</td>
              <td class="number">{money(each.mrrMinor, each.currency)}</td>
              <td class="number">{money(each.subscriptionMrrMinor, each.currency)}</td>
              <td class="number">{money(each.floatMinor, each.currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  </Section>
)
