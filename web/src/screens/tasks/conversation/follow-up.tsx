// The foot of a task: the next message with its price, or the running turn with its cost and Stop.
import type { Task } from '@cowrie/sdk'
import { type Signal, useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import type { Me } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { Amount } from '../../../ui/base/amount.tsx'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { useKeyboardInset } from '../../../ui/layout/keyboard-inset.ts'
import { Weave } from '../../../ui/layout/weave.tsx'
import { blockedReason } from '../blocked-reason.ts'
import { lazy } from '../lazy.tsx'
import { Price, priceLabel } from '../price.tsx'
import { sendTurn } from '../send-turn.ts'
import { StateMark } from '../task-texts.tsx'
import { useQuote } from '../use-quote.ts'
import type { TurnLog } from './task-log.ts'

const NextOptions = lazy(async () => (await import('./next-options.tsx')).NextOptions)
const PROMPT_CHARACTERS = 200_000

type Props = {
  task: Task
  me: Me
  draft: Signal<string>
  field: RefObject<HTMLTextAreaElement | null>
  log: TurnLog | undefined
  onChange: () => Promise<void>
}

export function Foot(props: Props) {
  useKeyboardInset()
  const open = props.task.turns.find(({ status }) => status !== 'finished')
  return (
    <div class="task-foot">{open ? <RunningBar {...props} turn={open} /> : <NextMessage {...props} />}</div>
  )
}

function RunningBar({ task, me, log, onChange, turn }: Props & { turn: Task['turns'][number] }) {
  const isStopping = useSignal(false)
  const { run, failure } = useAction(async () => {
    isStopping.value = true
    try {
      await api.tasks.stop(task.id)
      announce(t('Stopping after this step.'))
      await onChange()
    } catch (error) {
      isStopping.value = false
      throw error
    }
  })
  const spent = log?.spentMinor ?? turn.spentMinor
  return (
    <div class="running-bar">
      <div class="running-state">
        <StateMark state={turn.status === 'finished' ? 'done' : turn.status} />
        <p class="running-cost">
          <Trans
            text="{spent} of at most {max}"
            spent={<Amount minor={spent} currency={me.currency} testId="spent" />}
            max={<Amount minor={turn.maxMinor} currency={me.currency} />}
          />
        </p>
        <Weave of={turn.maxMinor > 0n ? Number(spent) / Number(turn.maxMinor) : 0} />
      </div>
      {failure.value && <ErrorNotice failure={failure.value} />}
      <button type="button" aria-disabled={isStopping.value} onClick={() => void run()}>
        {isStopping.value ? t('Stopping after this step …') : t('Stop')}
      </button>
    </div>
  )
}

function NextMessage({ task, me, draft, field, onChange }: Props) {
  const prompt = draft.value.trim()
  const model = useSignal(task.model ?? '')
  const last = task.turns.at(-1)
  const body = { prompt, ...(model.value !== '' && { model: model.value }) }
  const name = prompt === '' ? null : JSON.stringify([task.turnCount, body, String(task.budgetMinor)])
  const { quoted, again } = useQuote(name, (signal) => api.tasks.quote(task.id, body, { signal }))
  const obstacle = blockedReason(me)
  const quote = quoted.state === 'ready' ? quoted.quote : null
  const canSend = obstacle === null && quote?.affordable === true
  const { run, busy, failure } = useAction(async () => {
    if (!quote) return
    await sendTurn(task.id, { ...body, maxMinor: quote.maxMinor })
    draft.value = ''
    await onChange()
  })
  // The reply of an earlier request was lost, and its turn has started.
  useEffect(() => {
    if (last && last.prompt === draft.peek().trim() && failure.peek() === null) draft.value = ''
  }, [last?.id])
  const send = () => {
    if (canSend) void run()
  }
  return (
    <form
      class="next-message"
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <label class="unseen" for="prompt">
        {t('Message')}
      </label>
      <textarea
        id="prompt"
        ref={field}
        name="prompt"
        rows={2}
        dir="auto"
        maxLength={PROMPT_CHARACTERS}
        placeholder={
          task.turns.length === 0 ? t('What should change?') : t('Continue: what should change next?')
        }
        value={draft.value}
        onInput={(event) => {
          draft.value = event.currentTarget.value
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          send()
        }}
      />
      {failure.value && <ErrorNotice failure={failure.value} />}
      {prompt !== '' && <Price quoted={quoted} currency={me.currency} again={again} />}
      {obstacle && <p class="help bad">{obstacle}</p>}
      <div class="next-row">
        <NextOptions task={task} model={model} />
        <button
          type="submit"
          class={prompt === '' ? undefined : 'primary'}
          disabled={prompt === '' || obstacle !== null}
          aria-disabled={!canSend || busy.value}
          aria-keyshortcuts="Control+Enter Meta+Enter"
        >
          {busy.value ? t('Sending …') : priceLabel(t('Send'), quoted, me.currency)}
        </button>
      </div>
    </form>
  )
}
