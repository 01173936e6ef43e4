// A squarified treemap (Bruls, Huizing and van Wijk, 2000).

export type TreemapItem = { readonly weight: number }
export type Tile<T> = {
  readonly item: T
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
type Box = { x: number; y: number; width: number; height: number }

/** Heaviest first; items without weight have no tile. */
export function treemap<T extends TreemapItem>(
  items: readonly T[],
  width: number,
  height: number,
): Tile<T>[] {
  const sorted = items.filter(({ weight }) => weight > 0).toSorted((a, b) => b.weight - a.weight)
  const total = sorted.reduce((sum, { weight }) => sum + weight, 0)
  const scale = total === 0 ? 0 : (width * height) / total
  const tiles: Tile<T>[] = []
  let box: Box = { x: 0, y: 0, width, height }
  let row: T[] = []
  for (const item of sorted) {
    const side = Math.min(box.width, box.height)
    if (row.length > 0 && worst([...row, item], side, scale) > worst(row, side, scale)) {
      box = lay(row, box, scale, tiles)
      row = []
    }
    row.push(item)
  }
  if (row.length > 0) lay(row, box, scale, tiles)
  return tiles
}

const areaOf = (row: readonly TreemapItem[], scale: number): number =>
  row.reduce((sum, { weight }) => sum + weight * scale, 0)

/** The aspect ratio of the least square tile of a row. */
function worst(row: readonly TreemapItem[], side: number, scale: number): number {
  const thickness = areaOf(row, scale) / side
  return Math.max(
    ...row.map(({ weight }) => {
      const length = (weight * scale) / thickness
      return Math.max(length / thickness, thickness / length)
    }),
  )
}

/** Lays a row along the shorter side and returns the remaining box. */
function lay<T extends TreemapItem>(row: readonly T[], box: Box, scale: number, tiles: Tile<T>[]): Box {
  const isUpright = box.width >= box.height
  const side = isUpright ? box.height : box.width
  const thickness = areaOf(row, scale) / side
  let along = 0
  for (const item of row) {
    const length = (item.weight * scale) / thickness
    tiles.push(
      isUpright
        ? { item, x: box.x, y: box.y + along, width: thickness, height: length }
        : { item, x: box.x + along, y: box.y, width: length, height: thickness },
    )
    along += length
  }
  return isUpright
    ? { ...box, x: box.x + thickness, width: box.width - thickness }
    : { ...box, y: box.y + thickness, height: box.height - thickness }
}
