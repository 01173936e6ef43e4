// The commands that the agent ran, with their output.
import type { Task } from '@cowrie/sdk'
import { useEffect } from 'preact/hooks'
import { t } from '../../../i18n/t.ts'
import { CodeBox } from '../../../ui/code/code-box.tsx'
import type { TaskLog, ToolItem } from '../conversation/task-log.ts'
import { objectOf } from '../conversation/turn-texts.ts'

type Props = { task: Task; log: TaskLog; onHistory: () => void; isHistoryLoading: boolean }

export function Terminal({ task, log, onHistory, isHistoryLoading }: Props) {
  useEffect(() => onHistory(), [])
  const runs = task.turns.flatMap(({ id, ordinal }) =>
    (log.turns.get(id)?.items ?? [])
      .filter((item): item is ToolItem => item.kind === 'tool' && item.tool === 'run')
      .map((item) => ({ item, ordinal })),
  )
  if (isHistoryLoading) return <p class="help">{t('Loading …')}</p>
  if (runs.length === 0) return <p class="help">{t('No command was run.')}</p>
  return (
    <ol class="terminal">
      {runs.map(({ item, ordinal }) => (
        <li key={item.callId}>
          <p class="terminal-command">
            <code dir="ltr">$ {objectOf('run', item.input)}</code>
            <span class="help">{t('Turn {n}', { n: ordinal })}</span>
          </p>
          {item.output !== '' && (
            <CodeBox label={t('Output')}>
              <pre>{item.output}</pre>
            </CodeBox>
          )}
        </li>
      ))}
    </ol>
  )
}
