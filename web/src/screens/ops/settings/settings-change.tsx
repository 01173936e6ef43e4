// The effect of a change that concerns money: setting, old value, new value.

import { t } from '../../../i18n/t.ts'
import { type Fact, Facts } from '../../../ui/base/facts.tsx'
import { type Setting, type Value, valueText } from './setting-values.ts'

export function SettingChange({ setting, to }: { setting: Setting; to: Value }) {
  const lines: Fact[] = [
    [t('Setting'), setting.key],
    [t('Before'), valueText(setting, setting.value)],
    [t('After'), valueText(setting, to)],
  ]
  return (
    <>
      <Facts lines={lines} />
      <p>
        {t(
          'It holds at once for all that begins after it, on every replica within seconds. What was quoted before costs no more than was told.',
        )}
      </p>
    </>
  )
}
