// One changed file: its header with the actions, and its lines.
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { t, tn } from '../../../i18n/t.ts'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Counts } from '../../../ui/diff/counts.tsx'
import type { DiffLine, Hunk } from '../../../ui/diff/diff.ts'
import { keyOf } from '../../../ui/diff/diff-rows.tsx'
import { DiffTable } from '../../../ui/diff/diff-table.tsx'
import { gapsOf, unfold } from '../../../ui/diff/fold.ts'
import type { AcceptedChanges } from './accepted.ts'
import { type ChangedFile, hunkMark, STATE_TEXTS } from './changed-files.ts'
import { CommentForm } from './comment-form.tsx'
import type { TaskChanges } from './use-changes.ts'
import { useFileContent } from './use-file-content.ts'

/** Longer changes start collapsed. */
const OPEN_LINES_MAX = 400

export type FileProps = {
  file: ChangedFile
  taskId: string
  changes: TaskChanges
  accepted: AcceptedChanges
  isSplit: boolean
  /** Nothing can be rejected while a turn runs, or where the files are with the caller. */
  canReject: boolean
  onComment: (path: string, line: number, text: string) => void
}

export function ChangedFileView(props: FileProps) {
  const { file, changes, accepted, canReject } = props
  const marks = file.hunks.map((hunk) => hunkMark(file.path, hunk))
  const isAccepted = marks.length > 0 && marks.every((mark) => accepted.marks.value.has(mark))
  const isLarge = file.added + file.removed > OPEN_LINES_MAX
  const isOpen = useSignal(!isLarge && !isAccepted)
  return (
    <section
      class={isAccepted ? 'diff-file accepted' : 'diff-file'}
      data-file={file.id}
      aria-label={file.path}
    >
      <div class="diff-head" tabIndex={-1}>
        <button
          type="button"
          class="quiet diff-toggle"
          aria-expanded={isOpen.value}
          aria-label={file.path}
          onClick={() => {
            isOpen.value = !isOpen.value
          }}
        >
          <span aria-hidden="true" class="diff-arrow" />
          <PathName path={file.path} />
        </button>
        <FileState file={file} />
        <Counts {...file} />
        <span class="diff-actions">
          {marks.length > 0 && (
            <button
              type="button"
              class="quiet small"
              aria-pressed={isAccepted}
              onClick={() => {
                accepted.set(marks, !isAccepted)
                isOpen.value = isAccepted
              }}
            >
              {isAccepted ? `✓ ${t('Accepted')}` : t('Accept')} <span class="unseen">{file.path}</span>
            </button>
          )}
          {file.isStored && (
            <button
              type="button"
              class="quiet small grave"
              disabled={!canReject}
              aria-disabled={changes.isBusy.value}
              onClick={() =>
                void changes.reject([{ file }], t('Rejected the changes to {path}.', { path: file.path }))
              }
            >
              {t('Reject')} <span class="unseen">{file.path}</span>
            </button>
          )}
        </span>
      </div>
      {isOpen.value ? (
        <Lines {...props} marks={marks} />
      ) : (
        isLarge &&
        !isAccepted && (
          <p class="diff-note">
            {tn(file.added + file.removed, '{n} changed line.', '{n} changed lines.')}{' '}
            <button
              type="button"
              class="quiet small"
              onClick={() => {
                isOpen.value = true
              }}
            >
              {t('Show the changes')}
            </button>
          </p>
        )
      )}
    </section>
  )
}

/** The folder may be cut, the name of the file not. */
export function PathName({ path }: { path: string }) {
  const at = path.lastIndexOf('/') + 1
  return (
    <bdi dir="ltr" class="diff-path">
      <span class="diff-folder">{path.slice(0, at)}</span>
      {path.slice(at)}
    </bdi>
  )
}

export const FileState = ({ file }: { file: ChangedFile }) => (
  <>
    {file.state !== 'edited' && <span class={`chip file-${file.state}`}>{t(STATE_TEXTS[file.state])}</span>}
    {file.isBinary && <span class="chip">{t('binary')}</span>}
  </>
)

function Lines({
  file,
  taskId,
  changes,
  accepted,
  isSplit,
  canReject,
  onComment,
  marks,
}: FileProps & { marks: string[] }) {
  const content = useFileContent(taskId, file)
  const commented = useSignal<DiffLine | null>(null)
  useEffect(() => {
    commented.value = null
  }, [file.sha256])
  const { hunks } = file
  const hasGaps = file.isStored && file.state !== 'created' && file.state !== 'deleted' && !file.isWhole
  const read = content.lines.value
  const shown = content.shown.value
  const unfolded = useMemo(
    () => (hasGaps ? unfold(hunks, gapsOf(hunks, read?.length ?? null), shown, read) : null),
    [hunks, read, shown, hasGaps],
  )
  if (file.isBinary) return <p class="diff-note">{t('A binary file. Its content cannot be shown here.')}</p>
  if (hunks.length === 0)
    return (
      <p class="diff-note">
        {file.renamedFrom === null ? (
          t('An empty file.')
        ) : (
          <>
            {t('Renamed from')} <bdi dir="ltr">{file.renamedFrom}</bdi>
          </>
        )}
      </p>
    )
  const isMarked = (at: number) => accepted.marks.value.has(marks[at] ?? '')
  const actions = (hunk: Hunk, at: number) => (
    <span class="diff-actions">
      <button
        type="button"
        class="quiet small"
        aria-pressed={isMarked(at)}
        onClick={() => accepted.set([marks[at] ?? ''], !isMarked(at))}
      >
        {isMarked(at) ? `✓ ${t('Accepted')}` : t('Accept')}
      </button>
      {file.isStored && (
        <button
          type="button"
          class="quiet small grave"
          disabled={!canReject}
          aria-disabled={changes.isBusy.value}
          onClick={() =>
            void changes.reject(
              [{ file, ...(!file.isWhole && { hunks: [hunk] }) }],
              t('Rejected one change in {path}.', { path: file.path }),
            )
          }
        >
          {t('Reject')}
        </button>
      )}
    </span>
  )
  return (
    <>
      {content.failure.value && <ErrorNotice failure={content.failure.value} />}
      {file.isWhole && (
        <p class="diff-note">{t('Too many changes to compare. All lines are shown as replaced.')}</p>
      )}
      <DiffTable
        path={file.path}
        hunks={hunks}
        lines={unfolded?.hunks}
        gaps={unfolded?.hidden}
        onShow={(gap, where, count) => void content.show(gap, where, count)}
        isSplit={isSplit}
        {...(hunks.length > 1 && { actions })}
        stateOf={(_, at) => (isMarked(at) ? 'accepted' : '')}
        onLine={(line) => {
          commented.value = line
        }}
        below={(line) =>
          commented.value && keyOf(commented.value) === keyOf(line) ? (
            <CommentForm
              line={lineNumber(line)}
              onSend={(text) => onComment(file.path, lineNumber(line), text)}
              onClose={() => {
                commented.value = null
              }}
            />
          ) : null
        }
      />
    </>
  )
}

/** A removed line has its old number. */
const lineNumber = ({ newNo, oldNo }: DiffLine): number => newNo ?? oldNo ?? 1
