// The position of a number in its range: value filled, default hollow. The text below has the same facts.
import { useEffect, useRef } from 'preact/hooks'
import { t } from '../../../i18n/t.ts'
import { positionOf, type Setting, valueText } from './setting-values.ts'

export function ValueTrack({ setting }: { setting: Setting }) {
  const { min = 0, max = 0, value, default: usual } = setting
  const track = useRef<HTMLDivElement>(null)
  const [at, usually] = [Number(value), Number(usual)].map((each) => positionOf(each, { min, max }))
  useEffect(() => {
    track.current?.style.setProperty('--at', String(at))
    track.current?.style.setProperty('--usual', String(usually))
  }, [at, usually])
  return (
    <div class="track-place">
      <div ref={track} class="track" aria-hidden="true">
        <span class="track-usual" />
        <span class="track-value" />
      </div>
      <p class="help track-words">
        <bdi>{valueText(setting, min)}</bdi>
        <span>
          {t('Value {value}, default {usual}', {
            value: valueText(setting, value),
            usual: valueText(setting, usual),
          })}
        </span>
        <bdi>{valueText(setting, max)}</bdi>
      </p>
    </div>
  )
}
