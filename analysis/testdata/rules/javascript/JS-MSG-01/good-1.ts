window.addEventListener('message', (event) => {
  if (event.origin !== 'https://app.example') return
  document.body.innerHTML = event.data
})
