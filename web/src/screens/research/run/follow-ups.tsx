// Further questions about a finished run. Each is a separate run with its own limit.
import type { ResearchRun } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { sendPaidRequest } from '../../../data/paid-request.ts'
import { useResource } from '../../../data/resource.ts'
import { type Me, reloadSession } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatMoney } from '../../../i18n/money.ts'
import { t } from '../../../i18n/t.ts'
import { navigate } from '../../../router/location.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'

type Props = { run: ResearchRun; me: Me }

export function FollowUps({ run, me }: Props) {
  const question = useSignal('')
  const searchWeb = useSignal(true)
  const config = useResource('research.config', () => api.research.config())
  const known = config.current.value
  const terms =
    known.state === 'ready' ? known.value.depths.find(({ depth }) => depth === 'quick') : undefined
  const ask = useAction(async () => {
    const asked = question.peek().trim()
    if (asked === '' || !terms) return
    const body = {
      question: asked,
      depth: 'quick' as const,
      budgetMinor: terms.maxMinor,
      searchWeb: searchWeb.peek(),
    }
    const name = JSON.stringify([me.orgId, run.id, asked, body.searchWeb, String(body.budgetMinor)])
    const { id } = await sendPaidRequest('research', name, (once) =>
      api.research.followUp(run.id, body, { ...once, retries: 0 }),
    )
    void reloadSession()
    navigate(`/app/research/${id}`)
  })
  if (run.status !== 'completed') return null
  return (
    <section aria-label={t('Further questions')} class="follow-ups">
      {run.followUps.length > 0 && (
        <ul>
          {run.followUps.map(({ id, question: earlier }) => (
            <li key={id}>
              <a href={`/app/research/${id}`} dir="auto">
                {earlier}
              </a>
            </li>
          ))}
        </ul>
      )}
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault()
          void ask.run()
        }}
      >
        <div class="field">
          <label for="follow-up">{t('Ask a further question')}</label>
          <textarea
            id="follow-up"
            rows={2}
            dir="auto"
            maxLength={2_000}
            value={question.value}
            onInput={(event) => {
              question.value = event.currentTarget.value
              ask.reset()
            }}
          />
        </div>
        <label class="tick">
          <input
            type="checkbox"
            checked={searchWeb.value}
            onChange={(event) => {
              searchWeb.value = event.currentTarget.checked
            }}
          />
          <span>{t('Search the web again')}</span>
        </label>
        {ask.failure.value && <ErrorNotice failure={ask.failure.value} />}
        <button type="submit" aria-disabled={ask.busy.value || !terms || question.value.trim() === ''}>
          {terms
            ? t('Ask · up to {amount}', { amount: formatMoney(terms.maxMinor, me.currency) })
            : t('Ask a further question')}
        </button>
      </form>
    </section>
  )
}
