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
import { Notifications } from './notifications.tsx'
import { Switch } from './switch.tsx'

export default function Settings() {
  return (
    <Sheet title={t('Settings')} wide>
      <p>{t('These settings apply to this browser.')}</p>
      <LanguageChoice />
      <AppearanceSettings />
      <DataSaver />
      <Notifications />
      <Section title={t('Workspace')}>
        <Switch
          name="shortcuts"
          label={t('Keyboard shortcuts')}
          help={t('Press ? to see all shortcuts.')}
          on={hasShortcuts.value}
          onSwitch={(on) => {
            setShortcuts(on)
            announce(on ? t('Shortcuts are on.') : t('Shortcuts are off.'))
          }}
        />
        <Switch
          name="costs"
          label={t('Show the cost of each answer')}
          help={t('Your wallet always lists every cost.')}
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
