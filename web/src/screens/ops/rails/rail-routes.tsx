// The order of provider accounts for each channel and currency, and its setting.
import type { AdminRailRoutesListReply, RailRoute } from '@cowrie/sdk'
import { useSignal } from '@preact/signals'
import { useAction } from '../../../data/use-action.ts'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'
import { ErrorNotice } from '../../../ui/base/error-notice.tsx'
import { figure } from '../overview/overview-types.ts'
import { api } from '../shared/staff-api.ts'
import { isAllowed } from '../shared/tiers.ts'

type Props = { routes: AdminRailRoutesListReply['routes']; reload: () => unknown }

/** Channels with one account have no order. */
export function RailRoutes({ routes, reload }: Props) {
  const chosen = routes.filter(({ accounts }) => accounts.length > 1)
  if (chosen.length === 0) return <p class="help">{t('Every channel has one account.')}</p>
  return (
    <>
      <p class="help">
        {t(
          'Accounts are asked from top to bottom. Lower priorities come first; accounts that are down come last.',
        )}
      </p>
      {chosen.map((route) => (
        <Route key={`${route.channel} ${route.currency}`} route={route} reload={reload} />
      ))}
    </>
  )
}

function Route({
  route: { channel, currency, accounts },
  reload,
}: {
  route: RailRoute
  reload: () => unknown
}) {
  const priorities = useSignal<Readonly<Record<string, string>>>({})
  const priorityOf = (key: string, stored: number | null) => priorities.value[key] ?? String(stored ?? '')
  const save = useAction(async () => {
    const ranked = accounts.flatMap(({ rail, account, priority }) => {
      const written = priorityOf(`${rail} ${account}`, priority).trim()
      return written === '' ? [] : [{ rail, account, priority: Number(written) }]
    })
    await api.admin.railRoutes.set({ channel, currency, accounts: ranked })
    priorities.value = {}
    announce(t('Saved.'))
    await reload()
  })
  const isDisabled = !isAllowed('rails')
  const label = `${channel} ${currency}`
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isDisabled) void save.run()
      }}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
      <section class="table-box" tabIndex={0} aria-label={label}>
        <table>
          <caption dir="ltr">{label}</caption>
          <thead>
            <tr>
              <th scope="col">{t('Account')}</th>
              <th scope="col">{t('Priority')}</th>
              <th scope="col" class="number">
                {t('Settled in 24 hours')}
              </th>
              <th scope="col" class="number">
                {t('Fees')}
              </th>
            </tr>
          </thead>
          <tbody>
            {accounts.map(({ rail, account, priority, isDown, settled, decided, feeBasisPoints }) => (
              <tr key={`${rail} ${account}`}>
                <th scope="row">
                  <bdi>{`${rail} ${account}`}</bdi>
                  {isDown && <span class="light wrong">{t('down')}</span>}
                </th>
                <td>
                  <input
                    type="number"
                    min="1"
                    max="100"
                    aria-label={t('Priority of {account}', { account: `${rail} ${account}` })}
                    readOnly={isDisabled}
                    value={priorityOf(`${rail} ${account}`, priority)}
                    onInput={({ currentTarget: { value } }) => {
                      priorities.value = { ...priorities.value, [`${rail} ${account}`]: value }
                    }}
                  />
                </td>
                <td class="number">{decided === 0 ? '–' : `${figure(settled)} / ${figure(decided)}`}</td>
                <td class="number">{feeBasisPoints === null ? '–' : `${figure(feeBasisPoints / 100)} %`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <div class="choices">
        <button
          type="submit"
          aria-disabled={isDisabled || save.busy.value}
          aria-describedby={isDisabled ? 'needs-rails' : undefined}
        >
          {t('Save the order of {route}', { route: label })}
        </button>
      </div>
      {save.failure.value && <ErrorNotice failure={save.failure.value} />}
    </form>
  )
}
