// The form for a research run: question, depth, limit and destination.
import type { ResearchConfig, ResearchSummary } from '@cowrie/sdk'
import { useComputed, useSignal } from '@preact/signals'
import type { TargetedSubmitEvent } from 'preact'
import { useRef } from 'preact/hooks'
import { api } from '../../data/api.ts'
import { useDraft } from '../../data/draft.ts'
import type { ApiFailure } from '../../data/failure.ts'
import { isOnline } from '../../data/network.ts'
import { sendPaidRequest } from '../../data/paid-request.ts'
import { type Me, reloadSession } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { formatMoney, plainAmount } from '../../i18n/money.ts'
import { t, tn } from '../../i18n/t.ts'
import { navigate } from '../../router/location.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { Field } from '../../ui/form/field.tsx'
import { useKeyboardInset } from '../../ui/layout/keyboard-inset.ts'
import { limitOf } from './budget.ts'
import { Depths } from './depths.tsx'
import { type Destination, Destinations, initialDestination } from './destinations.tsx'
import { NO_OPTIONS, type RunOptions, RunOptionsFields } from './run-options.tsx'
import type { Depth } from './run-texts.ts'
import { InFlight } from './runs.tsx'

const QUESTION_MAX = 2_000

type Props = {
  me: Me
  config: ResearchConfig
  underWay: readonly ResearchSummary[]
  onRefused: () => void
}

export function NewRun({ me, config, underWay, onRefused }: Props) {
  useKeyboardInset()
  const { currency } = me
  const form = useRef<HTMLFormElement>(null)
  const question = useDraft('research.question')
  const depth = useSignal<Depth>('standard')
  const typed = useSignal('')
  const isBlank = useSignal(false)
  const destination = useSignal<Destination>(initialDestination())
  const options = useSignal<RunOptions>(NO_OPTIONS)
  const terms = config.depths.find((each) => each.depth === depth.value) ?? config.depths[0]
  const limit = useComputed(() => {
    const chosen = config.depths.find((each) => each.depth === depth.value)
    return chosen ? limitOf(typed.value, chosen, currency) : null
  })

  const start = useAction(async () => {
    const budgetMinor = limit.peek()?.minor
    const asked = question.peek().trim()
    isBlank.value = asked === ''
    if (isBlank.value || budgetMinor === null || budgetMinor === undefined) return focusOn(form.current)
    // The limit on the button is sent along, so that a price change has no effect.
    const body = {
      question: asked,
      depth: depth.peek(),
      budgetMinor,
      ...destination.peek(),
      ...changedOptions(options.peek()),
    }
    const { id } = await sendPaidRequest('research', JSON.stringify([me.orgId, body], asText), (once) =>
      // No automatic retry: the user decides.
      api.research.start(body, { ...once, retries: 0 }),
    ).catch((error: unknown) => {
      onRefused()
      throw error
    })
    question.value = ''
    void reloadSession()
    navigate(`/app/research/${id}`)
  })

  function send(event: TargetedSubmitEvent<HTMLFormElement>) {
    event.preventDefault()
    if (blocked === null) void start.run()
  }

  if (!terms) return null
  const isFull = config.inFlight >= config.inFlightMax
  const blocked = blockedReason(me)
  const failure = start.failure.value
  const { minor, error: fault } = limit.value ?? { minor: null, error: null }
  return (
    <>
      {(isFull || failure?.code === 'too_many_research_runs') && <InFlight config={config} runs={underWay} />}
      <form ref={form} class="ask" onSubmit={send}>
        <div class="field">
          <label for="question">{t('Question')}</label>
          <textarea
            id="question"
            name="question"
            rows={4}
            dir="auto"
            maxLength={QUESTION_MAX}
            aria-invalid={isBlank.value}
            aria-describedby="question-help"
            value={question.value}
            onInput={(event) => {
              question.value = event.currentTarget.value
              isBlank.value = false
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.current?.requestSubmit()
            }}
          />
          <p id="question-help" class="help">
            {isBlank.value ? (
              <span class="bad">{t('Enter your question.')}</span>
            ) : (
              lettersLeft(question.value)
            )}
          </p>
        </div>
        <Depths depths={config.depths} chosen={depth} currency={currency} onChange={start.reset} />
        <Field
          name="budget"
          label={t('Limit in {currency}', { currency: currency.code })}
          help={t('You can lower it to {amount}. The run stops there and writes its report.', {
            amount: formatMoney(terms.leastMinor, currency),
          })}
          error={fault ?? limitTooLow(failure, me)}
          value={typed.value}
          placeholder={plainAmount(terms.maxMinor, currency)}
          dir="ltr"
          inputMode="decimal"
          autocomplete="off"
          maxLength={24}
          onInput={(event) => {
            typed.value = event.currentTarget.value
            start.reset()
          }}
          after={
            limit.value?.isAbove && (
              <button
                type="button"
                onClick={() => {
                  typed.value = ''
                  announce(t('Limit set to {amount}.', { amount: formatMoney(terms.maxMinor, currency) }))
                }}
              >
                {t('Use the maximum')}
              </button>
            )
          }
        />
        <RunOptionsFields chosen={options} />
        <Destinations chosen={destination} />
        {failure && failure.code !== 'too_many_research_runs' && limitTooLow(failure, me) === null && (
          <ErrorNotice failure={failure} />
        )}
        {blocked && (
          <p class="help" id="start-blocked">
            {blocked}
          </p>
        )}
        <button
          type="submit"
          class="primary"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          disabled={blocked !== null}
          aria-describedby={blocked ? 'start-blocked' : undefined}
          aria-disabled={start.busy.value || minor === null}
        >
          {start.busy.value
            ? t('Starting …')
            : minor === null
              ? t('Start')
              : t('Start · up to {amount}', { amount: formatMoney(minor, currency) })}
        </button>
      </form>
    </>
  )
}

/** Only what differs from the defaults. */
const changedOptions = (options: RunOptions) => ({
  ...(options.clarify && { clarify: true }),
  ...(options.approvePlan && { approvePlan: true }),
  ...(!options.searchWeb && { searchWeb: false }),
  ...(options.repositories.length > 0 && { repositories: [...options.repositories] }),
  ...(options.documents.length > 0 && { documents: [...options.documents] }),
})

/** A long question may need a higher limit; the service reports it. */
function limitTooLow(failure: ApiFailure | null, { currency }: Me): string | null {
  if (failure?.code !== 'budget_too_low') return null
  const { requiredMinor } = failure.detail
  if (typeof requiredMinor !== 'bigint') return failure.message
  return t('This question needs at least {amount}.', { amount: formatMoney(requiredMinor, currency) })
}

function blockedReason(me: Me): string | null {
  if (!isOnline.value) return t('You are offline. Your question is saved; start it when you are back online.')
  if (me.orgSuspended) return t('Your organisation is suspended. You can still read reports.')
  return null
}

function lettersLeft(question: string): string {
  const left = QUESTION_MAX - question.length
  return left > QUESTION_MAX / 4
    ? t('Your question is saved until you start.')
    : tn(left, '{n} character left', '{n} characters left')
}

const focusOn = (form: HTMLFormElement | null): void => {
  // After the error is rendered.
  setTimeout(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}

const asText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
