// The path of a line in a chart, in the units of its picture.
export const WIDTH = 640
export const HEIGHT = 200

export function pathOf(values: readonly number[], low: number, high: number): string {
  const step = values.length > 1 ? WIDTH / (values.length - 1) : 0
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)} ${heightOf(value, low, high).toFixed(1)}`,
  )
  // A single point becomes a horizontal line.
  return points.length === 1 ? `M${points[0]}H${WIDTH}` : `M${points.join('L')}`
}

/** Measured from the top; the bottom if all values are zero. */
export const heightOf = (value: number, low: number, high: number): number =>
  high === low ? HEIGHT : HEIGHT - ((value - low) / (high - low)) * HEIGHT
