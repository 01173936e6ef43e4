// The precision of findings. A rate is shown with its counts; without verdicts there is no rate, which is not zero.
import type { ReviewPrecision } from '@cowrie/sdk'
import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { type Resource, useResource } from '../../data/resource.ts'
import { locale } from '../../i18n/language.ts'
import { t, tn } from '../../i18n/t.ts'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Facts } from '../../ui/base/facts.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { Bars } from '../../ui/charts/bars.tsx'
import { periodsOf, WINDOWS } from './periods.ts'
import { percent } from './review-texts.ts'

const SAMPLE = 5

/** The overall rate. */
export function Rate({ precision }: { precision: Resource<ReviewPrecision> }) {
  const current = precision.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={precision.load} />
  if (current.state === 'loading') return <div class="rate" aria-busy="true" />
  const { falsePositiveRate, confirmed, refuted, unadjudicated, days, findings } = current.value
  if (findings === 0) return null
  return (
    <div class="rate">
      <p class="rate-figure" data-testid="false-positive-rate">
        {falsePositiveRate === null
          ? t('Not enough verdicts yet')
          : t('{rate} of findings were right', { rate: percent(1 - falsePositiveRate) })}
      </p>
      <p class="help">
        {falsePositiveRate === null
          ? t('Confirm or refute findings to see how often they are right.')
          : tn(
              confirmed + refuted,
              'Counted from {n} verdict of the last {days} days.',
              'Counted from {n} verdicts of the last {days} days.',
              { days },
            )}{' '}
        {unadjudicated > 0 && tn(unadjudicated, '{n} waits for a verdict.', '{n} wait for a verdict.')}
      </p>
    </div>
  )
}

export function Precision({ precision }: { precision: Resource<ReviewPrecision> }) {
  const current = precision.current.value
  const trend = useResource('review.trend', () =>
    Promise.all(WINDOWS.map((days) => api.review.precision({ days, minSample: SAMPLE }))),
  )
  if (current.state !== 'ready') return <span class="blank precision-place" aria-busy="true" />
  const { findings, confirmed, refuted, unproven, unadjudicated, noisiestRules } = current.value
  return (
    <>
      <Facts
        lines={[
          [t('Findings'), count(findings)],
          [t('Confirmed'), count(confirmed)],
          [t('Refuted'), count(refuted)],
          [t('Unproven'), count(unproven)],
          [t('Not judged'), count(unadjudicated)],
        ]}
      />
      <Section title={t('Over time')}>
        <Trend trend={trend} />
      </Section>
      <Section title={t('Noisiest rules')}>
        {noisiestRules.length === 0 ? (
          <p class="help">{t('No rule has five verdicts yet.')}</p>
        ) : (
          <ul class="rows">
            {noisiestRules.map(({ ruleId, falsePositiveRate, confirmed: right, refuted: wrong }) => (
              <li key={ruleId} class="row">
                <div>
                  <p class="row-name">
                    <code dir="ltr">{ruleId}</code>
                  </p>
                  <p class="help">
                    {t('{rate} of {n} were wrong', {
                      rate: percent(falsePositiveRate),
                      n: count(right + wrong),
                    })}
                  </p>
                </div>
                <Noise of={falsePositiveRate} />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  )
}

function Trend({ trend }: { trend: Resource<ReviewPrecision[]> }) {
  const current = trend.current.value
  if (current.state === 'failed') return <ErrorNotice failure={current.failure} retry={trend.load} />
  if (current.state === 'loading') return <span class="blank trend-place" aria-busy="true" />
  const periods = periodsOf(current.value)
  if (periods.every(({ confirmed, refuted }) => confirmed + refuted === 0))
    return <p class="help">{t('Not enough verdicts yet')}</p>
  return (
    <Bars
      label={t('Verdicts by the age of findings')}
      of={t('Found')}
      series={[t('Confirmed'), t('Refuted')]}
      format={(value) => count(Number(value))}
      bars={periods.map(({ from, to, confirmed, refuted }) => ({
        id: String(to),
        name: t('{from} to {to} days ago', { from, to }),
        values: [BigInt(confirmed), BigInt(refuted)],
      }))}
    />
  )
}

/** A chart of the figures beside it. */
function Noise({ of }: { of: number }) {
  const bar = useRef<HTMLSpanElement>(null)
  useEffect(() => bar.current?.style.setProperty('--share', String(of)), [of])
  return <span ref={bar} class="noise" aria-hidden="true" />
}

const count = (n: number): string => new Intl.NumberFormat(locale()).format(n)
