// The steps of a loop: plan, edit, verify, retry, with cost and test results.

import { showsCosts } from '../../../data/preferences/switches.ts'
import type { Currency } from '../../../i18n/money.ts'
import { msg, t, tn } from '../../../i18n/t.ts'
import { Amount } from '../../../ui/base/amount.tsx'
import { CodeBox } from '../../../ui/code/code-box.tsx'
import { TextWithCode } from '../../../ui/code/text-with-code.tsx'
import { Step, type StepState, Steps } from '../../../ui/layout/steps.tsx'
import type { FinishedStep, StepName } from './progress.ts'

const STEP_NAMES: Readonly<Record<StepName, string>> = {
  plan: msg('Plan the change'),
  edit: msg('Edit'),
  verify: msg('Verify'),
  retry: msg('Retry'),
}
const STEP_PROGRESS: Readonly<Record<StepName, string>> = {
  plan: msg('Planning'),
  edit: msg('Editing'),
  verify: msg('Verifying'),
  retry: msg('Trying again'),
}

type Props = {
  steps: readonly FinishedStep[]
  /** The first one is running. */
  ahead?: readonly StepName[]
  written?: number
  currency: Currency
}

export const Timeline = ({ steps, ahead = [], written = 0, currency }: Props) => (
  <Steps label={t('Steps')}>
    {steps.map((step, index) => (
      <FinishedRow key={index} step={step} currency={currency} />
    ))}
    {ahead.map((name, index) => (
      <Step
        key={`${steps.length} ${name}`}
        state={index === 0 ? 'now' : 'next'}
        title={t((index === 0 ? STEP_PROGRESS : STEP_NAMES)[name])}
        after={
          index === 0 && written > 0
            ? tn(written, '{n} character written', '{n} characters written')
            : undefined
        }
      />
    ))}
  </Steps>
)

function FinishedRow({ step, currency }: { step: FinishedStep; currency: Currency }) {
  const { note, failures, excerpt, costMinor } = step
  return (
    <Step
      state={stateOf(step)}
      title={
        <>
          <strong>{step.turn === 0 ? t('Tests before the change') : t(STEP_NAMES[step.step])}</strong>{' '}
          <TestResult step={step} />
        </>
      }
      after={showsCosts.value ? <Amount minor={costMinor} currency={currency} /> : undefined}
    >
      {note && (
        <p class="help">
          <TextWithCode text={note} />
        </p>
      )}
      {failures?.map(({ path, reason }) => (
        <p key={path} class="help">
          <bdi dir="ltr">{path}</bdi>: <TextWithCode text={reason} />
        </p>
      ))}
      {excerpt && (
        <details class="excerpt">
          <summary>{t('Test output')}</summary>
          <CodeBox label={t('Test output')}>
            <pre>{excerpt}</pre>
          </CodeBox>
        </details>
      )}
    </Step>
  )
}

/** Tests are expected to fail before the first change. */
function stateOf({ step, turn, ok, tests }: FinishedStep): StepState {
  if (ok || step === 'retry' || turn === 0) return 'done'
  return step === 'verify' && !tests ? 'skipped' : 'failed'
}

function TestResult({ step: { step, files, tests } }: { step: FinishedStep }) {
  if (tests)
    return (
      <span class="help">
        {t('{passed} passed, {failed} failed', { passed: tests.passed, failed: tests.failed })}
      </span>
    )
  if (step === 'edit' && files) return <span class="help">{tn(files.length, '{n} file', '{n} files')}</span>
  return null
}
