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
      <p>{t('Applies to new work on all replicas within seconds. Quoted prices stay valid.')}</p>
    </>
  )
}
