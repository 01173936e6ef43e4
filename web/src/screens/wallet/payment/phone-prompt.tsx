// A payment confirmed on a phone: which phone, how long the prompt lasts, and help.

import { t } from '../../../i18n/t.ts'
import { Trans } from '../../../i18n/trans.tsx'
import { clockText, useSecondsUntil } from '../../../ui/base/countdown.tsx'
import { CHANNEL_NAMES } from '../top-up/top-up-types.ts'

/** How long most networks show the prompt. */
export const PROMPT_MS = 60_000

export function PhonePrompt({ channel, phone, at }: { channel: string; phone: string | null; at: number }) {
  const service = CHANNEL_NAMES[channel] ?? channel
  return (
    <>
      <div class="prompt">
        <Ring until={at + PROMPT_MS} />
        <p class="instruction">
          {phone ? (
            <Trans text="We sent a prompt to {phone}." phone={<bdi dir="ltr">{phone}</bdi>} />
          ) : (
            t('We sent a prompt to your phone.')
          )}{' '}
          {t('Enter your {service} PIN.', { service })}
        </p>
      </div>
      <details class="no-prompt">
        <summary>{t('No prompt?')}</summary>
        <ul>
          <li>{t('Check that the phone is on, has signal, and has this SIM in the first slot.')}</li>
          {channel === 'mpesa' ? (
            <>
              <li>
                <Trans text="Close other {code} sessions on the phone." code={<bdi dir="ltr">*334#</bdi>} />
              </li>
              <li>
                <Trans
                  text="Old SIM cards show no prompts: dial {code} to update yours."
                  code={<bdi dir="ltr">*234#</bdi>}
                />
              </li>
            </>
          ) : (
            <li>{t('Close other network menus on the phone, then send again.')}</li>
          )}
        </ul>
      </details>
    </>
  )
}

/** A visual countdown, hidden from screen readers. */
function Ring({ until }: { until: number }) {
  const left = useSecondsUntil(until).value
  const whole = PROMPT_MS / 1_000
  return (
    <svg
      class="ring"
      viewBox="0 0 72 72"
      width="72"
      height="72"
      role="timer"
      aria-label={t('Time to answer')}
    >
      <circle class="ring-rest" cx="36" cy="36" r="31" />
      <circle
        class="ring-left"
        cx="36"
        cy="36"
        r="31"
        pathLength={whole}
        stroke-dasharray={`${left} ${whole}`}
        transform="rotate(-90 36 36)"
      />
      <text x="36" y="41" text-anchor="middle" direction="ltr">
        {clockText(left)}
      </text>
    </svg>
  )
}
