// The changes of a run, file by file. Without the original text it offers to add the file for comparison.
import type { FileEdit } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { msg, t } from '../../../i18n/t.ts'
import { CodeBox } from '../../../ui/code/code-box.tsx'
import { TextWithCode } from '../../../ui/code/text-with-code.tsx'
import { type Diff, diffOf } from '../../../ui/diff/diff.ts'
import { Counts, DiffView } from '../../../ui/diff/diff-view.tsx'
import { useHunkKeys } from '../../../ui/diff/hunk-keys.ts'
import { chosenFiles } from '../../../ui/files/picked-files.ts'
import type { TaskFile } from '../composer/file-secrets.ts'
import { acceptFiles } from '../composer/files.ts'
import type { ComparedEdit } from './compare-edits.ts'
import { CopyButton } from './download-changes.tsx'
import { isOriginal } from './original-files.ts'

const ACTIONS: Readonly<Record<FileEdit['action'], string>> = {
  create: msg('new'),
  update: '',
  delete: msg('deleted'),
}

type Props = { compared: readonly ComparedEdit[]; onBase: (file: TaskFile) => void }

export function Changes({ compared, onBase }: Props) {
  useHunkKeys()
  const diffs = useMemo(
    () => compared.map(({ edit, before }) => (before === null ? null : diffOf(before, edit.content))),
    [compared],
  )
  return (
    <>
      {compared.length > 1 && (
        <ul class="diff-names" aria-label={t('Changed files')}>
          {compared.map(({ edit }, index) => (
            <li key={edit.path}>
              <Jump to={`file-${index}`} path={edit.path} diff={diffs[index] ?? null} />
            </li>
          ))}
        </ul>
      )}
      {compared.map(({ edit }, index) => {
        const diff = diffs[index]
        return diff ? (
          <KnownFile key={edit.path} id={`file-${index}`} edit={edit} diff={diff} />
        ) : (
          <UnknownFile key={edit.path} id={`file-${index}`} edit={edit} onBase={onBase} />
        )
      })}
      <p class="help keys-help">{t('Press n and p to move between changes.')}</p>
    </>
  )
}

const Jump = ({ to, path, diff }: { to: string; path: string; diff: Diff | null }) => (
  <button
    type="button"
    class="file-chip"
    onClick={() => {
      const file = document.getElementById(to)
      if (file instanceof HTMLDetailsElement) file.open = true
      file?.querySelector('summary')?.focus()
      file?.scrollIntoView()
    }}
  >
    <bdi dir="ltr">{path}</bdi> {diff && <Counts {...diff} />}
  </button>
)

const KnownFile = ({ id, edit, diff }: { id: string; edit: FileEdit; diff: Diff }) => (
  <DiffView
    id={id}
    path={edit.path}
    diff={diff}
    note={ACTIONS[edit.action] && <span class="chip">{t(ACTIONS[edit.action])}</span>}
  >
    <FileNote edit={edit} />
  </DiffView>
)

const FileNote = ({ edit }: { edit: FileEdit }) => (
  <div class="diff-about">
    <p class="help" dir="auto">
      <TextWithCode text={edit.description} />
    </p>
    {edit.action !== 'delete' && (
      <CopyButton
        text={edit.content}
        label={t('Copy file')}
        name={t('Copy file {path}', { path: edit.path })}
      />
    )}
  </div>
)

function UnknownFile({ id, edit, onBase }: { id: string; edit: FileEdit; onBase: Props['onBase'] }) {
  const input = useRef<HTMLInputElement>(null)
  const error = useSignal('')
  async function compare(list: FileList | null) {
    const { files } = await acceptFiles([], chosenFiles(list ?? []))
    const [file] = files
    if (!file) error.value = t('This file is not text.')
    else if (await isOriginal(file.content, edit.baseSha256))
      onBase({ path: edit.path, content: file.content })
    else error.value = t('This is not the version that the run used.')
  }
  return (
    <details id={id} class="diff-file">
      <summary>
        <bdi dir="ltr" class="diff-path">
          {edit.path}
        </bdi>{' '}
        <span class="chip warn">{t('original unknown')}</span>{' '}
        {edit.action === 'delete' && <span class="chip">{t('deleted')}</span>}
      </summary>
      <FileNote edit={edit} />
      <p>{t('The text before the change is not in this browser. Add the file to compare.')}</p>
      <div class="choices">
        <button type="button" onClick={() => input.current?.click()}>
          {t('Add the file to compare')}
        </button>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t('The file {path} before the change', { path: edit.path })}
          onChange={(event) => void compare(event.currentTarget.files)}
        />
      </div>
      {error.value && (
        <p class="bad" role="alert">
          {error.value}
        </p>
      )}
      {edit.action !== 'delete' && (
        <CodeBox label={t('The new text of {path}', { path: edit.path })}>
          <pre>{edit.content}</pre>
        </CodeBox>
      )}
    </details>
  )
}
