export const area = (width) => parseFloat(width) * 2
