// A call that waits: for the decision of the user, or for the terminal that has the files.
import type { Task } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { CodeBox } from '../../../ui/code/code-box.tsx'
import type { TurnLog } from './task-log.ts'
import { inputText } from './tool-line.tsx'
import { objectOf, verbOf } from './turn-texts.ts'

type Need = Task['needs'][number]
type Props = { task: Task; log: TurnLog | undefined; onChange: () => void }

export function Needs({ task, log, onChange }: Props) {
  const approvals = task.needs.filter(({ kind }) => kind === 'approval')
  const calls = task.needs.filter(({ kind }) => kind === 'tool')
  return (
    <>
      {approvals.map((need) => (
        <Approval
          key={need.callId}
          taskId={task.id}
          need={need}
          reason={reasonOf(log, need)}
          onChange={onChange}
        />
      ))}
      {calls.length > 0 && (
        <div class="need">
          <p>
            <strong>
              {t('Waiting for the terminal on {name}.', {
                name: task.workspace.kind === 'client' ? task.workspace.name : '',
              })}
            </strong>
          </p>
          <ul>
            {calls.map(({ callId, tool, input }) => (
              <li key={callId}>
                {verbOf(tool)} <bdi dir="ltr">{objectOf(tool, input)}</bdi>
              </li>
            ))}
          </ul>
          <p class="help">{t('Run cowrie resume in that folder to continue.')}</p>
        </div>
      )}
    </>
  )
}

const reasonOf = (log: TurnLog | undefined, { callId }: Need): string | null => {
  const item = log?.items.find((each) => each.kind === 'tool' && each.callId === callId)
  return item?.kind === 'tool' ? item.reason : null
}

type ApprovalProps = { taskId: string; need: Need; reason: string | null; onChange: () => void }

function Approval({ taskId, need, reason, onChange }: ApprovalProps) {
  const { callId, tool, input } = need
  const isAnswered = useSignal(false)
  const { run, busy, failure } = useAction(async (allow: boolean) => {
    await api.tasks.approve(taskId, { approvalId: callId, allow })
    isAnswered.value = true
    announce(allow ? t('Approved.') : t('Denied.'))
    onChange()
  })
  if (isAnswered.value) return null
  const shown = inputText(tool, input)
  return (
    <div class="need">
      <p>
        <strong>
          {t('Needs your approval:')} <bdi dir="ltr">{objectOf(tool, input)}</bdi>
        </strong>
      </p>
      <p>{reason ?? t('This file runs automatically, so the change needs your approval.')}</p>
      {shown !== '' && (
        <CodeBox label={t('Input')}>
          <pre>{shown}</pre>
        </CodeBox>
      )}
      {failure.value && <ErrorNotice failure={failure.value} />}
      <div class="choices">
        <button type="button" class="primary" aria-disabled={busy.value} onClick={() => void run(true)}>
          {t('Approve')}
        </button>
        <button type="button" aria-disabled={busy.value} onClick={() => void run(false)}>
          {t('Deny')}
        </button>
      </div>
    </div>
  )
}
