// The index as a treemap: the more chunks, the larger the tile. Hidden from screen readers, because the list has the same data.
import { t, tn } from '../../../i18n/t.ts'
import { type Entry, isFolder } from './folders.ts'
import { treemap } from './treemap.ts'

const WIDTH = 960
const HEIGHT = 320
const TILES_MAX = 60
/** Narrower tiles show no name. */
const NAMED_WIDTH = 56
const NAMED_HEIGHT = 24
const LETTER = 8

type Props = { entries: readonly Entry[]; folder: string; onOpen: (path: string) => void }

export function WeightMap({ entries, folder, onOpen }: Props) {
  const tiles = treemap(entries.slice(0, TILES_MAX), WIDTH, HEIGHT)
  if (tiles.length < 2) return null
  return (
    // Keyboard users open folders in the list.
    <svg
      class="index-map"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={t('Paths by number of chunks; the list below has the same figures.')}
    >
      {tiles.map(({ item, x, y, width, height }) => (
        <g
          key={item.path}
          class={isFolder(item.path) ? 'tile folder' : 'tile'}
          {...(isFolder(item.path) && { onClick: () => onOpen(item.path) })}
        >
          <title>{`${item.path}: ${tn(item.weight, '{n} chunk', '{n} chunks')}`}</title>
          <rect x={x + 1} y={y + 1} width={Math.max(0, width - 2)} height={Math.max(0, height - 2)} />
          {width >= NAMED_WIDTH && height >= NAMED_HEIGHT && (
            <text x={x + 8} y={y + 18}>
              {cut(item.path.slice(folder.length), Math.floor((width - 16) / LETTER))}
            </text>
          )}
        </g>
      ))}
    </svg>
  )
}

const cut = (name: string, letters: number): string =>
  name.length <= letters ? name : `${name.slice(0, Math.max(1, letters - 1))}…`
