// The appearance: the default of the service, unless the user chooses otherwise.
import { chooseAppearance, chosenAppearance } from '../../data/preferences/appearance.ts'
import type { Appearance, AppearanceChoice } from '../../data/preferences/stored-appearance.ts'
import { msg, t } from '../../i18n/t.ts'
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
  ['system', msg('Device setting')],
  ['light', msg('Light')],
  ['dark', msg('Dark')],
]
const LAYOUTS: readonly Option[] = [
  ['comfortable', msg('Comfortable')],
  ['compact', msg('Compact')],
]

export function AppearanceSettings() {
  const chosen = chosenAppearance.value
  return (
    <>
      <ChoiceField name="skin" label={t('Colours')} options={SKINS} />
      <ChoiceField name="mode" label={t('Theme')} options={MODES} />
      <ChoiceField name="layout" label={t('Density')} options={LAYOUTS} />
      <Switch
        name="motion"
        label={t('Less motion')}
        help={t('No animations, whatever your device setting.')}
        on={chosen.motion === 'less'}
        onSwitch={(less) => chooseAppearance(without(chosen, 'motion', less ? { motion: 'less' } : {}))}
      />
    </>
  )
}

type ChoiceProps = { name: keyof Appearance; label: string; options: readonly Option[] }

function ChoiceField({ name, label, options }: ChoiceProps) {
  const chosen = chosenAppearance.value
  return (
    <Select
      name={name}
      label={label}
      value={chosen[name] ?? ''}
      options={[['', t('Service default')], ...options.map(([value, each]) => [value, t(each)] as const)]}
      onChoose={(value) => chooseAppearance(without(chosen, name, value ? { [name]: value } : {}))}
    />
  )
}

/** The choice with one value replaced. Missing values fall back to the default of the service. */
function without(
  chosen: AppearanceChoice,
  name: keyof AppearanceChoice,
  instead: AppearanceChoice,
): AppearanceChoice {
  const { [name]: _, ...rest } = chosen
  return { ...rest, ...instead }
}
