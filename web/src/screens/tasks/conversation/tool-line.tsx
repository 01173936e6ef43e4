// A tool call as one line, which opens to its input and output.
import { useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { CodeBox } from '../../../ui/code/code-box.tsx'
import type { ToolItem } from './task-log.ts'
import { objectOf, verbOf } from './turn-texts.ts'

/** One line of the output is enough for short results. */
const HINT_CHARACTERS = 60

export function ToolLine({ taskId, item }: { taskId: string; item: ToolItem }) {
  const isOpen = useSignal(false)
  const { tool, input, state } = item
  return (
    <details
      class={`tool-line tool-${state}`}
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        <span class="tool-verb">{verbOf(tool)}</span>{' '}
        <bdi dir="ltr" class="tool-object">
          {objectOf(tool, input)}
        </bdi>{' '}
        <span class="tool-result">{resultOf(item)}</span>
      </summary>
      {isOpen.value && <Details taskId={taskId} item={item} />}
    </details>
  )
}

function resultOf({ state, output }: ToolItem): string {
  if (state === 'running') return t('running')
  if (state === 'client') return t('waiting for the terminal')
  if (state === 'approval') return t('needs approval')
  if (state === 'failed') return t('failed')
  const [first = '', ...rest] = output.trim().split('\n')
  return rest.length === 0 && first.length <= HINT_CHARACTERS ? first : ''
}

function Details({ taskId, item }: { taskId: string; item: ToolItem }) {
  const { callId, tool, input, output, isTruncated } = item
  const whole = useSignal<{ input: unknown; output: string } | null>(null)
  const { run, busy, failure } = useAction(async () => {
    const found = await api.tasks.toolOutput(taskId, callId)
    whole.value = { input: found.input, output: found.output ?? '' }
  })
  const shown = whole.value ?? { input, output }
  const given = inputText(tool, shown.input)
  return (
    <div class="tool-details">
      {given !== '' && (
        <CodeBox label={t('Input')}>
          <pre>{given}</pre>
        </CodeBox>
      )}
      {shown.output !== '' && (
        <CodeBox label={t('Output')}>
          <pre>{shown.output}</pre>
        </CodeBox>
      )}
      {isTruncated && whole.value === null && (
        <button type="button" class="quiet" aria-disabled={busy.value} onClick={() => void run()}>
          {t('Show the whole output')}
        </button>
      )}
      {failure.value && <ErrorNotice failure={failure.value} />}
    </div>
  )
}

/** The line above shows a single path or command already. */
export function inputText(tool: string, input: unknown): string {
  if (typeof input !== 'object' || input === null) return ''
  const { path, ...rest } = input as Record<string, unknown>
  if (tool === 'run' && typeof rest.command === 'string') return rest.command
  if (tool === 'create' && typeof rest.content === 'string') return rest.content
  if (tool === 'edit' && Array.isArray(rest.edits)) return rest.edits.map(editText).join('\n')
  return Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, null, 2)
}

const editText = (edit: { find?: unknown; replace?: unknown }): string => {
  const lines = (sign: string, text: unknown) =>
    typeof text === 'string' && text !== ''
      ? text
          .replace(/\n$/, '')
          .split('\n')
          .map((line) => `${sign} ${line}`)
      : []
  return [...lines('−', edit.find), ...lines('+', edit.replace)].join('\n')
}
