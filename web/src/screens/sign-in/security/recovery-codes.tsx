// Shows the recovery codes, once. The next step is enabled when they are saved.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { Copyable } from '../../../ui/base/copyable.tsx'
import { Checkbox } from '../../../ui/input/checkbox.tsx'

type Props = { codes: readonly string[]; onSaved: () => Promise<void> }

export function RecoveryCodes({ codes, onSaved }: Props) {
  const saved = useSignal(false)
  const { run, busy } = useAction(onSaved)
  useEffect(() => document.getElementById('codes-title')?.focus(), [])
  return (
    <div class="once">
      <h3 id="codes-title" tabIndex={-1}>
        {t('Save your recovery codes')}
      </h3>
      <p>{t('Each code works once if you lose your phone. They are shown only now.')}</p>
      <Copyable text={codes.join('\n')} label={t('the recovery codes')} lines />
      <Checkbox on={saved}>{t('I saved them')}</Checkbox>
      <div class="choices">
        <button
          type="button"
          class="primary"
          disabled={!saved.value}
          aria-disabled={busy.value}
          onClick={() => void run()}
        >
          {t('Continue')}
        </button>
      </div>
    </div>
  )
}
