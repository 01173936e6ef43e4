// The data saver, and the bytes of this visit.
import { bytesSpent, dataSaver, isSaving, setDataSaver } from '../../data/preferences/data-saver.ts'
import { size } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import { Receipt } from '../../ui/base/facts.tsx'
import { Part } from '../../ui/base/sheet.tsx'
import { Select } from '../../ui/input/select.tsx'

export function DataSaver() {
  return (
    <Part title={t('Data saver')}>
      <div class="looks">
        <Select
          name="data-saver"
          label={t('Spend fewer bytes')}
          help={t('Code is shown without colours, and screens ask for news less often.')}
          value={dataSaver.value}
          options={[
            ['browser', t('As this browser is set')],
            ['on', t('Always')],
            ['off', t('Never')],
          ]}
          onChoose={(value) => setDataSaver(value === 'on' || value === 'off' ? value : 'browser')}
        />
      </div>
      <Receipt
        lines={[
          [t('Right now'), isSaving.value ? t('Saving') : t('Not saving')],
          [t('This visit'), <span data-testid="bytes">{size(bytesSpent.value)}</span>],
        ]}
      />
    </Part>
  )
}
