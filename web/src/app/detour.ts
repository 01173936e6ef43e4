// Where somebody is sent who may not stay where they are.
import type { Session } from '../identity/session.ts'
import { rememberedNext } from './next.ts'
import type { Place } from './place.ts'
import { screenAt } from './screens.ts'

/** The address to go to instead, or null. Strangers sign in first and then come back. */
export function detour({ path, query }: Place, session: Session): string | null {
  const { screen } = screenAt(path)
  const isForMembers = screen.for === 'member' || screen.for === 'staff'
  if (isForMembers && session.state === 'out') {
    const asked = query.size ? `?${query}` : ''
    // What the address asked for is asked for again afterwards, such as about one payment.
    return path === '/app' ? `/app/sign-in${asked}` : `/app/sign-in?next=${path}${encodeURIComponent(asked)}`
  }
  if (session.state !== 'in') return null
  if (screen.for === 'stranger') return comeBack(query.get('next') ?? rememberedNext())
  if (screen.for === 'staff' && session.me.staffRole === null) return '/app'
  // Mailed links that sign in lead here.
  const wanted = path === '/app' ? comeBack(rememberedNext()) : path
  return wanted === path ? null : wanted
}

/** Only to screens of ours that are for members: an address in a link is anybody's word. */
function comeBack(next: string | null): string {
  const whom = screenAt(next?.split('?')[0] ?? '').screen.for
  return next !== null && (whom === 'member' || whom === 'staff') ? next : '/app'
}
