// Sends users away from screens that they may not open.
import type { Session } from '../data/session.ts'
import type { AppLocation } from './location.ts'
import { storedNext } from './return-address.ts'
import type { Screen } from './screen.ts'

type ScreenAt = (path: string) => { screen: Screen }

/** The address to open instead, or null. Visitors sign in first and then return. */
export function redirectFor(
  { path, query }: AppLocation,
  session: Session,
  screenAt: ScreenAt,
): string | null {
  const { screen } = screenAt(path)
  const isForMembers = screen.for === 'member' || screen.for === 'staff'
  if (isForMembers && session.state === 'out') {
    // The query returns after the sign-in, for example the id of a payment.
    const asked = query.size ? `?${query}` : ''
    return path === '/app' ? `/app/sign-in${asked}` : `/app/sign-in?next=${path}${encodeURIComponent(asked)}`
  }
  if (session.state !== 'in') return null
  if (screen.for === 'stranger') return comeBack(query.get('next') ?? storedNext())
  if (screen.for === 'staff' && session.me.staffRole === null) return '/app'
  // Mailed sign-in links lead to /app.
  const wanted = path === '/app' ? comeBack(storedNext()) : path
  return wanted === path ? null : wanted

  /** Only member screens are allowed: any site can write the address in a link. */
  function comeBack(next: string | null): string {
    const audience = screenAt(next?.split('?')[0] ?? '').screen.for
    return next !== null && (audience === 'member' || audience === 'staff') ? next : '/app'
  }
}
