// The payment providers: their keys, channels and webhook URLs, and a check of each.
import type { AdminRailsReply } from '@cowrie/sdk'
import { msg, t } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { Copyable } from '../../../ui/base/copyable.tsx'
import { RequiredTier } from '../shared/required-tier.tsx'
import { RailCheck } from './rail-check.tsx'

type Rail = AdminRailsReply['rails'][number]
const KEYS: Readonly<Record<Rail['keys'], readonly [words: string, look: string]>> = {
  live: [msg('live keys'), 'light on'],
  test: [msg('test keys'), 'light'],
  none: [msg('no keys: mock'), 'light'],
}

export const Rails = ({ rails }: { rails: readonly Rail[] }) => (
  <>
    <RequiredTier action="rails" id="needs-rails" />
    <ul class="rows lights">
      {rails.map(({ rail, channels, keys, needs, notifyUrl }) => (
        <li key={rail}>
          <p>
            <span class="row-name">{rail}</span> <span class={KEYS[keys][1]}>{t(KEYS[keys][0])}</span>
          </p>
          <p class="help">{t('Channels: {channels}.', { channels: channels.join(', ') })}</p>
          {keys !== 'live' && (
            <p class="help">
              <Trans
                text="To activate, set {variables}."
                variables={<code dir="ltr">{needs.join(', ')}</code>}
              />
            </p>
          )}
          {notifyUrl !== null && keys !== 'none' && (
            <Copyable text={notifyUrl} label={t('the address for {rail}', { rail })} />
          )}
          {keys !== 'none' && <RailCheck rail={rail} />}
        </li>
      ))}
    </ul>
  </>
)
