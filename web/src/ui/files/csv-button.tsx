// A button that downloads a list as CSV.
import { useSignal } from '@preact/signals'
import { useAction } from '../../data/use-action.ts'
import { t } from '../../i18n/t.ts'
import { ErrorNotice } from '../base/error-notice.tsx'

/** `download` returns whether the file is complete; `cut` is shown when it is not. */
export function CsvButton({ download, cut }: { download: () => Promise<boolean>; cut: string }) {
  const isCut = useSignal(false)
  const { run, busy, failure } = useAction(async () => {
    isCut.value = !(await download())
  })
  return (
    <>
      {failure.value && <ErrorNotice failure={failure.value} />}
      {isCut.value && <p class="help">{cut}</p>}
      <div class="choices">
        <button type="button" aria-disabled={busy.value} onClick={() => void run()}>
          {busy.value ? t('Preparing the file …') : t('Download as CSV')}
        </button>
      </div>
    </>
  )
}
