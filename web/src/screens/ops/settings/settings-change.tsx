// The effect of a change that concerns money: setting, old value, new value.

import { t } from '../../../i18n/t.ts'
import { type Line, Receipt } from '../../../ui/base/facts.tsx'
import { type Setting, type Value, valueWords } from './setting-values.ts'

export function Turn({ setting, to }: { setting: Setting; to: Value }) {
  const lines: Line[] = [
    [t('Setting'), setting.key],
    [t('Before'), valueWords(setting, setting.value)],
    [t('After'), valueWords(setting, to)],
  ]
  return (
    <>
      <Receipt lines={lines} />
      <p>
        {t(
          'It holds at once for all that begins after it, on every replica within seconds. What was quoted before costs no more than was told.',
        )}
      </p>
    </>
  )
}
