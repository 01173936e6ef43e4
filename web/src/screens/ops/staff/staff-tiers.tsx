// The permissions of all tiers, side by side.
import { t } from '../../../i18n/t.ts'
import { ownTier, STAFF_ACTION_TEXTS, STAFF_ACTIONS, TIER_TEXTS, TIERS, tierAllows } from '../shared/tiers.ts'

export function TierTable() {
  const own = ownTier()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard.
    <section class="table-box ladder" tabIndex={0} aria-label={t('Permissions by tier')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('Permission')}</th>
            {TIERS.map((tier) => (
              <th scope="col" key={tier} aria-current={tier === own ? 'true' : undefined}>
                {t(TIER_TEXTS[tier])}
                {tier === own && <span class="own-tier">{t('you')}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {STAFF_ACTIONS.map((action) => (
            <tr key={action}>
              <th scope="row">{t(STAFF_ACTION_TEXTS[action])}</th>
              {TIERS.map((tier) => (
                <td key={tier}>
                  {tierAllows(tier, action) ? (
                    <span class="light on">{t('yes')}</span>
                  ) : (
                    <span class="help">{t('no')}</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
