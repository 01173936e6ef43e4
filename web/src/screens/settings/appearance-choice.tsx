// The appearance: the default of the service, unless the user chooses otherwise.
import { choose, chosenAppearance } from '../../data/preferences/appearance.ts'
import type { Choice, Look } from '../../data/preferences/stored-appearance.ts'
import { msg, t } from '../../i18n/t.ts'
import { Part } from '../../ui/base/sheet.tsx'
import { Select } from '../../ui/input/select.tsx'
import { Switch } from './switch.tsx'

type Option = readonly [value: string, words: string]

const SKINS: readonly Option[] = [
  ['indigo', msg('Indigo')],
  ['kente', msg('Kente')],
  ['savanna', msg('Savanna')],
  ['mono', msg('Black and white')],
]
const MODES: readonly Option[] = [
  ['system', msg('As this device is set')],
  ['light', msg('Light')],
  ['dark', msg('Dark')],
]
const LAYOUTS: readonly Option[] = [
  ['comfortable', msg('Roomy')],
  ['compact', msg('Close together')],
]

export function LookChoice() {
  const chosen = chosenAppearance.value
  return (
    <Part title={t('Appearance')}>
      <div class="looks">
        <One name="skin" label={t('Colours')} options={SKINS} />
        <One name="mode" label={t('Light or dark')} options={MODES} />
        <One name="layout" label={t('Room between lines')} options={LAYOUTS} />
      </div>
      <Switch
        name="motion"
        label={t('Less motion')}
        help={t('Nothing slides or fades, whatever this device is set to.')}
        on={chosen.motion === 'less'}
        onSwitch={(less) => choose(without(chosen, 'motion', less ? { motion: 'less' } : {}))}
      />
    </Part>
  )
}

type OneProps = { name: keyof Look; label: string; options: readonly Option[] }

function One({ name, label, options }: OneProps) {
  const chosen = chosenAppearance.value
  return (
    <Select
      name={name}
      label={label}
      value={chosen[name] ?? ''}
      options={[
        ['', t('As set by the service')],
        ...options.map(([value, each]) => [value, t(each)] as const),
      ]}
      onChoose={(value) => choose(without(chosen, name, value ? { [name]: value } : {}))}
    />
  )
}

/** The choice with one value replaced. Missing values fall back to the default of the service. */
function without(chosen: Choice, name: keyof Choice, instead: Choice): Choice {
  const { [name]: _, ...rest } = chosen
  return { ...rest, ...instead }
}
