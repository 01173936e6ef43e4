// Optional input of a run: questions back, plan approval, and own sources.
import { type Signal, useSignal } from '@preact/signals'
import { formatBytes } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'

export type RunOptions = {
  readonly clarify: boolean
  readonly approvePlan: boolean
  readonly searchWeb: boolean
  readonly repositories: readonly string[]
  readonly documents: readonly { name: string; content: string; encoding: 'base64' }[]
}

export const NO_OPTIONS: RunOptions = {
  ...{ clarify: false, approvePlan: false, searchWeb: true, repositories: [], documents: [] },
}

const BYTES_MAX = 8 * 1024 * 1024
type Tick = 'clarify' | 'approvePlan' | 'searchWeb'

export function RunOptionsFields({ chosen }: { chosen: Signal<RunOptions> }) {
  const isTooLarge = useSignal(false)
  const tick = (name: Tick, words: string) => (
    <label class="tick">
      <input
        type="checkbox"
        checked={chosen.value[name]}
        onChange={(event) => {
          chosen.value = { ...chosen.value, [name]: event.currentTarget.checked }
        }}
      />
      <span>{words}</span>
    </label>
  )
  async function read(files: readonly File[]) {
    isTooLarge.value = files.reduce((sum, { size }) => sum + size, 0) > BYTES_MAX
    if (isTooLarge.value) return
    const documents = await Promise.all(
      files.map(async (file) => {
        const bytes = new Uint8Array(await file.arrayBuffer())
        return { name: file.name, content: toBase64(bytes), encoding: 'base64' as const }
      }),
    )
    chosen.value = { ...chosen.value, documents }
  }
  return (
    <details class="destinations run-options">
      <summary>{t('Options and own sources')}</summary>
      {tick('clarify', t('Ask me back if the question is unclear'))}
      {tick('approvePlan', t('Let me approve the plan first'))}
      {tick('searchWeb', t('Search the web'))}
      <div class="field">
        <label for="documents">{t('Your documents')}</label>
        <input
          id="documents"
          type="file"
          multiple
          accept=".txt,.md,.html,.pdf,.docx,.csv,.json"
          aria-describedby="documents-help"
          onChange={(event) => void read([...(event.currentTarget.files ?? [])])}
        />
        <p id="documents-help" class="help">
          {isTooLarge.value ? (
            <span class="bad">
              {t('Together they may have at most {size}.', { size: formatBytes(BYTES_MAX) })}
            </span>
          ) : (
            t('Text, HTML, PDF or DOCX. They are kept with the run.')
          )}
        </p>
      </div>
      <div class="field">
        <label for="repositories">{t('Indexed repositories')}</label>
        <input
          id="repositories"
          dir="ltr"
          autocomplete="off"
          placeholder="acme/shop"
          value={chosen.value.repositories.join(' ')}
          onChange={(event) => {
            const repositories = event.currentTarget.value.split(/[\s,]+/).filter((name) => name !== '')
            chosen.value = { ...chosen.value, repositories }
          }}
        />
        <p class="help">{t('Names separated by spaces.')}</p>
      </div>
    </details>
  )
}

/** In parts, because the arguments of a call are limited. */
function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return btoa(text)
}
