// The way around one's own account.
import { place } from '../app/place.ts'

const PLACES = [
  ['/app', 'Overview'],
  ['/app/wallet', 'Wallet'],
  ['/app/billing', 'Plan and invoices'],
  ['/app/security', 'Security'],
  ['/app/sessions', 'Sessions'],
  ['/app/keys', 'API keys'],
  ['/app/organisations', 'Organisations'],
] as const

/** Not on screens that ask for one decision. */
export function AccountNav() {
  const here = place.value.path
  if (!PLACES.some(([path]) => path === here)) return null
  return (
    <nav class="account-nav" aria-label="Account">
      {PLACES.map(([path, name]) => (
        <a key={path} href={path} aria-current={here === path ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}
