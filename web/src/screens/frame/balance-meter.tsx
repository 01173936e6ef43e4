// The balance, always visible, and the band that shortens as it is spent.
import { useEffect, useRef } from 'preact/hooks'
import { isOnline } from '../../data/network.ts'
import { isSaving } from '../../data/preferences/data-saver.ts'
import { type Me, reloadSession, session } from '../../data/session.ts'
import { readLocal, writeLocal } from '../../data/storage/local-storage.ts'
import { formatTime } from '../../i18n/format.ts'
import { formatMoney } from '../../i18n/money.ts'
import { t } from '../../i18n/t.ts'
import { Menu } from '../../ui/layout/menu.tsx'
import { orgNameFor } from '../shared/org-texts.ts'
import { Late } from './late.tsx'

const loadOrgMenu = () => import('./late/org-menu.tsx')

/** The service releases holds in its own time, so poll while there is one. */
const HELD_POLL_MS = 5_000
const HELD_POLL_SAVING_MS = 15_000

export function BalanceMeter() {
  const { value } = session
  const isHeld = value.state === 'in' && value.me.heldMinor > 0n
  useEffect(() => {
    if (!isHeld) return
    const timer = setInterval(
      () => {
        if (!document.hidden && isOnline.peek()) void reloadSession()
      },
      isSaving.peek() ? HELD_POLL_SAVING_MS : HELD_POLL_MS,
    )
    return () => clearInterval(timer)
  }, [isHeld])
  if (value.state !== 'in') return null
  const { availableMinor, heldMinor, currency, orgName } = value.me
  const payer = orgNameFor(value.me, orgName)
  return (
    <div class="meter">
      <div class="meter-amount">
        {/* The paying organisation is always visible beside the balance. */}
        <Menu
          label={t('{name} pays. Switch organisation', { name: payer })}
          class="payer"
          face={
            <>
              <bdi>{payer}</bdi>
              <span class="down" aria-hidden="true" />
            </>
          }
        >
          <Late load={loadOrgMenu} />
        </Menu>
        <a href="/app/wallet">
          <span class="unseen">
            {t('Wallet')}: {t('Available')}{' '}
          </span>
          <bdi dir="ltr" data-testid="meter">
            {formatMoney(availableMinor, currency)}
          </bdi>
        </a>
      </div>
      {heldMinor > 0n && (
        <span class="chip" data-testid="held">
          {t('{amount} held', { amount: formatMoney(heldMinor, currency) })}
        </span>
      )}
      {(!isOnline.value || value.asOf) && (
        <span class="chip warn">
          {value.asOf ? t('Offline, as of {time}', { time: formatTime(value.asOf) }) : t('Offline')}
        </span>
      )}
      <a class="button top-up" href="/app/wallet#top-up">
        {t('Top up')}
      </a>
    </div>
  )
}

/** The length is the balance against the balance after the last top-up; the hatched part is held. */
export function BalanceBand() {
  const band = useRef<HTMLDivElement>(null)
  const { value } = session
  const me = value.state === 'in' ? value.me : null
  const shares = me ? sharesOf(me) : { left: 1, held: 0 }
  useEffect(() => {
    band.current?.style.setProperty('--left', String(shares.left))
    band.current?.style.setProperty('--held', String(shares.held))
  }, [shares.left, shares.held])
  return <div ref={band} class={me ? 'weave measured' : 'weave'} aria-hidden="true" />
}

function sharesOf({ orgId, availableMinor, balanceMinor }: Me): { left: number; held: number } {
  const key = `cowrie.full.${orgId}`
  const [full = 0n, last = 0n] = (readLocal(key) ?? '').split(' ').filter(Boolean).map(BigInt)
  // A higher balance is a top-up and makes a full band.
  const whole = balanceMinor > last ? balanceMinor : full
  if (whole !== full || balanceMinor !== last) writeLocal(key, `${whole} ${balanceMinor}`)
  if (whole <= 0n) return { left: 0, held: 0 }
  const share = (minor: bigint) => Number((minor * 1000n) / whole) / 1000
  return { left: share(availableMinor), held: share(balanceMinor - availableMinor) }
}
