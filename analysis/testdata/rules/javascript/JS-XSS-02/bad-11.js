// What the visitor writes becomes HTML.
const input = document.querySelector('#name')
input.addEventListener('keyup', () => {
  document.querySelector('#greeting').innerHTML = input.value // ← here
})
