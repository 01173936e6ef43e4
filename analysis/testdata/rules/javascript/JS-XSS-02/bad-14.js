// The attribute of an element is text.
const d3 = require('d3')

exports.bind = function () {
  const tooltip = d3.select('.tooltip')
  d3.selectAll('g').on('mouseover', function () {
    const node = d3.select(this)
    tooltip.html(node.attr('title')) // ← here
  })
}
