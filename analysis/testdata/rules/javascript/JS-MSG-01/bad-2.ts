addEventListener.call
window.addEventListener('message', function (e) { eval(e.data.code) })
