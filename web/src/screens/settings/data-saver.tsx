// The data saver, and the bytes of this visit.
import { bytesLoaded, dataSaver, isSaving, setDataSaver } from '../../data/preferences/data-saver.ts'
import { formatBytes } from '../../i18n/format.ts'
import { t } from '../../i18n/t.ts'
import { Facts } from '../../ui/base/facts.tsx'
import { Section } from '../../ui/base/sheet.tsx'
import { Select } from '../../ui/input/select.tsx'

export function DataSaver() {
  return (
    <Section title={t('Data saver')}>
      <div class="looks">
        <Select
          name="data-saver"
          label={t('Use less data')}
          help={t('Code has no colours, and screens update less often.')}
          value={dataSaver.value}
          options={[
            ['browser', t('Browser setting')],
            ['on', t('Always')],
            ['off', t('Never')],
          ]}
          onChoose={(value) => setDataSaver(value === 'on' || value === 'off' ? value : 'browser')}
        />
      </div>
      <Facts
        lines={[
          [t('Right now'), isSaving.value ? t('On') : t('Off')],
          [t('This visit'), <span data-testid="bytes">{formatBytes(bytesLoaded.value)}</span>],
        ]}
      />
    </Section>
  )
}
