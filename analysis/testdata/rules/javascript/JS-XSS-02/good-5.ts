;(function ($) {
  $.fn.tooltip = function (options) {
    const $tip = $('<div class="tip"></div>')
    $tip.append($('<b></b>').text(options.title))
    return this.append($tip)
  }
})(jQuery)
