// The data saver, and the bytes of this visit.
import { bytesLoaded, dataSaver, isSaving, setDataSaver } from '../../data/preferences/data-saver.ts'
import { formatBytes } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { Select } from '../../ui/input/select.tsx'

export function DataSaver() {
  return (
    <Select
      name="data-saver"
      label={t('Use less data')}
      help={
        <>
          {t('Code has no colours, and screens update less often.')}{' '}
          {isSaving.value ? t('Now on.') : t('Now off.')}{' '}
          <Trans
            text="This visit: {bytes}"
            bytes={<span data-testid="bytes">{formatBytes(bytesLoaded.value)}</span>}
          />
        </>
      }
      value={dataSaver.value}
      options={[
        ['browser', t('Browser setting')],
        ['on', t('Always')],
        ['off', t('Never')],
      ]}
      onChoose={(value) => setDataSaver(value === 'on' || value === 'off' ? value : 'browser')}
    />
  )
}
