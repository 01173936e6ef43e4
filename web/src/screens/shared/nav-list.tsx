// Links of the navigation, alone and in named groups.
import { t } from '../../i18n/t.ts'
import { appLocation } from '../../router/location.ts'
import { isActive, type NavGroup, type NavItem } from '../../router/nav-items.ts'
import { Icon } from '../../ui/base/icon.tsx'

export const NavGroups = ({ groups }: { groups: readonly NavGroup[] }) => (
  <>
    {groups.map(([name, items]) => (
      <div key={name} class="place-group">
        <p class="small-title" aria-hidden="true">
          {t(name)}
        </p>
        <Places name={t(name)} items={items} />
      </div>
    ))}
  </>
)

export const Places = ({ name, items }: { name?: string; items: readonly NavItem[] }) => (
  <ul class="places" aria-label={name}>
    {items.map((each) => (
      <li key={each[0]}>
        <NavLink place={each} />
      </li>
    ))}
  </ul>
)

export function NavLink({ place: [path, name, icon] }: { place: NavItem }) {
  return (
    <a href={path} aria-current={isActive(path, appLocation.value.path) ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{t(name)}</span>
    </a>
  )
}
