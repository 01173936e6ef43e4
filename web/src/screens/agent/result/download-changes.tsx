// Downloads the result: a git patch, or the files where no patch is possible, and the command that applies it.
import { useSignal } from '@preact/signals'
import { t } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { announce } from '../../../ui/base/announcer.tsx'
import { saveFile } from '../../../ui/base/save-file.ts'
import { patchOf } from '../../../ui/diff/git-patch.ts'
import { type ComparedEdit, changesOf } from './compare-edits.ts'
import { zipOf } from './zip.ts'

const shortName = (id: string): string => `cowrie-${id.slice(-6)}`

export function DownloadChanges({ id, compared }: { id: string; compared: readonly ComparedEdit[] }) {
  const changes = changesOf(compared)
  const name = shortName(id)
  const command = changes ? `git apply ${name}.patch` : `unzip -o ${name}.zip`
  const written = compared.flatMap(({ edit }) => (edit.action === 'delete' ? [] : [edit]))
  const deleted = compared.flatMap(({ edit }) => (edit.action === 'delete' ? [edit.path] : []))
  return (
    <>
      <div class="take-along">
        {changes ? (
          <button
            type="button"
            class="primary"
            onClick={() => saveFile(`${name}.patch`, [patchOf(changes)], 'text/x-patch')}
          >
            {t('Download patch')}
          </button>
        ) : (
          <button
            type="button"
            class="primary"
            onClick={() => saveFile(`${name}.zip`, [zipOf(written, new Date())], 'application/zip')}
          >
            {t('Download files')}
          </button>
        )}
        <CopyButton text={command} label={t('Copy command')} />
      </div>
      <details class="how-to-apply">
        <summary>{t('How to apply the patch')}</summary>
        <p>
          <Trans
            text="Save the file in your checkout and run {command} there. {undo}"
            command={
              <code dir="ltr" data-testid="command">
                {command}
              </code>
            }
            undo={
              changes ? (
                <Trans text="{back} undoes it." back={<code dir="ltr">git apply -R {name}.patch</code>} />
              ) : (
                ''
              )
            }
          />
        </p>
        {!changes && <p class="help">{t('Add every changed file below to create a patch.')}</p>}
        {!changes && deleted.length > 0 && (
          <p>
            {t('Delete these yourself:')} <bdi dir="ltr">{deleted.join(', ')}</bdi>
          </p>
        )}
      </details>
    </>
  )
}

/** Copies the patch, or every new file under its name. */
export function CopyAll({ compared }: { compared: readonly ComparedEdit[] }) {
  const changes = changesOf(compared)
  const written = compared.flatMap(({ edit }) => (edit.action === 'delete' ? [] : [edit]))
  return (
    <CopyButton
      text={changes ? patchOf(changes) : written.map(withHeader).join('\n')}
      label={t('Copy all')}
    />
  )
}

const withHeader = ({ path, content }: { path: string; content: string }): string =>
  `==> ${path} <==\n${content}`

/** Shows the outcome on the button, also where there is no clipboard access. */
export function CopyButton({ text, label, name = label }: { text: string; label: string; name?: string }) {
  const outcome = useSignal<'copied' | 'refused' | null>(null)
  async function copy() {
    const isDone = await navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    )
    outcome.value = isDone ? 'copied' : 'refused'
    announce(isDone ? t('Copied.') : t('This browser blocks copying.'))
  }
  return (
    <button type="button" aria-label={name} onClick={() => void copy()}>
      {outcome.value === 'copied' ? t('Copied') : outcome.value === 'refused' ? t('Not copied') : label}
    </button>
  )
}
