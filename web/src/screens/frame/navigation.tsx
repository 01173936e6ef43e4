// The ways around: side bar, bottom bar of a phone, account menu.
import { session } from '../../data/session.ts'
import { t } from '../../i18n/t.ts'
import { appLocation } from '../../router/location.ts'
import { groupAt, PLACES } from '../../router/nav-items.ts'
import { Menu } from '../../ui/layout/menu.tsx'
import { NavGroups, NavLink, Places } from '../shared/nav-list.tsx'
import { Late } from './late.tsx'
import { SideFoot } from './side-foot.tsx'

const loadStaffNav = () => import('./late/staff-nav.tsx')
const loadAccountMenu = () => import('./late/account-menu.tsx')

/** Below the places: the other screens of the open group. */
export function SideBar({ isStaff }: { isStaff: boolean }) {
  const group = groupAt(appLocation.value.path)
  return (
    <nav class="side" aria-label={t('Main')}>
      {isStaff ? (
        <Late load={loadStaffNav} />
      ) : (
        <>
          <Places items={PLACES} />
          {group && <NavGroups groups={[group]} />}
        </>
      )}
      <SideFoot />
    </nav>
  )
}

export const BottomBar = () => (
  <nav class="bottom" aria-label={t('Shortcuts')}>
    {PLACES.map((each) => (
      <NavLink key={each[0]} place={each} />
    ))}
  </nav>
)

/** On a phone the staff console has one menu instead of a bar. */
export const StaffMenu = () => (
  <div class="staff-menu">
    <Menu label={t('Screens')} face={t('Screens')}>
      <Late load={loadStaffNav} />
    </Menu>
  </div>
)

export function AccountButton() {
  const { value } = session
  const letter = value.state === 'in' ? value.me.email.slice(0, 1).toUpperCase() : ''
  return (
    <Menu label={t('Your account')} class="avatar" face={<span aria-hidden="true">{letter}</span>}>
      <Late load={loadAccountMenu} />
    </Menu>
  )
}
