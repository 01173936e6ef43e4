// Scans code or a diff with rules. Free, and nothing is stored.
import type { ReviewScanBody } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { api } from '../../../data/api.ts'
import { useDraft } from '../../../data/draft.ts'
import { problem } from '../../../data/failure.ts'
import { isOnline } from '../../../data/network.ts'
import { session } from '../../../data/session.ts'
import { useAction } from '../../../data/use-action.ts'
import { msg, t, tn } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { Page } from '../../../ui/base/sheet.tsx'
import { DropZone, FilePicker } from '../../../ui/files/file-picker.tsx'
import type { PickedFile } from '../../../ui/files/picked-files.ts'
import { readFiles, type SkippedFile, type TextFile } from '../../../ui/files/read-files.ts'
import { SkippedFiles } from '../../../ui/files/skipped-files.tsx'
import { isDiff } from './is-diff.ts'
import { type Scan, ScanResult } from './scan-result.tsx'

/** Below the request limit of 8 MiB, which includes the form encoding. */
const ROOM = { files: 2_000, bytes: 7_000_000, fileBytes: 2_000_000 }
const PASTED_PATH = 'pasted.js'
const REASONS: Readonly<Record<string, string>> = {
  not_text: msg('is not text'),
  too_large: msg('is too large'),
  no_room: msg('does not fit: too much for one upload'),
  bad_name: msg('has a name that cannot be sent'),
  unreadable: msg('could not be read'),
}

export default function ScanScreen() {
  const { value } = session
  return value.state === 'in' ? <Open key={value.me.orgId} /> : null
}

function Open() {
  const pasted = useDraft('review.scan')
  const name = useDraft('review.scan.name')
  const files = useSignal<readonly TextFile[]>([])
  const leftOut = useSignal<readonly SkippedFile[]>([])
  const done = useSignal<Scan | null>(null)
  const result = useRef<HTMLHeadingElement>(null)

  async function take(offered: PickedFile[]): Promise<void> {
    const read = await readFiles(offered, ROOM)
    const byPath = new Map([...files.peek(), ...read.files].map((file) => [file.path, file]))
    files.value = [...byPath.values()]
    leftOut.value = read.leftOut
    announce(tn(files.value.length, '{n} file to scan.', '{n} files to scan.'))
  }

  const scanning = useAction(async () => {
    const body = bodyOf(files.peek(), pasted.peek(), name.peek())
    if (!body) throw problem(t('Add files, or paste code or a diff.'))
    done.value = { body, report: await api.review.scan(body) }
  })
  const report = done.value?.report
  useEffect(() => {
    if (report) result.current?.focus()
  }, [report])
  const isText = pasted.value.trim() !== '' && !isDiff(pasted.value)
  return (
    <Page title={t('Scan code')} note={t('Rules find security bugs. Free, and your code is not stored.')}>
      <form
        class="scan-form"
        onSubmit={(event) => {
          event.preventDefault()
          void scanning.run()
        }}
      >
        <DropZone onDropped={take}>
          <div class="choices">
            <FilePicker label={t('Add files')} onPick={take} />
            <FilePicker label={t('Add a folder')} isFolder onPick={take} />
            {files.value.length > 0 && (
              <button
                type="button"
                onClick={() => {
                  files.value = []
                  leftOut.value = []
                }}
              >
                {t('Remove all')}
              </button>
            )}
          </div>
          <p class="help">
            {files.value.length === 0
              ? t('Or drop them here: up to 2,000 files and 7 MB.')
              : tn(files.value.length, '{n} file to scan.', '{n} files to scan.')}
          </p>
        </DropZone>
        <SkippedFiles
          files={leftOut.value}
          title={tn(leftOut.value.length, '{n} file skipped', '{n} files skipped')}
          reasonOf={(reason) => t(REASONS[reason] ?? reason)}
        />
        <div class="field">
          <label for="pasted">{t('Or paste code or a diff')}</label>
          <textarea
            id="pasted"
            rows={6}
            dir="ltr"
            class="code-text"
            spellcheck={false}
            value={pasted.value}
            onInput={(event) => {
              pasted.value = event.currentTarget.value
            }}
          />
        </div>
        {isText && (
          <div class="field">
            <label for="pasted-name">{t('File name')}</label>
            <input
              id="pasted-name"
              dir="ltr"
              autocapitalize="none"
              spellcheck={false}
              placeholder={PASTED_PATH}
              aria-describedby="pasted-name-help"
              value={name.value}
              onInput={(event) => {
                name.value = event.currentTarget.value
              }}
            />
            <p id="pasted-name-help" class="help">
              {t('The extension sets the language.')}
            </p>
          </div>
        )}
        {scanning.failure.value && <ErrorNotice failure={scanning.failure.value} />}
        <button type="submit" class="primary" disabled={!isOnline.value} aria-disabled={scanning.busy.value}>
          {scanning.busy.value ? t('Scanning …') : t('Scan')}
        </button>
        {!isOnline.value && <p class="help">{t('You are offline. Your input is saved.')}</p>}
      </form>
      {done.value && <ScanResult heading={result} scan={done.value} />}
    </Page>
  )
}

function bodyOf(files: readonly TextFile[], pasted: string, name: string): ReviewScanBody | null {
  const isPasted = pasted.trim() !== ''
  if (isPasted && isDiff(pasted))
    return {
      diff: pasted.endsWith('\n') ? pasted : `${pasted}\n`,
      ...(files.length > 0 && { files: [...files] }),
    }
  const path = name.trim() === '' ? PASTED_PATH : name.trim()
  const all = isPasted
    ? [...files.filter((file) => file.path !== path), { path, content: pasted }]
    : [...files]
  return all.length === 0 ? null : { files: all }
}
