// Every screen of the app by its path, and whom it is for.
import type { ComponentType } from 'preact'
import { Billing } from '../billing/billing.tsx'
import { Home } from '../identity/home.tsx'
import { Keys } from '../identity/keys.tsx'
import { Organisations } from '../identity/organisations.tsx'
import type { Session } from '../identity/session.ts'
import { Sessions } from '../identity/sessions.tsx'
import { AcceptInvite } from '../operators/accept-invite.tsx'
import { CheckMail } from '../sign-in/check-mail.tsx'
import { Device } from '../sign-in/device.tsx'
import { Forgot } from '../sign-in/forgot.tsx'
import { LinkOpened } from '../sign-in/link.tsx'
import { Register } from '../sign-in/register.tsx'
import { Reset } from '../sign-in/reset.tsx'
import { SecondFactor } from '../sign-in/second-factor.tsx'
import { Security } from '../sign-in/security.tsx'
import { Wallet } from '../wallet/wallet.tsx'
import { rememberedNext } from './next.ts'
import { NotFound } from './not-found.tsx'
import type { Place } from './place.ts'
import { Welcome } from './welcome.tsx'

export type Screen = {
  title: string
  /** `member`: who is signed in; `stranger`: who is not; `anyone`: whatever the session, for links from mails. */
  for: 'member' | 'stranger' | 'anyone'
  View: ComponentType
}

const SCREENS: Readonly<Record<string, Screen>> = {
  '/app': { title: 'Overview', for: 'member', View: Home },
  '/app/wallet': { title: 'Wallet', for: 'member', View: Wallet },
  '/app/billing': { title: 'Plan and invoices', for: 'member', View: Billing },
  '/app/sign-in': { title: 'Sign in', for: 'stranger', View: Welcome },
  '/app/sign-in/second-factor': { title: 'One more step', for: 'stranger', View: SecondFactor },
  '/app/sign-in/link': { title: 'Your link', for: 'anyone', View: LinkOpened },
  '/app/register': { title: 'Create an account', for: 'stranger', View: Register },
  '/app/check-mail': { title: 'Check your mail', for: 'anyone', View: CheckMail },
  '/app/forgot': { title: 'Choose a new password', for: 'anyone', View: Forgot },
  '/app/reset': { title: 'Choose a new password', for: 'anyone', View: Reset },
  '/app/operator-invite': { title: 'Invitation', for: 'anyone', View: AcceptInvite },
  '/app/device': { title: 'Connect a program', for: 'member', View: Device },
  '/app/sessions': { title: 'Sessions', for: 'member', View: Sessions },
  '/app/security': { title: 'Security', for: 'member', View: Security },
  '/app/keys': { title: 'API keys', for: 'member', View: Keys },
  '/app/organisations': { title: 'Organisations', for: 'member', View: Organisations },
}

const NOWHERE: Screen = { title: 'Nothing here', for: 'anyone', View: NotFound }

export const screenAt = (path: string): Screen =>
  Object.hasOwn(SCREENS, path) ? (SCREENS[path] ?? NOWHERE) : NOWHERE

/** Where somebody is sent who does not stay here, or null. Strangers sign in first and then come back. */
export function detour({ path, query }: Place, { state }: Session): string | null {
  const screen = screenAt(path)
  if (screen.for === 'member' && state === 'out') {
    const asked = query.size ? `?${query}` : ''
    // What the address asked for is asked for again afterwards, such as about one payment.
    return path === '/app' ? `/app/sign-in${asked}` : `/app/sign-in?next=${path}${encodeURIComponent(asked)}`
  }
  if (state !== 'in') return null
  if (screen.for === 'stranger') return comeBack(query.get('next') ?? rememberedNext())
  // Mailed links that sign in lead here.
  const wanted = path === '/app' ? comeBack(rememberedNext()) : path
  return wanted === path ? null : wanted
}

/** Only to screens of ours that are for members: an address in a link is anybody's word. */
function comeBack(next: string | null): string {
  const path = next?.split('?')[0] ?? ''
  return next !== null && Object.hasOwn(SCREENS, path) && SCREENS[path]?.for === 'member' ? next : '/app'
}
