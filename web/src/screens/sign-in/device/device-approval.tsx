// The request of a device, its origin, and the decision.
import type { AuthDeviceGetReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { session } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { formatDateTime } from '../../../i18n/format.ts'
import { msg, t } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Facts } from '../../../ui/base/facts.tsx'
import { Page } from '../../../ui/base/sheet.tsx'
import { browserName } from '../../identity/browser-name.ts'
import { scopeText } from '../../identity/scopes.ts'
import { orgNameFor } from '../../shared/org-texts.ts'

type Decision = 'approve' | 'deny'
const DECISION_TEXTS = {
  approve: [msg('Connected'), msg('The device is connected. You can close this page.')],
  deny: [msg('Refused'), msg('The device got no access. You can close this page.')],
} as const

export function DeviceApproval({ asked }: { asked: AuthDeviceGetReply }) {
  const decided = useSignal<Decision | null>(null)
  useEffect(() => document.getElementById('screen-title')?.focus(), [decided.value])
  if (decided.value) {
    const [title, words] = DECISION_TEXTS[decided.value]
    return (
      <Page title={t(title)} width="narrow">
        <p>{t(words)}</p>
        <Onward />
      </Page>
    )
  }
  if (asked.status !== 'pending')
    return (
      <Page title={t('Already decided')} width="narrow">
        <p>{t('Start again on the device if it is still waiting.')}</p>
        <Onward />
      </Page>
    )
  return (
    <Question
      asked={asked}
      onDecided={(decision) => {
        decided.value = decision
      }}
    />
  )
}

type QuestionProps = { asked: AuthDeviceGetReply; onDecided: (decision: Decision) => void }

function Question({ asked, onDecided }: QuestionProps) {
  const { run, busy, failure } = useAction(async (decision: Decision) => {
    await api.auth.device[decision](asked.userCode)
    onDecided(decision)
  })
  const { value } = session
  return (
    <Page title={t('Is this you?')} width="narrow">
      <p>{t('A device wants a key to your account. Approve only if it shows the same code.')}</p>
      <p class="big-code">
        <bdi dir="ltr">{asked.userCode}</bdi>
      </p>
      <Facts
        lines={[
          [t('Device'), asked.clientName ?? browserName(asked.userAgent)],
          [t('Requested from'), <bdi dir="ltr">{asked.address}</bdi>],
          [t('Requested'), formatDateTime(asked.createdAt)],
          [t('Organisation'), value.state === 'in' && orgNameFor(value.me, value.me.orgName)],
        ]}
      />
      <h2 class="small-title">{t('Permissions')}</h2>
      <ul class="steps">
        {asked.scopes.map((scope) => (
          <li key={scope}>{scopeText(scope)}</li>
        ))}
        {asked.scopes.length === 0 && <li>{t('Identify you only')}</li>}
      </ul>
      {failure.value && <ErrorNotice failure={failure.value} />}
      <div class="choices">
        <button type="button" aria-disabled={busy.value} onClick={() => void run('deny')}>
          {t('Deny')}
        </button>
        <button type="button" class="primary" aria-disabled={busy.value} onClick={() => void run('approve')}>
          {t('Approve')}
        </button>
      </div>
    </Page>
  )
}

const Onward = () => (
  <p class="onward">
    <a href="/app">{t('Go to home')}</a>
  </p>
)
