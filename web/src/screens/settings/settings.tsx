// Settings of this browser. Settings of the account are linked.

import { hasShortcuts, setShortcuts, setShowsCosts, showsCosts } from '../../data/preferences/switches.ts'
import { t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { Section, Sheet } from '../../ui/base/sheet.tsx'
import { SignOut } from '../shared/sign-out.tsx'
import { AppearanceSettings } from './appearance-choice.tsx'
import { DataSaver } from './data-saver.tsx'
import { Flags } from './flags.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { Switch } from './switch.tsx'

export default function Settings() {
  return (
    <Sheet title={t('Settings')} wide>
      <p>{t('What you choose here is kept in this browser and counts at once.')}</p>
      <LanguageChoice />
      <AppearanceSettings />
      <DataSaver />
      <Section title={t('Working')}>
        <Switch
          name="shortcuts"
          label={t('Keyboard shortcuts')}
          help={t('Single keys lead to screens and rows. Press ? for the list.')}
          on={hasShortcuts.value}
          onSwitch={(on) => {
            setShortcuts(on)
            announce(on ? t('Shortcuts are on.') : t('Shortcuts are off.'))
          }}
        />
        <Switch
          name="costs"
          label={t('Show what each answer cost')}
          help={t('Your wallet lists every cost either way.')}
          on={showsCosts.value}
          onSwitch={(on) => {
            setShowsCosts(on)
            announce(on ? t('Costs are shown.') : t('Costs are hidden.'))
          }}
        />
      </Section>
      <Section title={t('Your account')}>
        <ul class="account-links">
          <li>
            <a href="/app/security">{t('Password, two-step sign-in and passkeys')}</a>
          </li>
          <li>
            <a href="/app/sessions">{t('Where you are signed in')}</a>
          </li>
          <li>
            <a href="/app/organisations">{t('Your organisations')}</a>
          </li>
        </ul>
        <SignOut />
      </Section>
      <Flags />
      <p>
        <a href="/app/licences.txt" target="_blank" rel="noopener">
          {t('Open-source licences')}
        </a>
      </p>
    </Sheet>
  )
}
