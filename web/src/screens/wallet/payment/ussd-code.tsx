// A USSD code, large and on one line.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../../i18n/t.ts'
import { announce } from '../../../ui/base/announcer.tsx'

export function UssdCode({ code }: { code: string }) {
  const shown = useRef<HTMLElement>(null)
  useEffect(() => shown.current?.style.setProperty('--letters', String(code.length)), [code])
  const dial = (
    <a class={canDial() ? 'button primary' : 'button'} href={`tel:${code.replaceAll('#', '%23')}`}>
      {t('Dial now')}
    </a>
  )
  const copy = <Copy code={code} shown={shown} leads={!canDial()} />
  return (
    <div class="dial">
      <p class="instruction">{t('Dial this code on any phone')}</p>
      <p class="dial-code">
        <bdi dir="ltr">
          <code ref={shown} data-testid="ussd-code">
            {code}
          </code>
        </bdi>
      </p>
      <div class="choices">
        {canDial() && dial}
        {copy}
        {!canDial() && dial}
      </div>
    </div>
  )
}

function Copy({
  code,
  shown,
  leads,
}: {
  code: string
  shown: { current: HTMLElement | null }
  leads: boolean
}) {
  const isCopied = useSignal(false)
  /** Without clipboard access the code is selected, so that one press copies it. */
  async function copy(): Promise<void> {
    const done = await navigator.clipboard?.writeText(code).then(
      () => true,
      () => false,
    )
    isCopied.value = done === true
    if (!done && shown.current) getSelection()?.selectAllChildren(shown.current)
    announce(done ? t('Copied.') : t('Selected. Press copy.'))
  }
  return (
    <button type="button" class={leads ? 'primary' : ''} onClick={() => void copy()}>
      {isCopied.value ? t('Copied') : t('Copy')}
    </button>
  )
}

/** iPhones cannot dial numbers with a star or a hash, so there copying comes first. */
const canDial = (): boolean =>
  !/iPhone|iPad|iPod/.test(navigator.userAgent) &&
  !(/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)
