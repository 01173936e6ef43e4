// Settings of this browser. Settings of the account and of the organisation are linked.

import { hasShortcuts, setShortcuts, setShowsCosts, showsCosts } from '../../data/preferences/switches.ts'
import { msg, t } from '../../i18n/t.ts'
import { announce } from '../../ui/base/announcer.tsx'
import { Page, Section } from '../../ui/base/sheet.tsx'
import { SignOut } from '../shared/sign-out.tsx'
import { AppearanceSettings } from './appearance-choice.tsx'
import { DataSaver } from './data-saver.tsx'
import { Flags } from './flags.tsx'
import { InstallApp } from './install-app.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { Notifications } from './notifications.tsx'
import { Switch } from './switch.tsx'

const ACCOUNT = [
  ['/app/security', msg('Security'), msg('Password, two-step sign-in and passkeys')],
  ['/app/sessions', msg('Sessions'), msg('Where you are signed in')],
  ['/app/organisations', msg('Organisations'), msg('Switch to another one')],
] as const
const ORGANISATION = [
  ['/app/organisation', msg('Organisation'), msg('Details, policy, export and closing')],
  ['/app/team', msg('Team'), msg('Members, roles and monthly caps')],
  ['/app/keys', msg('API keys'), msg('Access for programs, with budgets')],
  ['/app/webhooks', msg('Webhooks'), msg('Events for your servers')],
  ['/app/billing', msg('Plan and cards'), msg('Your plan, and how you pay')],
  ['/app/wallet/alerts', msg('Low balance'), msg('When we warn you')],
] as const

export default function Settings() {
  return (
    <Page title={t('Settings')} width="reading">
      <Section title={t('This browser')}>
        <div class="settings">
          <LanguageChoice />
          <AppearanceSettings />
          <DataSaver />
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
          <InstallApp />
        </div>
      </Section>
      <Notifications />
      <Section title={t('Your account')}>
        <Links to={ACCOUNT} />
        <SignOut />
      </Section>
      <Section title={t('Your organisation')}>
        <Links to={ORGANISATION} />
      </Section>
      <Flags />
      <p class="onward">
        <a href="/app/licences.txt" target="_blank" rel="noopener">
          {t('Open-source licences')}
        </a>
      </p>
    </Page>
  )
}

type LinkTexts = readonly [path: string, name: string, about: string]

const Links = ({ to }: { to: readonly LinkTexts[] }) => (
  <ul class="rows">
    {to.map(([path, name, about]) => (
      <li key={path}>
        <a class="row-link" href={path}>
          <span>
            <span class="row-name">{t(name)}</span>
            <span class="help">{t(about)}</span>
          </span>
        </a>
      </li>
    ))}
  </ul>
)
