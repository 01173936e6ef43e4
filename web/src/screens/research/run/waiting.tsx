// A run that waits for its user: a form for the answer, or for the plan.
import type { ResearchRun } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { reloadSession } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'

type Props = { run: ResearchRun; onChange: () => Promise<void> }

export function Waiting({ run, onChange }: Props) {
  if (run.needs === 'answer') return <AnswerForm run={run} onChange={onChange} />
  return run.needs === 'approval' ? <PlanForm run={run} onChange={onChange} /> : null
}

function AnswerForm({ run, onChange }: Props) {
  const answer = useSignal('')
  const send = useAction(async () => {
    if (answer.peek().trim() === '') return
    await api.research.answer(run.id, { answer: answer.peek().trim() })
    await Promise.all([onChange(), reloadSession()])
  })
  return (
    <form
      class="ask run-waiting"
      onSubmit={(event) => {
        event.preventDefault()
        void send.run()
      }}
    >
      <div class="field">
        <label for="answer">{t('Before it starts, the run asks you:')}</label>
        <ul>
          {run.clarification?.questions.map((question) => (
            <li key={question} dir="auto">
              {question}
            </li>
          ))}
        </ul>
        <textarea
          id="answer"
          rows={3}
          dir="auto"
          maxLength={2_000}
          value={answer.value}
          onInput={(event) => {
            answer.value = event.currentTarget.value
          }}
        />
        <p class="help">{t('Nothing is reserved while it waits. It ends after three days.')}</p>
      </div>
      {send.failure.value && <ErrorNotice failure={send.failure.value} />}
      <button type="submit" class="primary" aria-disabled={send.busy.value || answer.value.trim() === ''}>
        {t('Answer and continue')}
      </button>
    </form>
  )
}

/** One subquestion per line. */
function PlanForm({ run, onChange }: Props) {
  const proposed = run.plan.subquestions.join('\n')
  const plan = useSignal(proposed)
  const approve = useAction(async () => {
    const lines = plan
      .peek()
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    if (lines.length === 0) return
    await api.research.plan(run.id, plan.peek() === proposed ? {} : { subquestions: lines })
    await Promise.all([onChange(), reloadSession()])
  })
  return (
    <form
      class="ask run-waiting"
      onSubmit={(event) => {
        event.preventDefault()
        void approve.run()
      }}
    >
      <div class="field">
        <label for="plan">{t('The plan, one question per line')}</label>
        <textarea
          id="plan"
          rows={Math.max(4, run.plan.subquestions.length + 1)}
          dir="auto"
          value={plan.value}
          onInput={(event) => {
            plan.value = event.currentTarget.value
          }}
        />
        <p class="help">{t('Nothing is reserved while it waits. It ends after three days.')}</p>
      </div>
      {approve.failure.value && <ErrorNotice failure={approve.failure.value} />}
      <button type="submit" class="primary" aria-disabled={approve.busy.value || plan.value.trim() === ''}>
        {t('Approve the plan')}
      </button>
    </form>
  )
}
