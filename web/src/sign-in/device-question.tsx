// What a program asks for, from where, and the decision about it.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../api.ts'
import { Receipt } from '../app/receipt.tsx'
import { Refusal } from '../app/refusal.tsx'
import { Sheet } from '../app/sheet.tsx'
import { useAction } from '../app/use-action.ts'
import { moment } from '../app/words.ts'
import { browserName } from '../identity/browser-name.ts'
import { orgNameFor } from '../identity/org-name.ts'
import { scopeWords } from '../identity/scopes.ts'
import { session } from '../identity/session.ts'

export type Asked = {
  userCode: string
  clientName: string | null
  scopes: string[]
  address: string
  userAgent: string
  createdAt: string
  status: 'pending' | 'approved' | 'denied' | 'done'
}

type Decision = 'approve' | 'deny'
const DECIDED = {
  approve: ['Connected', 'The program has what it needs. Go back to it; you can close this page.'],
  deny: ['Refused', 'The program gets nothing. You can close this page.'],
} as const

export function DeviceQuestion({ asked }: { asked: Asked }) {
  const decided = useSignal<Decision | null>(null)
  useEffect(() => document.getElementById('screen-title')?.focus(), [decided.value])
  if (decided.value) {
    const [title, words] = DECIDED[decided.value]
    return (
      <Sheet title={title}>
        <p>{words}</p>
        <Onward />
      </Sheet>
    )
  }
  if (asked.status !== 'pending')
    return (
      <Sheet title="This was decided already">
        <p>Start again in the program if it still waits.</p>
        <Onward />
      </Sheet>
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

function Question({ asked, onDecided }: { asked: Asked; onDecided: (decision: Decision) => void }) {
  const { run, busy, failure } = useAction(async (decision: Decision) => {
    await api.auth.device[decision](asked.userCode)
    onDecided(decision)
  })
  const { value } = session
  return (
    <Sheet title="Is this you?">
      <p>A program asks for a key to your account. Approve only if it shows this very code.</p>
      <p class="big-code">
        <bdi dir="ltr">{asked.userCode}</bdi>
      </p>
      <Receipt
        lines={[
          ['Program', asked.clientName ?? browserName(asked.userAgent)],
          ['Asks from', <bdi dir="ltr">{asked.address}</bdi>],
          ['Asked', moment(asked.createdAt)],
          ['Organisation', value.state === 'in' && orgNameFor(value.me, value.me.orgName)],
        ]}
      />
      <h2 class="small-title">It may then</h2>
      <ul class="steps">
        {asked.scopes.map((scope) => (
          <li key={scope}>{scopeWords(scope)}</li>
        ))}
        {asked.scopes.length === 0 && <li>Only say who you are</li>}
      </ul>
      {failure.value && <Refusal failure={failure.value} />}
      <div class="choices">
        <button type="button" aria-disabled={busy.value} onClick={() => void run('deny')}>
          Deny
        </button>
        <button type="button" class="primary" aria-disabled={busy.value} onClick={() => void run('approve')}>
          Approve
        </button>
      </div>
    </Sheet>
  )
}

const Onward = () => (
  <p class="onward">
    <a href="/app">Go to the start</a>
  </p>
)
