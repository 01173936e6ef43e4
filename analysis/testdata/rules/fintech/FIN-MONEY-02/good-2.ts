export const shown = (price) => parseFloat(price).toLocaleString()
