// The changes of a task, to read and to decide: accept or reject by hunk and by file, or comment on a line to continue.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { t, tn } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Counts } from '../../../ui/diff/counts.tsx'
import { useHunkKeys } from '../../../ui/diff/hunk-keys.ts'
import { useAccepted } from './accepted.ts'
import { ChangedFileView } from './changed-file.tsx'
import { type ChangedFile, changedFiles, hunkMark } from './changed-files.ts'
import { Pager } from './pager.tsx'
import { Toolbar } from './toolbar.tsx'
import { FileTree } from './tree-view.tsx'
import { useChanges } from './use-changes.ts'
import { hasTwoColumns, prefersSplit, useRoom } from './use-room.ts'

type Props = {
  taskId: string
  /** Only what changed after this turn. */
  fromTurn?: string
  isRunning: boolean
  /** Another value means that the files may have changed. */
  version?: string
  onComment(path: string, line: number, text: string): void
}

export function Changes({ taskId, fromTurn, isRunning, version = '', onComment }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const room = useRoom(box).value
  const changes = useChanges(taskId, fromTurn)
  const accepted = useAccepted(taskId)
  const page = useSignal(0)
  const chosen = useSignal<string | null>(null)
  const seen = useRef(`${version} ${isRunning}`)
  useEffect(() => {
    const now = `${version} ${isRunning}`
    if (seen.current !== now) void changes.resource.load()
    seen.current = now
  }, [version, isRunning])
  const state = changes.resource.current.value
  const diff = changes.diff.value
  const files = useMemo(() => changedFiles(diff?.files ?? []), [diff])
  const isAccepted = (file: ChangedFile) =>
    file.hunks.length > 0 && file.hunks.every((hunk) => accepted.marks.value.has(hunkMark(file.path, hunk)))
  const open = (at: number) => {
    page.value = at
    const file = files[at]
    if (!file) return
    chosen.value = file.id
    const found = [...(box.current?.querySelectorAll<HTMLElement>('.diff-file') ?? [])].find(
      (each) => each.dataset.file === file.id,
    )
    found?.scrollIntoView({ block: 'start' })
    found?.querySelector<HTMLElement>('.diff-head')?.focus({ preventScroll: true })
  }
  const view = (file: ChangedFile) => (
    <ChangedFileView
      key={file.id}
      file={file}
      taskId={taskId}
      changes={changes}
      accepted={accepted}
      isSplit={hasTwoColumns(room) && prefersSplit.value}
      canReject={!isRunning}
      onComment={onComment}
    />
  )
  const at = Math.min(page.value, Math.max(0, files.length - 1))
  const current = files[at]
  const tree = <FileTree files={files} current={chosen.value} isAccepted={isAccepted} onChoose={open} />
  return (
    <div ref={box} class={`changes ${room}`}>
      {state.state === 'failed' && (
        <ErrorNotice failure={state.failure} retry={() => changes.resource.load()} />
      )}
      {state.state === 'loading' && <span class="blank" aria-busy="true" />}
      {changes.failure.value && <ErrorNotice failure={changes.failure.value} />}
      {changes.undo.value && (
        <p class="changes-undo" role="status">
          <span dir="auto">{changes.undo.value.what}</span>{' '}
          <button
            type="button"
            class="quiet small"
            aria-disabled={changes.isBusy.value}
            disabled={isRunning}
            onClick={() => void changes.takeBack()}
          >
            {t('Undo')}
          </button>
        </p>
      )}
      {diff && files.length === 0 && (
        <p class="help">{isRunning ? t('Nothing has changed yet.') : t('No changes.')}</p>
      )}
      {diff && files.length > 0 && (
        <>
          <div class="changes-head">
            <p class="changes-sum">
              {tn(files.length, '{n} file changed', '{n} files changed')} <Counts {...diff} />
            </p>
            <Toolbar
              taskId={taskId}
              files={files}
              changes={changes}
              hasSplit={hasTwoColumns(room)}
              isRunning={isRunning}
            />
          </div>
          {room === 'narrow' && current ? (
            <>
              {files.length > 1 && (
                <details class="tree-fold">
                  <summary>{t('Changed files')}</summary>
                  {tree}
                </details>
              )}
              <Pager
                at={at}
                count={files.length}
                onMove={(to) => {
                  page.value = to
                  chosen.value = files[to]?.id ?? null
                }}
              >
                {view(current)}
              </Pager>
            </>
          ) : (
            <FileList tree={files.length > 1 && tree}>{files.map(view)}</FileList>
          )}
          {diff.skipped.length > 0 && (
            <p class="help">
              {t('Too large to show:')} <bdi dir="ltr">{diff.skipped.map(({ path }) => path).join(', ')}</bdi>
            </p>
          )}
        </>
      )}
    </div>
  )
}

function FileList({ tree, children }: { tree: ComponentChildren; children: ComponentChildren }) {
  useHunkKeys()
  return (
    <div class="changes-body">
      {tree}
      <div class="changes-files">
        {children}
        <p class="help keys-help">
          {t('Keys: n and p move between changes, j and k between files, c comments.')}
        </p>
      </div>
    </div>
  )
}
