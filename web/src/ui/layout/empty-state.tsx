// Nothing here yet: the finished thing in small, one sentence, and the one action that gets there.
//
//   <EmptyState picture="task" title="No tasks yet" text="…" action={<a class="button primary" href="…">…</a>} />
import type { ComponentChildren } from 'preact'

/** Drawings on a grid of 120 × 72. `line` is drawn in rules, `mark` in the accent, `done` in leaf. */
const PICTURES = {
  task: {
    line: 'M8 10H70M8 22H58M8 58H50M84 10H112M84 22H104M84 34H112',
    mark: 'M8 34H64M8 46H44',
    done: 'M86 54l6 6 12-14',
  },
  chat: {
    line: 'M8 12H72V34H24L14 42V34H8ZM18 20H60M18 26H48',
    mark: 'M48 44H112V62H48ZM58 53H96',
    done: '',
  },
  list: {
    line: 'M24 14H112M24 36H112M24 58H112',
    mark: 'M10 10l4 4-4 4-4-4ZM10 32l4 4-4 4-4-4Z',
    done: 'M10 54l4 4-4 4-4-4Z',
  },
  money: {
    line: 'M8 44H112M8 60H80M96 60H112',
    mark: 'M8 10V30M20 10V30M8 16H20M8 24H20M32 20H92',
    done: 'M100 18l4 4 8-10',
  },
  chart: {
    line: 'M12 6V62H114M12 44H114M12 26H114',
    mark: 'M28 62V48M48 62V36M68 62V42M88 62V20',
    done: 'M104 62V30',
  },
  people: {
    line: 'M52 30a10 10 0 1 1 .01 0M34 62c0-14 8-20 18-20s18 6 18 20',
    mark: 'M86 32a8 8 0 1 1 .01 0M76 62c0-10 4-16 10-16 8 0 14 6 14 16',
    done: '',
  },
  review: {
    line: 'M8 10H56M8 38H70M8 50H46M8 62H60',
    mark: 'M8 24H84M96 18V30',
    done: 'M88 54l6 6 14-16',
  },
  search: {
    line: 'M8 10H72M8 38H64M8 50H76M8 62H48',
    mark: 'M8 24H56M96 14a10 10 0 1 1-.01 0M103 32l8 9',
    done: '',
  },
  document: {
    line: 'M36 6H74L88 20V66H36ZM74 6V20H88M46 32H78M46 42H78',
    mark: 'M46 52H62',
    done: 'M70 56l4 4 10-10',
  },
} as const

export type PictureName = keyof typeof PICTURES

type Props = { picture: PictureName; title: string; text?: ComponentChildren; action?: ComponentChildren }

export function EmptyState({ picture, title, text, action }: Props) {
  const { line, mark, done } = PICTURES[picture]
  return (
    <div class="empty">
      <svg viewBox="0 0 120 72" width="120" height="72" aria-hidden="true">
        <path class="empty-line" d={line} />
        <path class="empty-mark" d={mark} />
        <path class="empty-done" d={done} />
      </svg>
      <p class="empty-title">{title}</p>
      {text && <p class="help">{text}</p>}
      {action && <div class="empty-action">{action}</div>}
    </div>
  )
}
