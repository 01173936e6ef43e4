// The precision of the review bot over all organisations. A rate is shown with its counts only.
import type { ReviewPrecision } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { locale } from '../../i18n/language.ts'
import { t, tn } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Facts } from '../../ui/base/facts.tsx'
import { Page, Section } from '../../ui/base/sheet.tsx'
import { Select } from '../../ui/input/select.tsx'
import { ShareBar } from './shared/share-bar.tsx'

const WINDOWS = ['7', '30', '90', '365']
const SAMPLES = ['1', '5', '20', '50']

export default function Precision() {
  const days = useSignal('90')
  const minSample = useSignal('5')
  const name = `ops.precision ${days.value} ${minSample.value}`
  const precision = useResource(name, () =>
    api.review.precision({ scope: 'all', days: Number(days.value), minSample: Number(minSample.value) }),
  )
  const current = precision.current.value
  return (
    <Page title={t('Review precision')}>
      <div class="filters">
        <Select
          name="window"
          label={t('Findings of')}
          value={days.value}
          options={WINDOWS.map((each) => [each, tn(Number(each), 'the last {n} day', 'the last {n} days')])}
          onChoose={(chosen) => {
            days.value = chosen
          }}
        />
        <Select
          name="sample"
          label={t('Rules with at least')}
          value={minSample.value}
          options={SAMPLES.map((each) => [each, tn(Number(each), '{n} verdict', '{n} verdicts')])}
          onChoose={(chosen) => {
            minSample.value = chosen
          }}
        />
      </div>
      {current.state === 'failed' && <ErrorNotice failure={current.failure} retry={precision.load} />}
      {current.state === 'loading' && <div class="blank posture-place" aria-busy="true" />}
      {current.state === 'ready' && <Figures precision={current.value} />}
    </Page>
  )
}

const percent = (rate: number): string =>
  new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 }).format(rate)

function Figures({ precision }: { precision: ReviewPrecision }) {
  const { confirmed, refuted, unproven, unadjudicated, findings, falsePositiveRate, noisiestRules } =
    precision
  return (
    <>
      <p class="big-figure" data-testid="false-positive-rate">
        {falsePositiveRate === null
          ? t('No verdicts yet')
          : t('{rate} were wrong', { rate: percent(falsePositiveRate) })}
      </p>
      <p class="help">
        {falsePositiveRate === null
          ? t('A rate needs confirmed or refuted findings.')
          : tn(confirmed + refuted, 'Of {n} finding with a verdict.', 'Of {n} findings with a verdict.')}
      </p>
      <Facts
        lines={[
          [t('Findings'), String(findings)],
          [t('Confirmed'), String(confirmed)],
          [t('Refuted'), String(refuted)],
          [t('Unproven'), String(unproven)],
          [t('Not judged'), String(unadjudicated)],
        ]}
      />
      <Section title={t('Noisiest rules')}>
        {noisiestRules.length === 0 ? (
          <p class="help">{t('No rule has enough verdicts yet.')}</p>
        ) : (
          <ul class="rows">
            {noisiestRules.map((rule) => (
              <li key={rule.ruleId} class="row">
                <div>
                  <p class="row-name">
                    <code dir="ltr">{rule.ruleId}</code>
                  </p>
                  <p class="help">
                    {t('{rate} of {n} were wrong', {
                      rate: percent(rule.falsePositiveRate),
                      n: String(rule.confirmed + rule.refuted),
                    })}
                  </p>
                </div>
                <ShareBar of={rule.falsePositiveRate} />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}
