// Restores the files as a turn left them.
import type { Task } from '@cowrie/sdk'
import { api } from '../../../data/api.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ConfirmButton } from '../../../ui/input/confirm-button.tsx'

export type RevertProps = { task: Task; turnId: string; ordinal: number; onChange: () => Promise<void> }

export const Revert = ({ task, turnId, ordinal, onChange }: RevertProps) => (
  <ConfirmButton
    label={t('Revert to here')}
    name={t('Turn {n}', { n: ordinal })}
    question={t('Revert the files to turn {n}?', { n: ordinal })}
    act={async () => {
      await api.tasks.revert(task.id, { turnId })
      announce(t('Files reverted to turn {n}.', { n: ordinal }))
      await onChange()
    }}
  >
    <p>{t('Later changes stay in the history. Revert to a later turn to get them back.')}</p>
  </ConfirmButton>
)
