// The frame around every screen: top bar, balance meter, navigation, screen, and announcements for screen readers.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { resumeSession, type Session, session } from '../../data/session.ts'
import { msg, t } from '../../i18n/t.ts'
import { useScreen } from '../../router/load-screen.ts'
import { appLocation, navigate } from '../../router/location.ts'
import { redirectFor } from '../../router/redirect.ts'
import { clearNext } from '../../router/return-address.ts'
import type { Params, Screen } from '../../router/screen.ts'
import { Announcer, announce } from '../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../ui/base/error-notice.tsx'
import { FormPlaceholder } from '../../ui/form/form-placeholder.tsx'
import { Cowrie } from '../../ui/layout/cowrie.tsx'
import { screenAt } from '../table.ts'
import { BalanceBand, BalanceMeter } from './balance-meter.tsx'
import { Late } from './late.tsx'
import { AccountButton, BottomBar, SideBar, StaffMenu } from './navigation.tsx'
import { RemovedFromTeam } from './removed-from-team.tsx'

export function App() {
  const current = session.value
  useSessionAnnouncement(current.state)
  const { screen, params } = screenAt(appLocation.value.path)
  const elsewhere = redirectFor(appLocation.value, current, screenAt)
  useLayoutEffect(() => {
    // Secrets of the link survive the redirect: a device code is needed after the sign-in.
    if (elsewhere)
      navigate(elsewhere, {
        replace: true,
        secrets: appLocation.peek().secrets,
        state: appLocation.peek().state,
      })
    else if (current.state === 'in') clearNext()
  }, [elsewhere, current.state])
  // Also while the session is loading, so that the layout does not move afterwards.
  const isMember = current.state !== 'out' && (screen.for === 'member' || screen.for === 'staff')
  const isStaff = isMember && screen.for === 'staff'
  const isSuspended = current.state === 'in' && current.me.orgSuspended
  return (
    <div class={['frame', isMember && 'with-places', isStaff && 'staff'].filter(Boolean).join(' ')}>
      <a class="skip" href="#main">
        {t('Skip to content')}
      </a>
      <header class="bar">
        <a class="brand" href={isStaff ? '/app/ops' : '/app'} aria-label="Cowrie">
          <Cowrie />
          <span>Cowrie</span>
        </a>
        {isStaff && <StaffBand role={current.state === 'in' ? current.me.staffRole : null} />}
        {isMember ? (
          <div class="bar-end">
            {isStaff ? <StaffMenu /> : <BalanceMeter />}
            <AccountButton />
          </div>
        ) : (
          <nav aria-label={t('Main')}>
            <a href="/docs">{t('Reference')}</a>
          </nav>
        )}
      </header>
      {!isStaff && <BalanceBand />}
      {isMember && isSuspended && <Late load={loadSuspendedBanner} />}
      {isMember && <RemovedFromTeam />}
      <div class="body">
        {isMember && <SideBar isStaff={isStaff} />}
        <main id="main" tabIndex={-1}>
          {elsewhere === null && <ScreenView screen={screen} params={params} current={current} />}
        </main>
      </div>
      {isMember && !isStaff && <BottomBar />}
      <Announcer />
    </div>
  )
}

/** Staff confirm a second factor, or set one up, before the console shows anything. */
const loadStaffGate = () => import('./late/staff-gate.tsx')

const loadSuspendedBanner = () => import('./late/suspended-banner.tsx')

type State = Session['state']
const ANNOUNCEMENTS: Partial<Record<`${State} ${State}`, string>> = {
  'out in': msg('Signed in.'),
  'in out': msg('Signed out.'),
}

/** A resumed session is not announced: the screen reader is reading the page then. */
function useSessionAnnouncement(state: State): void {
  const before = useRef(state)
  useEffect(() => {
    const text = ANNOUNCEMENTS[`${before.current} ${state}`]
    before.current = state
    if (text) announce(t(text))
  }, [state])
}

/** The name of the console and of the role, and the way back. */
const StaffBand = ({ role }: { role: string | null }) => (
  <p class="staff-band">
    <span>
      {t('Staff console')}
      {role !== null && (
        <>
          {' · '}
          <bdi>{role.replaceAll('_', ' ')}</bdi>
        </>
      )}
    </span>
    <a href="/app">{t('Back to the app')}</a>
  </p>
)

function ScreenView({ screen, params, current }: { screen: Screen; params: Params; current: Session }) {
  const { view, retry } = useScreen(screen)
  useTitleAndFocus(screen, view.state === 'ready')
  if (screen.for !== 'anyone' && screen.for !== 'stranger' && current.state === 'failed')
    return (
      <section class="sheet">
        <ErrorNotice failure={current.failure} retry={resumeSession} />
      </section>
    )
  if (view.state === 'failed')
    return (
      <section class="sheet">
        <ErrorNotice failure={view.failure} retry={retry} />
      </section>
    )
  if (
    view.state === 'loading' ||
    (current.state === 'asking' && screen.for !== 'anyone' && screen.path !== '/app')
  )
    return (
      <section class="sheet narrow" aria-busy="true">
        <FormPlaceholder />
      </section>
    )
  if (screen.for === 'staff' && current.state === 'in' && current.me.staffFactorRequired)
    return <Late load={loadStaffGate} />
  const View = view.value
  const isPersonal = screen.for === 'member' || screen.for === 'staff'
  const whose = isPersonal && current.state === 'in' ? current.me.userId : ''
  // Another parameter or another user gets a fresh component: no earlier state may stay on the screen.
  return <View key={[whose, ...Object.values(params)].join('/')} {...params} />
}

let lastPath: string | null = null

/**
 * Sets the title, and from the second screen on the focus, so that screen readers start at the heading. The focus moves in
 * the same frame as the screen: later it could be taken from a control that the user has reached meanwhile.
 */
function useTitleAndFocus({ title }: Screen, isHere: boolean): void {
  const { path } = appLocation.value
  const said = t(title)
  useLayoutEffect(() => {
    if (!isHere) return
    document.title = `${said} · Cowrie`
    if (lastPath !== null && lastPath !== path) document.getElementById('screen-title')?.focus()
    lastPath = path
  }, [path, said, isHere])
}
