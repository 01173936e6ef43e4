// One file per page, for narrow screens: buttons and swipes lead to the next and the previous one.
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { t } from '../../../i18n/t.ts'
import { useHunkKeys } from '../../../ui/diff/hunk-keys.ts'

type Props = { at: number; count: number; onMove: (to: number) => void; children: ComponentChildren }

const SWIPE_PX = 70

export function Pager({ at, count, onMove, children }: Props) {
  const start = useRef<{ x: number; y: number } | null>(null)
  const box = useRef<HTMLDivElement>(null)
  const move = (by: number) => {
    const to = at + by
    if (to < 0 || to >= count) return
    onMove(to)
    box.current?.scrollIntoView({ block: 'start' })
  }
  useHunkKeys(move)
  return (
    <div
      ref={box}
      class="diff-pager"
      onTouchStart={({ touches: [touch], target }) => {
        const isTyping = target instanceof Element && target.closest('textarea') !== null
        start.current = touch && !isTyping ? { x: touch.clientX, y: touch.clientY } : null
      }}
      onTouchEnd={({ changedTouches: [touch], currentTarget }) => {
        if (!start.current || !touch) return
        const [x, y] = [touch.clientX - start.current.x, touch.clientY - start.current.y]
        start.current = null
        if (Math.abs(x) < SWIPE_PX || Math.abs(x) < 2 * Math.abs(y)) return
        const isForward = getComputedStyle(currentTarget).direction === 'rtl' ? x > 0 : x < 0
        move(isForward ? 1 : -1)
      }}
    >
      {count > 1 && (
        <div class="pager-bar">
          <button type="button" class="quiet small" disabled={at === 0} onClick={() => move(-1)}>
            {t('Previous file')}
          </button>
          <span aria-live="polite">{t('{at} of {of}', { at: at + 1, of: count })}</span>
          <button type="button" class="quiet small" disabled={at === count - 1} onClick={() => move(1)}>
            {t('Next file')}
          </button>
        </div>
      )}
      {children}
    </div>
  )
}
