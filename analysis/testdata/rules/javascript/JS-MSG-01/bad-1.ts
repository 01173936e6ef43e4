window.addEventListener('message', (event) => { // ← here
  document.getElementById('x').innerHTML = event.data
})
