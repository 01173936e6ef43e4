// The files of a workspace as a tree that is read folder by folder, and one file at a time.
import type { Task, TaskFiles } from '@cowrie/sdk'
import { type Signal, useSignal } from '@preact/signals'
import { api } from '../../../data/api.ts'
import { useResource } from '../../../data/resource.ts'
import { formatBytes } from '../../../i18n/format.ts'
import { locale } from '../../../i18n/language.ts'
import { t, tn } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { CodeLines } from '../../../ui/code/code-lines.tsx'

type Entry = TaskFiles['entries'][number]
type Props = { task: Task }

/** More lines would freeze a phone. */
const LINES_MAX = 3_000

export function Files({ task }: Props) {
  const chosen = useSignal<string | null>(null)
  if (chosen.value !== null)
    return (
      <div class="file-view">
        <p class="file-head">
          <button type="button" class="quiet" onClick={() => (chosen.value = null)}>
            {t('All files')}
          </button>
          <bdi dir="ltr">{chosen.value}</bdi>
        </p>
        <Content task={task} path={chosen.value} />
      </div>
    )
  return <Folder task={task} prefix="" chosen={chosen} />
}

function Folder({ task, prefix, chosen }: { task: Task; prefix: string; chosen: Signal<string | null> }) {
  const { current, load } = useResource(`task.files.${task.id}.${prefix}.${task.updatedAt}`, () =>
    api.tasks.files(task.id, prefix === '' ? {} : { prefix }),
  )
  const state = current.value
  if (state.state === 'failed') return <ErrorNotice failure={state.failure} retry={load} />
  if (state.state === 'loading') return <span class="blank line" aria-busy="true" />
  const { entries, isWhole } = state.value
  if (entries.length === 0) return <p class="help">{t('The workspace has no files.')}</p>
  return (
    <>
      <ul class="tree">
        {entries.map((entry) => (
          <li key={entry.name}>
            {entry.kind === 'folder' ? (
              <SubFolder task={task} entry={entry} path={`${prefix}${entry.name}/`} chosen={chosen} />
            ) : (
              <button type="button" class="tree-file" onClick={() => (chosen.value = prefix + entry.name)}>
                <bdi dir="ltr">{entry.name}</bdi>
                {entry.changed > 0 && <span class="tree-mark">{t('changed')}</span>}
                <span class="tree-size">{sizeOf(entry.bytes)}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {!isWhole && <p class="help">{t('The folder has more entries.')}</p>}
    </>
  )
}

type SubProps = { task: Task; entry: Entry; path: string; chosen: Signal<string | null> }

function SubFolder({ task, entry, path, chosen }: SubProps) {
  const isOpen = useSignal(false)
  return (
    <details
      onToggle={(event) => {
        isOpen.value = event.currentTarget.open
      }}
    >
      <summary>
        <bdi dir="ltr">{entry.name}/</bdi>
        {entry.changed > 0 && (
          <span class="tree-mark">{tn(entry.changed, '{n} changed', '{n} changed')}</span>
        )}
      </summary>
      {isOpen.value && <Folder task={task} prefix={path} chosen={chosen} />}
    </details>
  )
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000
    ? new Intl.NumberFormat(locale(), { style: 'unit', unit: 'byte', unitDisplay: 'narrow' }).format(bytes)
    : formatBytes(bytes)

function Content({ task, path }: { task: Task; path: string }) {
  const { current, load } = useResource(`task.file.${task.id}.${path}.${task.updatedAt}`, () =>
    api.tasks.file(task.id, path),
  )
  const state = current.value
  if (state.state === 'failed') return <ErrorNotice failure={state.failure} retry={load} />
  if (state.state === 'loading') return <span class="blank line" aria-busy="true" />
  if (state.value.includes('\0')) return <p class="help">{t('This file is not text.')}</p>
  const lines = state.value.replace(/\n$/, '').split('\n')
  return (
    <>
      <CodeLines
        label={t('Lines of {path}', { path })}
        first={1}
        lines={lines.slice(0, LINES_MAX)}
        path={path}
      />
      {lines.length > LINES_MAX && (
        <p class="help">{tn(lines.length - LINES_MAX, 'and {n} more line', 'and {n} more lines')}</p>
      )}
    </>
  )
}
