// Shows a new key, once. The next step is enabled when the key is saved.
import type { KeysCreateReply } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Copyable } from '../../ui/base/copyable.tsx'
import { saveFile } from '../../ui/base/save-file.ts'
import { Checkbox } from '../../ui/input/checkbox.tsx'

export function NewKeySecret({ made, onDone }: { made: KeysCreateReply; onDone: () => void }) {
  const saved = useSignal(false)
  useEffect(() => document.getElementById('key-made')?.focus(), [])
  return (
    <section class="once" aria-labelledby="key-made">
      <h2 id="key-made" tabIndex={-1}>
        {t('Save this key now')}
      </h2>
      <p>
        <Trans text="“{name}” is shown only once. Keep it secret." name={<bdi>{made.name}</bdi>} />
      </p>
      <Copyable text={made.key} label={t('the key')} />
      <div class="choices">
        <button type="button" onClick={() => saveFile('cowrie.env', [envOf(made.key)], 'text/plain')}>
          {t('Download .env')}
        </button>
      </div>
      <Checkbox on={saved}>{t('I saved it')}</Checkbox>
      <div class="choices">
        <button type="button" class="primary" disabled={!saved.value} onClick={onDone}>
          {t('Done')}
        </button>
      </div>
    </section>
  )
}

/** As the command line and the examples read them. */
const envOf = (key: string): string => `COWRIE_API_KEY=${key}\nCOWRIE_URL=${location.origin}\n`
