// Both indices are numbers.
export function setCell(cells: number[][], row: number, column: number, value: number) {
  cells[row][column] = value
}

export function put(matrix: number[][], y: number, x: number, value: number) {
  matrix[y][x] = value
}
