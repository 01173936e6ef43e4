// The files that a run wrote. The service has their new texts, not the old ones, so there is nothing to compare.
import type { FileEdit } from '@cowrie/sdk'
import { msg, t } from '../../i18n/t.ts'
import { CodeBox } from '../../ui/code/code-box.tsx'
import { TextWithCode } from '../../ui/code/text-with-code.tsx'

/** With more files, all start closed. */
const OPEN_FILES_MAX = 3

const ACTIONS: Readonly<Record<FileEdit['action'], string>> = {
  create: msg('new'),
  update: msg('edited'),
  delete: msg('deleted'),
}

export const WrittenFiles = ({ edits }: { edits: readonly FileEdit[] }) => (
  <>
    {edits.map(({ path, action, content, description }) => (
      <details key={path} class="written-file" open={edits.length <= OPEN_FILES_MAX}>
        <summary>
          <bdi dir="ltr">{path}</bdi> <span class="chip">{t(ACTIONS[action])}</span>
        </summary>
        <p class="help" dir="auto">
          <TextWithCode text={description} />
        </p>
        {action !== 'delete' && (
          <CodeBox label={t('The new text of {path}', { path })}>
            <pre>{content}</pre>
          </CodeBox>
        )}
      </details>
    ))}
  </>
)
