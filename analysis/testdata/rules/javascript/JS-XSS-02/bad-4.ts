;(function ($) {
  $.fn.tooltip = function (options) {
    const $tip = $('<div class="tip"></div>')
    $tip.append('<b>' + options.title + '</b>') // ← here
    return this.append($tip)
  }
})(jQuery)
