// The M-Pesa paybill and the account number of the organisation: the way to pay without a prompt.
import { useSignal } from '@preact/signals'
import { api } from '../../data/api.ts'
import { useResource } from '../../data/resource.ts'
import { t } from '../../i18n/t.ts'
import { Trans } from '../../i18n/trans.tsx'
import { announce } from '../../ui/base/announcer.tsx'

/** Shows nothing where the service has no paybill, because prompts work without it. */
export function Paybill() {
  const { value } = useResource('wallet.paybill', () => api.wallet.paybill()).current
  if (value.state !== 'ready' || value.value.paybill === null || value.value.account === null) return null
  const { paybill, account } = value.value
  return (
    <p class="help" data-testid="paybill">
      <Trans
        text="Or pay in M-Pesa yourself: paybill {paybill}, account {account}."
        paybill={
          <bdi dir="ltr">
            <code>{paybill}</code>
          </bdi>
        }
        account={
          <bdi dir="ltr">
            <code>{account}</code>
          </bdi>
        }
      />{' '}
      <Copy account={account} />
    </p>
  )
}

function Copy({ account }: { account: string }) {
  const isCopied = useSignal(false)
  async function copy(): Promise<void> {
    const done = await navigator.clipboard?.writeText(account).then(
      () => true,
      () => false,
    )
    isCopied.value = done === true
    if (done) announce(t('Copied.'))
  }
  return (
    <button type="button" onClick={() => void copy()}>
      {isCopied.value ? t('Copied') : t('Copy account number')}
    </button>
  )
}
