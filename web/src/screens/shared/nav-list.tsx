// The navigation, in groups.
import { useEffect } from 'preact/hooks'
import { session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { appLocation } from '../../router/location.ts'
import { ACCOUNT, isActive, MONEY, type NavItem, STAFF, WORK } from '../../router/nav-items.ts'
import { Icon } from '../../ui/base/icon.tsx'

export function NavList() {
  const { value } = session
  const { path } = appLocation.value
  const isInConsole = path.startsWith('/app/ops')
  // While the session loads, visitors of the console count as staff, so that the layout does not move.
  const isStaff = value.state === 'in' ? value.me.staffRole !== null : isInConsole
  // The sidebar may be longer than the window.
  useEffect(() => {
    document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [path, isStaff])
  return (
    <>
      {isStaff && isInConsole && <Group name={t('Staff console')} places={STAFF} />}
      <Group name={t('Work')} places={WORK} />
      <Group name={t('Money')} places={MONEY} />
      <Group name={t('Account')} places={ACCOUNT} />
      {isStaff && !isInConsole && <Group name={t('Staff console')} places={STAFF} />}
    </>
  )
}

const Group = ({ name, places }: { name: string; places: readonly NavItem[] }) => (
  <>
    <p class="small-title" aria-hidden="true">
      {name}
    </p>
    <ul class="places" aria-label={name}>
      {places.map((each) => (
        <li key={each[0]}>
          <NavLink place={each} />
        </li>
      ))}
    </ul>
  </>
)

export function NavLink({ place: [path, name, icon] }: { place: NavItem }) {
  return (
    <a href={path} aria-current={isActive(path, appLocation.value.path) ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{t(name)}</span>
    </a>
  )
}
