// The files of a project, newest first: download or delete.
import type { Attachment, ProjectDetail } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api } from '../../data/api.ts'
import type { Me } from '../../data/session.ts'
import { useAction } from '../../data/use-action.ts'
import { formatBytes, formatDateTime } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { saveFile } from '../../ui/base/save-file.ts'
import { Section } from '../../ui/base/sheet.tsx'
import { DialogButton } from '../../ui/input/dialog-button.tsx'

type Props = { project: ProjectDetail; me: Me; onChange: () => Promise<void> }

export function Files({ project, me, onChange }: Props) {
  const older = useSignal<readonly Attachment[]>([])
  const cursor = useSignal(project.attachmentsCursor)
  // Later pages are reloaded with the first one.
  useEffect(() => {
    older.value = []
    cursor.value = project.attachmentsCursor
  }, [project])
  const more = useAction(async () => {
    if (cursor.value === null) return
    const page = await api.attachments.list({ projectId: project.id, cursor: cursor.value })
    older.value = [...older.value, ...page.attachments]
    cursor.value = page.nextCursor
  })
  const files = [...project.attachments, ...older.value]
  return (
    <Section title={t('Files')}>
      {files.length === 0 && <p class="help">{t('None yet. Research reports are saved here.')}</p>}
      <ul class="file-cards">
        {files.map((file) => (
          <li key={file.id} class="file-card">
            <Card
              file={file}
              isOwn={file.createdBy === me.userId || project.access === 'editor'}
              onChange={onChange}
            />
          </li>
        ))}
      </ul>
      {more.failure.value && <ErrorNotice failure={more.failure.value} />}
      {cursor.value !== null && (
        <div class="choices">
          <button type="button" aria-disabled={more.busy.value} onClick={() => void more.run()}>
            {more.busy.value ? t('Loading …') : t('Older files')}
          </button>
        </div>
      )}
    </Section>
  )
}

type CardProps = { file: Attachment; isOwn: boolean; onChange: () => Promise<void> }

function Card({ file, isOwn, onChange }: CardProps) {
  const { id, name, bytes, contentType, createdAt, origin } = file
  const download = useAction(async () => {
    saveFile(name, [new Uint8Array(await api.attachments.download(id))], contentType)
  })
  return (
    <>
      <p class="row-name">
        <bdi>{name}</bdi>
      </p>
      <p class="help">
        {formatBytes(bytes)} · {formatDateTime(createdAt)}
      </p>
      {origin.startsWith('run_') && (
        <p>
          <a href={`/app/research/${origin}`}>{t('Open research')}</a>
        </p>
      )}
      {download.failure.value && <ErrorNotice failure={download.failure.value} />}
      <div class="choices">
        <button
          type="button"
          aria-label={t('Download {file}', { file: name })}
          aria-disabled={download.busy.value}
          onClick={() => void download.run()}
        >
          {t('Download')}
        </button>
        <DialogButton
          label={t('Delete')}
          name={name}
          question={t('Delete {file}?', { file: name })}
          disabledReason={isOwn ? null : t('Only its creator and editors of the project can delete it.')}
          look="grave"
          act={async () => {
            await api.attachments.delete(id)
            announce(t('{file} is deleted.', { file: name }))
            await onChange()
          }}
        >
          <p>{t('The file is deleted for everyone. Its research stays.')}</p>
        </DialogButton>
      </div>
    </>
  )
}
