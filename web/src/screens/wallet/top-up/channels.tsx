// The payment methods as cards.
import { msg, t } from '../../../i18n/t.ts'
import { type Channel, channelLabel, type Kind, kindOf } from './top-up-types.ts'

const HINTS: Readonly<Record<Kind, string>> = {
  ussd: msg('Dial a code on any phone'),
  push: msg('Confirm with your PIN on your phone'),
  page: msg("Pay on the provider's page"),
}
/** Hints for methods that do not open a page. */
const OWN_HINTS: Readonly<Record<string, string>> = {
  fawry: msg('Pay at any Fawry point with a number'),
  card: msg('Visa, Mastercard or Verve'),
}

type Props = { channels: readonly Channel[]; chosen: string; onChoose: (name: string) => void }

/** One notice is enough where every method is in test mode. */
const isMixed = (channels: readonly Channel[]): boolean => channels.some(({ mode }) => mode === 'live')

export const Channels = ({ channels, chosen, onChoose }: Props) => (
  <fieldset class="channels">
    <legend>{t('Payment method')}</legend>
    {channels.map(({ channel, mode }) => (
      <label key={channel} class="channel">
        <input
          type="radio"
          name="channel"
          value={channel}
          checked={channel === chosen}
          aria-labelledby={`channel-${channel}`}
          aria-describedby={`channel-${channel}-hint`}
          onChange={() => onChoose(channel)}
        />
        <span id={`channel-${channel}`}>{channelLabel(channels, channel)}</span>
        <span id={`channel-${channel}-hint`} class="help">
          {t(OWN_HINTS[channel] ?? HINTS[kindOf(channel)])}
          {mode === 'mock' && isMixed(channels) && ` · ${t('test mode')}`}
        </span>
      </label>
    ))}
  </fieldset>
)
